#include "collide/prepare.h"

#include "base/parallel.h"
#include "collide/pairs/obb_tree.h"
#include "collide/rotation/rotation_plan.h"
#include "collide/surface/surface_tree.h"

/* The others are made of the first, so it comes before them. */
static const syn_derivation *const kinds[] = {&syn_derive_topology, &syn_derive_surface, &syn_derive_obb_tree,
                                              &syn_derive_turn_order};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct preparing {
  const syn_trimesh *const *meshes;
  size_t first_kind, kind_count;
} preparing;

static syn_status prepare(void *user, size_t task, syn_error *error) {
  const preparing *p = user;
  const syn_trimesh *mesh = p->meshes[task / p->kind_count];
  syn_derived *derived;
  if (!mesh->shared) return SYN_OK; /* nobody would find it */
  const syn_status status = syn_derive(mesh, kinds[p->first_kind + task % p->kind_count], &derived, error);
  if (status == SYN_OK) syn_derived_release(derived);
  return status == SYN_NO_MEMORY ? status : SYN_OK;
}

syn_status syn_meshes_prepare(const syn_context *context, const syn_trimesh *const *meshes, size_t count,
                              syn_error *error) {
  preparing topology = {meshes, 0, 1}, others = {meshes, 1, KINDS - 1};
  SYN_TRY(syn_parallel_tasks(context, count, prepare, &topology, error));
  return syn_parallel_tasks(context, count * others.kind_count, prepare, &others, error);
}
