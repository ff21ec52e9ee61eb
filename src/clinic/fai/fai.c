/* Impingement by penetration depth (Arbabi 2009, §4.3).
 *
 * Curvilinear (pincer-like): the femur, with its cartilage, against the labrum, along the turn that led to the pose.
 * Radial (cam-like): the same bodies against the acetabular cartilage, the labrum and the zone between
 * them, along rays from the centre. */
#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/fai/fai.h"

enum { MOBILE_PARTS = 2, FIXED_PARTS = 3 };
static const syn_hip_part mobile_parts[MOBILE_PARTS] = {SYN_HIP_FEMUR, SYN_HIP_FEMORAL_CARTILAGE};
static const syn_hip_part fixed_parts[FIXED_PARTS] = {SYN_HIP_LABRUM, SYN_HIP_ACETABULAR_CARTILAGE,
                                                      SYN_HIP_TRANSITION_ZONE};

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static syn_status check_bodies(const syn_hip *hip, syn_error *error) {
  if (!hip->parts[SYN_HIP_FEMUR] && !hip->parts[SYN_HIP_FEMORAL_CARTILAGE])
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "impingement by penetration depth needs a femur or a femoral cartilage; the hip has neither");
  if (!hip->parts[SYN_HIP_LABRUM] && !hip->parts[SYN_HIP_ACETABULAR_CARTILAGE])
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "impingement by penetration depth needs a labrum or an acetabular cartilage; the hip has neither. "
                    "For bare bones there is the FADIR protocol");
  if (!vec3_finite(hip->center))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the centre of the hip is not a finite point");
  return SYN_OK;
}

static syn_status check_motion(const syn_pose *motion, size_t count, syn_error *error) {
  if (count == 0) return syn_fail(error, SYN_BAD_ARGUMENT, "the motion has no poses; give at least one");
  for (size_t i = 0; i < count; ++i) {
    double matrix[16];
    syn_pose rigid;
    syn_error why;
    syn_pose_to_matrix(&motion[i], matrix);
    if (syn_pose_from_matrix(matrix, &rigid, &why) != SYN_OK)
      return syn_fail(error, SYN_BAD_ARGUMENT, "pose %zu of the motion (from 0): %s", i, why.message);
  }
  return SYN_OK;
}

/* ---- the work ---------------------------------------------------------------------------------------------------- */

typedef struct study {
  const syn_context *context;
  const syn_hip *hip;
  const syn_fai_options *options;
  syn_fai *fai;
  size_t count;
  syn_pose start;
  syn_pose *poses; /* from the start */
  syn_fai_turn *turns;
  syn_trimesh *at_start[MOBILE_PARTS]; /* copies that belong to the study; NULL where the part lies so already */
  syn_fai_step *curvilinear, *radial;
  size_t pairs, pairs_done;
} study;

/* The cartilage of a femur that is there may be left out. */
static bool takes_part(const study *s, int part) {
  const bool left_out = s->options->bone_only && mobile_parts[part] != SYN_HIP_FEMUR && s->hip->parts[SYN_HIP_FEMUR];
  return s->hip->parts[mobile_parts[part]] && !left_out;
}

static const syn_trimesh *mobile_mesh(const study *s, int part) {
  return s->at_start[part] ? s->at_start[part] : s->hip->parts[mobile_parts[part]];
}

/* The bodies are put at the start of the motion, and poses are relative to it. Turns about one axis, as in Arbabi 2009,
 * §4.3.2.3, are then fast queries. */
static syn_status go_to_start(study *s, const syn_pose *motion, syn_error *error) {
  syn_fai_turns(s->hip, motion, s->count, &s->start, s->turns);
  const syn_pose back = syn_pose_inverse(&s->start), identity = syn_pose_identity();
  const syn_vec3 *rows = s->start.rotation.row;
  bool stays = vec3_equal(s->start.translation, identity.translation);
  for (int i = 0; i < 3; ++i) stays = stays && vec3_equal(rows[i], identity.rotation.row[i]);
  for (size_t i = 0; i < s->count; ++i) s->poses[i] = stays ? motion[i] : syn_pose_compose(&motion[i], &back);
  for (int part = 0; part < MOBILE_PARTS && !stays; ++part) {
    const syn_trimesh *mesh = s->hip->parts[mobile_parts[part]];
    if (mesh) SYN_TRY(syn_trimesh_transform(mesh, &s->start, &s->at_start[part], error));
  }
  return SYN_OK;
}

/* `part` is how much of the pair at hand is done. */
static syn_status tell_progress(const study *s, double part, syn_error *error) {
  if (!syn_progress(s->context, "impingement", ((double)s->pairs_done + part) / (double)s->pairs))
    return syn_fail(error, SYN_CANCELLED, "the search for impingement was cancelled");
  return SYN_OK;
}

static syn_status run_curvilinear(study *s, const syn_fai_pair *whole, syn_error *error) {
  size_t same;
  for (size_t begin = 0; begin < s->count; begin += same) {
    same = syn_fai_same_axis(s->turns + begin, s->count - begin);
    syn_fai_pair pair = *whole;
    if (pair.fixed_steps) pair.fixed_steps += begin * pair.fixed->vertex_count;
    if (pair.mobile_steps) pair.mobile_steps += begin * pair.mobile->vertex_count;
    SYN_TRY(tell_progress(s, (double)begin / (double)s->count, error));
    SYN_TRY(syn_fai_curvilinear(s->context, &pair, s->poses + begin, s->turns + begin, same, s->curvilinear + begin,
                                error));
  }
  return SYN_OK;
}

static syn_status run_mobile_part(study *s, int part, syn_error *error) {
  const syn_fai *fai = s->fai;
  const syn_trimesh *mobile = mobile_mesh(s, part), *labrum = s->hip->parts[SYN_HIP_LABRUM];
  const bool is_femur = mobile_parts[part] == SYN_HIP_FEMUR;
  if (!takes_part(s, part)) return SYN_OK;
  if (labrum) {
    const syn_fai_pair pair = {labrum,
                               mobile,
                               fai->labrum_depth_mm,
                               is_femur ? fai->femur_depth_mm : NULL,
                               s->options->between_vertices,
                               fai->labrum_depth_steps_mm,
                               is_femur ? fai->femur_depth_steps_mm : NULL};
    SYN_TRY(run_curvilinear(s, &pair, error));
    ++s->pairs_done;
  }
  for (int f = 0; f < FIXED_PARTS; ++f) {
    const syn_trimesh *fixed = s->hip->parts[fixed_parts[f]];
    if (!fixed) continue;
    const syn_fai_pair pair = {fixed,
                               mobile,
                               fixed == labrum ? fai->labrum_radial_mm : NULL,
                               is_femur ? fai->femur_radial_mm : NULL,
                               false,
                               fixed == labrum ? fai->labrum_radial_steps_mm : NULL,
                               is_femur ? fai->femur_radial_steps_mm : NULL};
    SYN_TRY(tell_progress(s, 0, error));
    SYN_TRY(syn_fai_radial(s->context, &pair, s->hip->center, s->poses, s->count, s->radial, error));
    ++s->pairs_done;
  }
  return SYN_OK;
}

static void count_pairs(study *s) {
  size_t mobile = 0, fixed = 0;
  for (int part = 0; part < MOBILE_PARTS; ++part) mobile += takes_part(s, part);
  for (int part = 0; part < FIXED_PARTS; ++part) fixed += s->hip->parts[fixed_parts[part]] != NULL;
  s->pairs = mobile * (fixed + (s->hip->parts[SYN_HIP_LABRUM] != NULL));
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

typedef struct peak {
  double depth;
  size_t step;
  syn_vec3 point;
} peak;

static peak gather(const syn_fai_step *steps, size_t count, double *curve, double *swapped) {
  peak best = {0, 0, {0, 0, 0}};
  for (size_t i = 0; i < count; ++i) {
    curve[i] = steps[i].depth_mm[0];
    swapped[i] = steps[i].depth_mm[1];
    for (int role = 0; role < 2; ++role)
      if (steps[i].depth_mm[role] > best.depth) best = (peak){steps[i].depth_mm[role], i, steps[i].point[role]};
  }
  return best;
}

static void tell_doubts(const study *s, double coverage) {
  const double overlap = max2(s->radial[0].depth_mm[0], s->radial[0].depth_mm[1]);
  if (overlap > 0)
    syn_warn(s->context,
             "the femur reaches %.2g mm into the soft tissue of the socket already where the motion starts; radial "
             "depths include this, curvilinear ones count from the start",
             overlap);
  if (!s->fai->has_curvilinear)
    syn_warn(s->context, "without a labrum there is no curvilinear depth, and a pincer cannot be recognised");
  if (isnan(coverage))
    syn_warn(s->context, "the frontal plane through the centre does not cut the rim of the socket: its coverage is "
                         "not known, and is taken to be enough");
}

static void conclude(const study *s) {
  syn_fai *fai = s->fai;
  const peak curvilinear = gather(s->curvilinear, s->count, fai->curvilinear_mm, fai->curvilinear_swapped_mm);
  const peak radial = gather(s->radial, s->count, fai->radial_mm, fai->radial_swapped_mm);
  const double coverage = syn_fai_coverage(s->hip);
  fai->curvilinear_max_mm = curvilinear.depth;
  fai->curvilinear_step = curvilinear.step;
  fai->curvilinear_point = curvilinear.point;
  fai->radial_max_mm = radial.depth;
  fai->radial_step = radial.step;
  fai->radial_point = radial.point;
  fai->difference = NAN;
  if (fai->has_curvilinear) fai->difference = syn_fai_difference(curvilinear.depth, radial.depth);
  fai->fai_class = syn_fai_classify(curvilinear.depth, radial.depth, coverage);
  tell_doubts(s, coverage);
}

static syn_status study_with(syn_arena *arena, study *s, const syn_pose *motion, syn_error *error) {
  SYN_TRY(SYN_TAKE(arena, &s->poses, s->count, error));
  SYN_TRY(SYN_TAKE(arena, &s->turns, s->count, error));
  SYN_TRY(SYN_TAKE(arena, &s->curvilinear, s->count, error));
  SYN_TRY(SYN_TAKE(arena, &s->radial, s->count, error));
  for (size_t i = 0; i < s->count; ++i) s->curvilinear[i] = s->radial[i] = (syn_fai_step){{0, 0}, {{0, 0, 0}}};
  count_pairs(s);
  SYN_TRY(go_to_start(s, motion, error));
  for (int part = 0; part < MOBILE_PARTS; ++part) SYN_TRY(run_mobile_part(s, part, error));
  conclude(s);
  return SYN_OK;
}

static syn_status allocate_steps(const syn_trimesh *mesh, syn_fai *fai, double **one, double **other,
                                 syn_error *error) {
  if (!mesh) return SYN_OK;
  if (fai->step_count > SIZE_MAX / sizeof(double) / mesh->vertex_count)
    return syn_fail(error, SYN_NO_MEMORY, "the depths of %" PRIu32 " vertices at %zu steps do not fit into memory",
                    mesh->vertex_count, fai->step_count);
  SYN_TRY(SYN_NEW_ZEROED(fai->context, one, fai->step_count * mesh->vertex_count, error));
  return SYN_NEW_ZEROED(fai->context, other, fai->step_count * mesh->vertex_count, error);
}

static syn_status allocate(const syn_hip *hip, size_t count, const syn_fai_options *options, syn_fai *fai,
                           syn_error *error) {
  double **curves[] = {&fai->curvilinear_mm, &fai->radial_mm, &fai->curvilinear_swapped_mm, &fai->radial_swapped_mm};
  for (size_t i = 0; i < sizeof curves / sizeof *curves; ++i)
    SYN_TRY(SYN_NEW_ZEROED(fai->context, curves[i], count, error));
  const syn_trimesh *femur = hip->parts[SYN_HIP_FEMUR], *labrum = hip->parts[SYN_HIP_LABRUM];
  if (options->by_step) {
    SYN_TRY(allocate_steps(femur, fai, &fai->femur_depth_steps_mm, &fai->femur_radial_steps_mm, error));
    SYN_TRY(allocate_steps(labrum, fai, &fai->labrum_depth_steps_mm, &fai->labrum_radial_steps_mm, error));
  }
  if (femur) {
    SYN_TRY(SYN_NEW_ZEROED(fai->context, &fai->femur_depth_mm, femur->vertex_count, error));
    SYN_TRY(SYN_NEW_ZEROED(fai->context, &fai->femur_radial_mm, femur->vertex_count, error));
  }
  if (labrum) {
    SYN_TRY(SYN_NEW_ZEROED(fai->context, &fai->labrum_depth_mm, labrum->vertex_count, error));
    SYN_TRY(SYN_NEW_ZEROED(fai->context, &fai->labrum_radial_mm, labrum->vertex_count, error));
  }
  return SYN_OK;
}

static syn_status run(const syn_hip *hip, const syn_pose *motion, const syn_fai_options *options, syn_fai *fai,
                      syn_error *error) {
  SYN_TRY(allocate(hip, fai->step_count, options, fai, error));
  syn_arena arena = {.context = fai->context};
  study s = {.context = fai->context, .hip = hip, .options = options, .fai = fai, .count = fai->step_count};
  const syn_status status = study_with(&arena, &s, motion, error);
  for (int part = 0; part < MOBILE_PARTS; ++part) syn_trimesh_destroy(s.at_start[part]);
  syn_arena_release(&arena);
  return status;
}

syn_fai_options syn_default_fai_options(void) {
  return (syn_fai_options){.between_vertices = true, .cookie = SYN_COOKIE};
}

syn_status syn_fai_create(const syn_context *context, const syn_hip *hip, const syn_pose *motion, size_t count,
                          const syn_fai_options *options, syn_fai **fai, syn_error *error) {
  const syn_fai_options standard = syn_default_fai_options();
  if (!options) options = &standard;
  *fai = NULL;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_fai_options, error));
  SYN_TRY(check_bodies(hip, error));
  SYN_TRY(check_motion(motion, count, error));
  syn_fai *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->step_count = count;
  made->has_curvilinear = hip->parts[SYN_HIP_LABRUM] != NULL;
  made->has_radial = true;
  const syn_status status = run(hip, motion, options, made, error);
  if (status != SYN_OK)
    syn_fai_destroy(made);
  else
    *fai = made;
  return status;
}

void syn_fai_destroy(syn_fai *fai) {
  if (!fai) return;
  syn_free(fai->context, fai->curvilinear_mm);
  syn_free(fai->context, fai->radial_mm);
  syn_free(fai->context, fai->curvilinear_swapped_mm);
  syn_free(fai->context, fai->radial_swapped_mm);
  syn_free(fai->context, fai->femur_depth_mm);
  syn_free(fai->context, fai->femur_radial_mm);
  syn_free(fai->context, fai->labrum_depth_mm);
  syn_free(fai->context, fai->labrum_radial_mm);
  syn_free(fai->context, fai->femur_depth_steps_mm);
  syn_free(fai->context, fai->femur_radial_steps_mm);
  syn_free(fai->context, fai->labrum_depth_steps_mm);
  syn_free(fai->context, fai->labrum_radial_steps_mm);
  syn_free(fai->context, fai);
}
