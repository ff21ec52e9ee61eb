/* Reading both XML formats of VTK, shared by the entries of .vtp and .vtu. */
#ifndef SYN_MESH_IO_VTU_READ_H
#define SYN_MESH_IO_VTU_READ_H

#include "mesh/io/format.h"

bool syn_vtu_sniff(const syn_source *source);
syn_status syn_vtu_read(const syn_source *source, syn_builder *builder, syn_error *error);

#endif
