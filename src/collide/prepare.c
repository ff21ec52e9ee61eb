#include "collide/prepare.h"

#include "base/parallel.h"
#include "collide/pairs/obb_tree.h"
#include "collide/rotation/rotation_plan.h"
#include "collide/surface/surface_tree.h"

/* The other kinds are derived from the first one. */
static const syn_derivation *const kinds[] = {&syn_derive_topology, &syn_derive_surface, &syn_derive_obb_tree,
                                              &syn_derive_turn_order};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct preparing {
  const syn_trimesh *const *meshes;
  syn_status (*own)(void *user, syn_error *error);
  void *user;
} preparing;

static syn_status prepare_mesh(const syn_trimesh *mesh, const syn_derivation *kind, syn_error *error) {
  syn_derived *derived;
  if (!mesh->shared) return SYN_OK; /* a mesh that is not shared keeps nothing for later users */
  const syn_status status = syn_derive(mesh, kind, &derived, error);
  if (status == SYN_OK) syn_derived_release(derived);
  return status == SYN_NO_MEMORY ? status : SYN_OK;
}

static syn_status prepare_topology(void *user, size_t task, syn_error *error) {
  const preparing *p = user;
  return prepare_mesh(p->meshes[task], kinds[0], error);
}

/* Runs one task; task 0 is the caller's function. */
static syn_status prepare_others(void *user, size_t task, syn_error *error) {
  const preparing *p = user;
  if (task == 0) return p->own ? p->own(p->user, error) : SYN_OK;
  return prepare_mesh(p->meshes[(task - 1) / (KINDS - 1)], kinds[1 + (task - 1) % (KINDS - 1)], error);
}

syn_status syn_meshes_prepare(const syn_context *context, const syn_trimesh *const *meshes, size_t count,
                              syn_status (*own)(void *user, syn_error *error), void *user, syn_error *error) {
  preparing p = {meshes, own, user};
  SYN_TRY(syn_parallel_tasks(context, count, prepare_topology, &p, error));
  return syn_parallel_tasks(context, 1 + count * (KINDS - 1), prepare_others, &p, error);
}
