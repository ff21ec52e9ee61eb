/* Data shared by all owners of a mesh. */
#ifndef SYN_MESH_SHARED_H
#define SYN_MESH_SHARED_H

#include "mesh/derived.h"

enum { SYN_MOVED_VERSIONS = 2 };

typedef struct syn_mesh_shared {
  const syn_context *context;
  syn_trimesh *mesh; /* the mesh of all owners; a caller may hold a copy of the struct */
  uint32_t owners;   /* atomic */
  syn_derived *derived[SYN_DERIVED_KINDS];
  /* Versions fitted to other positions of the vertices; see syn_derive_moved. */
  syn_derived *moved[SYN_DERIVED_KINDS][SYN_MOVED_VERSIONS];
  bool moving;                        /* a lock for `moved` */
  uint64_t fitted[SYN_DERIVED_KINDS]; /* count of fits, for tests */
} syn_mesh_shared;

#endif
