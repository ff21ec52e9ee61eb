/* Finds the hip centre by every method that the input allows. */
#include "clinic/center/center.h"

#include <math.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/vec.h"
#include "clinic/center/joint_sphere.h"
#include "clinic/hip.h"

SYN_ENUM_NAMES(syn_center_method, SYN_CENTER_METHODS, [SYN_CENTER_FEMORAL_HEAD_SPHERE] = "femoralheadsphere",
               [SYN_CENTER_ACETABULUM_SPHERE] = "acetabulumsphere", [SYN_CENTER_DOUBLE_SPHERE] = "doublesphere",
               [SYN_CENTER_DCONST] = "dconst", [SYN_CENTER_DREF] = "dref", [SYN_CENTER_SCORE] = "score",
               [SYN_CENTER_HARRINGTON] = "harrington", [SYN_CENTER_EQUIDISTANT] = "equidistant");

const char *syn_center_method_about(syn_center_method method) {
  static const char *const about[] = {
      [SYN_CENTER_FEMORAL_HEAD_SPHERE] = "sphere through the femoral head",
      [SYN_CENTER_ACETABULUM_SPHERE] = "sphere through the joint surface of the socket",
      [SYN_CENTER_DOUBLE_SPHERE] = "two spheres about one centre",
      [SYN_CENTER_DCONST] = "circumduction at one constant joint space",
      [SYN_CENTER_DREF] = "circumduction at the joint space as scanned",
      [SYN_CENTER_SCORE] = "stillest points of a recorded motion",
      [SYN_CENTER_HARRINGTON] = "regression from the size of the pelvis",
      [SYN_CENTER_EQUIDISTANT] =
          "the head's centre, moved towards the middle of the socket as far as the joint space shows it",
  };
  _Static_assert(sizeof about / sizeof *about == SYN_CENTER_METHODS, "a text for every method");
  return (size_t)method < SYN_CENTER_METHODS ? about[method] : "unknown";
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static syn_status marked_points(const syn_context *context, const syn_trimesh *mesh, const uint8_t *marks,
                                syn_vec3 **points, size_t *count, syn_error *error) {
  *count = 0;
  if (!mesh || !marks) return SYN_OK;
  SYN_TRY(SYN_NEW(context, points, mesh->vertex_count, error));
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    if (marks[i]) (*points)[(*count)++] = mesh->vertices[i];
  return SYN_OK;
}

static syn_status joint_points(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                               const syn_anatomy *anatomy, syn_joint_points *points, syn_error *error) {
  SYN_TRY(marked_points(context, femur, anatomy->head_vertices, &points->head, &points->head_count, error));
  return marked_points(context, pelvis, anatomy->lunate_vertices, &points->lunate, &points->lunate_count, error);
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static syn_center from_sphere(const syn_sphere_fit *sphere, const char *why_not) {
  if (!isfinite(sphere->radius_mm)) return center_unknown(why_not);
  return (syn_center){true, sphere->center, sphere->radius_mm, sphere->residual_mm, NULL};
}

static syn_status find_head(const syn_trimesh *femur, const syn_anatomy *anatomy, syn_center *center,
                            syn_error *error) {
  syn_joint_sphere head = {.sphere = anatomy->head};
  if (femur && anatomy->head.radius_mm > 0) SYN_TRY(syn_head_sphere(femur, anatomy, &head, error));
  *center = from_sphere(&head.sphere, "it needs the femur");
  return SYN_OK;
}

static const char needs_both[] = "it needs the joint surfaces of both bones";

/* Runs the methods that need both bones. */
static syn_status from_both(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                            const syn_anatomy *anatomy, const syn_joint_points *points, syn_centers *centers,
                            syn_error *error) {
  syn_center *methods = centers->methods;
  methods[SYN_CENTER_DOUBLE_SPHERE] = syn_center_double_sphere(points, anatomy->head.center);
  const double gap = anatomy->acetabulum.radius_mm - anatomy->head.radius_mm;
  const syn_vec3 start =
      methods[SYN_CENTER_DOUBLE_SPHERE].known ? methods[SYN_CENTER_DOUBLE_SPHERE].center : anatomy->head.center;
  SYN_TRY(syn_center_functional(context, femur, points, &anatomy->pelvis_axes, start, gap, &methods[SYN_CENTER_DCONST],
                                error));
  SYN_TRY(syn_center_functional(context, femur, points, &anatomy->pelvis_axes, start, NAN, &methods[SYN_CENTER_DREF],
                                error));
  return syn_center_equidistant(pelvis, femur, anatomy, &methods[SYN_CENTER_EQUIDISTANT], &centers->seat, error);
}

static double spread(const syn_center *methods) {
  double greatest = 0;
  for (int i = 0; i < SYN_CENTER_METHODS; ++i)
    for (int j = 0; j < i; ++j)
      if (methods[i].known && methods[j].known)
        greatest = max2(greatest, vec3_distance(methods[i].center, methods[j].center));
  return greatest;
}

/* dref was nearest to the truth in Gilles' study (Arbabi 2009, §4.4.4.1). */
static syn_center_method choose(const syn_center *methods) {
  static const syn_center_method best_first[] = {SYN_CENTER_DREF,
                                                 SYN_CENTER_FEMORAL_HEAD_SPHERE,
                                                 SYN_CENTER_ACETABULUM_SPHERE,
                                                 SYN_CENTER_DOUBLE_SPHERE,
                                                 SYN_CENTER_DCONST,
                                                 SYN_CENTER_SCORE};
  for (size_t i = 0; i < sizeof best_first / sizeof *best_first; ++i)
    if (methods[best_first[i]].known) return best_first[i];
  return SYN_CENTER_HARRINGTON;
}

syn_status syn_centers_find(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                            const syn_anatomy *anatomy, const syn_pose *motion, size_t motion_count,
                            syn_centers *centers, syn_error *error) {
  syn_center *methods = centers->methods;
  *centers = (syn_centers){.spread_mm = 0};
  for (int i = 0; i < SYN_CENTER_METHODS; ++i) methods[i] = center_unknown(needs_both);
  methods[SYN_CENTER_ACETABULUM_SPHERE] = from_sphere(&anatomy->acetabulum, "it needs the pelvis");
  methods[SYN_CENTER_SCORE] = syn_center_score(motion, motion ? motion_count : 0);
  methods[SYN_CENTER_HARRINGTON] = syn_center_harrington(anatomy);
  syn_joint_points points = {0};
  syn_status status = find_head(femur, anatomy, &methods[SYN_CENTER_FEMORAL_HEAD_SPHERE], error);
  if (status == SYN_OK) status = joint_points(context, pelvis, femur, anatomy, &points, error);
  if (status == SYN_OK && points.head_count && points.lunate_count)
    status = from_both(context, pelvis, femur, anatomy, &points, centers, error);
  syn_free(context, points.head);
  syn_free(context, points.lunate);
  centers->chosen = choose(methods);
  centers->spread_mm = spread(methods);
  return status;
}
