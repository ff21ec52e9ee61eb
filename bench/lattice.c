/* Cubes of six tetrahedra each (Kuhn); those that the surface passes through are cut where the signed distance is zero
 * along their edges, as marching tetrahedra do, and what is left is a tetrahedron or a prism of three. */
#include "lattice.h"

#include <math.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/tet/tet_topology.h"

typedef struct lattice {
  const syn_context *context;
  syn_arena arena;
  syn_box box;
  double step;
  syn_vec3 before;  /* the first point lies by so many steps before the box */
  size_t size[3];   /* points along each axis */
  double *value;    /* signed distance of each point, negative inside */
  uint32_t *vertex; /* of each point, SYN_NONE where it is not used yet */
  hash_table cuts;  /* vertices on edges, by the numbers of the edge's points */
  uint64_t (*cut_edges)[2];
  uint32_t *cut_vertices;
  size_t cut_count, cut_capacity;
  syn_vec3 *points;
  size_t point_count, point_capacity;
  syn_tet *tets;
  size_t tet_count, tet_capacity;
} lattice;

/* ---- distances ----------------------------------------------------------------------------------------------------
 */

static syn_vec3 point_of(const lattice *l, size_t number) {
  const size_t x = number % l->size[0], y = number / l->size[0] % l->size[1], z = number / l->size[0] / l->size[1];
  return vec3_madd(l->box.min, l->step, vec3_sub(vec3((double)x, (double)y, (double)z), l->before));
}

/* Points almost on the surface are moved off it, so that no cut makes a needle. */
static double away_from_zero(double value, double step) {
  const double least = 0.1 * step;
  return value < 0 ? min2(value, -least) : max2(value, least);
}

static syn_status measure_surface(lattice *l, const syn_trimesh *mesh, syn_error *error) {
  enum { AT_ONCE = 4096 };
  const size_t count = l->size[0] * l->size[1] * l->size[2];
  syn_vec3 points[AT_ONCE];
  syn_surface_point *nearest;
  syn_location sides[AT_ONCE];
  syn_surface *surface;
  SYN_TRY(SYN_TAKE(&l->arena, &nearest, AT_ONCE, error));
  SYN_TRY(syn_surface_create(mesh, &surface, error));
  for (size_t first = 0; first < count; first += AT_ONCE) {
    const size_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
    for (size_t i = 0; i < some; ++i) points[i] = point_of(l, first + i);
    syn_surface_nearest(surface, points, some, nearest);
    syn_surface_side(surface, points, some, sides);
    for (size_t i = 0; i < some; ++i) {
      const double distance = sides[i] == SYN_LOCATION_INSIDE ? -nearest[i].distance_mm : nearest[i].distance_mm;
      l->value[first + i] = min2(l->value[first + i], distance);
    }
  }
  syn_surface_destroy(surface);
  return SYN_OK;
}

static syn_status measure(lattice *l, const syn_trimesh *const *surfaces, size_t count, syn_error *error) {
  size_t points = 1;
  for (int k = 0; k < 3; ++k) {
    l->size[k] = (size_t)(vec3_at(vec3_sub(l->box.max, l->box.min), k) / l->step) + 3;
    points *= l->size[k];
  }
  if (points > 100000000) return syn_fail(error, SYN_TOO_LARGE, "a lattice of %zu points is too fine", points);
  SYN_TRY(SYN_TAKE(&l->arena, &l->value, points, error));
  SYN_TRY(SYN_TAKE(&l->arena, &l->vertex, points, error));
  for (size_t i = 0; i < points; ++i) {
    l->value[i] = INFINITY;
    l->vertex[i] = SYN_NONE;
  }
  for (size_t i = 0; i < count; ++i) SYN_TRY(measure_surface(l, surfaces[i], error));
  for (size_t i = 0; i < points; ++i) l->value[i] = away_from_zero(l->value[i], l->step);
  return SYN_OK;
}

/* ---- vertices -----------------------------------------------------------------------------------------------------
 */

static syn_status add_point(lattice *l, syn_vec3 point, uint32_t *vertex, syn_error *error) {
  SYN_TRY(SYN_RESERVE(l->context, &l->points, l->point_count, 1, &l->point_capacity, error));
  *vertex = (uint32_t)l->point_count;
  l->points[l->point_count++] = point;
  return SYN_OK;
}

static syn_status vertex_at(lattice *l, size_t number, uint32_t *vertex, syn_error *error) {
  if (l->vertex[number] == SYN_NONE) SYN_TRY(add_point(l, point_of(l, number), &l->vertex[number], error));
  *vertex = l->vertex[number];
  return SYN_OK;
}

static bool same_edge(const void *edges, uint32_t i, const void *edge) {
  return memcmp((const uint64_t *)edges + 2 * (size_t)i, edge, 2 * sizeof(uint64_t)) == 0;
}

static uint64_t hash_of(const uint64_t edge[2]) { return hash_finish(hash_add(hash_add(0, edge[0]), edge[1])); }

static syn_status grow_cuts(lattice *l, syn_error *error) {
  const size_t capacity = 2 * l->cut_capacity + 64;
  uint64_t(*edges)[2];
  uint32_t *vertices;
  SYN_TRY(SYN_TAKE(&l->arena, &edges, capacity, error));
  SYN_TRY(SYN_TAKE(&l->arena, &vertices, capacity, error));
  if (l->cut_count > 0) {
    memcpy(edges, l->cut_edges, l->cut_count * sizeof *edges);
    memcpy(vertices, l->cut_vertices, l->cut_count * sizeof *vertices);
  }
  l->cut_edges = edges;
  l->cut_vertices = vertices;
  l->cut_capacity = capacity;
  syn_free(l->context, l->cuts.slots);
  l->cuts.slots = NULL;
  SYN_TRY(hash_table_create(l->context, hash_table_bits(capacity), &l->cuts, error));
  for (size_t i = 0; i < l->cut_count; ++i) hash_table_put(&l->cuts, hash_of(edges[i]), (uint32_t)i);
  return SYN_OK;
}

/* Where the surface passes through the edge of two points, one inside and one outside. */
static syn_status cut_at(lattice *l, size_t a, size_t b, uint32_t *vertex, syn_error *error) {
  const uint64_t edge[2] = {a < b ? a : b, a < b ? b : a};
  if (l->cut_count == l->cut_capacity) SYN_TRY(grow_cuts(l, error));
  const uint32_t next = (uint32_t)l->cut_count;
  const uint32_t found = hash_table_join(&l->cuts, hash_of(edge), next, same_edge, l->cut_edges, edge);
  if (found == next) {
    const double from = l->value[edge[0]], to = l->value[edge[1]];
    memcpy(l->cut_edges[next], edge, sizeof edge);
    ++l->cut_count;
    SYN_TRY(add_point(l, vec3_lerp(point_of(l, edge[0]), point_of(l, edge[1]), from / (from - to)),
                      &l->cut_vertices[next], error));
  }
  *vertex = l->cut_vertices[found];
  return SYN_OK;
}

/* ---- tetrahedra ---------------------------------------------------------------------------------------------------
 */

static syn_status add_tet(lattice *l, uint32_t a, uint32_t b, uint32_t c, uint32_t d, syn_error *error) {
  const syn_vec3 *p = l->points;
  const syn_vec3 normal = vec3_cross(vec3_sub(p[b], p[a]), vec3_sub(p[c], p[a]));
  const bool turned = vec3_dot(normal, vec3_sub(p[d], p[a])) < 0;
  SYN_TRY(SYN_RESERVE(l->context, &l->tets, l->tet_count, 1, &l->tet_capacity, error));
  l->tets[l->tet_count++] = turned ? (syn_tet){{a, c, b, d}} : (syn_tet){{a, b, c, d}};
  return SYN_OK;
}

/* Triangles v0 v1 v2 and v3 v4 v5, with v0 above v3 and so on. Every side is divided from its lowest vertex, so that
 * neighbours agree. */
static syn_status add_prism(lattice *l, const uint32_t given[6], syn_error *error) {
  static const int turns[6][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 0, 4, 5, 3}, {2, 0, 1, 5, 3, 4},
                                  {3, 5, 4, 0, 2, 1}, {4, 3, 5, 1, 0, 2}, {5, 4, 3, 2, 1, 0}};
  int lowest = 0;
  for (int i = 1; i < 6; ++i)
    if (given[i] < given[lowest]) lowest = i;
  uint32_t v[6];
  for (int i = 0; i < 6; ++i) v[i] = given[turns[lowest][i]];
  const uint32_t one = v[1] < v[5] ? v[1] : v[5], other = v[2] < v[4] ? v[2] : v[4];
  SYN_TRY(add_tet(l, v[0], v[3], v[4], v[5], error));
  if (one < other) {
    SYN_TRY(add_tet(l, v[0], v[1], v[2], v[5], error));
    return add_tet(l, v[0], v[1], v[5], v[4], error);
  }
  SYN_TRY(add_tet(l, v[0], v[1], v[2], v[4], error));
  return add_tet(l, v[0], v[4], v[2], v[5], error);
}

/* What of a tetrahedron of the lattice lies inside; its points inside come first. */
static syn_status add_part(lattice *l, const size_t points[4], int inside, syn_error *error) {
  uint32_t v[4] = {0}, cut[4][4] = {{0}};
  for (int i = 0; i < inside; ++i) {
    SYN_TRY(vertex_at(l, points[i], &v[i], error));
    for (int j = inside; j < 4; ++j) SYN_TRY(cut_at(l, points[i], points[j], &cut[i][j], error));
  }
  switch (inside) {
  case 4: return add_tet(l, v[0], v[1], v[2], v[3], error);
  case 3: return add_prism(l, (const uint32_t[6]){v[0], v[1], v[2], cut[0][3], cut[1][3], cut[2][3]}, error);
  case 2: return add_prism(l, (const uint32_t[6]){v[0], cut[0][2], cut[0][3], v[1], cut[1][2], cut[1][3]}, error);
  case 1: return add_tet(l, v[0], cut[0][1], cut[0][2], cut[0][3], error);
  default: return SYN_OK;
  }
}

/* The six tetrahedra of a cube run from its first to its last corner. */
static syn_status add_cube(lattice *l, size_t corner, syn_error *error) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const size_t strides[3] = {1, l->size[0], l->size[0] * l->size[1]};
  for (int o = 0; o < 6; ++o) {
    size_t at = corner, sorted[4];
    int inside = 0, outside = 4;
    for (int i = 0; i < 4; ++i) {
      if (i > 0) at += strides[orders[o][i - 1]];
      if (l->value[at] < 0)
        sorted[inside++] = at;
      else
        sorted[--outside] = at;
    }
    SYN_TRY(add_part(l, sorted, inside, error));
  }
  return SYN_OK;
}

static syn_status add_cubes(lattice *l, syn_error *error) {
  for (size_t z = 0; z + 1 < l->size[2]; ++z)
    for (size_t y = 0; y + 1 < l->size[1]; ++y)
      for (size_t x = 0; x + 1 < l->size[0]; ++x) SYN_TRY(add_cube(l, (z * l->size[1] + y) * l->size[0] + x, error));
  return SYN_OK;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------
 */

static void release(lattice *l) {
  syn_free(l->context, l->cuts.slots);
  syn_free(l->context, l->points);
  syn_free(l->context, l->tets);
  syn_arena_release(&l->arena);
}

static syn_status fill(lattice *l, const syn_trimesh *const *surfaces, size_t count, syn_error *error) {
  SYN_TRY(measure(l, surfaces, count, error));
  return add_cubes(l, error);
}

static lattice begin(const syn_context *context, const syn_trimesh *const *surfaces, size_t count, double step,
                     syn_vec3 before) {
  lattice l = {.context = context, .arena = {.context = context}, .box = box_empty(), .step = step, .before = before};
  for (size_t i = 0; i < count; ++i)
    for (uint32_t v = 0; v < surfaces[i]->vertex_count; ++v) box_add(&l.box, surfaces[i]->vertices[v]);
  return l;
}

/* ---- the very number ---------------------------------------------------------------------------------------------
 */

/* So much of the wanted number may be made by dividing. */
static const double divided = 0.1;

/* Dividing gives two or three more at a time; one alone cannot be had. */
static bool can_be_reached(size_t found, uint32_t wanted) {
  return found <= wanted && found + 1 != wanted && (double)wanted - (double)found < divided * wanted;
}

/* How far from what is wanted; whatever can be brought there comes before the rest. */
static double lack(size_t found, uint32_t wanted) {
  return can_be_reached(found, wanted) ? (double)wanted - (double)found : 1e12 + fabs((double)found - wanted);
}

/* A face of the surface, SYN_NONE where it has none. */
static uint32_t surface_face(uint8_t faces) {
  for (uint32_t f = 0; f < 4; ++f)
    if (faces >> f & 1) return f;
  return SYN_NONE;
}

/* A tetrahedron with a new point in it gives way to one for each corner that the point takes the place of: all four, or
 * those of a face. */
static void put_point(const syn_vec3 *points, const syn_tet *tet, uint32_t face, uint32_t number, syn_vec3 *point,
                      syn_tet *tets, size_t *count) {
  *point = vec3(0, 0, 0);
  for (uint32_t c = 0; c < 4; ++c) {
    if (c == face) continue;
    *point = vec3_madd(*point, face == SYN_NONE ? 0.25 : 1.0 / 3, points[tet->v[c]]);
    tets[*count] = *tet;
    tets[(*count)++].v[c] = number;
  }
}

/* Up to two are divided at a face of the surface, three for one, others in their middle, four for one, all over the
 * body. */
static void divide_some(const syn_tetmesh *mesh, const uint8_t *faces, uint32_t at_faces, uint32_t in_middle,
                        syn_vec3 *points, syn_tet *tets) {
  const uint64_t others = mesh->tet_count - at_faces;
  uint64_t met = 0;
  uint32_t next = mesh->vertex_count;
  size_t count = 0;
  memcpy(points, mesh->vertices, mesh->vertex_count * sizeof *points);
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    const bool outer = at_faces > 0 && faces[t];
    const bool chosen = !outer && (met + 1) * in_middle / others > met * in_middle / others;
    met += !outer;
    at_faces -= outer;
    if (outer || chosen) {
      put_point(points, &mesh->tets[t], outer ? surface_face(faces[t]) : SYN_NONE, next, &points[next], tets, &count);
      ++next;
    } else
      tets[count++] = mesh->tets[t];
  }
}

static syn_status reach(const syn_context *context, uint32_t wanted, syn_tetmesh **mesh, syn_error *error) {
  const syn_tetmesh *from = *mesh;
  if (!can_be_reached(from->tet_count, wanted) || from->tet_count == wanted) return SYN_OK;
  const uint32_t missing = wanted - from->tet_count, at_faces = (3 - missing % 3) % 3,
                 in_middle = (missing - 2 * at_faces) / 3;
  syn_arena arena = {.context = context};
  const size_t points = (size_t)from->vertex_count + at_faces + in_middle;
  uint8_t *faces;
  syn_vec3 *places;
  syn_tet *tets;
  syn_tetmesh *made = NULL;
  syn_status status = SYN_TAKE(&arena, &faces, from->tet_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &places, points, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &tets, wanted, error);
  if (status == SYN_OK) status = syn_tet_surface_faces(context, from, faces, error);
  if (status == SYN_OK) {
    divide_some(from, faces, at_faces, in_middle, places, tets);
    status = syn_tetmesh_create(context, places, (uint32_t)points, tets, wanted, &made, error);
  }
  syn_arena_release(&arena);
  if (status != SYN_OK) return status;
  syn_tetmesh_destroy(*mesh);
  *mesh = made;
  return SYN_OK;
}

/* *mesh is exchanged where this one comes nearer to what is wanted. */
static syn_status try_step(const syn_context *context, const syn_trimesh *const *surfaces, size_t count, double step,
                           syn_vec3 before, uint32_t wanted, size_t *found, syn_tetmesh **mesh, syn_error *error) {
  lattice l = begin(context, surfaces, count, step, before);
  syn_tetmesh *made = NULL;
  syn_status status = fill(&l, surfaces, count, error);
  *found = l.tet_count;
  const bool better = !*mesh || lack(l.tet_count, wanted) < lack((*mesh)->tet_count, wanted);
  if (status == SYN_OK && better)
    status = syn_tetmesh_create(context, l.points, l.point_count, l.tets, l.tet_count, &made, error);
  release(&l);
  if (status != SYN_OK || !made) return status;
  syn_tetmesh_destroy(*mesh);
  *mesh = made;
  return SYN_OK;
}

/* Steps between one that gives too many and one that gives too few. */
static syn_status try_steps(const syn_context *context, const syn_trimesh *const *surfaces, size_t count,
                            syn_vec3 before, uint32_t wanted, syn_tetmesh **mesh, syn_error *error) {
  enum { TRIES = 12 };
  double volume = 0, low = 0, high = INFINITY;
  for (size_t i = 0; i < count; ++i) volume += fabs(syn_trimesh_mass(surfaces[i]).volume_mm3);
  double step = cbrt(8 * volume / wanted);
  for (int i = 0; i < TRIES; ++i) {
    size_t found;
    SYN_TRY(try_step(context, surfaces, count, step, before, wanted, &found, mesh, error));
    if (lack(found, wanted) < 0.02 * wanted) break;
    /* The number falls in jumps as the step grows: between a step with too many and one with too few lies the best. */
    *(found > wanted ? &low : &high) = step;
    const double guess = step * cbrt(max2((double)found, 1) / (0.99 * wanted));
    step = guess > low && guess < high ? guess : (low + high) / 2;
  }
  return SYN_OK;
}

syn_status bench_fill_lattice(const syn_context *context, const syn_trimesh *const *surfaces, size_t count,
                              uint32_t wanted, syn_tetmesh **mesh, syn_error *error) {
  /* where a few large cells come and go in layers, another place of the lattice gives other numbers */
  static const syn_vec3 places[] = {{0.63, 0.71, 0.57}, {0.33, 0.21, 0.47}, {0.83, 0.91, 0.77}, {0.13, 0.51, 0.87}};
  syn_status status = SYN_OK;
  *mesh = NULL;
  for (size_t i = 0; status == SYN_OK && i < sizeof places / sizeof *places; ++i)
    if (!*mesh || !can_be_reached((*mesh)->tet_count, wanted))
      status = try_steps(context, surfaces, count, places[i], wanted, mesh, error);
  if (status == SYN_OK) status = reach(context, wanted, mesh, error);
  if (status == SYN_OK) return SYN_OK;
  syn_tetmesh_destroy(*mesh);
  *mesh = NULL;
  return status;
}
