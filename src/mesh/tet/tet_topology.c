/* Neighbours, components and vertex lists of a tetrahedral mesh, in linear time. */
#include "mesh/tet/tet_topology.h"
#include "base/hash_table.h"
#include "base/memory.h"
#include "mesh/topology.h"

#include <string.h>

/* A face without its lowest vertex, which is the list it is in. */
typedef struct record {
  uint32_t middle, highest, face;
} record;

typedef struct face_work {
  const syn_tetmesh *mesh;
  const syn_context *context;
  uint32_t *start; /* tets with a face whose lowest vertex is v: filed[start[v] … start[v+1]-1], ascending */
  uint32_t *filed;
  record *records;  /* faces of one vertex */
  hash_table table; /* over them */
  uint32_t *next;   /* what is wanted: the rings, */
  uint8_t *lone;    /* or the faces that no other one equals */
} face_work;

static uint32_t lower(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t higher(uint32_t a, uint32_t b) { return a < b ? b : a; }

/* Finds the lowest vertices of a tet's faces: the tet's lowest, and its second for the opposite face. Returns their
 * count. */
static uint32_t two_lowest(const syn_tet *tet, uint32_t lowest[2]) {
  const uint32_t a = lower(tet->v[0], tet->v[1]), b = lower(tet->v[2], tet->v[3]);
  lowest[0] = lower(a, b);
  lowest[1] = lower(higher(a, b), lower(higher(tet->v[0], tet->v[1]), higher(tet->v[2], tet->v[3])));
  return lowest[0] == lowest[1] ? 1 : 2;
}

/* Lists every tet under those vertices. Equal faces are then adjacent, and the working set fits into the cache, which a
 * table over the whole mesh would not. */
static syn_status file_tets(face_work *w, syn_error *error) {
  const uint32_t tets = w->mesh->tet_count, vertices = w->mesh->vertex_count;
  uint32_t lowest[2];
  SYN_TRY(SYN_NEW_ZEROED(w->context, &w->start, (size_t)vertices + 2, error));
  SYN_TRY(SYN_NEW(w->context, &w->filed, 2 * (size_t)tets, error));
  for (uint32_t t = 0; t < tets; ++t)
    for (uint32_t i = two_lowest(&w->mesh->tets[t], lowest); i-- > 0;) ++w->start[lowest[i] + 2];
  for (uint32_t i = 0; i < vertices; ++i) w->start[i + 2] += w->start[i + 1];
  for (uint32_t t = 0; t < tets; ++t) /* moves start[v+1] from the start of list v to its end */
    for (uint32_t i = two_lowest(&w->mesh->tets[t], lowest); i-- > 0;) w->filed[w->start[lowest[i] + 1]++] = t;
  return SYN_OK;
}

/* Allocates for the faces of the vertex with the most. */
static syn_status allocate_faces(face_work *w, syn_error *error) {
  uint32_t longest = 0;
  for (uint32_t v = 0; v < w->mesh->vertex_count; ++v) longest = higher(longest, w->start[v + 1] - w->start[v]);
  SYN_TRY(SYN_NEW(w->context, &w->records, 4 * (size_t)longest, error));
  return hash_table_create(w->context, hash_table_bits(4 * (size_t)longest), &w->table, error);
}

/* Collects the faces whose lowest vertex is v, ascending. */
static uint32_t gather(face_work *w, uint32_t v) {
  uint32_t count = 0;
  for (uint32_t i = w->start[v]; i < w->start[v + 1]; ++i) {
    const uint32_t t = w->filed[i], *corner = w->mesh->tets[t].v;
    for (uint32_t f = 0; f < 4; ++f) {
      const uint32_t a = corner[syn_tet_face[f][0]], b = corner[syn_tet_face[f][1]], c = corner[syn_tet_face[f][2]];
      const uint32_t low = lower(a, b), high = higher(a, b);
      w->records[count] = (record){higher(low, lower(high, c)), higher(high, c), 4 * t + f};
      count += lower(low, c) == v; /* branchless: the outcome cannot be predicted */
    }
  }
  return count;
}

static bool same_face(const void *records, uint32_t i, const void *face) {
  const record *a = (const record *)records + i, *b = face;
  return a->middle == b->middle && a->highest == b->highest;
}

static void clear_bit(uint8_t *bits, uint32_t face) { bits[face / 4] &= (uint8_t) ~(1u << face % 4); }

/* The ring grows right behind its first face: from there it descends. */
static void join_two(face_work *w, uint32_t first, uint32_t face) {
  if (w->lone) {
    clear_bit(w->lone, first);
    clear_bit(w->lone, face);
  } else {
    w->next[face] = w->next[first];
    w->next[first] = face;
  }
}

/* Joins each face of one vertex with the first that has the same vertices. */
static void join_list(face_work *w, uint32_t count) {
  w->table.bits = hash_table_bits(count); /* as few slots as do, for they are all cleared */
  hash_table_clear(&w->table);
  for (uint32_t i = 0; i < count; ++i) {
    const record *r = &w->records[i];
    const uint64_t hash = hash_finish(hash_add(0, (uint64_t)r->middle << 32 | r->highest));
    const uint32_t first = hash_table_join(&w->table, hash, i, same_face, w->records, r);
    if (first != i) join_two(w, w->records[first].face, r->face);
  }
}

static syn_status join_lists(face_work *w, syn_error *error) {
  SYN_TRY(file_tets(w, error));
  SYN_TRY(allocate_faces(w, error));
  for (uint32_t v = 0; v < w->mesh->vertex_count; ++v) join_list(w, gather(w, v));
  return SYN_OK;
}

static syn_status join(face_work *w, syn_error *error) {
  const syn_status status = join_lists(w, error);
  syn_free(w->context, w->start);
  syn_free(w->context, w->filed);
  syn_free(w->context, w->records);
  syn_free(w->context, w->table.slots);
  return status;
}

static syn_status check_count(const syn_tetmesh *mesh, syn_error *error) {
  if (mesh->tet_count < 1u << 30) return SYN_OK;
  return syn_fail(error, SYN_TOO_LARGE, "%u tetrahedra have more faces than 32-bit indices count", mesh->tet_count);
}

syn_status syn_tet_same_faces(const syn_tetmesh *mesh, uint32_t **next, syn_error *error) {
  face_work w = {.mesh = mesh, .context = mesh->context};
  *next = NULL;
  SYN_TRY(check_count(mesh, error));
  SYN_TRY(SYN_NEW(w.context, &w.next, 4 * (size_t)mesh->tet_count, error));
  for (uint32_t face = 0; face < 4 * mesh->tet_count; ++face) w.next[face] = face;
  const syn_status status = join(&w, error);
  if (status == SYN_OK)
    *next = w.next;
  else
    syn_free(w.context, w.next);
  return status;
}

syn_status syn_tet_surface_faces(const syn_context *context, const syn_tetmesh *mesh, uint8_t *faces,
                                 syn_error *error) {
  SYN_TRY(check_count(mesh, error));
  if (mesh->tet_count > 0) memset(faces, 0xf, mesh->tet_count);
  face_work w = {.mesh = mesh, .context = context, .lone = faces};
  return join(&w, error);
}

/* The same object while it is being filled. */
typedef struct topology_work {
  const syn_tetmesh *mesh;
  const syn_context *context;
  uint32_t *same, (*neighbours)[4], *vertex_start, *vertex_tets, *component;
  uint32_t surface_face_count, component_count, nonmanifold_faces;
} topology_work;

/* A neighbour exists where exactly two different tets share the face. */
static syn_status find_tet_neighbours(topology_work *w, syn_error *error) {
  const uint32_t n = w->mesh->tet_count;
  SYN_TRY(SYN_NEW(w->context, &w->neighbours, n, error));
  for (uint32_t face = 0; face < 4 * n; ++face) {
    const uint32_t other = w->same[face];
    const bool alone = other == face, pair = !alone && w->same[other] == face;
    w->surface_face_count += alone;
    w->nonmanifold_faces += !pair && other > face; /* once per ring */
    w->neighbours[face / 4][face % 4] = pair && other / 4 != face / 4 ? other / 4 : SYN_NONE;
  }
  return SYN_OK;
}

/* Root of the tree that t hangs in; halves the way on the go. */
static uint32_t root_of(uint32_t *parent, uint32_t t) {
  while (parent[t] != t) {
    parent[t] = parent[parent[t]];
    t = parent[t];
  }
  return t;
}

/* Joins tets that share a face, non-manifold ones included. Roots are always the lowest tet of their tree, so that one
 * ascending walk numbers the components in order of their first tet. */
static syn_status find_components(topology_work *w, syn_error *error) {
  const uint32_t n = w->mesh->tet_count;
  SYN_TRY(SYN_NEW(w->context, &w->component, n, error));
  for (uint32_t t = 0; t < n; ++t) w->component[t] = t;
  for (uint32_t face = 0; face < 4 * n; ++face) {
    const uint32_t a = root_of(w->component, face / 4), b = root_of(w->component, w->same[face] / 4);
    w->component[a > b ? a : b] = a < b ? a : b;
  }
  for (uint32_t t = 0; t < n; ++t)
    w->component[t] = w->component[t] == t ? w->component_count++ : w->component[w->component[t]];
  return SYN_OK;
}

static syn_status fill_tet_topology(topology_work *w, syn_error *error) {
  const syn_tetmesh *mesh = w->mesh;
  SYN_TRY(syn_tet_same_faces(mesh, &w->same, error));
  SYN_TRY(find_tet_neighbours(w, error));
  SYN_TRY(find_components(w, error));
  return syn_invert_cells(w->context, mesh->tet_count ? mesh->tets->v : NULL, 4, mesh->tet_count, mesh->vertex_count,
                          &w->vertex_start, &w->vertex_tets, error);
}

syn_status syn_tet_topology_create(const syn_tetmesh *mesh, syn_tet_topology **topology, syn_error *error) {
  topology_work w = {.mesh = mesh, .context = mesh->context};
  *topology = NULL;
  SYN_TRY(SYN_NEW(w.context, topology, 1, error));
  syn_status status = fill_tet_topology(&w, error);
  syn_free(w.context, w.same);
  **topology = (syn_tet_topology){
      .context = w.context,
      .tet_count = mesh->tet_count,
      .vertex_count = mesh->vertex_count,
      .surface_face_count = w.surface_face_count,
      .component_count = w.component_count,
      .neighbours = (const uint32_t(*)[4])w.neighbours,
      .vertex_tet_start = w.vertex_start,
      .vertex_tets = w.vertex_tets,
      .tet_component = w.component,
      .nonmanifold_faces = w.nonmanifold_faces,
  };
  if (status != SYN_OK) {
    syn_tet_topology_destroy(*topology);
    *topology = NULL;
  }
  return status;
}

void syn_tet_topology_destroy(syn_tet_topology *t) {
  if (!t) return;
  const void *const blocks[] = {t->neighbours, t->vertex_tet_start, t->vertex_tets, t->tet_component};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free_const(t->context, blocks[i]);
  syn_free(t->context, t);
}
