/* What all owners of a mesh have in common. */
#ifndef SYN_MESH_SHARED_H
#define SYN_MESH_SHARED_H

#include "mesh/derived.h"

typedef struct syn_mesh_shared {
  const syn_context *context;
  syn_trimesh *mesh; /* that all owners have; a caller may hold a copy of the struct */
  uint32_t owners;   /* atomic */
  syn_derived *derived[SYN_DERIVED_KINDS];
} syn_mesh_shared;

#endif
