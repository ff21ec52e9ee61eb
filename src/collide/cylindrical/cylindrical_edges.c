/* Finds the deepest points of mobile edges, between the vertices.
 *
 * Along a mobile edge the angle to one side of the fixed surface peaks at its ends, which are vertices, or where a
 * rotation would bring it onto a fixed edge: as in rotation.c, alpha + beta cos t + gamma sin t = 0. Those points are
 * found in closed form; the depth of each is then looked up in the table of rings like a vertex's. */
#include "collide/cylindrical/cylindrical.h"

/* ---- every edge once ------------------------------------------------------------------------------------------------
 */

syn_status syn_cylindrical_own_edges(const syn_context *context, const syn_trimesh *mesh, uint8_t **own_edges,
                                     syn_error *error) {
  syn_topology *topology;
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  const syn_status status = SYN_NEW_ZEROED(context, own_edges, mesh->triangle_count, error);
  /* Edges are numbered by their first appearance: a triangle with a new number owns the edge. */
  uint32_t next = 0;
  for (uint32_t t = 0; status == SYN_OK && t < mesh->triangle_count; ++t)
    for (int corner = 0; corner < 3; ++corner)
      if (topology->triangle_edges[t][corner] == next) {
        (*own_edges)[t] |= (uint8_t)(1u << corner);
        ++next;
      }
  syn_topology_destroy(topology);
  return status;
}

/* ---- one mobile edge ------------------------------------------------------------------------------------------------
 */

typedef struct edge_search {
  const syn_cylindrical *c;
  syn_ring_crossing *crossings;
  syn_vec3 from, along; /* the mobile edge */
  syn_ring_bounds bounds;
  double depth_mm; /* of the deepest point so far */
  syn_ring ring;
  double angle;
  syn_ring_depth found;
} edge_search;

/* Looks up the depth of the point of the mobile edge in the table. */
static void try_place(edge_search *search, double share) {
  const syn_vec3 point = vec3_madd(search->from, share, search->along);
  const syn_ring_table *table = &search->c->roles[0].table;
  const syn_ring ring = syn_ring_of(point);
  if (!syn_ring_table_reaches(table, ring)) return;
  const double angle = syn_ring_angle(point);
  const uint32_t count = syn_ring_table_cross(table, ring, search->crossings);
  const syn_ring_depth found = syn_ring_depth_at(search->crossings, count, angle, search->c->way);
  if (!(found.depth * ring.radius > search->depth_mm)) return;
  /* By construction the ring passes through an edge, and rounding may miss one of its two faces: the point is inside
   * only if the surface behind and the surface ahead both say so. */
  if (!(syn_ring_depth_at(search->crossings, count, angle, SYN_RING_FORWARD).depth > 0) ||
      !(syn_ring_depth_at(search->crossings, count, angle, SYN_RING_BACKWARD).depth > 0))
    return;
  search->depth_mm = found.depth * ring.radius;
  search->ring = ring;
  search->angle = angle;
  search->found = found;
}

/* Tests whether the mobile edge, rotated by (cosine, sine) into one plane with the fixed one, meets it. */
static void try_turn(edge_search *search, syn_vec3 start, syn_vec3 across, double cosine, double sine) {
  const syn_vec3 p = search->from, e = search->along;
  const syn_vec3 turned = vec3(p.x * cosine - p.y * sine, p.x * sine + p.y * cosine, p.z);
  const syn_vec3 along = vec3(e.x * cosine - e.y * sine, e.x * sine + e.y * cosine, e.z);
  const syn_vec3 normal = vec3_cross(along, across), between = vec3_sub(start, turned);
  const double size = vec3_length2(normal);
  const double on_mobile = vec3_dot(vec3_cross(between, across), normal);
  const double on_fixed = vec3_dot(vec3_cross(between, along), normal);
  if (!(size > 0) || on_mobile < 0 || on_mobile > size || on_fixed < 0 || on_fixed > size) return;
  const double share = on_mobile / size;
  /* The depth, measured to the nearest crossing, is at most the arc to this one. */
  const double radius = syn_ring_of(vec3_madd(p, share, e)).radius;
  if (search->c->way == SYN_RING_NEAREST && fabs(atan2(sine, cosine)) * radius <= search->depth_mm) return;
  try_place(search, share);
}

static void try_edge(edge_search *search, syn_vec3 start, syn_vec3 end) {
  const syn_vec3 p = search->from, e = search->along, d = vec3_sub(end, start);
  /* ((R p - start) x R e) . d = R (p x e) . d - R e . (d x start) */
  const syn_vec3 u = vec3_cross(p, e), g = vec3_cross(d, start);
  const double alpha = u.z * d.z - e.z * g.z, beta = u.x * d.x + u.y * d.y - e.x * g.x - e.y * g.y,
               gamma = u.x * d.y - u.y * d.x - e.x * g.y + e.y * g.x;
  const double amplitude2 = beta * beta + gamma * gamma, excess = amplitude2 - alpha * alpha;
  if (!(amplitude2 > 0) || excess < 0) return;
  const double c = -alpha / amplitude2, s = sqrt(excess) / amplitude2;
  try_turn(search, start, d, beta * c - gamma * s, gamma * c + beta * s);
  try_turn(search, start, d, beta * c + gamma * s, gamma * c - beta * s);
}

static bool overlap(const syn_ring_bounds *a, const syn_ring_bounds *b) {
  return a->near <= b->far && b->near <= a->far && a->low <= b->high && b->low <= a->high;
}

static void try_triangle(void *user, uint32_t triangle) {
  edge_search *search = user;
  if (!overlap(&search->c->roles[0].table.bounds[triangle], &search->bounds)) return;
  const uint8_t own = search->c->own_edges[SYN_FIXED][triangle];
  const uint32_t *v = search->c->mesh[SYN_FIXED]->triangles[triangle].v;
  for (int corner = 0; corner < 3; ++corner) {
    if (!(own >> corner & 1)) continue;
    const syn_vec3 *points = search->c->points[SYN_FIXED], ends[2] = {points[v[corner]], points[v[(corner + 1) % 3]]};
    const syn_ring_bounds bounds = syn_ring_bounds_of(ends, 2);
    if (overlap(&bounds, &search->bounds)) try_edge(search, ends[0], ends[1]);
  }
}

static void report_edge(const edge_search *search, uint32_t triangle, syn_contacts *result) {
  const double way = search->found.offset > 0 ? -1 : 1, angle = search->angle;
  const syn_contact contact = {
      .of = SYN_OF_TRIANGLE_TRIANGLE,
      .fixed_element = search->found.triangle,
      .mobile_element = triangle,
      .depth_mm = search->depth_mm,
      .point = syn_cylindrical_place(search->c, syn_ring_point(search->ring, angle)),
      .direction = syn_cylindrical_direction(search->c, vec3(-way * sin(angle), way * cos(angle), 0)),
  };
  syn_contacts_add(result, &contact);
}

/* Returns whether an edge may reach the fixed surface: a rotation keeps distances from the centre, so that an edge
 * nearer to it than the whole fixed surface meets nothing (L). */
static bool reaches(const syn_ring_table *table, const syn_vec3 ends[2]) {
  return max2(vec3_length2(ends[0]), vec3_length2(ends[1])) >= table->min_reach2;
}

void syn_cylindrical_edge_contacts(const syn_cylindrical *c, const syn_vec3 *posed, syn_ring_crossing *crossings,
                                   syn_contacts *result) {
  const syn_ring_table *table = &c->roles[0].table;
  for (uint32_t t = 0; t < c->mesh[SYN_MOBILE]->triangle_count; ++t)
    for (int corner = 0; corner < 3; ++corner) {
      if (!(c->own_edges[SYN_MOBILE][t] >> corner & 1)) continue;
      const uint32_t *v = c->mesh[SYN_MOBILE]->triangles[t].v;
      const syn_vec3 ends[2] = {posed[v[corner]], posed[v[(corner + 1) % 3]]};
      if (!reaches(table, ends)) continue;
      edge_search search = {.c = c,
                            .crossings = crossings,
                            .from = ends[0],
                            .along = vec3_sub(ends[1], ends[0]),
                            .bounds = syn_ring_bounds_of(ends, 2)};
      if (!overlap(&search.bounds, &table->range)) continue;
      syn_ring_table_visit(table, &search.bounds, try_triangle, &search);
      if (search.depth_mm > 0) report_edge(&search, t, result);
    }
}
