/* Makes elements from a mesh: checks every element, and computes what depends on the rest positions only. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/fem/fem.h"

/* ---- checks --------------------------------------------------------------------------------------------------------
 */

static syn_status check_indices(const syn_fem_mesh *mesh, syn_error *error) {
  if ((unsigned)mesh->element >= SYN_ELEMENTS)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no element kind %d", (int)mesh->element);
  const size_t each = syn_element_nodes[mesh->element], total = each * mesh->element_count;
  if (mesh->element_count == 0) return syn_fail(error, SYN_BAD_MESH, "the mesh has no elements");
  for (size_t i = 0; i < total; ++i)
    if (mesh->elements[i] >= mesh->node_count)
      return syn_fail(error, SYN_BAD_MESH, "element %zu has node %u, but the mesh has only %u nodes", i / each,
                      mesh->elements[i], mesh->node_count);
  for (uint32_t i = 0; i < mesh->node_count; ++i)
    if (!vec3_finite(mesh->nodes[i])) return syn_fail(error, SYN_BAD_MESH, "node %u has a place that is not finite", i);
  return SYN_OK;
}

static syn_status check_all_used(syn_arena *arena, const syn_fem_mesh *mesh, syn_error *error) {
  const size_t total = (size_t)syn_element_nodes[mesh->element] * mesh->element_count;
  bool *used;
  SYN_TRY(SYN_TAKE(arena, &used, mesh->node_count, error));
  memset(used, 0, mesh->node_count * sizeof *used);
  for (size_t i = 0; i < total; ++i) used[mesh->elements[i]] = true;
  for (uint32_t i = 0; i < mesh->node_count; ++i)
    if (!used[i])
      return syn_fail(error, SYN_BAD_MESH, "node %u belongs to no element and would have no mass; leave it out", i);
  return SYN_OK;
}

/* ---- geometry at rest ----------------------------------------------------------------------------------------------
 */

static void gather_rest(const fem_state *fem, const syn_vec3 *rest, uint32_t element, double (*x)[3]) {
  const uint32_t *nodes = fem_nodes_of(fem, element);
  for (int a = 0; a < fem->element->node_count; ++a) {
    const syn_vec3 p = rest[nodes[a]];
    x[a][0] = p.x, x[a][1] = p.y, x[a][2] = p.z;
  }
}

/* Returns the longest side of the box of an element. */
static double extent_of(const double (*x)[3], int count) {
  double extent = 0;
  for (int i = 0; i < 3; ++i) {
    double low = x[0][i], high = x[0][i];
    for (int a = 1; a < count; ++a) low = min2(low, x[a][i]), high = max2(high, x[a][i]);
    extent = max2(extent, high - low);
  }
  return extent;
}

/* Returns -1 for an inverted element, 0 for a flat one (or partly so), 1 for a valid one. */
static int place_element(fem_state *fem, const syn_vec3 *rest, uint32_t element) {
  const fem_element *kind = fem->element;
  double x[FEM_NODES][3] = {{0}};
  gather_rest(fem, rest, element, x);
  const double extent = extent_of((const double(*)[3])x, kind->node_count), least = 1e-9 * extent * extent * extent;
  int inverted = 0, right = 0;
  for (int q = 0; q < kind->point_count; ++q) {
    const size_t at = fem_point(fem, element, q);
    double(*gradients)[3] = (double(*)[3])(fem->gradients + 3 * (size_t)kind->node_count * at);
    const double determinant = syn_fem_gradients(kind, kind->points[q].at, (const double(*)[3])x, gradients);
    fem->weights[at] = kind->points[q].weight * determinant;
    right += determinant > least && isnormal(fem->weights[at]);
    inverted += determinant < -least;
  }
  return right == kind->point_count ? 1 : inverted == kind->point_count ? -1 : 0;
}

/* Swaps nodes so that the element is its mirror image. */
static void turn_element(const fem_state *fem, uint32_t element) {
  static const uint8_t tet4[][2] = {{2, 3}}, tet10[][2] = {{2, 3}, {5, 8}, {6, 7}},
                       hex8[][2] = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const int count = fem->element->node_count;
  const uint8_t(*swaps)[2] = count == 4 ? tet4 : count == 10 ? tet10 : hex8;
  const int swap_count = count == 4 ? 1 : count == 10 ? 3 : 4;
  uint32_t *nodes = fem->nodes + (size_t)element * (size_t)count;
  for (int i = 0; i < swap_count; ++i) {
    const uint32_t kept = nodes[swaps[i][0]];
    nodes[swaps[i][0]] = nodes[swaps[i][1]];
    nodes[swaps[i][1]] = kept;
  }
}

static const char *element_name(const fem_state *fem) {
  return syn_element_name((syn_element)(fem->element - syn_fem_elements));
}

static syn_status place_elements(const syn_soft *soft, fem_state *fem, syn_error *error) {
  uint32_t inverted = 0, first = SYN_NONE;
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    const int sign = place_element(fem, soft->rest, e);
    if (sign == 0)
      return syn_fail(error, SYN_BAD_MESH, "element %u (%s) is flat or folded: it has no volume to deform", e,
                      element_name(fem));
    if (sign < 0 && inverted++ == 0) first = e;
  }
  if (inverted == 0) return SYN_OK;
  if (inverted < fem->element_count)
    return syn_fail(error, SYN_BAD_MESH,
                    "%u of %u elements are inside out, the first is element %u (%s); repair the mesh", inverted,
                    fem->element_count, first, element_name(fem));
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    turn_element(fem, e);
    if (place_element(fem, soft->rest, e) != 1)
      return syn_fail(error, SYN_BAD_MESH, "element %u (%s) is flat or folded", e, element_name(fem));
  }
  syn_warn(soft->context, "all %u elements were inside out: their nodes are taken in the other order", inverted);
  return SYN_OK;
}

static syn_status copy_mesh(syn_soft *soft, fem_state *fem, const syn_fem_mesh *mesh, syn_error *error) {
  const size_t each = (size_t)fem->element->node_count, points = (size_t)fem->element->point_count;
  const size_t total = each * mesh->element_count;
  SYN_TRY(syn_soft_alloc_nodes(soft, mesh->node_count, error));
  memcpy(soft->rest, mesh->nodes, mesh->node_count * sizeof *mesh->nodes);
  SYN_TRY(SYN_NEW(fem->context, &fem->nodes, total, error));
  memcpy(fem->nodes, mesh->elements, total * sizeof *fem->nodes);
  SYN_TRY(SYN_NEW(fem->context, &fem->gradients, 3 * points * total, error));
  return SYN_NEW(fem->context, &fem->weights, points * mesh->element_count, error);
}

syn_status syn_fem_take_mesh(syn_soft *soft, fem_state *fem, const syn_fem_mesh *mesh, syn_error *error) {
  SYN_TRY(check_indices(mesh, error));
  syn_arena work = {.context = soft->context};
  syn_status status = check_all_used(&work, mesh, error);
  syn_arena_release(&work);
  if (status) return status;
  fem->element = &syn_fem_elements[mesh->element];
  fem->node_count = mesh->node_count;
  fem->element_count = mesh->element_count;
  SYN_TRY(copy_mesh(soft, fem, mesh, error));
  return place_elements(soft, fem, error);
}

/* ---- quadratic tetrahedra ------------------------------------------------------------------------------------------
 */

/* An edge and its node, in a list by the lower end. */
typedef struct edge {
  uint32_t upper, node;
  uint32_t next; /* SYN_NONE: end of the list */
} edge;

typedef struct edges {
  edge *list;
  uint32_t *first; /* by lower end; SYN_NONE: empty */
  uint32_t count;
} edges;

/* Returns the edge between two nodes; it is new if edge->node is SYN_NONE. */
static edge *find_edge(edges *all, uint32_t a, uint32_t b) {
  const uint32_t lower = a < b ? a : b, upper = a < b ? b : a;
  uint32_t *chain = &all->first[lower];
  for (uint32_t k = *chain; k != SYN_NONE; k = all->list[k].next)
    if (all->list[k].upper == upper) return &all->list[k];
  all->list[all->count] = (edge){upper, SYN_NONE, *chain};
  *chain = all->count;
  return &all->list[all->count++];
}

syn_status syn_fem_make_quadratic(syn_arena *arena, const syn_fem_mesh *linear, syn_fem_mesh *quadratic,
                                  syn_error *error) {
  static const uint8_t ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  SYN_TRY(check_indices(linear, error));
  const size_t tets = linear->element_count, most = 6 * tets;
  if (most > UINT32_MAX - linear->node_count)
    return syn_fail(error, SYN_TOO_LARGE, "%zu quadratic tetrahedra have too many nodes", tets);
  edges all = {.count = 0};
  syn_vec3 *nodes;
  uint32_t *elements, next = linear->node_count;
  SYN_TRY(SYN_TAKE(arena, &all.list, most, error));
  SYN_TRY(SYN_TAKE(arena, &all.first, linear->node_count, error));
  SYN_TRY(SYN_TAKE(arena, &nodes, linear->node_count + most, error));
  SYN_TRY(SYN_TAKE(arena, &elements, 10 * tets, error));
  memcpy(nodes, linear->nodes, linear->node_count * sizeof *nodes);
  for (uint32_t i = 0; i < linear->node_count; ++i) all.first[i] = SYN_NONE;
  for (size_t t = 0; t < tets; ++t) {
    const uint32_t *corners = &linear->elements[4 * t];
    memcpy(&elements[10 * t], corners, 4 * sizeof *elements);
    for (int e = 0; e < 6; ++e) {
      const uint32_t a = corners[ends[e][0]], b = corners[ends[e][1]];
      edge *at = find_edge(&all, a, b);
      if (at->node == SYN_NONE) nodes[at->node = next++] = vec3_lerp(nodes[a], nodes[b], 0.5);
      elements[10 * t + 4 + (size_t)e] = at->node;
    }
  }
  *quadratic = (syn_fem_mesh){.element = SYN_ELEMENT_TET10,
                              .node_count = next,
                              .element_count = linear->element_count,
                              .nodes = nodes,
                              .elements = elements,
                              .plain = linear->plain};
  return SYN_OK;
}

/* ---- pattern -------------------------------------------------------------------------------------------------------
 */

syn_status syn_fem_make_pattern(syn_soft *soft, fem_state *fem, syn_error *error) {
  const int n = fem->element->node_count;
  const size_t each = (size_t)(n * (n + 1) / 2), total = each * fem->element_count;
  syn_arena work = {.context = soft->context};
  uint32_t(*pairs)[2];
  size_t at = 0;
  syn_status status = SYN_TAKE(&work, &pairs, total, error);
  if (!status) {
    for (uint32_t e = 0; e < fem->element_count; ++e) {
      const uint32_t *nodes = fem_nodes_of(fem, e);
      for (int a = 0; a < n; ++a)
        for (int b = a; b < n; ++b, ++at) pairs[at][0] = nodes[a], pairs[at][1] = nodes[b];
    }
    status =
        syn_pattern_create(soft->context, soft->node_count, (const uint32_t(*)[2])pairs, total, &soft->pattern, error);
  }
  if (!status) status = SYN_NEW(soft->context, &fem->slots, total, error);
  for (size_t i = 0; !status && i < total; ++i) {
    const bool ascending = pairs[i][0] < pairs[i][1];
    fem->slots[i] = syn_pattern_find(soft->pattern, pairs[i][!ascending], pairs[i][ascending]);
  }
  syn_arena_release(&work);
  fem->pattern = soft->pattern;
  return status;
}
