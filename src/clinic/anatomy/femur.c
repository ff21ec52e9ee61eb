/* Finds the femur's anatomy step by step, and refuses meshes that are no femur. */
#include "clinic/anatomy/femur.h"

#include <stdio.h>

#include "base/text.h"

/* A head covers at least this share of its sphere. One that is rough or deformed has to cover more: ends of other bones
 * follow a sphere for some way, but not that smoothly (docs/evidence/hip.md has the numbers). */
static const double LEAST_COVERAGE = 0.42, SMOOTH = 0.03;        /* of the sphere, of the radius */
static const double LEAST_ROUGH_COVERAGE = 0.5, ROUGHEST = 0.05; /* the same */
static const double LEAST_ABOUT = 0.3;                           /* of an aspherical head, about a known point */
static const double SMALLEST_HEAD = 8, LARGEST_HEAD = 35;        /* mm: a newborn's, and the largest adult's */

void syn_femur_mark(syn_femur *femur, syn_landmark landmark, syn_vec3 place, double confidence) {
  syn_found_point *point = &femur->anatomy->landmarks[landmark];
  if (point->found == SYN_FOUND_GIVEN)
    syn_doubt_landmark(femur->bone.arena.context, landmark, point, place);
  else
    *point = (syn_found_point){SYN_FOUND_MESH, place, confidence};
}

static double roughness(const syn_head *head) { return head->sphere.residual_mm / head->sphere.radius_mm; }

bool syn_is_head(const syn_head *head) { return head->coverage >= LEAST_COVERAGE && roughness(head) <= SMOOTH; }

bool syn_is_rough_head(const syn_head *head) {
  return syn_is_head(head) || (head->coverage >= LEAST_ROUGH_COVERAGE && roughness(head) <= ROUGHEST);
}

static const double LEAST_ADULT_HEAD = 15; /* mm */

static bool in_range(double radius) { return radius >= SMALLEST_HEAD && radius <= LARGEST_HEAD; }

static syn_status refuse_shape(const syn_head *head, const syn_toward *toward, syn_error *error) {
  const syn_vec3 c = head->sphere.center;
  char found[160] = "no part of its surface follows a sphere";
  if (head->coverage > 0)
    snprintf(found, sizeof found,
             "what comes nearest, about (%.1f, %.1f, %.1f) with a radius of %.1f mm, covers %.0f %% of its sphere and "
             "deviates by %.1f %%",
             c.x, c.y, c.z, head->sphere.radius_mm, 100 * head->coverage, 100 * roughness(head));
  if (toward)
    return syn_fail(error, SYN_BAD_MESH,
                    "the femur has no spherical head (%s), and its surface does not lie round %s, (%.1f, %.1f, %.1f): "
                    "is this the upper end of a femur, and are both in one frame?",
                    found, toward->name, toward->place.x, toward->place.y, toward->place.z);
  return syn_fail(error, SYN_BAD_MESH,
                  "the femur has no spherical head: %s; a head covers %.0f %% or more. Is this the upper end of a "
                  "femur? If it is, give the centre of its head (--center x,y,z)",
                  found, 100 * LEAST_ROUGH_COVERAGE);
}

/* Names the unit in which a radius out of range would be that of a head. Inches come before centimetres: 0.6 to 1.3 is
 * any adult's in inches, and a small child's in centimetres. */
static syn_status check_radius(const syn_context *context, double radius, syn_error *error) {
  if (in_range(radius) && radius < LEAST_ADULT_HEAD)
    syn_warn(context,
             "the femoral head has a radius of %.3g mm, as small children have and adults not: is the unit of the "
             "files right "
             "(--units)?",
             radius);
  if (in_range(radius)) return SYN_OK;
  if (in_range(radius * 1000))
    return syn_fail(error, SYN_BAD_MESH,
                    "the femoral head has a radius of %.3g: the mesh seems to be in metres; convert it with --units m",
                    radius);
  if (radius * 25.4 >= LEAST_ADULT_HEAD && in_range(radius * 25.4))
    return syn_fail(
        error, SYN_BAD_MESH,
        "the femoral head has a radius of %.3g: the mesh seems to be in inches; convert it with --units in%s", radius,
        in_range(radius * 10) ? ", or with --units cm that of a small child in centimetres" : "");
  if (in_range(radius * 10))
    return syn_fail(
        error, SYN_BAD_MESH,
        "the femoral head has a radius of %.3g: the mesh seems to be in centimetres; convert it with --units cm",
        radius);
  return syn_fail(error, SYN_BAD_MESH,
                  "the femoral head has a radius of %.4g mm, human ones have %g to %g: wrong unit, or not a femur?",
                  radius, SMALLEST_HEAD, LARGEST_HEAD);
}

/* Finds an aspherical head about a known or assumed point. */
static bool find_head_about(const syn_context *context, const syn_toward *toward, syn_femur *femur) {
  const syn_head head = syn_bone_head_about(&femur->bone, toward->place);
  const double radius = head.sphere.radius_mm, socket = toward->socket_mm;
  const bool fits = !(socket > 0) || (radius > 0.6 * socket && radius < 1.1 * socket);
  if (head.coverage < LEAST_ABOUT || !fits) return false;
  syn_warn(context,
           "the femur has no spherical head: %s is taken for its centre, and %.1f mm for its radius, from which the "
           "surface deviates by %.1f mm; measures of the head are estimates",
           toward->name, radius, head.sphere.residual_mm);
  femur->head = head;
  return true;
}

/* A trochanter may be rounder than a deformed head, but is not at its position. */
static bool is_elsewhere(const syn_head *head, const syn_toward *toward) {
  return toward && vec3_distance(head->sphere.center, toward->place) > head->sphere.radius_mm;
}

/* Finds smooth heads first; else again with averaged normals; else about the known point. */
static syn_status find_head(const syn_context *context, const syn_toward *toward, syn_femur *femur, syn_error *error) {
  syn_head *head = &femur->head;
  const syn_vec3 *near = toward ? &toward->place : NULL;
  *head = syn_bone_head(&femur->bone, near);
  if (syn_is_head(head) && !is_elsewhere(head, toward)) return check_radius(context, head->sphere.radius_mm, error);
  const syn_head smooth = *head;
  SYN_TRY(syn_bone_rough_head(&femur->bone, near, head, error));
  const bool found = syn_is_rough_head(head) && !is_elsewhere(head, toward);
  if (!found && toward && find_head_about(context, toward, femur)) return SYN_OK;
  if (!found && syn_is_head(&smooth)) *head = smooth;
  if (!syn_is_rough_head(head)) return refuse_shape(head, toward, error);
  SYN_TRY(check_radius(context, head->sphere.radius_mm, error));
  if (!syn_is_head(head))
    syn_warn(
        context,
        "the femoral head is rough or deformed: it covers %.0f %% of its sphere, from which it deviates by %.*f mm "
        "(%.1f %% of its radius); its centre and the measures that depend on it are less certain",
        100 * head->coverage, syn_mm_decimals(head->sphere.residual_mm), head->sphere.residual_mm,
        100 * roughness(head));
  return SYN_OK;
}

static void take_head(syn_femur *femur) {
  const syn_head *head = &femur->head;
  femur->anatomy->head = head->sphere;
  /* Confident if it covers 0.6 of its sphere to 2 % of the radius; coverage decides, so that a rough head keeps some
   * confidence. */
  const double smooth = 1 - 0.8 * syn_ramp(roughness(head), 0.02, ROUGHEST);
  const double confidence = syn_ramp(head->coverage, 0.4, 0.6) * smooth;
  syn_femur_mark(femur, SYN_LANDMARK_HEAD_CENTER, head->sphere.center, confidence);
}

static void tell_what_lacks(const syn_context *context, const syn_anatomy *anatomy) {
  if (!anatomy->has_neck) syn_warn(context, "no neck was found on the femur: nothing below the head is narrower");
  if (!anatomy->has_shaft) syn_warn(context, "too little of the femur's shaft is there to find its axis");
  if (anatomy->has_shaft && anatomy->landmarks[SYN_LANDMARK_LESSER_TROCHANTER].found == SYN_FOUND_NOT)
    syn_warn(context, "no lesser trochanter was found on the femur");
}

static syn_status find(const syn_context *context, const syn_trimesh *mesh, const syn_anatomy_options *options,
                       const syn_toward *toward, syn_femur *femur, syn_error *error) {
  SYN_TRY(syn_bone_mesh_prepare(context, mesh, "femur", &femur->bone, error));
  SYN_TRY(find_head(context, toward, femur, error));
  SYN_TRY(SYN_NEW(context, &femur->anatomy->head_vertices, mesh->vertex_count, error));
  syn_bone_on_head(&femur->bone, &femur->head, femur->anatomy->head_vertices);
  take_head(femur);
  syn_femur_neck(femur);
  syn_femur_shaft(femur);
  SYN_TRY(syn_femur_centerline(femur, error));
  syn_femur_condyles(femur);
  syn_femur_trochanters(femur);
  tell_what_lacks(context, femur->anatomy);
  if (femur->anatomy->femur_frame != SYN_FRAME_GIVEN) syn_femur_tell_side(femur, options);
  return SYN_OK;
}

/* Without a shaft the bone ends where it is furthest from the head. */
static double below_head(const syn_femur *femur) {
  if (femur->anatomy->has_shaft) return femur->length;
  double furthest = 0;
  for (uint32_t v = 0; v < femur->bone.mesh->vertex_count; ++v)
    if (femur->bone.areas[v] > 0)
      furthest = max2(furthest, vec3_distance(femur->bone.mesh->vertices[v], femur->head.sphere.center));
  return furthest;
}

syn_status syn_find_femur(const syn_context *context, const syn_trimesh *femur, const syn_anatomy_options *options,
                          const syn_toward *toward, syn_anatomy *anatomy, double *below_head_mm, syn_error *error) {
  syn_femur work = {.anatomy = anatomy};
  const syn_status status = find(context, femur, options, toward, &work, error);
  *below_head_mm = status == SYN_OK ? below_head(&work) : 0;
  syn_bone_mesh_release(&work.bone);
  return status;
}
