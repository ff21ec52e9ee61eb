/* Data computed once per mesh and shared by all users: its topology, its box tree, and what other modules add.
 *
 * A mesh never changes, so neither does anything derived from it. The mesh keeps one object of each kind, made on first
 * use. Every user holds a reference, so that the object may outlive the mesh. Safe to use from several threads. */
#ifndef SYN_MESH_DERIVED_H
#define SYN_MESH_DERIVED_H

#include <synovia/mesh.h>

#include "base/status.h"

typedef enum syn_derived_kind {
  SYN_DERIVED_TOPOLOGY,
  SYN_DERIVED_BOX_TREE,
  SYN_DERIVED_PAIR_SHAPE,
  SYN_DERIVED_OBB_TREE,
  SYN_DERIVED_TURN_ORDER,
  SYN_DERIVED_SURFACE,
  SYN_DERIVED_FACING,
  SYN_DERIVED_KINDS
} syn_derived_kind;

/* How one kind is made: from the mesh alone, in memory of the mesh's context. */
typedef struct syn_derivation {
  syn_derived_kind kind;
  syn_status (*make)(const syn_trimesh *mesh, void **made, syn_error *error);
  void (*destroy)(void *made);
  /* For syn_derive_moved; NULL if a deformation cannot be followed. `move` fits it to other positions of the vertices,
   * or fails and leaves it unchanged; the result depends on the mesh and these positions alone. */
  syn_status (*move)(void *made, const syn_vec3 *vertices, syn_error *error);
  bool (*is_at)(const void *made, const syn_vec3 *vertices);
} syn_derivation;

/* A counted reference. */
typedef struct syn_derived {
  const syn_context *context;
  const syn_derivation *how;
  const void *made;
  uint32_t references; /* atomic */
} syn_derived;

/* Release with syn_derived_release. A mesh that was filled by hand stores nothing: each call makes a separate object.
 */
syn_status syn_derive(const syn_trimesh *mesh, const syn_derivation *how, syn_derived **derived, syn_error *error);
void syn_derived_release(syn_derived *derived); /* NULL is fine */

/* Exchanges *derived, which came from syn_derive or from here, for one that is fitted to other positions of the mesh's
 * vertices. The first caller after a deformation fits it, later callers with the same positions share it, and those who
 * have not called yet keep theirs. The mesh keeps two such versions, so that in the long run nothing is allocated. On
 * failure *derived stays. Safe to use from several threads. */
syn_status syn_derive_moved(const syn_trimesh *mesh, const syn_derivation *how, const syn_vec3 *vertices,
                            syn_derived **derived, syn_error *error);

extern const syn_derivation syn_derive_topology; /* a syn_topology */
extern const syn_derivation syn_derive_box_tree; /* a syn_box_tree over the triangles, in their order */

static inline const syn_topology *derived_topology(const syn_derived *derived) { return derived->made; }

#endif
