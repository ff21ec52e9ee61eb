/* Barriers, by which surfaces never cross: every pair of features nearer than the reach repels, with a force that
 * grows without bound as the distance vanishes (Incremental Potential Contact, Li et al. 2020). Pairs are weighted
 * by the area that they stand for, so that the pressure does not depend on the resolution of the meshes. */
#include <string.h>

#include "base/vec.h"
#include "collide/step/straight_step.h"
#include "geometry/closest.h"
#include "geometry/triangle_pair.h"
#include "tissue/contact/contact.h"

typedef struct barrier_side {
  syn_moving_surface surface;
  uint32_t first_point;
  double *edge_area; /* at rest */
  syn_box *boxes;
} barrier_side;

struct syn_barrier {
  const syn_context *context;
  barrier_side fixed, mobile;
};

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

static void release_side(const syn_context *context, barrier_side *side) {
  syn_topology_destroy(side->surface.topology);
  syn_box_tree_destroy(side->surface.tree);
  syn_free(context, side->edge_area);
  syn_free(context, side->boxes);
}

void syn_barrier_destroy(struct syn_barrier *barrier) {
  if (!barrier) return;
  release_side(barrier->context, &barrier->fixed);
  release_side(barrier->context, &barrier->mobile);
  syn_free(barrier->context, barrier);
}

/* A third of each triangle's area is added to each of its edges. */
static void share_areas(barrier_side *side) {
  const syn_trimesh *mesh = side->surface.mesh;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 a = mesh->vertices[v[0]];
    const double third =
        vec3_length(vec3_cross(vec3_sub(mesh->vertices[v[1]], a), vec3_sub(mesh->vertices[v[2]], a))) / 6;
    for (int c = 0; c < 3; ++c) side->edge_area[side->surface.topology->triangle_edges[t][c]] += third;
  }
}

static syn_status prepare_side(const syn_context *context, const syn_sim_body *body, barrier_side *side,
                               syn_error *error) {
  const syn_trimesh *mesh = body->surface;
  side->surface.mesh = mesh;
  side->first_point = body->first_point;
  SYN_TRY(syn_topology_create(mesh, &side->surface.topology, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &side->edge_area, side->surface.topology->edge_count, error));
  SYN_TRY(SYN_NEW(context, &side->boxes, mesh->triangle_count, error));
  share_areas(side);
  syn_swept_boxes(mesh, mesh->vertices, mesh->vertices, 0, side->boxes);
  return syn_box_tree_create(context, side->boxes, mesh->triangle_count, &side->surface.tree, error);
}

/* Fits the boxes of this side's features to all points before and after, `margin_mm` wider. */
static void fit_side(barrier_side *side, const syn_vec3 *before, const syn_vec3 *after, double margin_mm) {
  side->surface.before = before + side->first_point;
  side->surface.after = after + side->first_point;
  syn_swept_boxes(side->surface.mesh, side->surface.before, side->surface.after, margin_mm, side->boxes);
  syn_box_tree_refit(side->surface.tree, side->boxes);
}

static syn_status refuse_overlap(syn_simulation *s, const syn_touch *touch, syn_error *error) {
  const syn_body fixed = {.surface = s->bodies[touch->fixed].surface},
                 mobile = {.surface = s->bodies[touch->mobile].surface};
  syn_collision *collision;
  SYN_TRY(syn_collision_create(s->context, "obb", &fixed, &mobile, NULL, NULL, 1, &collision, error));
  const bool meets = collision->contacts.penetrating;
  syn_collision_destroy(collision);
  return meets ? syn_fail(error, SYN_BAD_MESH,
                          "%s and %s touch or overlap where they are added: a barrier keeps surfaces apart, but "
                          "cannot part them (move one, or use another response)",
                          syn_sim_body_words(s, touch->fixed).text, syn_sim_body_words(s, touch->mobile).text)
               : SYN_OK;
}

syn_status syn_barrier_create(syn_simulation *s, syn_touch *touch, syn_error *error) {
  SYN_TRY(SYN_NEW_ZEROED(s->context, &touch->barrier, 1, error));
  touch->barrier->context = s->context;
  SYN_TRY(prepare_side(s->context, &s->bodies[touch->fixed], &touch->barrier->fixed, error));
  SYN_TRY(prepare_side(s->context, &s->bodies[touch->mobile], &touch->barrier->mobile, error));
  return refuse_overlap(s, touch, error);
}

/* ---- energy ---------------------------------------------------------------------------------------------------------
 */

/* With t = distance / reach: -(t - 1)^2 ln t (Li et al. 2020, Eq. 6), times modulus, area and reach. */
syn_gap_energy syn_barrier_evaluate(const syn_touch_options *o, const syn_gap *gap) {
  const double t = gap->gap_mm / o->barrier_mm;
  if (!(t < 1)) return (syn_gap_energy){0, 0, 0};
  const double k = o->barrier_mpa * gap->area_mm2, l = log(t), u = t - 1, q = u / t;
  return (syn_gap_energy){-k * o->barrier_mm * u * u * l, k * (-2 * u * l - u * q),
                          k / o->barrier_mm * (-2 * l - 4 * q + q * q)};
}

/* ---- pairs of features ----------------------------------------------------------------------------------------------
 */

typedef struct pair_search {
  syn_simulation *s;
  uint32_t touch;
  double reach;
  barrier_side *fixed, *mobile;
  syn_status status;
  syn_error *error;
} pair_search;

static bool add(pair_search *search, const syn_gap *gap) {
  if (!(gap->gap_mm < search->reach)) return true;
  search->status = syn_gap_add(search->s, gap, search->error);
  return search->status == SYN_OK;
}

static bool try_vertex(pair_search *search, const barrier_side *of_vertex, uint32_t vertex, const barrier_side *of_face,
                       uint32_t triangle) {
  const uint32_t *v = of_face->surface.mesh->triangles[triangle].v;
  const syn_vec3 p = of_vertex->surface.before[vertex];
  syn_vec3 corners[3];
  for (int c = 0; c < 3; ++c) corners[c] = of_face->surface.before[v[c]];
  const syn_vec3 q = closest_on_triangle(p, corners), apart = vec3_sub(p, q);
  double weights[3];
  syn_face_weights(corners, q, weights);
  syn_gap gap = {.points = {of_vertex->first_point + vertex},
                 .weight = {1},
                 .normal = vec3_unit(apart),
                 .gap_mm = vec3_length(apart),
                 .area_mm2 = search->s->point_area[of_vertex->first_point + vertex] / 2,
                 .touch = search->touch};
  for (int c = 0; c < 3; ++c) {
    gap.points[1 + c] = of_face->first_point + v[c];
    gap.weight[1 + c] = -weights[c];
  }
  return add(search, &gap);
}

/* Nearly parallel edges have no unique nearest points: their weight decreases to 0 before (Li et al. 2020, Eq. 24). */
static double fading(syn_vec3 u, syn_vec3 w) {
  const double c = vec3_length2(vec3_cross(u, w)) / (1e-3 * vec3_length2(u) * vec3_length2(w));
  return c < 1 ? c * (2 - c) : 1;
}

static double along(syn_vec3 a, syn_vec3 b, syn_vec3 point) {
  const syn_vec3 ab = vec3_sub(b, a);
  const double t = vec3_dot(vec3_sub(point, a), ab) / vec3_length2(ab);
  return t > 0 ? (t < 1 ? t : 1) : 0;
}

static bool try_edge(pair_search *search, uint32_t fixed_edge, uint32_t mobile_edge) {
  const barrier_side *sides[2] = {search->mobile, search->fixed};
  const uint32_t edges[2] = {mobile_edge, fixed_edge};
  syn_vec3 ends[4];
  syn_gap gap = {.touch = search->touch};
  for (int i = 0; i < 4; ++i) {
    const barrier_side *side = sides[i / 2];
    const uint32_t vertex = side->surface.topology->edge_vertices[edges[i / 2]][i % 2];
    gap.points[i] = side->first_point + vertex;
    ends[i] = side->surface.before[vertex];
  }
  const double fade = fading(vec3_sub(ends[1], ends[0]), vec3_sub(ends[3], ends[2]));
  if (!(fade > 0)) return true;
  const syn_witness near = syn_segment_distance(ends[0], ends[1], ends[2], ends[3]);
  const double m = along(ends[0], ends[1], near.a), f = along(ends[2], ends[3], near.b);
  const double weights[4] = {1 - m, m, f - 1, -f};
  memcpy(gap.weight, weights, sizeof weights);
  gap.gap_mm = sqrt(near.distance2);
  gap.normal = vec3_unit(vec3_sub(near.a, near.b));
  gap.area_mm2 = fade * (search->mobile->edge_area[mobile_edge] + search->fixed->edge_area[fixed_edge]) / 4;
  return add(search, &gap);
}

static bool try_vertices(pair_search *search, const barrier_side *ours, uint32_t our_triangle,
                         const barrier_side *theirs, uint32_t their_triangle) {
  for (int c = 0; c < 3; ++c) {
    const uint32_t vertex = ours->surface.mesh->triangles[our_triangle].v[c];
    if (syn_owns_vertex(&ours->surface, our_triangle, vertex) &&
        !try_vertex(search, ours, vertex, theirs, their_triangle))
      return false;
  }
  return true;
}

static bool try_triangles(void *user, uint32_t fixed, uint32_t mobile) {
  pair_search *search = user;
  if (!try_vertices(search, search->mobile, mobile, search->fixed, fixed)) return false;
  if (!try_vertices(search, search->fixed, fixed, search->mobile, mobile)) return false;
  const syn_moving_surface *f = &search->fixed->surface, *m = &search->mobile->surface;
  for (int i = 0; i < 3; ++i) {
    const uint32_t e = f->topology->triangle_edges[fixed][i];
    if (!syn_owns_edge(f, fixed, e)) continue;
    for (int j = 0; j < 3; ++j) {
      const uint32_t g = m->topology->triangle_edges[mobile][j];
      if (syn_owns_edge(m, mobile, g) && !try_edge(search, e, g)) return false;
    }
  }
  return true;
}

/* Half the reach around each triangle: boxes of features nearer than the reach overlap. */
syn_status syn_barrier_find_gaps(syn_simulation *s, uint32_t number, const syn_vec3 *points, syn_error *error) {
  const syn_touch *touch = &s->touches[number];
  struct syn_barrier *b = touch->barrier;
  const double reach = touch->options.barrier_mm;
  fit_side(&b->fixed, points, points, reach / 2);
  fit_side(&b->mobile, points, points, reach / 2);
  pair_search search = {s, number, reach, &b->fixed, &b->mobile, SYN_OK, error};
  syn_box_tree_pairs(b->fixed.surface.tree, b->mobile.surface.tree, try_triangles, &search);
  return search.status;
}

syn_status syn_barrier_free_part(syn_simulation *s, const syn_vec3 *before, const syn_vec3 *after, double *part,
                                 syn_error *error) {
  (void)error;
  *part = 1;
  for (size_t i = 0; i < s->touch_count; ++i) {
    struct syn_barrier *b = s->touches[i].barrier;
    if (!b) continue;
    fit_side(&b->fixed, before, after, 0);
    fit_side(&b->mobile, before, after, 0);
    syn_step_event event;
    syn_step_first_touch(&b->fixed.surface, &b->mobile.surface, &event);
    if (event.kind != SYN_EVENT_NONE) *part = min2(*part, event.time);
  }
  return SYN_OK;
}
