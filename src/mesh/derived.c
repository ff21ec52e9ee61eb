#include "mesh/derived.h"

#include "base/memory.h"
#include "mesh/shared.h"
#include "mesh/tree/box_tree.h"

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

/* Keeps one object: two threads may make the same one at once; the second one to finish takes the first one's. */
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

/* ---- following deformations -----------------------------------------------------------------------------------------
 */

static void lock(syn_mesh_shared *shared) {
  while (__atomic_test_and_set(&shared->moving, __ATOMIC_ACQUIRE)) continue;
}

static void unlock(syn_mesh_shared *shared) { __atomic_clear(&shared->moving, __ATOMIC_RELEASE); }

static uint32_t references(syn_derived *derived) { return __atomic_load_n(&derived->references, __ATOMIC_ACQUIRE); }

static void exchange(syn_derived *by, syn_derived **derived) {
  __atomic_add_fetch(&by->references, 1, __ATOMIC_RELAXED);
  syn_derived_release(*derived);
  *derived = by;
}

/* Finds an existing version, or the original. */
static syn_derived *find_at(const syn_mesh_shared *shared, const syn_derivation *how, const syn_vec3 *vertices) {
  syn_derived *original = __atomic_load_n(&shared->derived[how->kind], __ATOMIC_ACQUIRE);
  if (original && how->is_at(original->made, vertices)) return original;
  for (int i = 0; i < SYN_MOVED_VERSIONS; ++i) {
    syn_derived *version = shared->moved[how->kind][i];
    if (version && how->is_at(version->made, vertices)) return version;
  }
  return NULL;
}

/* Finds a slot for a version that only the mesh and the caller use: the caller's, a released one, or an empty one. If
 * there is none, the users of the first may keep it without the mesh. */
static syn_derived **free_place(syn_mesh_shared *shared, syn_derived_kind kind, const syn_derived *own) {
  syn_derived **places = shared->moved[kind], **left = NULL, **empty = NULL;
  for (int i = 0; i < SYN_MOVED_VERSIONS; ++i) {
    if (places[i] && places[i] == own && references(places[i]) == 2) return &places[i];
    if (!places[i]) empty = &places[i];
    if (places[i] && references(places[i]) == 1) left = &places[i];
  }
  if (left) return left;
  if (empty) return empty;
  syn_derived_release(places[0]);
  places[0] = NULL;
  return &places[0];
}

static syn_status fit_version(const syn_trimesh *mesh, const syn_derivation *how, const syn_vec3 *vertices,
                              syn_derived **derived, syn_error *error) {
  syn_mesh_shared *shared = mesh->shared;
  syn_derived *version = find_at(shared, how, vertices);
  if (!version) {
    syn_derived **place = free_place(shared, how->kind, *derived);
    if (!*place) SYN_TRY(make(shared->mesh, how, place, error));
    SYN_TRY(how->move((void *)(uintptr_t)(*place)->made, vertices, error));
    ++shared->fitted[how->kind];
    version = *place;
  }
  exchange(version, derived);
  return SYN_OK;
}

/* A mesh that was filled by hand stores nothing: *derived then belongs to the caller alone. */
syn_status syn_derive_moved(const syn_trimesh *mesh, const syn_derivation *how, const syn_vec3 *vertices,
                            syn_derived **derived, syn_error *error) {
  if (!mesh->shared) return how->move((void *)(uintptr_t)(*derived)->made, vertices, error);
  lock(mesh->shared);
  const syn_status status = fit_version(mesh, how, vertices, derived, error);
  unlock(mesh->shared);
  return status;
}

/* ---- what this module derives ---------------------------------------------------------------------------------------
 */

static syn_status make_topology(const syn_trimesh *mesh, void **made, syn_error *error) {
  return syn_topology_create(mesh, (syn_topology **)made, error);
}
static void destroy_topology(void *made) { syn_topology_destroy(made); }
const syn_derivation syn_derive_topology = {SYN_DERIVED_TOPOLOGY, make_topology, destroy_topology, NULL, NULL};

static syn_status make_box_tree(const syn_trimesh *mesh, void **made, syn_error *error) {
  return syn_box_tree_of_mesh(mesh, (syn_box_tree **)made, error);
}
static void destroy_box_tree(void *made) { syn_box_tree_destroy(made); }
const syn_derivation syn_derive_box_tree = {SYN_DERIVED_BOX_TREE, make_box_tree, destroy_box_tree, NULL, NULL};
