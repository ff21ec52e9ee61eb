/* Finds the defects of a mesh: all from its topology, except repeated vertices and triangles, which a hash table finds,
 * and self-intersections. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <synovia/mesh.h>

#include "base/hash_table.h"
#include "base/text.h"
#include "base/vec.h"
#include "geometry/triangle_pair.h"
#include "mesh/derived.h"
#include "mesh/exact_scale.h"
#include "mesh/health.h"
#include "mesh/magnitude_bounds.h"
#include "mesh/self_intersection.h"

/* Writes a mesh's health as text. */
bool syn_health_fit(const syn_health *health) {
  return health->closed && health->manifold && health->oriented && health->outward && health->self_intersections == 0 &&
         !health->self_intersections_stopped && health->far_vertices == 0 && !health->too_small;
}

__attribute__((format(printf, 2, 3))) static void add(syn_health_problems *list, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(list->texts[list->count], sizeof list->texts[0], format, arguments);
  va_end(arguments);
  ++list->count;
}

/* "1 triangle" or "3,200 triangles", then what is wrong and, where there is any, the advice. */
static void add_count(syn_health_problems *list, uint64_t count, const char *one, const char *many, const char *wrong,
                      const char *advice) {
  char text[32];
  if (count)
    add(list, "%s %s%s%s%s", syn_count_text(count, text), count == 1 ? one : many, wrong, advice ? "; " : "",
        advice ? advice : "");
}

static void add_openings(syn_health_problems *list, const syn_health *h, bool repaired) {
  char edges[32], loops[32];
  if (h->closed) return;
  if (h->boundary_edges)
    add(list, "not closed: %s boundary edge%s in %s hole%s; %s", syn_count_text(h->boundary_edges, edges),
        h->boundary_edges == 1 ? "" : "s", syn_count_text(h->boundary_loops, loops), h->boundary_loops == 1 ? "" : "s",
        repaired ? "a larger --fill closes large holes, --islands 0.01 removes loose pieces"
                 : "`synovia mesh repair --fill N` fills holes of up to N edges");
  else
    add(list, "there are no triangles");
}

static void add_branchings(syn_health_problems *list, const syn_health *h) {
  add_count(list, h->nonmanifold_edges, "edge", "edges", " with more than two triangles",
            "`synovia mesh repair` cuts the sheets apart");
  add_count(list, h->nonmanifold_vertices, "vertex", "vertices", " where separate sheets touch in a point",
            "`synovia mesh repair` gives each sheet its own");
  add_count(list, h->flipped_edges, "edge", "edges", " along which neighbouring triangles face opposite ways",
            "`synovia mesh repair` turns them");
  if (h->closed && h->oriented && !h->outward)
    add(list, "inside out: the faces point inward; `synovia mesh repair` turns them");
}

/* Adds the magnitudes that collide/magnitude.c rejects. */
static void add_magnitudes(syn_health_problems *list, const syn_health *h) {
  add_count(list, h->far_vertices, "vertex", "vertices",
            " with a coordinate of more than 1e+12 mm, which cannot be computed",
            "remove them if they are damaged, or scale the mesh if its unit is not mm");
  if (h->too_small)
    add(list, "less than 1e-12 mm across, which cannot be computed; scale the mesh if its unit is not mm");
}

static void add_blemishes(syn_health_problems *list, const syn_health *h, bool repaired) {
  add_count(list, h->self_intersections, "pair", "pairs",
            repaired ? " of triangles cut through each other, or touch where sheets were cut apart"
                     : " of triangles cut through each other",
            "`synovia mesh smooth` may help, else edit the mesh there");
  if (h->self_intersections_stopped)
    add(list, "so many triangles lie over one another that not all pairs were looked at; drop the doubled ones");
  add_count(list, h->degenerate_triangles, "triangle", "triangles", " without area",
            repaired ? NULL : "`synovia mesh repair` drops them");
  add_count(list, h->duplicate_triangles, "triangle", "triangles", " present twice",
            "`synovia mesh repair` drops them");
  add_count(list, h->duplicate_vertices, "vertex", "vertices", " at the very place of another",
            repaired ? NULL : "`synovia mesh repair` joins them");
  add_count(list, h->unreferenced_vertices, "vertex", "vertices", " in no triangle",
            "`synovia mesh repair` drops them");
}

void syn_health_explain(const syn_health *health, bool repaired, syn_health_problems *problems) {
  problems->count = 0;
  add_openings(problems, health, repaired);
  add_branchings(problems, health);
  add_magnitudes(problems, health);
  add_blemishes(problems, health, repaired);
}

static int corner_of(const syn_trimesh *mesh, uint32_t t, uint32_t vertex) {
  const uint32_t *v = mesh->triangles[t].v;
  return v[0] == vertex ? 0 : v[1] == vertex ? 1 : 2;
}

/* Walks around the vertex from triangle `start` across one of its edges after the other, until it returns or cannot
 * continue. Returns the count of triangles entered after the first; *closed if it returned. */
static uint32_t walk_fan(const syn_trimesh *mesh, const syn_topology *topology, uint32_t vertex, uint32_t start,
                         int side, bool *closed) {
  uint32_t t = start, steps = 0, edge = topology->triangle_edges[t][(corner_of(mesh, t, vertex) + side) % 3];
  *closed = false;
  for (;;) {
    int c = 0;
    while (topology->triangle_edges[t][c] != edge) ++c;
    t = topology->triangle_neighbours[t][c];
    if (t == SYN_NONE) return steps;
    *closed = t == start;
    if (*closed) return steps;
    ++steps;
    const int k = corner_of(mesh, t, vertex);
    const uint32_t out = topology->triangle_edges[t][k], in = topology->triangle_edges[t][(k + 2) % 3];
    edge = out == edge ? in : out;
  }
}

static bool repeats_a_vertex(const syn_triangle *t) {
  return t->v[0] == t->v[1] || t->v[1] == t->v[2] || t->v[2] == t->v[0];
}

bool syn_is_one_fan(const syn_trimesh *mesh, const syn_topology *topology, uint32_t vertex) {
  const uint32_t begin = topology->vertex_triangle_start[vertex], end = topology->vertex_triangle_start[vertex + 1];
  for (uint32_t i = begin; i < end; ++i)
    if (repeats_a_vertex(&mesh->triangles[topology->vertex_triangles[i]])) return false;
  const uint32_t start = topology->vertex_triangles[begin];
  bool closed;
  uint32_t reached = 1 + walk_fan(mesh, topology, vertex, start, 0, &closed);
  if (!closed) reached += walk_fan(mesh, topology, vertex, start, 2, &closed);
  return reached == end - begin;
}

syn_check_options syn_default_check_options(void) {
  return (syn_check_options){.self_intersections = true, .cookie = SYN_COOKIE};
}

/* ---- repeated keys ------------------------------------------------------------------------------------------------
 */

/* Keys of `words` 32-bit words each. */
typedef struct key_list {
  const uint32_t *words;
  size_t each;
} key_list;

static uint64_t hash_words(const uint32_t *words, size_t count) {
  uint64_t hash = 0;
  for (size_t i = 0; i < count; ++i) hash = hash_add(hash, words[i]);
  return hash_finish(hash);
}

static bool same_words(const void *items, uint32_t i, const void *key) {
  const key_list *keys = items;
  return memcmp(keys->words + i * keys->each, key, keys->each * sizeof *keys->words) == 0;
}

/* Counts the keys, among `count` keys of `words` 32-bit words each, that are bitwise equal to an earlier one. */
static syn_status count_repeats(const syn_context *context, const uint32_t *keys, size_t words, uint32_t count,
                                uint32_t *repeats, syn_error *error) {
  const key_list list = {keys, words};
  hash_table table;
  SYN_TRY(hash_table_create(context, hash_table_bits(count), &table, error));
  *repeats = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t *key = keys + i * words;
    *repeats += hash_table_join(&table, hash_words(key, words), i, same_words, &list, key) != i;
  }
  syn_free(context, table.slots);
  return SYN_OK;
}

static void order(uint32_t *a, uint32_t *b) {
  if (*a <= *b) return;
  const uint32_t swap = *a;
  *a = *b;
  *b = swap;
}

static syn_status count_duplicates(const syn_trimesh *mesh, syn_health *health, syn_error *error) {
  _Static_assert(sizeof(syn_vec3) == 6 * sizeof(uint32_t), "a vertex is six words");
  uint32_t(*sorted)[3], *places;
  SYN_TRY(SYN_NEW(mesh->context, &sorted, mesh->triangle_count, error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    memcpy(sorted[t], mesh->triangles[t].v, sizeof sorted[t]);
    order(&sorted[t][0], &sorted[t][1]);
    order(&sorted[t][1], &sorted[t][2]);
    order(&sorted[t][0], &sorted[t][1]);
  }
  syn_status status =
      count_repeats(mesh->context, sorted[0], 3, mesh->triangle_count, &health->duplicate_triangles, error);
  syn_free(mesh->context, sorted);
  if (status != SYN_OK) return status;
  /* words, not doubles: the same position means the same bits */
  SYN_TRY(SYN_NEW(mesh->context, &places, 6 * (size_t)mesh->vertex_count, error));
  if (mesh->vertex_count > 0) memcpy(places, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
  status = count_repeats(mesh->context, places, 6, mesh->vertex_count, &health->duplicate_vertices, error);
  syn_free(mesh->context, places);
  return status;
}

/* ---- edges --------------------------------------------------------------------------------------------------------
 */

/* How many different triangles an edge has (one that repeats a vertex may have it twice), and how many run along it
 * from the lower to the higher vertex more than the other way. */
static uint32_t triangles_of_edge(const syn_trimesh *mesh, const syn_topology *topology, uint32_t e, int64_t *excess) {
  const uint32_t *ends = topology->edge_vertices[e];
  uint32_t count = 0, previous = SYN_NONE;
  *excess = 0;
  for (uint32_t i = topology->edge_triangle_start[e]; i < topology->edge_triangle_start[e + 1]; ++i) {
    const uint32_t t = topology->edge_triangles[i];
    if (t == previous) continue;
    previous = t;
    ++count;
    for (int c = 0; c < 3; ++c)
      if (topology->triangle_edges[t][c] == e)
        *excess += (mesh->triangles[t].v[c] == ends[0]) - (mesh->triangles[t].v[c] == ends[1]);
  }
  return count;
}

bool syn_edge_is_balanced(const syn_trimesh *mesh, const syn_topology *topology, uint32_t edge) {
  int64_t excess;
  return triangles_of_edge(mesh, topology, edge, &excess) > 1 && excess == 0;
}

static void check_edges(const syn_trimesh *mesh, const syn_topology *topology, syn_health *health) {
  for (uint32_t e = 0; e < topology->edge_count; ++e) {
    int64_t excess;
    const uint32_t count = triangles_of_edge(mesh, topology, e, &excess);
    health->boundary_edges += count == 1;
    health->nonmanifold_edges += count > 2;
    health->flipped_edges += count > 1 && excess != 0;
  }
}

/* ---- vertices -----------------------------------------------------------------------------------------------------
 */

static void check_vertices(const syn_trimesh *mesh, const syn_topology *topology, syn_health *health) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const bool used = topology->vertex_triangle_start[v] < topology->vertex_triangle_start[v + 1];
    health->unreferenced_vertices += !used;
    health->nonmanifold_vertices += used && !syn_is_one_fan(mesh, topology, v);
  }
}

/* ---- all together -------------------------------------------------------------------------------------------------
 */

static void count_degenerate(const syn_trimesh *mesh, syn_health *health) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 p[3];
    for (int c = 0; c < 3; ++c) p[c] = mesh->vertices[mesh->triangles[t].v[c]];
    const int power = exact_scale_of(p, 3);
    for (int c = 0; c < 3 && power != 0; ++c) p[c] = vec3_exactly_scaled(p[c], power);
    health->degenerate_triangles += syn_triangle_is_flat(p);
  }
}

/* A closed surface of genus g has vertices - edges + triangles = 2 - 2 g. */
static int64_t genus(const syn_trimesh *mesh, const syn_topology *topology, const syn_health *health) {
  const int64_t vertices = (int64_t)mesh->vertex_count - health->unreferenced_vertices;
  const int64_t euler = vertices - topology->edge_count + mesh->triangle_count;
  if (!health->closed || !health->manifold || euler % 2 != 0) return -1;
  return topology->component_count - euler / 2;
}

/* Computes the signed volume; its sign is correct even if the volume exceeds the range of doubles. */
static double signed_volume(const syn_trimesh *mesh) {
  const int power = exact_scale_of(mesh->vertices, mesh->vertex_count);
  if (power == 0) return syn_trimesh_mass(mesh).volume_mm3;
  const syn_vec3 origin = vec3_exactly_scaled(mesh->vertices[mesh->triangles[0].v[0]], power);
  double volume6 = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 p[3];
    for (int c = 0; c < 3; ++c)
      p[c] = vec3_sub(vec3_exactly_scaled(mesh->vertices[mesh->triangles[t].v[c]], power), origin);
    volume6 += vec3_dot(p[0], vec3_cross(p[1], p[2]));
  }
  return volume6;
}

static bool is_outward(const syn_trimesh *mesh, const syn_health *edges) {
  return mesh->triangle_count > 0 && edges->boundary_edges == 0 && edges->flipped_edges == 0 && signed_volume(mesh) > 0;
}

bool syn_mesh_is_outward(const syn_trimesh *mesh, const syn_topology *topology) {
  syn_health edges = {0};
  check_edges(mesh, topology, &edges);
  return is_outward(mesh, &edges);
}

bool syn_mesh_is_sheet(const syn_trimesh *mesh, const syn_topology *topology) {
  syn_health edges = {0};
  check_edges(mesh, topology, &edges);
  return edges.boundary_edges > 0 && edges.nonmanifold_edges == 0 && edges.flipped_edges == 0;
}

static void check_topology(const syn_trimesh *mesh, const syn_topology *topology, syn_health *health) {
  check_edges(mesh, topology, health);
  check_vertices(mesh, topology, health);
  health->components = topology->component_count;
  health->boundary_loops = topology->boundary_loop_count;
  health->closed = mesh->triangle_count > 0 && health->boundary_edges == 0;
  health->manifold = health->nonmanifold_edges == 0 && health->nonmanifold_vertices == 0;
  health->oriented = health->flipped_edges == 0;
  health->outward = is_outward(mesh, health);
  health->genus = genus(mesh, topology, health);
}

static void check_magnitude(const syn_trimesh *mesh, syn_health *health) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    health->far_vertices += magnitude_of_place(mesh->vertices[v]) > SYN_LARGEST_MM;
  health->too_small = mesh->triangle_count > 0 && is_too_small(extent_of_places(mesh->vertices, mesh->vertex_count));
}

syn_status syn_trimesh_check(const syn_trimesh *mesh, const syn_check_options *options, syn_health *health,
                             syn_error *error) {
  const syn_check_options standard = syn_default_check_options();
  *health = (syn_health){0};
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_check_options, error));
  syn_derived *topology;
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &topology, error));
  check_topology(mesh, derived_topology(topology), health);
  syn_derived_release(topology);
  count_degenerate(mesh, health);
  check_magnitude(mesh, health);
  SYN_TRY(count_duplicates(mesh, health, error));
  if (!options->self_intersections) return SYN_OK;
  return syn_find_self_intersections(mesh, NULL, 0, &health->self_intersections, &health->self_intersections_stopped,
                                     error);
}
