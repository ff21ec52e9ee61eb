/* Reading VTK's legacy format. */
#ifndef SYN_MESH_IO_VTK_READ_H
#define SYN_MESH_IO_VTK_READ_H

#include "mesh/io/format.h"

bool syn_vtk_sniff(const syn_source *source);
syn_status syn_vtk_read(const syn_source *source, syn_builder *builder, syn_error *error);

#endif
