/* Finds penetrating vertices by any detection method, in the frame of the fixed body, in which rigid bodies keep
 * their prepared meshes and soft ones get new positions. */
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "geometry/closest.h"
#include "tissue/contact/contact.h"

static syn_body surface_of(const syn_sim_body *body) { return (syn_body){.surface = body->surface}; }

/* A force on the skin needs a vertex and the triangle that it penetrates. Methods that report balls, pairs of
 * triangles or the single contact of two hulls do not qualify. */
static const char *const with_vertices[] = {"distance",  "proximity",    "proximity-walk", "radial",
                                            "ray-table", "sliding-hash", "cylindrical",    "split"};

static syn_status check_method(const syn_touch_options *options, syn_method_info *info, syn_error *error) {
  SYN_TRY(syn_method_find(options->method, info, error));
  char list[160] = "";
  for (size_t i = 0; i < sizeof with_vertices / sizeof *with_vertices; ++i) {
    if (strcmp(info->name, with_vertices[i]) == 0) {
      if (!options->collide.between_vertices) return SYN_OK;
      return syn_fail(error, SYN_BAD_ARGUMENT, "a response to a contact acts on vertices, not between them");
    }
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", with_vertices[i]);
  }
  return syn_fail(
      error, SYN_BAD_ARGUMENT,
      "the method %s does not tell which vertex is in which triangle, which the response to a contact needs; "
      "these do: %s",
      info->name, list);
}

/* Returns the positions of a soft body in the frame of the fixed one, in s->points_after, which detection may
 * overwrite. */
static const syn_vec3 *in_frame(syn_simulation *s, const syn_sim_body *body, const syn_vec3 *points,
                                const syn_pose *back) {
  if (!body->soft) return NULL;
  syn_vec3 *out = s->points_after + body->first_point;
  for (uint32_t i = 0; i < body->surface->vertex_count; ++i)
    out[i] = syn_pose_point(back, points[body->first_point + i]);
  return out;
}

static syn_status query_at(syn_simulation *s, syn_touch *touch, const syn_vec3 *points, double part,
                           syn_contacts *found, syn_pose *frame, syn_error *error) {
  const syn_sim_body *fixed = &s->bodies[touch->fixed], *mobile = &s->bodies[touch->mobile];
  *frame = part > 0.5 ? fixed->next : fixed->pose;
  const syn_pose back = syn_pose_inverse(frame);
  const syn_pose pose = syn_pose_compose(&back, part > 0.5 ? &mobile->next : &mobile->pose);
  SYN_TRY(syn_collider_update(touch->collider, in_frame(s, fixed, points, &back), in_frame(s, mobile, points, &back),
                              error));
  const syn_status status = syn_collider_query(touch->collider, mobile->soft ? NULL : &pose, touch->scratch, found);
  if (status)
    return syn_fail(error, status, "the pose of %s cannot be used for detection",
                    syn_sim_body_words(s, touch->mobile).text);
  return SYN_OK;
}

syn_status syn_detect_contacts(syn_simulation *s, syn_touch *touch, const syn_vec3 *points, double part,
                               syn_contacts *found, syn_pose *frame, syn_error *error) {
  *found = (syn_contacts){.contacts = touch->contacts, .capacity = touch->contact_capacity};
  SYN_TRY(query_at(s, touch, points, part, found, frame, error));
  if (found->count > found->capacity) found->count = found->capacity;
  return SYN_OK;
}

/* Methods about a centre detect only surfaces on the same rays: without any, bodies pass each other undetected. */
static syn_status look_from_center(syn_simulation *s, syn_touch *touch, const char *method, double *depth,
                                   syn_error *error) {
  syn_contacts found = {.vertex_depth = depth};
  syn_pose frame;
  const syn_vec3 center = touch->options.collide.center;
  syn_sim_points(s, s->x, 0, s->points);
  SYN_TRY(query_at(s, touch, s->points, 0, &found, &frame, error));
  for (uint32_t i = 0; i < s->bodies[touch->mobile].surface->vertex_count; ++i)
    if (depth[i] > (double)-INFINITY) return SYN_OK;
  syn_warn(s->context,
           "seen from the centre (%g, %g, %g), nothing of %s lies in the way of %s: the method %s will let them pass "
           "through each other unless they move there; give it another centre, or take the method distance",
           center.x, center.y, center.z, syn_sim_body_words(s, touch->fixed).text,
           syn_sim_body_words(s, touch->mobile).text, method);
  return SYN_OK;
}

static syn_status warn_of_blindness(syn_simulation *s, syn_touch *touch, const char *method, syn_error *error) {
  double *depth;
  if (!syn_method_is_about_center(method)) return SYN_OK;
  SYN_TRY(SYN_NEW(s->context, &depth, s->bodies[touch->mobile].surface->vertex_count, error));
  const syn_status status = look_from_center(s, touch, method, depth, error);
  syn_free(s->context, depth);
  return status;
}

syn_status syn_detect_create(syn_simulation *s, syn_touch *touch, syn_error *error) {
  const syn_body fixed = surface_of(&s->bodies[touch->fixed]), mobile = surface_of(&s->bodies[touch->mobile]);
  syn_collide_options options = touch->options.collide;
  options.both_roles = true;
  syn_method_info info;
  SYN_TRY(check_method(&touch->options, &info, error));
  touch->only_pairs = strcmp(info.name, "sliding-hash") == 0;
  SYN_TRY(syn_collider_create(s->context, info.name, &fixed, &mobile, &options, &touch->collider, error));
  /* enough for all later deformations */
  SYN_TRY(syn_allocate(s->context, syn_collider_scratch(touch->collider), 1, &touch->scratch, error));
  touch->contact_capacity = (size_t)fixed.surface->vertex_count + mobile.surface->vertex_count;
  SYN_TRY(SYN_NEW(s->context, &touch->contacts, touch->contact_capacity, error));
  return warn_of_blindness(s, touch, info.name, error);
}

/* Computes the depth of the pair across the plane of the triangle (Maciel 2005, §4.3.2.2). Returns false if the
 * vertex is in front of it, or so far beside it that the plane does not represent the surface there. */
static bool project(const syn_vec3 corners[3], syn_vec3 p, double *depth_mm, syn_vec3 *normal) {
  const syn_vec3 a = vec3_sub(corners[1], corners[0]), b = vec3_sub(corners[2], corners[0]);
  const double size2 = max2(vec3_length2(a), max2(vec3_length2(b), vec3_length2(vec3_sub(a, b))));
  *normal = vec3_unit(vec3_cross(a, b));
  *depth_mm = vec3_dot(vec3_sub(corners[0], p), *normal);
  const syn_vec3 on_plane = vec3_madd(p, *depth_mm, *normal);
  return *depth_mm > 0 && vec3_length2(vec3_sub(on_plane, closest_on_triangle(on_plane, corners))) <= size2;
}

bool syn_detect_gap(const syn_simulation *s, uint32_t number, const syn_contact *contact, const syn_pose *frame,
                    const syn_vec3 *points, syn_gap *gap) {
  const syn_touch *touch = &s->touches[number];
  const bool mobile_vertex = contact->of == SYN_OF_VERTEX_TRIANGLE;
  if ((!mobile_vertex && contact->of != SYN_OF_TRIANGLE_VERTEX) || !(contact->depth_mm > 0)) return false;
  const syn_sim_body *of_vertex = &s->bodies[mobile_vertex ? touch->mobile : touch->fixed],
                     *of_face = &s->bodies[mobile_vertex ? touch->fixed : touch->mobile];
  const uint32_t vertex = mobile_vertex ? contact->mobile_element : contact->fixed_element,
                 triangle = mobile_vertex ? contact->fixed_element : contact->mobile_element;
  const uint32_t *v = of_face->surface->triangles[triangle].v;
  const syn_vec3 out = syn_pose_direction(frame, contact->direction), p = points[of_vertex->first_point + vertex];
  syn_vec3 normal = mobile_vertex ? out : vec3_neg(out), corners[3];
  double depth_mm = contact->depth_mm;
  *gap = (syn_gap){.points = {of_vertex->first_point + vertex}, .weight = {1}, .touch = number};
  for (int c = 0; c < 3; ++c) corners[c] = points[gap->points[1 + c] = of_face->first_point + v[c]];
  if (touch->only_pairs && !project(corners, p, &depth_mm, &normal)) return false;
  gap->normal = normal;
  gap->gap_mm = -depth_mm;
  syn_face_weights(corners, closest_on_triangle(vec3_madd(p, depth_mm, normal), corners), &gap->weight[1]);
  for (int c = 1; c < 4; ++c) gap->weight[c] = -gap->weight[c];
  gap->area_mm2 =
      max2(0, -vec3_dot(s->point_facing[gap->points[0]], normal)); /* projected area that faces the other body */
  return true;
}
