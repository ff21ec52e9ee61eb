/* Bends a femur: its shaft is rotated against its neck. The bone between both ends bends evenly, as the deformable part
 * does in Maciel 2005, Fig. 5.16. */
#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/surgery/osteotomy.h"
#include "mesh/remesh/refine_mesh.h"

/* Returns the point of the shaft's axis nearest to that of the neck. */
static syn_vec3 meeting_point(const syn_anatomy *a) {
  const syn_vec3 u = a->shaft_axis, v = a->neck_axis, w = vec3_sub(a->shaft_point, a->neck_point);
  const double b = vec3_dot(u, v), d = vec3_dot(u, w), e = vec3_dot(v, w), bent = 1 - b * b;
  const double along = bent > 1e-6 ? (b * e - d) / bent : 0;
  return vec3_madd(a->shaft_point, along, u);
}

static syn_vec3 find_cut(const syn_anatomy *a, double level_mm) {
  const syn_vec3 meeting = meeting_point(a);
  const syn_found_point *lesser = &a->landmarks[SYN_LANDMARK_LESSER_TROCHANTER];
  if (isnan(level_mm) && lesser->found != SYN_FOUND_NOT)
    level_mm = -vec3_dot(vec3_sub(lesser->place, meeting), a->shaft_axis);
  return vec3_madd(meeting, -(isnan(level_mm) ? 15 : level_mm), a->shaft_axis);
}

/* Returns the direction towards the other leg, across the shaft. */
static syn_vec3 medial(const syn_hip_case *hip_case) {
  const syn_anatomy *a = hip_case->anatomy;
  const syn_vec3 head = vec3_sub(a->head.center, a->shaft_point);
  const syn_vec3 front = hip_case->hip.femur_axes.adduction;
  const syn_vec3 across = vec3_unit(vec3_cross(a->shaft_axis, front));
  return vec3_dot(head, across) < 0 ? vec3_neg(across) : across;
}

syn_pose syn_osteotomy_turn(const syn_hip_case *hip_case, const syn_osteotomy_options *o, syn_vec3 cut) {
  syn_pose turn = syn_pose_about_axis(cut, hip_case->hip.femur_axes.adduction, o->varus);
  turn.translation = vec3_madd(turn.translation, o->medial_mm, medial(hip_case));
  return turn;
}

typedef struct band {
  syn_vec3 cut, down;
  double blend_mm;
} band;

static double below(const band *b, syn_vec3 p) { return vec3_dot(vec3_sub(p, b->cut), b->down); }

static bool in_band(const void *user, syn_vec3 p) {
  const band *b = user;
  return below(b, p) >= 0 && below(b, p) <= b->blend_mm;
}

/* Applies the full rotation below the bent part, none above it. */
static syn_vec3 moved(const syn_hip_case *hip_case, const syn_osteotomy_options *o, const band *b, syn_vec3 p) {
  const double part = min2(1, max2(0, below(b, p) / b->blend_mm)), eased = part * part * (3 - 2 * part);
  syn_osteotomy_options some = *o;
  some.varus *= eased;
  some.medial_mm *= eased;
  const syn_pose turn = syn_osteotomy_turn(hip_case, &some, b->cut);
  return syn_pose_point(&turn, p);
}

static syn_status check_bent(const syn_trimesh *before, const syn_trimesh *bent, syn_error *error) {
  syn_health was, is;
  SYN_TRY(syn_trimesh_check(before, NULL, &was, error));
  if (!was.closed || !was.outward)
    return syn_fail(error, SYN_BAD_MESH,
                    "the femur is not a closed surface that faces outward; `synovia mesh repair` may help");
  SYN_TRY(syn_trimesh_check(bent, NULL, &is, error));
  if (is.self_intersections <= was.self_intersections && is.outward) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH, "the femur would fold: a smaller turn, or a longer bend (blend_mm), may do");
}

static syn_status bend(const syn_hip_case *hip_case, const syn_osteotomy_options *o, const band *b,
                       const syn_trimesh *fine, syn_trimesh **bent, syn_error *error) {
  syn_vec3 *points;
  SYN_TRY(SYN_NEW(fine->context, &points, fine->vertex_count, error));
  for (uint32_t i = 0; i < fine->vertex_count; ++i) points[i] = moved(hip_case, o, b, fine->vertices[i]);
  const syn_status status =
      syn_trimesh_create(fine->context, points, fine->vertex_count, fine->triangles, fine->triangle_count, bent, error);
  syn_free(fine->context, points);
  return status;
}

syn_status syn_osteotomy_bend(const syn_hip_case *hip_case, const syn_osteotomy_options *o, syn_vec3 *cut,
                              syn_trimesh **bent, syn_error *error) {
  const syn_anatomy *a = hip_case->anatomy;
  const syn_trimesh *femur = hip_case->hip.parts[SYN_HIP_FEMUR];
  if (!a || !a->has_neck || !a->has_shaft || !femur || !hip_case->hip.parts[SYN_HIP_PELVIS])
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "an osteotomy needs pelvis and femur, and a femur whose neck and shaft were found");
  *cut = find_cut(a, o->level_mm);
  const band b = {*cut, vec3_neg(a->shaft_axis), o->blend_mm};
  syn_trimesh *fine;
  SYN_TRY(syn_trimesh_refine_where(femur, in_band, &b, o->edge_mm, &fine, error));
  syn_status status = bend(hip_case, o, &b, fine, bent, error);
  if (!status) {
    status = check_bent(fine, *bent, error);
    if (status) {
      syn_trimesh_destroy(*bent);
      *bent = NULL;
    }
  }
  syn_trimesh_destroy(fine);
  return status;
}
