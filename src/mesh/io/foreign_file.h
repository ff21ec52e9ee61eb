/* Recognises files that are not meshes by their content, and reports what they are and what to do with them. */
#ifndef SYN_MESH_IO_FOREIGN_FILE_H
#define SYN_MESH_IO_FOREIGN_FILE_H

#include "mesh/io/format.h"

/* Fails with a description of the content; SYN_OK for unknown content. */
syn_status syn_refuse_foreign(const syn_source *source, syn_error *error);
/* Fails for unknown content, with the list of readable formats. */
syn_status syn_refuse_unknown(const syn_source *source, syn_error *error);
/* Fails if `path` is a folder of DICOM images. Else returns `status`, the reason why it could not be read, and leaves
 * the error. */
syn_status syn_refuse_image_folder(syn_status status, const char *path, syn_error *error);

#endif
