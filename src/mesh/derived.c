#include "mesh/derived.h"

#include "base/memory.h"
#include "mesh/box_tree.h"
#include "mesh/shared.h"

static syn_status make(const syn_trimesh *mesh, const syn_derivation *how, syn_derived **derived, syn_error *error) {
  syn_derived *made;
  void *content;
  SYN_TRY(SYN_NEW(mesh->context, &made, 1, error));
  const syn_status status = how->make(mesh, &content, error);
  if (status != SYN_OK) {
    syn_free(mesh->context, made);
    return status;
  }
  *made = (syn_derived){.context = mesh->context, .how = how, .made = content, .references = 1};
  *derived = made;
  return SYN_OK;
}

/* Two threads may make the same thing at once; the second one to finish takes the first one's. */
static syn_derived *keep_one(syn_derived **place, syn_derived *made) {
  syn_derived *kept = NULL;
  if (__atomic_compare_exchange_n(place, &kept, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
  syn_derived_release(made);
  return kept;
}

syn_status syn_derive(const syn_trimesh *mesh, const syn_derivation *how, syn_derived **derived, syn_error *error) {
  *derived = NULL;
  if (!mesh->shared) return make(mesh, how, derived, error);
  syn_derived **place = &mesh->shared->derived[how->kind], *found = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (!found) {
    syn_trimesh owner = *mesh; /* a view of the mesh may carry another context */
    owner.context = mesh->shared->context;
    SYN_TRY(make(&owner, how, &found, error));
    found = keep_one(place, found);
  }
  __atomic_add_fetch(&found->references, 1, __ATOMIC_RELAXED);
  *derived = found;
  return SYN_OK;
}

void syn_derived_release(syn_derived *derived) {
  if (!derived || __atomic_sub_fetch(&derived->references, 1, __ATOMIC_ACQ_REL) > 0) return;
  derived->how->destroy((void *)(uintptr_t)derived->made);
  syn_free(derived->context, derived);
}

/* ---- what this module derives ---------------------------------------------------------------------------------------
 */

static syn_status make_topology(const syn_trimesh *mesh, void **made, syn_error *error) {
  return syn_topology_create(mesh, (syn_topology **)made, error);
}
static void destroy_topology(void *made) { syn_topology_destroy(made); }
const syn_derivation syn_derive_topology = {SYN_DERIVED_TOPOLOGY, make_topology, destroy_topology};

static syn_status make_box_tree(const syn_trimesh *mesh, void **made, syn_error *error) {
  return syn_box_tree_of_mesh(mesh, (syn_box_tree **)made, error);
}
static void destroy_box_tree(void *made) { syn_box_tree_destroy(made); }
const syn_derivation syn_derive_box_tree = {SYN_DERIVED_BOX_TREE, make_box_tree, destroy_box_tree};
