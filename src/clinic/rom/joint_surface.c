/* Finds the joint surface of the femoral head, which never limits the femur on the pelvis: its triangles, and their
 * overlap with the socket. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "clinic/rom/hip_rom.h"
#include "mesh/builder.h"

static const double least_margin_mm = 1.5, residuals = 3;

void syn_hip_leave_out_joint(syn_hip *hip, const syn_anatomy *anatomy) {
  const syn_sphere_fit *head = &anatomy->head;
  const double radius = head->radius_mm + fmax(least_margin_mm, residuals * head->residual_mm);
  hip->joint_ball = (syn_ball){head->center, isfinite(radius) ? radius : 0};
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

static syn_status joint_overlap(const syn_hip *hip, double *overlap_mm, syn_error *error) {
  const syn_trimesh *bones[] = {hip->parts[SYN_HIP_PELVIS], hip->parts[SYN_HIP_FEMUR]};
  syn_surface *surfaces[2] = {NULL, NULL};
  syn_status status = SYN_OK;
  for (int i = 0; i < 2 && status == SYN_OK; ++i) status = syn_surface_create(bones[i], &surfaces[i], error);
  for (int i = 0; i < 2 && status == SYN_OK; ++i) {
    if (syn_surface_is_solid(surfaces[1 - i]))
      status = deepest_in(bones[i], &hip->joint_ball, surfaces[1 - i], overlap_mm, error);
    else
      *overlap_mm = NAN; /* unknown; fmax ignores it if the next bone has a value */
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
