/* Gaps: the common representation of all contacts with an energy. */
#include <string.h>

#include "base/names.h"
#include "base/vec.h"
#include "tissue/contact/contact.h"

SYN_ENUM_NAMES(syn_response, SYN_RESPONSES, [SYN_RESPONSE_BARRIER] = "barrier", [SYN_RESPONSE_PENALTY] = "penalty",
               [SYN_RESPONSE_CORRECTION] = "correction", [SYN_RESPONSE_LOOK_AHEAD] = "look-ahead",
               [SYN_RESPONSE_VOLUME] = "volume");

syn_touch_options syn_default_touch_options(void) {
  return (syn_touch_options){.response = SYN_RESPONSE_PENALTY,
                             .method = "distance",
                             .collide = syn_default_collide_options(),
                             .cookie = SYN_COOKIE};
}

/* ---- pairs of bodies ------------------------------------------------------------------------------------------------
 */

void syn_touch_release(const syn_context *context, syn_touch *touch) {
  syn_barrier_destroy(touch->barrier);
  syn_collider_destroy(touch->collider);
  syn_free(context, touch->scratch);
  syn_free(context, touch->contacts);
}

static syn_status check_touch(const syn_simulation *s, uint32_t fixed, uint32_t mobile, const syn_touch_options *o,
                              syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(o, syn_default_touch_options, error));
  if (fixed >= s->body_count || mobile >= s->body_count || fixed == mobile)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a contact needs two bodies of the simulation");
  if (!s->bodies[fixed].soft && !s->bodies[mobile].soft)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%s and %s are rigid: neither would give way",
                    syn_sim_body_words(s, fixed).text, syn_sim_body_words(s, mobile).text);
  const bool solves =
      s->options.integrator == SYN_INTEGRATOR_IMPLICIT || s->options.integrator == SYN_INTEGRATOR_STATIC;
  if (o->response == SYN_RESPONSE_BARRIER && !solves)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a barrier needs the implicit or the static integrator, not %s",
                    syn_integrator_name(s->options.integrator));
  if (!(o->pressure_mpa_mm >= 0 && o->barrier_mm >= 0 && o->barrier_mpa >= 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "stiffness and reach of a contact may not be negative");
  return SYN_OK;
}

static double young_of(const syn_sim_body *body) { return body->soft ? body->soft->material.young_mpa : 0; }

/* Stiffness of one more layer of the skin's own elements: the modulus over the mean edge of the skin. The
 * deformation of this layer is a discretisation error like any other, and explicit steps need not be much shorter
 * for it. */
static double layer_stiffness(const syn_sim_body *body) {
  const syn_trimesh *skin = body->surface;
  const double young = young_of(body);
  if (!(young > 0) || skin->triangle_count == 0) return INFINITY;
  double sum = 0;
  for (uint32_t t = 0; t < skin->triangle_count; ++t)
    for (int c = 0; c < 3; ++c)
      sum += vec3_distance(skin->vertices[skin->triangles[t].v[c]], skin->vertices[skin->triangles[t].v[(c + 1) % 3]]);
  return sum > 0 ? young * 3 * skin->triangle_count / sum : (double)INFINITY;
}

/* Stiffness of the more compliant body; 1 MPa per mm if neither has a modulus. */
static double own_pressure(const syn_sim_body *fixed, const syn_sim_body *mobile) {
  const double least = min2(layer_stiffness(fixed), layer_stiffness(mobile));
  return isfinite(least) ? least : 1;
}

syn_status syn_simulation_touch(syn_simulation *s, uint32_t fixed, uint32_t mobile, const syn_touch_options *options,
                                syn_error *error) {
  const syn_touch_options defaults = syn_default_touch_options();
  if (!options) options = &defaults;
  SYN_TRY(check_touch(s, fixed, mobile, options, error));
  SYN_TRY(SYN_RESERVE(s->context, &s->touches, s->touch_count, 1, &s->touch_capacity, error));
  syn_touch *touch = &s->touches[s->touch_count];
  *touch = (syn_touch){.fixed = fixed, .mobile = mobile, .options = *options, .overlap_mm3 = (double)NAN};
  syn_touch_options *o = &touch->options;
  if (o->pressure_mpa_mm == 0) o->pressure_mpa_mm = own_pressure(&s->bodies[fixed], &s->bodies[mobile]);
  if (o->barrier_mm == 0) o->barrier_mm = 1e-3 * s->size_mm;
  if (o->barrier_mpa == 0) o->barrier_mpa = max2(young_of(&s->bodies[fixed]), young_of(&s->bodies[mobile]));
  syn_status status = SYN_OK;
  if (o->response == SYN_RESPONSE_BARRIER)
    status = syn_barrier_create(s, touch, error);
  else if (o->response != SYN_RESPONSE_VOLUME)
    status = syn_detect_create(s, touch, error);
  if (status)
    syn_touch_release(s->context, touch);
  else
    ++s->touch_count;
  return status;
}

bool syn_sim_barrier_reach(const syn_simulation *s, double *reach_mm) {
  *reach_mm = INFINITY;
  for (size_t i = 0; i < s->touch_count; ++i)
    if (s->touches[i].barrier) *reach_mm = min2(*reach_mm, s->touches[i].options.barrier_mm);
  return isfinite(*reach_mm);
}

/* ---- gaps ---------------------------------------------------------------------------------------------------------
 */

syn_status syn_gap_add(syn_simulation *s, const syn_gap *gap, syn_error *error) {
  SYN_TRY(SYN_RESERVE(s->context, &s->gaps.gaps, s->gaps.count, 1, &s->gaps.capacity, error));
  s->gaps.gaps[s->gaps.count++] = *gap;
  return SYN_OK;
}

/* A third of each triangle's area vector is added to each of its corners. */
static void share_area_vectors(const syn_simulation *s, const syn_sim_body *body, const syn_vec3 *points) {
  const syn_vec3 *at = points + body->first_point;
  syn_vec3 *area = s->point_facing + body->first_point;
  memset(area, 0, body->surface->vertex_count * sizeof *area);
  for (uint32_t t = 0; t < body->surface->triangle_count; ++t) {
    const uint32_t *v = body->surface->triangles[t].v;
    const syn_vec3 twice = vec3_cross(vec3_sub(at[v[1]], at[v[0]]), vec3_sub(at[v[2]], at[v[0]]));
    for (int c = 0; c < 3; ++c) area[v[c]] = vec3_madd(area[v[c]], 1.0 / 6, twice);
  }
}

/* If a vertex is nearly on the surface, the direction to its nearest point is noise: the triangle's normal replaces
 * it. */
static void settle_normal(const syn_simulation *s, const syn_vec3 *points, syn_gap *gap) {
  if (-gap->gap_mm > 1e-7 * s->size_mm) return;
  const syn_vec3 a = points[gap->points[1]];
  const syn_vec3 normal = vec3_cross(vec3_sub(points[gap->points[2]], a), vec3_sub(points[gap->points[3]], a));
  if (!(vec3_length2(normal) > 0)) return;
  gap->normal = vec3_unit(normal);
  gap->area_mm2 = max2(0, -vec3_dot(s->point_facing[gap->points[0]], gap->normal));
}

/* Contacts that are kept do not change pair, normal and area, and their distance follows the points: a plane for
 * each vertex. */
static void follow_points(syn_simulation *s, const syn_vec3 *points) {
  size_t count = 0;
  for (size_t i = 0; i < s->gaps.count; ++i) {
    syn_gap gap = s->gaps.gaps[i];
    if (s->touches[gap.touch].barrier) continue;
    gap.gap_mm = 0;
    for (int p = 0; p < 4; ++p) gap.gap_mm += gap.weight[p] * vec3_dot(gap.normal, points[gap.points[p]]);
    s->gaps.gaps[count++] = gap;
  }
  s->gaps.count = s->kept = count;
}

/* Lists mostly have the same order: the search begins after the last match. */
static bool is_kept(const syn_simulation *s, const syn_gap *gap, size_t *next) {
  for (size_t i = 0; i < s->kept; ++i) {
    const size_t at = (*next + i) % s->kept;
    if (s->gaps.gaps[at].points[0] != gap->points[0] || s->gaps.gaps[at].touch != gap->touch) continue;
    *next = at + 1;
    return true;
  }
  return false;
}

static syn_status find_penalties(syn_simulation *s, uint32_t number, const syn_vec3 *points, double part,
                                 syn_error *error) {
  syn_touch *touch = &s->touches[number];
  syn_contacts found;
  syn_pose frame;
  SYN_TRY(syn_detect_contacts(s, touch, points, part, &found, &frame, error));
  share_area_vectors(s, &s->bodies[touch->fixed], points);
  share_area_vectors(s, &s->bodies[touch->mobile], points);
  size_t next = 0;
  for (size_t i = 0; i < found.count; ++i) {
    syn_gap gap;
    if (!syn_detect_gap(s, number, &found.contacts[i], &frame, points, &gap)) continue;
    if (s->keeps_gaps && is_kept(s, &gap, &next)) continue;
    settle_normal(s, points, &gap);
    SYN_TRY(syn_gap_add(s, &gap, error));
  }
  return SYN_OK;
}

syn_status syn_sim_find_gaps(syn_simulation *s, const syn_vec3 *points, double part, bool all, syn_error *error) {
  if (s->keeps_gaps)
    follow_points(s, points);
  else
    s->gaps.count = 0;
  for (uint32_t i = 0; i < s->touch_count; ++i) {
    if (s->touches[i].barrier)
      SYN_TRY(syn_barrier_find_gaps(s, i, points, error));
    else if (s->touches[i].collider && (all || s->touches[i].options.response == SYN_RESPONSE_PENALTY))
      SYN_TRY(find_penalties(s, i, points, part, error));
  }
  return SYN_OK;
}

syn_gap_energy syn_gap_evaluate(const syn_simulation *s, const syn_gap *gap) {
  const syn_touch *touch = &s->touches[gap->touch];
  if (touch->barrier) return syn_barrier_evaluate(&touch->options, gap);
  if (touch->options.response != SYN_RESPONSE_PENALTY) return (syn_gap_energy){0, 0, 0};
  const double k = touch->options.pressure_mpa_mm * gap->area_mm2, g = gap->gap_mm;
  return g < 0 ? (syn_gap_energy){k * g * g / 2, k * g, k} : (syn_gap_energy){0, 0, 0};
}

uint32_t syn_gap_nodes(const syn_simulation *s, const syn_gap *gap, uint32_t nodes[SYN_GAP_NODES],
                       double coefficients[SYN_GAP_NODES]) {
  uint32_t count = 0;
  for (int p = 0; p < 4; ++p) {
    if (gap->weight[p] == 0) continue;
    const syn_sim_body *body = &s->bodies[syn_sim_body_of_point(s, gap->points[p])];
    if (!body->soft) continue;
    const uint32_t vertex = gap->points[p] - body->first_point;
    for (uint32_t k = body->soft->skin_start[vertex]; k < body->soft->skin_start[vertex + 1]; ++k) {
      nodes[count] = body->first_node + body->soft->skin_nodes[k];
      coefficients[count++] = gap->weight[p] * body->soft->skin_weights[k];
    }
  }
  return count;
}

double syn_gaps_force(const syn_simulation *s, syn_vec3 *f) {
  double energy = 0;
  uint32_t nodes[SYN_GAP_NODES];
  double coefficients[SYN_GAP_NODES];
  for (size_t i = 0; i < s->gaps.count; ++i) {
    const syn_gap *gap = &s->gaps.gaps[i];
    const syn_gap_energy e = syn_gap_evaluate(s, gap);
    energy += e.energy;
    if (e.first == 0) continue;
    const uint32_t count = syn_gap_nodes(s, gap, nodes, coefficients);
    for (uint32_t k = 0; k < count; ++k) f[nodes[k]] = vec3_madd(f[nodes[k]], -e.first * coefficients[k], gap->normal);
  }
  return energy;
}
