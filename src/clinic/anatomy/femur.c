/* The femur's anatomy, step by step, and what keeps a mesh from being a femur. */
#include "clinic/anatomy/femur.h"

/* A head covers at least this share of its sphere, this smoothly; ends of other bones do not. */
static const double LEAST_COVERAGE = 0.42, GREATEST_ROUGHNESS = 0.03; /* of the radius */
static const double SMALLEST_HEAD = 15, LARGEST_HEAD = 35;            /* mm */

void syn_femur_mark(syn_femur *femur, syn_landmark landmark, syn_vec3 place, double confidence) {
  syn_found_point *point = &femur->anatomy->landmarks[landmark];
  if (point->found != SYN_FOUND_GIVEN) *point = (syn_found_point){SYN_FOUND_MESH, place, confidence};
}

bool syn_is_head(const syn_head *head) {
  return head->coverage >= LEAST_COVERAGE && head->sphere.residual_mm <= GREATEST_ROUGHNESS * head->sphere.radius_mm;
}

static bool in_range(double radius) { return radius >= SMALLEST_HEAD && radius <= LARGEST_HEAD; }

static syn_status check_head(const syn_head *head, syn_error *error) {
  const double radius = head->sphere.radius_mm;
  if (!syn_is_head(head))
    return syn_fail(error, SYN_BAD_MESH,
                    "the femur has no spherical head: no part of its surface follows most of a sphere; is this the "
                    "upper end of a femur?");
  if (in_range(radius)) return SYN_OK;
  if (in_range(radius * 1000))
    return syn_fail(error, SYN_BAD_MESH,
                    "the femoral head has a radius of %.3g: the mesh seems to be in metres; convert it with --units m",
                    radius);
  if (in_range(radius * 10))
    return syn_fail(error, SYN_BAD_MESH,
                    "the femoral head has a radius of %.3g: the mesh seems to be in centimetres; bring it to mm first",
                    radius);
  return syn_fail(error, SYN_BAD_MESH,
                  "the femoral head has a radius of %.4g mm, human ones have %g to %g: wrong unit, or not a femur?",
                  radius, SMALLEST_HEAD, LARGEST_HEAD);
}

static void take_head(syn_femur *femur) {
  const syn_head *head = &femur->head;
  femur->anatomy->head = head->sphere;
  /* Sure where it covers 0.6 of its sphere to 2 % of the radius. */
  const double rough = head->sphere.residual_mm / head->sphere.radius_mm;
  const double confidence = syn_ramp(head->coverage, 0.4, 0.6) * (1 - syn_ramp(rough, 0.02, 0.05));
  syn_femur_mark(femur, SYN_LANDMARK_HEAD_CENTER, head->sphere.center, confidence);
}

static void tell_what_lacks(const syn_context *context, const syn_anatomy *anatomy) {
  if (!anatomy->has_neck) syn_warn(context, "no neck was found on the femur: nothing below the head is narrower");
  if (!anatomy->has_shaft) syn_warn(context, "too little of the femur's shaft is there to find its axis");
  if (anatomy->has_shaft && anatomy->landmarks[SYN_LANDMARK_LESSER_TROCHANTER].found == SYN_FOUND_NOT)
    syn_warn(context, "no lesser trochanter was found on the femur");
}

static syn_status find(const syn_context *context, const syn_trimesh *mesh, const syn_anatomy_options *options,
                       const syn_vec3 *toward, syn_femur *femur, syn_error *error) {
  SYN_TRY(syn_bone_mesh_prepare(context, mesh, "femur", &femur->bone, error));
  femur->head = syn_bone_head(&femur->bone, toward);
  SYN_TRY(check_head(&femur->head, error));
  SYN_TRY(SYN_NEW(context, &femur->anatomy->head_vertices, mesh->vertex_count, error));
  syn_bone_on_head(&femur->bone, &femur->head, femur->anatomy->head_vertices);
  take_head(femur);
  syn_femur_neck(femur);
  syn_femur_shaft(femur);
  SYN_TRY(syn_femur_centerline(femur, error));
  syn_femur_condyles(femur);
  syn_femur_trochanters(femur);
  tell_what_lacks(context, femur->anatomy);
  if (femur->anatomy->femur_frame != SYN_FRAME_GIVEN) syn_femur_frame(femur, options, context);
  return SYN_OK;
}

syn_status syn_find_femur(const syn_context *context, const syn_trimesh *femur, const syn_anatomy_options *options,
                          const syn_vec3 *toward, syn_anatomy *anatomy, syn_error *error) {
  syn_femur work = {.anatomy = anatomy};
  const syn_status status = find(context, femur, options, toward, &work, error);
  syn_bone_mesh_release(&work.bone);
  return status;
}
