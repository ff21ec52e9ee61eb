/* Files that are given as meshes and hold something else: what they are, by their content, and what to do with them. */
#ifndef SYN_MESH_IO_FOREIGN_FILE_H
#define SYN_MESH_IO_FOREIGN_FILE_H

#include "mesh/io/format.h"

/* Fails with what the content is; SYN_OK where it is nothing known. */
syn_status syn_refuse_foreign(const syn_source *source, syn_error *error);
/* Fails for content that is nothing known, with the formats that are read. */
syn_status syn_refuse_unknown(const syn_source *source, syn_error *error);
/* Where `path` is a folder that holds DICOM images: fails with that. Else returns `status`, the reason why it could not
 * be read, and leaves the error. */
syn_status syn_refuse_image_folder(syn_status status, const char *path, syn_error *error);

#endif
