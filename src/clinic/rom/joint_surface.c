/* Finds the joint surface of the femoral head, which never limits the femur on the pelvis: its triangles, and their
 * overlap with the socket. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "clinic/rom/hip_rom.h"
#include "mesh/builder.h"

/* The ball of the joint surface ends this far above the head where the neck begins, `neck_degrees` from its axis, and
 * at least three residuals of the sphere, or as high as 99 % of the steps of its dome. */
static const double least_margin_mm = 1.5, residuals = 3, neck_degrees = 50;
/* Its centre is moved from the neck by this part of the radius, so that it rises above the head towards the dome: by 3
 * mm at 70 degrees from the neck, by 7 mm at 120. Up there all bone is joint surface, whatever its steps. */
static const double away_from_neck = 0.06;

/* Returns the height above the sphere below which 99 % of the vertices are, of those further than 90 degrees from the
 * neck: no cam reaches there. */
static double height_of_steps(const syn_trimesh *femur, const syn_anatomy *anatomy) {
  enum { BINS = 100 };
  const double most_mm = 5, beyond = 0;
  size_t heights[BINS] = {0}, count = 0, above = 0;
  for (uint32_t v = 0; v < femur->vertex_count; ++v) {
    const syn_vec3 off = vec3_sub(femur->vertices[v], anatomy->head.center);
    const double distance = vec3_length(off), height = distance - anatomy->head.radius_mm;
    if (!(fabs(height) < most_mm) || vec3_dot(off, anatomy->neck_axis) < beyond * distance) continue;
    ++count;
    if (height > 0) ++heights[(int)(height / most_mm * BINS)];
  }
  int bin = BINS;
  while (bin > 0 && 100 * (above + heights[bin - 1]) <= count) above += heights[--bin];
  return most_mm * bin / BINS;
}

/* Returns the radius of a ball about a centre moved by `shift` from the neck that passes the height `margin` above the
 * head where the neck begins. */
static double ball_radius(double head, double margin, double shift) {
  const double reach = head + margin;
  return sqrt(reach * reach + shift * shift + 2 * reach * shift * cos(neck_degrees * SYN_DEGREE));
}

void syn_hip_leave_out_joint(syn_hip *hip, const syn_anatomy *anatomy) {
  const syn_sphere_fit *head = &anatomy->head;
  const syn_trimesh *femur = hip->parts[SYN_HIP_FEMUR];
  double margin = fmax(least_margin_mm, residuals * head->residual_mm), shift = 0;
  hip->joint_ball = (syn_ball){head->center, 0};
  if (!isfinite(head->radius_mm + margin)) return;
  if (anatomy->has_neck) shift = away_from_neck * head->radius_mm;
  if (anatomy->has_neck && femur) margin = fmax(margin, height_of_steps(femur, anatomy));
  hip->joint_ball =
      (syn_ball){vec3_madd(head->center, shift, anatomy->neck_axis), ball_radius(head->radius_mm, margin, shift)};
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

static bool is_inside(const syn_ball *ball, syn_vec3 point) {
  return vec3_distance(point, ball->center) < ball->radius_mm;
}

size_t syn_rom_mark_joint(const syn_hip *hip, uint8_t *left_out) {
  const syn_trimesh *femur = hip->parts[SYN_HIP_FEMUR];
  memset(left_out, 0, femur->triangle_count);
  return syn_mesh_mark_inside(femur, hip->joint_ball.center, hip->joint_ball.radius_mm, left_out);
}

/* ---- overlap ----------------------------------------------------------------------------------------------------- */

/* Finds the max depth, in the other bone, of the vertices of `mesh` inside the ball; 0 if none is inside. */
static syn_status deepest_in(const syn_trimesh *mesh, const syn_ball *ball, const syn_surface *other, double *deepest,
                             syn_error *error) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    syn_location side;
    syn_surface_point nearest;
    if (!is_inside(ball, mesh->vertices[v])) continue;
    if (syn_surface_side(other, &mesh->vertices[v], 1, &side) != SYN_OK || side != SYN_LOCATION_INSIDE) continue;
    if (syn_surface_nearest(other, &mesh->vertices[v], 1, &nearest) != SYN_OK)
      return syn_fail(error, SYN_BAD_MESH, "vertex %u is too far away to measure how deep it lies", v);
    *deepest = fmax(*deepest, nearest.distance_mm);
  }
  return SYN_OK;
}

/* The depth of vertices of either bone in the other one; NAN if neither has an inside. */
static syn_status joint_overlap(const syn_hip *hip, double *overlap_mm, syn_error *error) {
  const syn_trimesh *bones[] = {hip->parts[SYN_HIP_PELVIS], hip->parts[SYN_HIP_FEMUR]};
  syn_surface *surfaces[2] = {NULL, NULL};
  syn_status status = SYN_OK;
  *overlap_mm = NAN;
  for (int i = 0; i < 2 && status == SYN_OK; ++i) status = syn_surface_create(bones[i], &surfaces[i], error);
  for (int i = 0; i < 2 && status == SYN_OK; ++i) {
    double deepest = 0;
    if (!syn_surface_is_solid(surfaces[1 - i])) continue; /* it has no inside */
    status = deepest_in(bones[i], &hip->joint_ball, surfaces[1 - i], &deepest, error);
    *overlap_mm = fmax(*overlap_mm, deepest); /* of NAN and a number the number */
  }
  for (int i = 0; i < 2; ++i) syn_surface_destroy(surfaces[i]);
  return status;
}

/* Parts of a bone are open on purpose, so their warnings are suppressed. */
static syn_status overlap_of_rest(const syn_hip *hip, const uint8_t *left_out, syn_penetration *overlap,
                                  syn_error *error) {
  syn_context quiet = *syn_context_or_default(hip->parts[SYN_HIP_FEMUR]->context);
  syn_trimesh femur = *hip->parts[SYN_HIP_FEMUR], *rest;
  quiet.warn = NULL;
  femur.context = &quiet;
  SYN_TRY(syn_mesh_part(&femur, left_out, 0, &rest, error));
  const syn_status status = syn_penetration_find(hip->parts[SYN_HIP_PELVIS], rest, &hip->center, overlap, error);
  syn_trimesh_destroy(rest);
  return status;
}

static syn_status find_left_out(const syn_hip *hip, uint8_t *marks, syn_left_out *left_out, syn_error *error) {
  left_out->triangles = syn_rom_mark_joint(hip, marks);
  if (!left_out->elsewhere.found || left_out->triangles == 0) return SYN_OK;
  SYN_TRY(joint_overlap(hip, &left_out->overlap_mm, error));
  return overlap_of_rest(hip, marks, &left_out->elsewhere, error);
}

syn_status syn_hip_left_out_find(const syn_hip *hip, syn_left_out *left_out, syn_error *error) {
  const syn_trimesh *pelvis = hip->parts[SYN_HIP_PELVIS], *femur = hip->parts[SYN_HIP_FEMUR];
  *left_out = (syn_left_out){.elsewhere = {.depth_mm = NAN}};
  if (!pelvis || !femur) return SYN_OK;
  SYN_TRY(
      syn_penetration_find(pelvis, femur, &hip->center, &left_out->elsewhere, error)); /* of both bones as a whole */
  if (!(hip->joint_ball.radius_mm > 0)) return SYN_OK;
  uint8_t *marks;
  SYN_TRY(SYN_NEW(femur->context, &marks, femur->triangle_count, error));
  const syn_status status = find_left_out(hip, marks, left_out, error);
  syn_free(femur->context, marks);
  return status;
}
