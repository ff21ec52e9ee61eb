/* Cylindrical segmenting (Arbabi 2009, §3.2): curvilinear penetration depth of bodies that strike in a rotation about
 * an axis.
 *
 * The depth of a mobile vertex is the arc along its ring to the fixed surface, in mm; the nearest crossing of ring and
 * surface decides whether it is inside (Fig. 16 and 17). A pose that rotates about the axis uses the projections of the
 * vertices; any other pose looks up each vertex in the table of rings. */
#include "collide/cylindrical/cylindrical.h"

#include <string.h>

#include "base/parallel.h"

/* ---- the frame of the axis ------------------------------------------------------------------------------------------
 */

syn_vec3 syn_cylindrical_direction(const syn_cylindrical *c, syn_vec3 direction) {
  const syn_mat3 back = mat3_transpose(&c->frame);
  return mat3_apply(&back, direction);
}

syn_vec3 syn_cylindrical_place(const syn_cylindrical *c, syn_vec3 point) {
  return vec3_add(c->center, syn_cylindrical_direction(c, point));
}

static syn_vec3 to_frame(const syn_cylindrical *c, syn_vec3 place) {
  return mat3_apply(&c->frame, vec3_sub(place, c->center));
}

static syn_status set_frame(syn_cylindrical *c, const syn_collide_options *options, syn_error *error) {
  const syn_vec3 axis = vec3_unit(options->axis);
  if (!vec3_finite(options->center))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the centre of rotation is not a finite point");
  if (!(vec3_length2(axis) > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the axis of rotation has no direction; give a vector that is not zero");
  if (options->table_size > 1u << 24)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a table of %u cells is too large; at most %u", options->table_size,
                    1u << 24);
  const syn_vec3 across = vec3_any_normal(axis);
  c->center = options->center;
  c->frame = (syn_mat3){{across, vec3_cross(axis, across), axis}};
  c->way = options->angle > 0 ? SYN_RING_FORWARD : options->angle < 0 ? SYN_RING_BACKWARD : SYN_RING_NEAREST;
  c->table_size = options->table_size;
  c->neighbours = options->neighbours;
  c->exchange = options->both_roles || options->between_vertices;
  c->between_vertices = options->between_vertices;
  return SYN_OK;
}

static void set_points(syn_cylindrical *c, int body, const syn_vec3 *vertices) {
  const uint32_t n = syn_cylindrical_vertices(c, body);
  memcpy(c->vertices[body], vertices, n * sizeof *vertices);
  for (uint32_t v = 0; v < n; ++v) c->points[body][v] = to_frame(c, vertices[v]);
}

static void set_reach(syn_cylindrical *c) {
  double reach2 = 0;
  for (uint32_t v = 0; v < syn_cylindrical_vertices(c, SYN_MOBILE); ++v)
    reach2 = max2(reach2, vec3_length2(c->points[SYN_MOBILE][v]));
  c->reach = sqrt(reach2) + vec3_length(c->center);
}

/* ---- neighbouring rings ---------------------------------------------------------------------------------------------
 *
 * The table stays as it was made (Arbabi 2009, §3.2.3.1 and §3.6). Each mobile vertex looks into the cell in which it
 * was then and into the cells around it, so that triangles are found that a deformation took to a neighbouring cell,
 * and those of the neighbouring rings to which a small translation takes the vertex. What moves farther than the
 * neighbours reach is missed: an approximation, beside the exact way. */

/* Sets the cells that each mobile vertex searches from now on: its current cell and `neighbours` cells around it. */
static void look_around(syn_cylindrical *c) {
  const double reach = c->neighbours / c->roles[0].table.cells_per_mm;
  for (uint32_t v = 0; v < syn_cylindrical_vertices(c, SYN_MOBILE); ++v) {
    const syn_ring ring = syn_ring_of(c->points[SYN_MOBILE][v]);
    c->around[v] = (syn_ring_bounds){(float)(ring.radius - reach), (float)(ring.radius + reach),
                                     (float)(ring.height - reach), (float)(ring.height + reach)};
  }
}

typedef struct crossing_search {
  const syn_cylindrical *c;
  syn_ring ring;
  syn_ring_crossing *crossings;
  uint32_t count;
} crossing_search;

static void meet(void *user, uint32_t triangle) {
  crossing_search *search = user;
  const syn_cylindrical *c = search->c;
  search->count += syn_ring_meet(search->ring, c->points[SYN_FIXED], c->mesh[SYN_FIXED]->triangles, triangle,
                                 search->crossings + search->count);
}

/* Computes the ordered crossings of `ring`, on which the mobile vertex is, with the fixed surface as listed around the
 * vertex. */
static uint32_t cross_around(const syn_cylindrical *c, uint32_t vertex, syn_ring ring, syn_ring_crossing *crossings) {
  crossing_search search = {c, ring, crossings, 0};
  syn_ring_table_visit(&c->roles[0].table, &c->around[vertex], meet, &search);
  return syn_ring_order(ring, c->points[SYN_FIXED], c->mesh[SYN_FIXED]->triangles, crossings, search.count);
}

/* ---- life -----------------------------------------------------------------------------------------------------------
 */

/* Return the body whose vertices a role tests, and the body whose surface. */
static int tested_body(int role) { return role == 0 ? SYN_MOBILE : SYN_FIXED; }
static int surface_body(int role) { return role == 0 ? SYN_FIXED : SYN_MOBILE; }
static int role_count(const syn_cylindrical *c) { return c->exchange ? 2 : 1; }

static void build_table(syn_cylindrical *c, int role) {
  const int surface = surface_body(role);
  syn_ring_table_build(&c->roles[role].table, c->points[surface], c->mesh[surface]->triangles,
                       c->mesh[surface]->triangle_count, c->table_size, c->roles[role].table_memory, c->context, true);
}

/* Returns whether a mobile vertex at this position of the frame belongs to the other method. */
static bool is_others(const syn_cylindrical *c, int role, syn_vec3 point) {
  if (role == 1 || c->own.count == 0) return false;
  const double distance = vec3_length(point);
  return !shells_may_hold(&c->own, distance, shells_slack(c->center, distance));
}

static bool is_others_vertex(const void *user, uint32_t vertex) {
  const syn_cylindrical *c = user;
  return is_others(c, 0, c->points[SYN_MOBILE][vertex]);
}

static syn_ring_vertices vertices_of(const syn_cylindrical *c, int role) {
  const int tested = tested_body(role);
  return (syn_ring_vertices){c->points[tested], syn_cylindrical_vertices(c, tested),
                             role == 0 && c->own.count > 0 ? is_others_vertex : NULL, c};
}

static syn_status project(const syn_cylindrical *c, int role, const uint8_t *stale, syn_ring_projection *projection,
                          syn_error *error) {
  const syn_ring_vertices vertices = vertices_of(c, role);
  return syn_ring_project(c->context, &vertices, &c->roles[role].table, stale ? &c->roles[role].projection : NULL,
                          stale, projection, error);
}

static syn_status create_role(syn_cylindrical *c, int role, syn_error *error) {
  const uint32_t triangles = c->mesh[surface_body(role)]->triangle_count;
  SYN_TRY(
      syn_allocate(c->context, syn_ring_table_bytes(triangles, c->table_size), 1, &c->roles[role].table_memory, error));
  build_table(c, role);
  c->roles[role].projection.context = c->context;
  if (c->neighbours > 0) return SYN_OK;
  return project(c, role, NULL, &c->roles[role].projection, error);
}

static syn_status fill_cylindrical(syn_cylindrical *c, const syn_collide_options *options, syn_error *error) {
  SYN_TRY(set_frame(c, options, error));
  for (int body = 0; body < 2; ++body) {
    SYN_TRY(SYN_NEW(c->context, &c->points[body], syn_cylindrical_vertices(c, body), error));
    SYN_TRY(SYN_NEW(c->context, &c->vertices[body], syn_cylindrical_vertices(c, body), error));
    set_points(c, body, c->mesh[body]->vertices);
    if (c->between_vertices) SYN_TRY(syn_cylindrical_own_edges(c->context, c->mesh[body], &c->own_edges[body], error));
  }
  set_reach(c);
  for (int role = 0; role < role_count(c); ++role) SYN_TRY(create_role(c, role, error));
  if (c->neighbours == 0) return SYN_OK;
  SYN_TRY(SYN_NEW(c->context, &c->around, syn_cylindrical_vertices(c, SYN_MOBILE), error));
  look_around(c);
  return SYN_OK;
}

static void destroy_cylindrical(void *state) {
  syn_cylindrical *c = state;
  for (int i = 0; i < 2; ++i) {
    syn_ring_projection_release(&c->roles[i].projection);
    syn_free(c->context, c->roles[i].table_memory);
    syn_free(c->context, c->points[i]);
    syn_free(c->context, c->vertices[i]);
    syn_free(c->context, c->own_edges[i]);
  }
  syn_free(c->context, c->around);
  syn_free(c->context, c);
}

syn_status syn_cylindrical_create_part(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                       const syn_collide_options *options, const syn_shells *own, void **state,
                                       syn_error *error) {
  syn_cylindrical *c;
  SYN_TRY(SYN_NEW_ZEROED(context, &c, 1, error));
  c->context = context;
  c->mesh[SYN_FIXED] = fixed->surface;
  c->mesh[SYN_MOBILE] = mobile->surface;
  if (own) c->own = *own;
  for (int i = 0; i < 2; ++i) c->roles[i].projection.context = context;
  return syn_method_keep(fill_cylindrical(c, options, error), c, destroy_cylindrical, state);
}

static syn_status create_cylindrical(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                     const syn_collide_options *options, void **state, syn_error *error) {
  SYN_TRY(syn_cylindrical_create_part(context, fixed, mobile, options, NULL, state, error));
  const syn_status status = syn_cylindrical_warn_of_axis(*state, error);
  if (status != SYN_OK) destroy_cylindrical(*state);
  return status;
}

/* ---- update: as little as the deformation allows (3.2.3) ------------------------------------------------------------
 */

/* Marks of what changed: the vertices of either body, the triangles of a surface, the cells of a table, and the
 * vertices to project again. */
typedef struct marks {
  uint8_t *moved[2], *triangles, *cells, *stale;
  syn_ring_crossing *buffer; /* for a ring */
} marks;

static syn_status take_marks(const syn_cylindrical *c, syn_arena *arena, marks *m, syn_error *error) {
  size_t most_triangles = 0, most_cells = 0, most_vertices = 0;
  for (int body = 0; body < 2; ++body) {
    const size_t vertices = syn_cylindrical_vertices(c, body), triangles = c->mesh[body]->triangle_count;
    SYN_TRY(SYN_TAKE(arena, &m->moved[body], vertices, error));
    memset(m->moved[body], 0, vertices);
    if (vertices > most_vertices) most_vertices = vertices;
    if (triangles > most_triangles) most_triangles = triangles;
    if (c->roles[body].table.cell_capacity > most_cells) most_cells = c->roles[body].table.cell_capacity;
  }
  SYN_TRY(SYN_TAKE(arena, &m->triangles, most_triangles, error));
  SYN_TRY(SYN_TAKE(arena, &m->cells, most_cells, error));
  SYN_TRY(SYN_TAKE(arena, &m->buffer, syn_ring_table_room((uint32_t)most_triangles), error));
  return SYN_TAKE(arena, &m->stale, most_vertices, error);
}

/* Sets new positions, marks the moved points and returns their count. */
static uint32_t move_points(syn_cylindrical *c, int body, const syn_vec3 *vertices, uint8_t *moved) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < syn_cylindrical_vertices(c, body); ++v) {
    if (vec3_equal(vertices[v], c->vertices[body][v])) continue;
    c->vertices[body][v] = vertices[v];
    c->points[body][v] = to_frame(c, vertices[v]);
    moved[v] = 1;
    ++count;
  }
  return count;
}

/* Updates the table after its surface has moved, and marks the changed cells; false if the table was built again. */
static bool update_table(syn_cylindrical *c, int role, marks *m) {
  const syn_trimesh *surface = c->mesh[surface_body(role)];
  const uint8_t *moved = m->moved[surface_body(role)];
  syn_ring_table *table = &c->roles[role].table;
  for (uint32_t t = 0; t < surface->triangle_count; ++t) {
    const uint32_t *v = surface->triangles[t].v;
    m->triangles[t] = moved[v[0]] | moved[v[1]] | moved[v[2]];
  }
  memset(m->cells, 0, table->cell_capacity);
  if (syn_ring_table_update(table, m->triangles, m->cells)) return true;
  build_table(c, role);
  return false;
}

/* Marks the vertices whose crossings may have changed; returns their count. */
static uint32_t mark_stale(syn_cylindrical *c, int role, bool surface_moved, marks *m) {
  const uint8_t *tested_moved = m->moved[tested_body(role)];
  const syn_ring_table *table = &c->roles[role].table;
  const syn_vec3 *points = c->points[tested_body(role)];
  const uint32_t count = syn_cylindrical_vertices(c, tested_body(role));
  uint32_t stale = 0;
  const bool partial = !surface_moved || update_table(c, role, m);
  for (uint32_t v = 0; v < count; ++v) {
    m->stale[v] =
        !partial || tested_moved[v] || (surface_moved && m->cells[syn_ring_table_cell(table, syn_ring_of(points[v]))]);
    stale += m->stale[v];
  }
  return stale;
}

/* Makes a new projection. Out of memory, the old one is dropped as well: queries then use the table, slower but
 * correct. */
static syn_status renew_projection(syn_cylindrical *c, int role, const uint8_t *stale, syn_error *error) {
  syn_ring_projection fresh = {.context = c->context};
  const syn_status status = project(c, role, stale, &fresh, error);
  syn_ring_projection_release(&c->roles[role].projection);
  c->roles[role].projection = fresh;
  return status;
}

/* Updates the projection: a few vertices in place, many on all threads. */
static syn_status update_projection(syn_cylindrical *c, int role, uint32_t stale_count, const marks *m,
                                    syn_error *error) {
  syn_ring_projection *projection = &c->roles[role].projection;
  const syn_ring_vertices vertices = vertices_of(c, role);
  if (stale_count == 0 && projection->start) return SYN_OK;
  if (projection->start && stale_count < vertices.count / 4 &&
      syn_ring_reproject(projection, &vertices, &c->roles[role].table, m->stale, m->buffer))
    return SYN_OK;
  return renew_projection(c, role, m->stale, error);
}

static syn_status update_cylindrical(void *state, const syn_vec3 *fixed_vertices, const syn_vec3 *mobile_vertices,
                                     syn_error *error) {
  syn_cylindrical *c = state;
  const syn_vec3 *vertices[2] = {fixed_vertices, mobile_vertices};
  if (c->neighbours > 0) { /* tables are kept, and moved triangles are searched in the neighbouring rings */
    for (int body = 0; body < 2; ++body)
      if (vertices[body]) set_points(c, body, vertices[body]);
    set_reach(c);
    return SYN_OK;
  }
  syn_arena arena = {.context = c->context};
  marks m;
  syn_status status = take_marks(c, &arena, &m, error);
  if (status == SYN_OK) {
    uint32_t moved[2] = {0, 0};
    for (int body = 0; body < 2; ++body)
      if (vertices[body]) moved[body] = move_points(c, body, vertices[body], m.moved[body]);
    if (moved[SYN_MOBILE] > 0) set_reach(c);
    for (int role = 0; role < role_count(c); ++role) {
      const uint32_t stale = mark_stale(c, role, moved[surface_body(role)] > 0, &m);
      const syn_status projected = update_projection(c, role, stale, &m, status == SYN_OK ? error : NULL);
      if (status == SYN_OK) status = projected;
    }
  }
  syn_arena_release(&arena);
  return status;
}

/* ---- query ----------------------------------------------------------------------------------------------------------
 */

/* The pose in the frame of the axis. */
typedef struct motion {
  syn_pose pose;
  bool turns; /* a pure rotation about the axis */
  double turn;
} motion;

static motion motion_of(const syn_cylindrical *c, const syn_pose *pose) {
  const syn_mat3 back = mat3_transpose(&c->frame), right = mat3_multiply(&pose->rotation, &back);
  motion m = {.pose.rotation = mat3_multiply(&c->frame, &right)};
  m.pose.translation = to_frame(c, syn_pose_point(pose, c->center));
  const syn_vec3 *q = m.pose.rotation.row;
  const double tilt = fabs(q[0].z) + fabs(q[1].z) + fabs(q[2].x) + fabs(q[2].y) + fabs(q[2].z - 1);
  m.turns = tilt * c->reach + vec3_length(m.pose.translation) <= 1e-12 * c->reach;
  m.turn = atan2(q[1].x - q[0].y, q[0].x + q[1].y);
  return m;
}

/* The parts of the caller's scratch. */
typedef struct workplace {
  double *depth;                /* of the vertices of either body */
  syn_ring_crossing *crossings; /* of a ring */
  syn_vec3 *posed;              /* mobile vertices at the pose */
  void *table_memory;           /* for the mobile surface at the pose */
} workplace;

static size_t lay_out_workplace(const syn_cylindrical *c, char *memory, workplace *w) {
  const size_t fixed = syn_cylindrical_vertices(c, SYN_FIXED), mobile = syn_cylindrical_vertices(c, SYN_MOBILE);
  const uint32_t fixed_triangles = c->mesh[SYN_FIXED]->triangle_count;
  const uint32_t mobile_triangles = c->exchange ? c->mesh[SYN_MOBILE]->triangle_count : 0;
  const size_t ring_room = syn_ring_table_room(fixed_triangles > mobile_triangles ? fixed_triangles : mobile_triangles);
  const size_t bytes[4] = {(fixed > mobile ? fixed : mobile) * sizeof *w->depth, ring_room * sizeof *w->crossings,
                           c->exchange ? mobile * sizeof *w->posed : 0,
                           c->exchange ? syn_ring_table_bytes(mobile_triangles, c->table_size) : 0};
  void *parts[4];
  size_t used = 0;
  for (int i = 0; i < 4; ++i) {
    parts[i] = memory ? memory + used : NULL;
    used += (bytes[i] + 15) & ~(size_t)15;
  }
  *w = (workplace){parts[0], parts[1], parts[2], parts[3]};
  return used;
}

static size_t scratch_bytes(const void *state) {
  workplace w;
  return lay_out_workplace(state, NULL, &w);
}

/* Reports a vertex that is inside. `angle`: of the vertex, in the fixed frame at the pose. */
static void report_vertex(const syn_cylindrical *c, int role, uint32_t vertex, syn_ring ring, double angle,
                          syn_ring_depth found, double depth_mm, syn_contacts *result) {
  const bool exchanged = role == 1;
  /* The exit direction of a mobile vertex is towards the crossing, that of a mobile triangle from the crossing towards
   * the vertex. */
  const double at = exchanged ? angle - found.offset : angle;
  const double way = (exchanged ? 1 : -1) * (found.offset > 0 ? 1 : -1);
  const syn_contact contact = {
      .of = exchanged ? SYN_OF_TRIANGLE_VERTEX : SYN_OF_VERTEX_TRIANGLE,
      .fixed_element = exchanged ? vertex : found.triangle,
      .mobile_element = exchanged ? found.triangle : vertex,
      .depth_mm = depth_mm,
      .point = syn_cylindrical_place(c, syn_ring_point(ring, at)),
      .direction = syn_cylindrical_direction(c, vec3(-way * sin(at), way * cos(at), 0)),
  };
  syn_contacts_add(result, &contact);
}

/* Returns the direction of the rotation relative to the tested body: for the fixed one it is reversed. */
static syn_ring_way way_of(const syn_cylindrical *c, int role) {
  return (syn_ring_way)(role == 0 ? c->way : -(int)c->way);
}

/* The deepest vertex, or the nearest one to the surface. */
typedef struct deepest {
  double depth;
  uint32_t vertex, triangle;
  syn_vec3 point; /* in the frame, at the pose */
} deepest;

/* Queries a rotation about the axis: computes all depths by projection, then reports the vertices inside. */
static deepest query_turn(const syn_cylindrical *c, int role, double turn, double *depth, syn_contacts *result) {
  const syn_vec3 *points = c->points[tested_body(role)];
  const syn_ring_projection *projection = &c->roles[role].projection;
  const double relative = role == 0 ? turn : -turn;
  const syn_ring_way way = way_of(c, role);
  deepest most = {-INFINITY, SYN_NONE, SYN_NONE, {0, 0, 0}};
  /* All depths from the projections, then a contact for each positive one. */
  syn_ring_projection_depths(projection, points, relative, way, depth);
  for (uint32_t v = 0; v < projection->vertex_count; ++v) {
    if (depth[v] > most.depth) {
      most.depth = depth[v];
      most.vertex = v;
    }
    if (!(depth[v] > 0)) continue;
    const double angle = syn_ring_angle(points[v]) + (role == 0 ? turn : 0);
    report_vertex(c, role, v, syn_ring_of(points[v]), angle,
                  syn_ring_projection_at(projection, points, v, relative, way), depth[v], result);
  }
  /* The position of the deepest vertex. */
  if (most.vertex == SYN_NONE) return most;
  const syn_vec3 point = points[most.vertex];
  most.triangle = syn_ring_projection_at(projection, points, most.vertex, relative, way).triangle;
  most.point = role == 0 ? syn_ring_point(syn_ring_of(point), syn_ring_angle(point) + turn) : point;
  return most;
}

static uint32_t look_up(const syn_cylindrical *c, int role, const syn_ring_table *table, uint32_t vertex, syn_ring ring,
                        syn_ring_crossing *crossings) {
  if (role == 0 && c->neighbours > 0) return cross_around(c, vertex, ring, crossings);
  return syn_ring_table_reaches(table, ring) ? syn_ring_table_cross(table, ring, crossings) : 0;
}

/* Queries any pose: each vertex is looked up in the table. `pose`, if there is one, is applied to the vertices. */
static deepest query_table(const syn_cylindrical *c, int role, const syn_ring_table *table, const syn_pose *pose,
                           syn_ring_crossing *crossings, double *depth, syn_contacts *result) {
  const syn_vec3 *points = c->points[tested_body(role)];
  deepest most = {-INFINITY, SYN_NONE, SYN_NONE, {0, 0, 0}};
  for (uint32_t v = 0; v < syn_cylindrical_vertices(c, tested_body(role)); ++v) {
    const syn_vec3 point = pose ? syn_pose_point(pose, points[v]) : points[v];
    const syn_ring ring = syn_ring_of(point);
    depth[v] = -INFINITY;
    if (is_others(c, role, point)) continue;
    const uint32_t count = look_up(c, role, table, v, ring, crossings);
    if (count == 0) continue;
    const double angle = syn_ring_angle(point);
    const syn_ring_depth found = syn_ring_depth_at(crossings, count, angle, way_of(c, role));
    depth[v] = found.depth * ring.radius;
    if (depth[v] > most.depth) most = (deepest){depth[v], v, found.triangle, point};
    if (depth[v] > 0) report_vertex(c, role, v, ring, angle, found, depth[v], result);
  }
  return most;
}

static deepest query_role(const syn_cylindrical *c, int role, const motion *m, const workplace *w, double *depth,
                          syn_contacts *result) {
  if (m->turns && c->roles[role].projection.start) return query_turn(c, role, m->turn, depth, result);
  if (role == 0) return query_table(c, 0, &c->roles[0].table, &m->pose, w->crossings, depth, result);
  syn_ring_table table; /* of the mobile surface at the pose */
  syn_ring_table_build(&table, w->posed, c->mesh[SYN_MOBILE]->triangles, c->mesh[SYN_MOBILE]->triangle_count,
                       c->table_size, w->table_memory, c->context, false);
  return query_table(c, 1, &table, NULL, w->crossings, depth, result);
}

/* Reports the min clearance while nothing is inside. */
static void tell_nearest(const syn_cylindrical *c, syn_contacts *result, deepest most, uint32_t mobile_element) {
  if (!(most.depth > result->max_depth_mm)) return;
  result->max_depth_mm = most.depth;
  result->max_vertex = mobile_element;
  result->max_point = syn_cylindrical_place(c, most.point);
}

static void query_cylindrical(const void *state, const syn_pose *pose, void *scratch, syn_contacts *result) {
  const syn_cylindrical *c = state;
  const motion m = motion_of(c, pose);
  workplace w;
  lay_out_workplace(c, scratch, &w);
  const deepest most = query_role(c, 0, &m, &w, result->vertex_depth ? result->vertex_depth : w.depth, result);
  if (result->count == 0) tell_nearest(c, result, most, most.vertex);
  if (c->exchange) {
    for (uint32_t v = 0; v < syn_cylindrical_vertices(c, SYN_MOBILE); ++v)
      w.posed[v] = syn_pose_point(&m.pose, c->points[SYN_MOBILE][v]);
    const deepest exchanged = query_role(c, 1, &m, &w, w.depth, result);
    if (result->count == 0) tell_nearest(c, result, exchanged, exchanged.triangle);
  }
  if (c->between_vertices) syn_cylindrical_edge_contacts(c, w.posed, w.crossings, result);
  if (c->exchange) syn_contacts_sort(result);
}

const syn_method syn_method_cylindrical = {
    .info = {.name = "cylindrical",
             .summary =
                 "arc along the turn about an axis from each vertex to the other surface, for bodies that strike",
             .tells_depth = true,
             .tells_field = true},
    .create = create_cylindrical,
    .destroy = destroy_cylindrical,
    .update = update_cylindrical,
    .scratch = scratch_bytes,
    .query = query_cylindrical,
    .sides = SYN_SIDES_ALWAYS,
};
