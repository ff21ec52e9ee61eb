#include "mesh/repair/nesting.h"
#include "base/vec.h"
#include "geometry/predicates.h"
#include "mesh/topology.h"
#include "mesh/tree/box_tree.h"

#include <string.h>

typedef struct shell_info {
  double volume6;  /* six times the signed volume, about `origin` against cancellation */
  syn_vec3 origin; /* one of its vertices */
} shell_info;

static void measure_shell(const syn_trimesh *mesh, const uint32_t *shell, shell_info *info) {
  for (uint32_t t = mesh->triangle_count; t-- > 0;)
    info[shell[t]] = (shell_info){0, mesh->vertices[mesh->triangles[t].v[0]]};
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    shell_info *of = &info[shell[t]];
    const syn_vec3 a = vec3_sub(mesh->vertices[v[0]], of->origin), b = vec3_sub(mesh->vertices[v[1]], of->origin);
    of->volume6 += vec3_dot(a, vec3_cross(b, vec3_sub(mesh->vertices[v[2]], of->origin)));
  }
}

/* Assigns a shell: at even depth it bounds a solid, at odd depth a cavity of the solid around it. */
static syn_status place(const syn_nesting *nesting, const shell_info *info, syn_shells *shells, syn_error *error) {
  for (uint32_t s = 0; s < shells->count; ++s) {
    const bool cavity = nesting->depth[s] % 2 == 1;
    if (cavity && info[s].volume6 >= 0)
      return syn_fail(error, SYN_BAD_MESH,
                      "shell %u lies inside another solid but faces outward: turn it to make a cavity, or remove it",
                      s);
    if (!cavity && info[s].volume6 < 0)
      return syn_fail(error, SYN_BAD_MESH, "shell %u faces inward without lying in a solid: turn it", s);
    shells->outer[s] = cavity ? nesting->around[s] : s;
  }
  return SYN_OK;
}

static syn_status find_shells(syn_arena *arena, const syn_trimesh *mesh, const syn_topology *topology,
                              syn_shells *shells, syn_error *error) {
  syn_nesting nesting;
  shell_info *info;
  uint8_t *closed;
  SYN_TRY(SYN_NEW(mesh->context, &shells->outer, shells->count, error));
  SYN_TRY(SYN_NEW(mesh->context, &shells->shell, mesh->triangle_count, error));
  SYN_TRY(SYN_TAKE(arena, &info, shells->count, error));
  SYN_TRY(SYN_TAKE(arena, &closed, shells->count, error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) shells->shell[t] = topology->triangle_component[t];
  for (uint32_t s = 0; s < shells->count; ++s) closed[s] = 1;
  SYN_TRY(syn_nesting_find(arena, mesh, topology, closed, &nesting, error));
  measure_shell(mesh, shells->shell, info);
  return place(&nesting, info, shells, error);
}

syn_status syn_shells_find(const syn_trimesh *mesh, syn_shells *shells, syn_error *error) {
  syn_arena arena = {.context = mesh->context};
  syn_topology *topology;
  *shells = (syn_shells){0};
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  shells->count = topology->component_count;
  const syn_status status = find_shells(&arena, mesh, topology, shells, error);
  syn_arena_release(&arena);
  syn_topology_destroy(topology);
  return status;
}

void syn_shells_release(const syn_context *context, syn_shells *shells) {
  syn_free(context, shells->outer);
  syn_free(context, shells->shell);
  *shells = (syn_shells){0};
}

typedef struct nester {
  const syn_trimesh *mesh;
  const uint32_t *component; /* of each triangle */
  const uint8_t *closed;
  uint32_t count; /* components */
  syn_box_tree *tree;
  uint32_t *start, *members; /* the triangles of each component */
  uint32_t *asked;           /* per vertex: the last component for which it was tested */
  uint8_t *odd;              /* per component: did the ray cross it an odd number of times? */
  uint32_t *inside;          /* per component: count of vertices found in it */
  uint32_t *list;            /* components that contain all tested vertices, then those of the next ray */
  uint32_t list_count;
  size_t list_capacity;
  uint32_t own; /* the component being located, and one of its points */
  syn_vec3 eye;
  syn_error *error;
  syn_status status;
} nester;

/* ---- one ray ------------------------------------------------------------------------------------------------------
 */

/* Returns whether the line through `eye` along x passes below the edge in the plane of y and z. Both triangles of an
 * edge get the same answer, even if the line touches the edge or its ends: the line counts as slightly shifted. */
static bool passes_below(syn_vec3 a, syn_vec3 b, syn_vec3 eye) {
  if ((a.y > eye.y) == (b.y > eye.y)) return false;
  const bool swap = a.y > b.y;
  const syn_vec3 low = swap ? b : a, high = swap ? a : b;
  return syn_orient2d(low.y, low.z, high.y, high.z, eye.y, eye.z) > 0;
}

/* Returns whether the ray from `eye` towards +x crosses the triangle. */
static bool passes(const syn_vec3 p[3], syn_vec3 eye) {
  if (!(passes_below(p[0], p[1], eye) ^ passes_below(p[1], p[2], eye) ^ passes_below(p[2], p[0], eye))) return false;
  const int turn = syn_orient2d(p[0].y, p[0].z, p[1].y, p[1].z, p[2].y, p[2].z);
  return syn_orient3d(p[0], p[1], p[2], eye) * turn < 0; /* turn > 0: the face looks towards +x, the eye is behind */
}

static bool meet_triangle(void *user, uint32_t t) {
  nester *n = user;
  const uint32_t c = n->component[t], *v = n->mesh->triangles[t].v;
  if (c == n->own || !n->closed[c]) return true;
  const syn_vec3 p[3] = {n->mesh->vertices[v[0]], n->mesh->vertices[v[1]], n->mesh->vertices[v[2]]};
  if (!passes(p, n->eye)) return true;
  n->odd[c] ^= 1;
  if (!n->odd[c]) return true;
  n->status = SYN_RESERVE(n->mesh->context, &n->list, n->list_count, 1, &n->list_capacity, n->error);
  if (n->status == SYN_OK) n->list[n->list_count++] = c;
  return n->status == SYN_OK;
}

/* Tests vertex number `vertices` of the component: keeps in the list the components that contain it and all previous
 * ones. */
static syn_status shoot(nester *n, syn_vec3 eye, uint32_t vertices) {
  const syn_box ray = {eye, {INFINITY, eye.y, eye.z}};
  const uint32_t before = n->list_count;
  uint32_t kept = 0;
  n->eye = eye;
  syn_box_tree_overlaps(n->tree, &ray, meet_triangle, n);
  SYN_TRY(n->status);
  for (uint32_t i = before; i < n->list_count; ++i) {
    const uint32_t c = n->list[i];
    if (n->odd[c] && n->inside[c] == vertices - 1) {
      n->inside[c] = vertices;
      if (vertices == 1) n->list[kept++] = c;
    }
    n->odd[c] = 0; /* the list may contain it again */
  }
  for (uint32_t i = 0; i < before; ++i) {
    const uint32_t c = n->list[i];
    if (n->inside[c] == vertices)
      n->list[kept++] = c;
    else
      n->inside[c] = 0;
  }
  n->list_count = kept;
  return SYN_OK;
}

/* Keeps in the list the components that contain the whole component: tests its vertices until the list is empty. */
static syn_status find_around(nester *n, uint32_t component) {
  uint32_t vertices = 0;
  n->own = component;
  n->list_count = 0;
  for (uint32_t i = n->start[component]; i < n->start[component + 1]; ++i)
    for (int c = 0; c < 3; ++c) {
      const uint32_t v = n->mesh->triangles[n->members[i]].v[c];
      if (n->asked[v] == component) continue;
      n->asked[v] = component;
      SYN_TRY(shoot(n, n->mesh->vertices[v], ++vertices));
      if (n->list_count == 0) return SYN_OK;
    }
  for (uint32_t i = 0; i < n->list_count; ++i) n->inside[n->list[i]] = 0;
  return SYN_OK;
}

/* ---- all ----------------------------------------------------------------------------------------------------------
 */

/* Finds all in two rounds, as the innermost enclosing component is the one of max depth. Components of depth 0 are
 * finished after the first round, and mostly after one ray. */
static syn_status find_all(nester *n, syn_nesting *nesting) {
  for (uint32_t c = 0; c < n->count; ++c) {
    if (!n->closed[c]) continue;
    SYN_TRY(find_around(n, c));
    nesting->depth[c] = n->list_count;
  }
  memset(n->asked, 0xff, n->mesh->vertex_count * sizeof *n->asked);
  for (uint32_t c = 0; c < n->count; ++c) {
    if (nesting->depth[c] == 0) continue;
    SYN_TRY(find_around(n, c));
    for (uint32_t i = 0; i < n->list_count; ++i)
      if (nesting->around[c] == SYN_NONE || nesting->depth[n->list[i]] > nesting->depth[nesting->around[c]])
        nesting->around[c] = n->list[i];
  }
  return SYN_OK;
}

static syn_status prepare(syn_arena *arena, nester *n, syn_error *error) {
  SYN_TRY(SYN_TAKE(arena, &n->asked, n->mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &n->odd, n->count, error));
  SYN_TRY(SYN_TAKE(arena, &n->inside, n->count, error));
  memset(n->asked, 0xff, n->mesh->vertex_count * sizeof *n->asked);
  memset(n->odd, 0, n->count * sizeof *n->odd);
  memset(n->inside, 0, n->count * sizeof *n->inside);
  SYN_TRY(syn_invert_cells(n->mesh->context, n->component, 1, n->mesh->triangle_count, n->count, &n->start, &n->members,
                           error));
  return syn_box_tree_of_mesh(n->mesh, &n->tree, error);
}

syn_status syn_nesting_find(syn_arena *arena, const syn_trimesh *mesh, const syn_topology *topology,
                            const uint8_t *closed, syn_nesting *nesting, syn_error *error) {
  nester n = {.mesh = mesh, .component = topology->triangle_component, .closed = closed, .error = error};
  n.count = topology->component_count;
  uint32_t candidates = 0;
  SYN_TRY(SYN_TAKE(arena, &nesting->depth, n.count, error));
  SYN_TRY(SYN_TAKE(arena, &nesting->around, n.count, error));
  for (uint32_t c = 0; c < n.count; ++c) {
    nesting->depth[c] = 0;
    nesting->around[c] = SYN_NONE;
    candidates += closed[c] != 0;
  }
  if (candidates < 2) return SYN_OK;
  syn_status status = prepare(arena, &n, error);
  if (status == SYN_OK) status = find_all(&n, nesting);
  syn_box_tree_destroy(n.tree);
  syn_free(mesh->context, n.start);
  syn_free(mesh->context, n.members);
  syn_free(mesh->context, n.list);
  return status;
}
