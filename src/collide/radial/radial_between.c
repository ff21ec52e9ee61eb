#include "collide/radial/radial_between.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "collide/radial/radial_wall.h"
#include "geometry/predicates.h"

/* ---- fixed vertices by direction --------------------------------------------------------------------------------- */

static uint32_t cell_of_vertex(const radial_between *between, syn_vec3 point) {
  const double radius = vec3_length(point);
  return radius > 0 ? syn_radial_locate(&between->grid, vec3_scale(point, 1 / radius)) : SYN_NONE;
}

void syn_radial_between_update(radial_between *between, const radial_table *table) {
  const uint32_t cells = syn_radial_cell_count(&between->grid), vertices = table->mesh->vertex_count;
  memset(between->start, 0, ((size_t)cells + 1) * sizeof *between->start);
  for (uint32_t v = 0; v < vertices; ++v) {
    const uint32_t cell = cell_of_vertex(between, table->points[v]);
    if (cell != SYN_NONE) ++between->start[cell];
  }
  for (uint32_t c = 0; c < cells; ++c) between->start[c + 1] += between->start[c];
  for (uint32_t v = vertices; v-- > 0;) {
    const uint32_t cell = cell_of_vertex(between, table->points[v]);
    if (cell != SYN_NONE) between->members[--between->start[cell]] = v;
  }
  memset(between->wall_at, 0xff, vertices * sizeof *between->wall_at);
  for (uint32_t t = 0; t < table->count; ++t)
    for (int c = 0; c < 3; ++c)
      if (table->kinds[t] == RADIAL_WALL) between->wall_at[table->triangles[t].v[c]] = t;
}

static syn_status copy_edges(radial_between *between, syn_error *error) {
  syn_topology *topology;
  SYN_TRY(syn_topology_create(between->mobile, &topology, error));
  syn_status status = SYN_NEW(between->context, &between->edges, topology->edge_count, error);
  if (status == SYN_OK) status = SYN_NEW(between->context, &between->edge_triangles, topology->edge_count, error);
  if (status == SYN_OK) {
    between->edge_count = topology->edge_count;
    for (uint32_t e = 0; e < topology->edge_count; ++e) {
      memcpy(between->edges[e], topology->edge_vertices[e], sizeof between->edges[e]);
      between->edge_triangles[e] = topology->edge_triangles[topology->edge_triangle_start[e]];
    }
  }
  syn_topology_destroy(topology);
  return status;
}

syn_status syn_radial_between_create(const radial_table *table, const syn_trimesh *mobile, bool with_edges,
                                     radial_between *between, syn_error *error) {
  const syn_context *context = table->context;
  const uint32_t vertices = table->mesh->vertex_count;
  const radial_span whole = {1, 0, 1, 0, 0};
  *between = (radial_between){.context = context, .mobile = mobile};
  between->grid = syn_radial_grid(SYN_MAPPING_UNIFORM, vertices < 64 ? 64 : vertices, &whole);
  SYN_TRY(SYN_NEW(context, &between->start, (size_t)syn_radial_cell_count(&between->grid) + 1, error));
  SYN_TRY(SYN_NEW(context, &between->members, vertices, error));
  SYN_TRY(SYN_NEW(context, &between->wall_at, vertices, error));
  if (with_edges) SYN_TRY(copy_edges(between, error));
  syn_radial_between_update(between, table);
  return SYN_OK;
}

void syn_radial_between_release(radial_between *between) {
  syn_free(between->context, between->start);
  syn_free(between->context, between->members);
  syn_free(between->context, between->wall_at);
  syn_free(between->context, between->edges);
  syn_free(between->context, between->edge_triangles);
}

/* ---- fixed vertices seen through a mobile triangle --------------------------------------------------------------- */

typedef void seen_vertex(void *user, uint32_t vertex, uint32_t triangle, const syn_vec3 corners[3]);

typedef struct seeing {
  const radial_between *between;
  const radial_field *field;
  const syn_vec3 *corners;
  uint32_t triangle;
  seen_vertex *visit;
  void *user;
} seeing;

static void see_cell(void *user, uint32_t cell, uint32_t inside) {
  (void)inside;
  const seeing *s = user;
  const radial_between *between = s->between;
  for (uint32_t i = between->start[cell]; i < between->start[cell + 1]; ++i)
    if (syn_radial_sees(s->corners, s->field->table->points[between->members[i]]))
      s->visit(s->user, between->members[i], s->triangle, s->corners);
}

static void see_through(const radial_between *between, const radial_field *field, uint32_t triangle, seen_vertex *visit,
                        void *user) {
  const uint32_t *v = between->mobile->triangles[triangle].v;
  syn_vec3 corners[3];
  for (int c = 0; c < 3; ++c) {
    corners[c] = radial_place(field, field->points->given[v[c]]);
    if (!radial_has_direction(vec3_length(corners[c]))) return; /* a corner at the centre: seen edge-on */
  }
  const radial_cone cone = syn_radial_cone(corners, 3);
  seeing s = {between, field, corners, triangle, visit, user};
  syn_radial_cover(&between->grid, &cone, see_cell, &s);
}

/* ---- both roles at a pose that moves the centre ------------------------------------------------------------------ */

typedef struct exchange {
  const radial_table *table;
  radial_layers *layers;
} exchange;

static void add_mobile_layer(void *user, uint32_t vertex, uint32_t triangle, const syn_vec3 corners[3]) {
  const exchange *x = user;
  const bool outside = !x->table->outside; /* the view of the mobile body from the fixed one */
  const double radius = vec3_length(x->table->points[vertex]);
  const syn_vec3 unit = vec3_scale(x->table->points[vertex], 1 / radius);
  const double ratio = (outside ? radius : -radius) * syn_radial_toward(corners, unit);
  const bool faces_center = syn_orient3d(vec3(0, 0, 0), corners[0], corners[1], corners[2]) < 0;
  if (!x->table->use_normals || faces_center == outside)
    radial_add_wall(&x->layers[vertex], ratio, triangle);
  else
    radial_add_back(&x->layers[vertex], ratio);
}

void syn_radial_exchanged_depths(const radial_between *between, const radial_field *field, radial_layers *layers,
                                 double *depth, uint32_t *triangle) {
  const radial_table *table = field->table;
  exchange x = {table, layers};
  for (uint32_t v = 0; v < table->mesh->vertex_count; ++v)
    layers[v] = radial_no_layers(!table->outside, table->use_normals);
  for (uint32_t t = 0; t < between->mobile->triangle_count; ++t) see_through(between, field, t, add_mobile_layer, &x);
  for (uint32_t v = 0; v < table->mesh->vertex_count; ++v) {
    const radial_hit hit = radial_depth_of(&layers[v], !table->outside, vec3_length(table->points[v]));
    depth[v] = hit.depth;
    triangle[v] = hit.triangle;
  }
}

/* ---- the deepest point ------------------------------------------------------------------------------------------- */

typedef struct search {
  const radial_between *between;
  const radial_field *field;
  radial_deep_point best;
} search;

/* Keeps the point of the mobile surface if it is the deepest so far; `wall` is on its ray. */
static void try_point(search *s, syn_vec3 point, uint32_t wall, uint32_t mobile_triangle) {
  const radial_hit hit = syn_radial_depth(s->field->table, point, wall);
  if (hit.depth > s->best.depth) s->best = (radial_deep_point){hit.depth, point, hit.triangle, mobile_triangle};
}

/* Returns whether a point may be deeper: a depth behind this wall is at most the difference of the radii. */
static bool may_be_deeper(const search *s, double mobile_radius, double wall_radius) {
  return (s->field->table->outside ? mobile_radius - wall_radius : wall_radius - mobile_radius) > s->best.depth;
}

static void try_fixed_vertex(void *user, uint32_t vertex, uint32_t triangle, const syn_vec3 corners[3]) {
  search *s = user;
  const uint32_t wall = s->between->wall_at[vertex];
  if (wall == SYN_NONE) return;
  const syn_vec3 fixed = s->field->table->points[vertex];
  const double fixed_radius = vec3_length(fixed), radius = 1 / syn_radial_toward(corners, vec3_unit(fixed));
  if (may_be_deeper(s, radius, fixed_radius)) try_point(s, vec3_scale(fixed, radius / fixed_radius), wall, triangle);
}

/* Returns the point of segment a b in direction x, which is in the plane of both and between them. */
static syn_vec3 on_edge(syn_vec3 a, syn_vec3 b, syn_vec3 x) {
  const double from_b = vec3_length(vec3_cross(x, b)), from_a = vec3_length(vec3_cross(x, a));
  return vec3_scale(vec3_madd(vec3_scale(a, from_b), from_a, b), 1 / (from_a + from_b));
}

typedef struct edge_search {
  search *s;
  uint32_t edge;
  syn_vec3 p, q, plane;
} edge_search;

/* Tests the mobile edge p q against the fixed edge a b. A crossing within rounding of an end may be used or ignored:
 * the vertex there gives the same. */
static void try_crossing(const edge_search *e, syn_vec3 a, syn_vec3 b, uint32_t wall) {
  const syn_vec3 plane = vec3_cross(a, b);
  const double side_a = vec3_dot(e->plane, a), side_b = vec3_dot(e->plane, b);
  const double side_p = vec3_dot(plane, e->p), side_q = vec3_dot(plane, e->q);
  if ((side_a > 0) == (side_b > 0) || (side_p > 0) == (side_q > 0)) return;
  syn_vec3 x = vec3_cross(e->plane, plane);
  if (vec3_dot(x, vec3_add(vec3_unit(a), vec3_unit(b))) < 0) x = vec3_neg(x);
  if (!(vec3_dot(x, vec3_add(vec3_unit(e->p), vec3_unit(e->q))) > 0)) return; /* on opposite sides of the centre */
  x = vec3_unit(x);
  const syn_vec3 mobile = on_edge(e->p, e->q, x);
  if (may_be_deeper(e->s, vec3_length(mobile), vec3_length(on_edge(a, b, x))))
    try_point(e->s, mobile, wall, e->s->between->edge_triangles[e->edge]);
}

static void cross_cell(void *user, uint32_t cell, uint32_t inside) {
  (void)inside;
  const edge_search *e = user;
  const radial_table *table = e->s->field->table;
  const radial_members walls = syn_radial_members(&table->walls, cell);
  for (uint32_t i = 0; i < walls.count; ++i) {
    const uint32_t wall = radial_member(&walls, i), *v = table->triangles[wall].v;
    for (int c = 0; c < 3; ++c) try_crossing(e, table->points[v[c]], table->points[v[(c + 1) % 3]], wall);
  }
}

static void cross_edge(search *s, uint32_t edge) {
  const uint32_t *v = s->between->edges[edge];
  const syn_vec3 ends[2] = {radial_place(s->field, s->field->points->given[v[0]]),
                            radial_place(s->field, s->field->points->given[v[1]])};
  if (!radial_has_direction(vec3_length(ends[0])) || !radial_has_direction(vec3_length(ends[1]))) return;
  edge_search e = {s, edge, ends[0], ends[1], vec3_cross(ends[0], ends[1])};
  const radial_cone cone = syn_radial_cone(ends, 2);
  syn_radial_cover(&s->field->table->grid, &cone, cross_cell, &e);
}

/* The work is divided into parts whose number depends on the meshes alone; each has a separate best point. */
enum { PARTS = 64 };

typedef struct search_parts {
  size_t items, grain;
  search parts[PARTS];
} search_parts;

static void search_part(void *user, size_t begin, size_t end) {
  search_parts *all = user;
  search *s = &all->parts[begin / all->grain];
  const uint32_t triangles = s->between->mobile->triangle_count;
  for (size_t i = begin; i < end; ++i)
    if (i < triangles)
      see_through(s->between, s->field, (uint32_t)i, try_fixed_vertex, s);
    else
      cross_edge(s, (uint32_t)(i - triangles));
}

radial_deep_point syn_radial_deepest_between(const radial_between *between, const radial_field *field, double known) {
  search_parts all = {.items = (size_t)between->mobile->triangle_count + between->edge_count};
  all.grain = all.items / PARTS + 1;
  for (int part = 0; part < PARTS; ++part)
    all.parts[part] = (search){between, field, {known, {0, 0, 0}, SYN_NONE, SYN_NONE}};
  syn_parallel_for(between->context, all.items, all.grain, search_part, &all);
  radial_deep_point best = all.parts[0].best;
  for (int part = 1; part < PARTS; ++part)
    if (all.parts[part].best.depth > best.depth) best = all.parts[part].best;
  return best;
}
