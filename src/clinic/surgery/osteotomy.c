/* Simulates a hip before and after the shaft of its femur is rotated (Maciel 2005, §5.4.4). */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/limit_values.h"
#include "clinic/rom/hip_rom.h"
#include "clinic/virtual_hip/virtual_hip.h"
#include "mesh/remesh/refine_mesh.h"
#include "result/record_csv.h"

syn_osteotomy_options syn_default_osteotomy_options(void) {
  syn_osteotomy_options o = {.varus = 15 * SYN_DEGREE,
                             .level_mm = NAN,
                             .blend_mm = 20,
                             .edge_mm = 2,
                             .rotation = NAN,
                             .cartilage = syn_default_congruity_options(),
                             .ligament = SYN_LIGAMENT_ISCHIOFEMORAL,
                             .tissue = syn_default_ligament_options(),
                             .cookie = SYN_COOKIE};
  o.tissue.young_mpa = 0.01;
  return o;
}

static syn_status check_options(const syn_osteotomy_options *o, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(o, syn_default_osteotomy_options, error));
  if (!(fabs(o->varus) <= 45 * SYN_DEGREE && fabs(o->medial_mm) <= 40))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the shaft may be turned by 45 degrees and shifted by 40 mm at most");
  if (!(o->blend_mm >= 1 && o->blend_mm <= 100 && o->edge_mm >= 0.2 &&
        (isnan(o->level_mm) || fabs(o->level_mm) <= 200)))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "bone must bend along 1 to 100 mm, within 200 mm of the neck, with edges of 0.2 mm or more");
  if (!(isnan(o->rotation) || (o->rotation > 0 && o->rotation <= SYN_PI)))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the internal rotation must be above 0, and 180 degrees at most");
  return SYN_OK;
}

/* ---- the bent femur ---------------------------------------------------------------------------------------------- */

/* The shaft of the femur is rotated against its neck. The bone between both ends bends evenly, as the deformable part
 * does in Maciel 2005, Fig. 5.16. */

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

static syn_pose turn_of_shaft(const syn_hip_case *hip_case, const syn_osteotomy_options *o, syn_vec3 cut) {
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
  const syn_pose turn = turn_of_shaft(hip_case, &some, b->cut);
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

static syn_status make_bent_femur(const syn_hip_case *hip_case, const syn_osteotomy_options *o, syn_vec3 *cut,
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

/* ---- the two hips ------------------------------------------------------------------------------------------------ */

/* Returns the angle between the neck's axis and the shaft, which points down. */
static double neck_shaft(const syn_anatomy *a, syn_vec3 shaft_up) {
  return (180 - acos(max2(-1, min2(1, vec3_dot(a->neck_axis, shaft_up)))) / SYN_DEGREE);
}

/* Angles are those of the shaft: its axes rotate with it, and head and neck are abducted when the shaft is neutral. */
static void turn_femur_axes(syn_osteotomy_hip *after, double varus) {
  syn_hip_axes *axes = &after->hip_case.hip.femur_axes;
  const syn_pose turn = syn_pose_about_axis(vec3(0, 0, 0), axes->adduction, varus);
  axes->flexion = syn_pose_direction(&turn, axes->flexion);
  axes->rotation = syn_pose_direction(&turn, axes->rotation);
}

/* Finds the position of the shaft in neutral pose, relative to the one before. */
static void find_shift(syn_osteotomy *made, const syn_hip_case *hip_case) {
  const syn_hip_angles neutral = {0, 0, 0};
  const syn_pose turn = turn_of_shaft(hip_case, &made->options, made->cut);
  const syn_pose before = syn_hip_pose(&made->before.hip_case.hip, neutral),
                 after = syn_hip_pose(&made->after.hip_case.hip, neutral);
  const syn_vec3 was = syn_pose_point(&before, made->cut), bent = syn_pose_point(&turn, made->cut),
                 is = syn_pose_point(&after, bent), shift = vec3_sub(is, was);
  const syn_hip *hip = &hip_case->hip;
  const double sense = hip->side == SYN_SIDE_LEFT ? -1 : 1; /* flexion's axis points to the right */
  made->shift_medial_mm = -sense * vec3_dot(shift, hip->pelvis_axes.flexion);
  made->shift_up_mm = sense * vec3_dot(shift, hip->pelvis_axes.rotation);
}

static syn_status make_hips(syn_osteotomy *made, const syn_hip_case *hip_case, syn_error *error) {
  syn_osteotomy_hip *b = &made->before, *a = &made->after;
  SYN_TRY(make_bent_femur(hip_case, &made->options, &made->cut, &a->femur, error));
  SYN_TRY(syn_trimesh_share(hip_case->hip.parts[SYN_HIP_FEMUR], &b->femur, error));
  b->hip_case = a->hip_case = *hip_case;
  a->hip_case.hip.parts[SYN_HIP_FEMUR] = a->femur;
  turn_femur_axes(a, made->options.varus);
  const syn_anatomy *anatomy = hip_case->anatomy;
  const syn_pose turn = turn_of_shaft(hip_case, &made->options, made->cut);
  b->neck_shaft_deg = neck_shaft(anatomy, anatomy->shaft_axis);
  a->neck_shaft_deg = neck_shaft(anatomy, syn_pose_direction(&turn, anatomy->shaft_axis));
  find_shift(made, hip_case);
  return SYN_OK;
}

/* ---- bone to bone ------------------------------------------------------------------------------------------------ */

static syn_status take_motions(syn_osteotomy *made, const syn_osteotomy_options *o, syn_error *error) {
  static const char *const usual[] = {"flexion", "abduction", "adduction", "internal_rotation_90", "fadir"};
  made->motion_count = o->motions ? o->motion_count : sizeof usual / sizeof *usual;
  syn_osteotomy_hip *const hips[] = {&made->before, &made->after};
  for (int k = 0; k < 2; ++k) {
    SYN_TRY(SYN_NEW_ZEROED(made->result.context, &hips[k]->motions, made->motion_count, error));
    hips[k]->motion_count = made->motion_count;
    for (size_t i = 0; i < made->motion_count; ++i)
      hips[k]->motions[i].motion = o->motions ? o->motions[i] : syn_clinical_motion_named(usual[i]);
  }
  made->options.motions = NULL;
  made->options.motion_count = 0;
  return SYN_OK;
}

/* Computes all motions, and the internal rotation in 90 degrees of flexion. */
static syn_status turn_bones(const syn_osteotomy *made, syn_osteotomy_hip *hip, syn_limit *examined, syn_error *error) {
  const syn_hip bones = syn_hip_bones(&hip->hip_case.hip);
  syn_rom *rom;
  void *scratch = NULL;
  SYN_TRY(syn_hip_rom_create(made->result.context, &bones, &rom, error));
  const syn_status status = syn_allocate(made->result.context, syn_rom_scratch(rom), 1, &scratch, error);
  for (size_t i = 0; !status && i < made->motion_count; ++i) {
    syn_gain *m = &hip->motions[i];
    syn_rom_query(rom, m->motion, scratch, &m->limit);
    m->place = syn_limit_place(&bones, hip->hip_case.anatomy, &m->limit);
    m->gain_deg_per_mm = m->gain_band_deg.low = m->gain_band_deg.high = NAN;
  }
  if (!status) syn_rom_query(rom, syn_clinical_motion_named("internal_rotation_90"), scratch, examined);
  syn_free(made->result.context, scratch);
  syn_rom_destroy(rom);
  return status;
}

static syn_status find_motions(syn_osteotomy *made, syn_error *error) {
  const double most = 40 * SYN_DEGREE;
  syn_limit examined[2];
  SYN_TRY(turn_bones(made, &made->before, &examined[0], error));
  SYN_TRY(turn_bones(made, &made->after, &examined[1], error));
  for (size_t i = 0; i < made->motion_count; ++i) {
    made->before.motions[i].gain_deg = 0;
    made->after.motions[i].gain_deg =
        made->after.motions[i].limit.angle * SYN_RADIAN - made->before.motions[i].limit.angle * SYN_RADIAN;
  }
  const double free = examined[0].angle * SYN_RADIAN * SYN_DEGREE;
  if (isnan(made->options.rotation)) made->options.rotation = free > SYN_DEGREE ? min2(free, most) : most;
  made->points[1] = (syn_hip_angles){90 * SYN_DEGREE, 0, 0};
  made->points[2] = (syn_hip_angles){90 * SYN_DEGREE, 0, made->options.rotation};
  made->path = (syn_hip_path){"flexion-rotation", "Flexion, then internal rotation", made->points, 3};
  return SYN_OK;
}

/* ---- soft tissue ------------------------------------------------------------------------------------------------- */

static bool has_cartilages(const syn_hip *hip) {
  return hip->parts[SYN_HIP_FEMORAL_CARTILAGE] && hip->parts[SYN_HIP_ACETABULAR_CARTILAGE];
}

static syn_status press_cartilages(syn_osteotomy *made, syn_osteotomy_hip *hip, syn_error *error) {
  const syn_hip_path *const path = &made->path;
  syn_congruity_options o = made->options.cartilage;
  o.paths = &path;
  o.path_count = 1;
  if (!has_cartilages(&hip->hip_case.hip)) return SYN_OK;
  return syn_congruity_create(made->result.context, &hip->hip_case, &o, &hip->congruity, error);
}

/* Counts the steps of the motion, as for the cartilages. */
static size_t count_leg_steps(const syn_osteotomy *made, int leg) {
  const syn_hip_angles from = made->points[leg], to = made->points[leg + 1];
  const double way = max2(fabs(to.flexion - from.flexion), fabs(to.rotation - from.rotation));
  return (size_t)max2(1, ceil(way / made->options.cartilage.step - 1e-9));
}

static size_t count_moments(const syn_osteotomy *made) {
  return 1 + count_leg_steps(made, 0) + count_leg_steps(made, 1);
}

static syn_hip_angles angles_at(const syn_osteotomy *made, size_t moment) {
  const size_t first = count_leg_steps(made, 0);
  const int leg = moment > first;
  const size_t step = leg ? moment - first : moment;
  return syn_angles_between(made->points[leg], made->points[leg + 1],
                            (double)step / (double)count_leg_steps(made, leg));
}

/* The ligament was generated before the operation, which moves its end with the neck. */
static syn_status pull(const syn_osteotomy *made, const syn_ligament *ligament, const syn_hip *hip,
                       const syn_hip_angles *angles, size_t count, syn_osteotomy_hip *to, syn_error *error) {
  const syn_motion neutral = {.name = "neutral"};
  syn_ligament_sim sim;
  SYN_TRY(SYN_NEW_ZEROED(made->result.context, &to->rows, count, error));
  syn_status status = syn_ligament_sim_begin(ligament, hip, &sim, error);
  if (!status) status = syn_ligament_sim_start(&sim, hip, &neutral, 5 * SYN_DEGREE, error);
  for (size_t i = 0; !status && i < count; ++i) {
    if (!syn_progress(made->result.context, "ligament", (double)i / (double)count))
      status = syn_fail(error, SYN_CANCELLED, "cancelled in the motion of the ligament");
    if (!status && i > 0)
      status = syn_ligament_sim_turn(&sim, hip, angles[i - 1], angles[i], SYN_LIGAMENT_HALVINGS, error);
    if (!status) syn_ligament_sim_row(&sim, angles[i].flexion + angles[i].rotation, &to->rows[to->row_count++]);
  }
  syn_ligament_sim_end(&sim);
  if (status != SYN_NOT_CONVERGED) return status;
  syn_warn(made->result.context, "the %s ligament has no equilibrium beyond moment %zu of %zu %s the operation",
           syn_hip_ligament_name(made->options.ligament), to->row_count, count,
           to == &made->before ? "before" : "after");
  return SYN_OK;
}

static syn_status pull_ligament(syn_osteotomy *made, const syn_hip_case *hip_case, syn_error *error) {
  const size_t count = count_moments(made);
  syn_hip_angles *angles;
  syn_ligament *ligament = NULL;
  syn_hip turned = hip_case->hip; /* head and neck are unchanged, the axes are those after the operation */
  turned.femur_axes = made->after.hip_case.hip.femur_axes;
  SYN_TRY(SYN_NEW(made->result.context, &angles, count, error));
  for (size_t i = 0; i < count; ++i) angles[i] = angles_at(made, i);
  syn_error why = {0};
  syn_status status = syn_ligament_create(made->result.context, hip_case, made->options.ligament, &made->options.tissue,
                                          &ligament, &why);
  if (status == SYN_BAD_MESH) {
    syn_warn(made->result.context, "there is no ligament in the motion: %s", why.message);
    status = SYN_OK;
  } else if (status && error)
    *error = why;
  if (!status && ligament) status = pull(made, ligament, &hip_case->hip, angles, count, &made->before, error);
  if (!status && ligament) status = pull(made, ligament, &turned, angles, count, &made->after, error);
  syn_ligament_destroy(ligament);
  syn_free(made->result.context, angles);
  return status;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static syn_status fill(syn_osteotomy *made, const syn_hip_case *hip_case, const syn_osteotomy_options *o,
                       syn_error *error) {
  SYN_TRY(make_hips(made, hip_case, error));
  SYN_TRY(take_motions(made, o, error));
  SYN_TRY(find_motions(made, error));
  if (made->options.bones_only) return SYN_OK;
  SYN_TRY(press_cartilages(made, &made->before, error));
  SYN_TRY(press_cartilages(made, &made->after, error));
  return hip_case->anatomy->has_rim ? pull_ligament(made, hip_case, error) : SYN_OK;
}

syn_status syn_osteotomy_create(const syn_context *context, const syn_hip_case *hip_case,
                                const syn_osteotomy_options *options, syn_osteotomy **osteotomy, syn_error *error) {
  const syn_osteotomy_options o = options ? *options : syn_default_osteotomy_options();
  syn_osteotomy *made;
  *osteotomy = NULL;
  SYN_TRY(check_options(&o, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->result = (syn_result){&syn_osteotomy_record, context};
  made->options = o;
  const syn_status status = fill(made, hip_case, &o, error);
  if (status)
    syn_result_destroy(made);
  else
    *osteotomy = made;
  return status;
}

static void release_osteotomy(void *result) {
  syn_osteotomy *made = result;
  syn_osteotomy_hip *const hips[] = {&made->before, &made->after};
  for (int k = 0; k < 2; ++k) {
    syn_result_destroy(hips[k]->congruity);
    syn_trimesh_destroy(hips[k]->femur);
    syn_free(made->result.context, hips[k]->motions);
    syn_free(made->result.context, hips[k]->rows);
  }
  syn_free(made->result.context, made);
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

GET(motion_place, syn_gain, syn_value_of_place(&at->place))
static const syn_result_field motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_gain, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_gain, motion)),
    NAMED(syn_gain, limit.state, syn_limit_state_name, "state", "State", FILE_ONLY),
    ANGLE(syn_gain, limit.angle, "angle_deg", "Ends at", FILE_ONLY),
    MEMBER(syn_gain, gain_deg, "gain_deg", "Gain", "deg", FILE_ONLY),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, motion_place)};
static const syn_record motion_record = RECORD_OF(syn_gain, "motions", motion_fields);

static const syn_result_field hip_fields[] = {
    MEMBER(syn_osteotomy_hip, neck_shaft_deg, "neck_shaft_deg", "Neck-shaft angle", "deg", FILE_ONLY),
    LIST_OF(syn_osteotomy_hip, motions, motion_count, motion_record, "motions", "Bone to bone", FILE_ONLY),
    POINTED(syn_congruity, paths, syn_congruity_path_record, "cartilage", "Cartilages in the motion", FILE_ONLY,
            THROUGH(syn_osteotomy_hip, congruity)),
    LIST_OF(syn_osteotomy_hip, rows, row_count, syn_ligament_row_record, "ligament", "Ligament in the motion",
            FILE_ONLY)};
static const syn_record hip_record = RECORD_OF(syn_osteotomy_hip, "hip", hip_fields);

static const syn_result_field osteotomy_fields[] = {
    ANGLE(syn_osteotomy, options.varus, "varus_deg", "Turn of the shaft", FILE_ONLY),
    MEMBER(syn_osteotomy, options.medial_mm, "medial_mm", "Shift of the shaft where it is cut", "mm", FILE_ONLY),
    MEMBER(syn_osteotomy, cut, "cut", "Where the turn begins", "mm", FILE_ONLY),
    MEMBER(syn_osteotomy, shift_medial_mm, "shift_medial_mm", "Shaft in neutral position, to the other leg", "mm",
           FILE_ONLY),
    MEMBER(syn_osteotomy, shift_up_mm, "shift_up_mm", "Shaft in neutral position, upward", "mm", FILE_ONLY),
    ANGLE(syn_osteotomy, options.rotation, "rotation_deg", "Internal rotation of the motion", FILE_ONLY),
    NAMED(syn_osteotomy, options.ligament, syn_hip_ligament_name, "ligament", "Ligament", FILE_ONLY),
    PART(syn_osteotomy, before, hip_record, "before", "Before", FILE_ONLY),
    PART(syn_osteotomy, after, hip_record, "after", "After", FILE_ONLY)};
const syn_record syn_osteotomy_record = RESULT_OF(syn_osteotomy, "osteotomy", osteotomy_fields, release_osteotomy);

/* ---- as a table -------------------------------------------------------------------------------------------------- */

static const syn_result_field angle_fields[] = {
    ANGLE(syn_hip_angles, flexion, "flexion_deg", "Flexion", SYN_IN_CSV),
    ANGLE(syn_hip_angles, rotation, "rotation_deg", "Internal rotation", SYN_IN_CSV)};
static const syn_record angle_record = RECORD_OF(syn_hip_angles, "angles", angle_fields);

static void put_osteotomy_hip(syn_csv *to, const char *when, const syn_osteotomy_hip *hip, size_t row) {
  static const syn_csv_column of_surface[] = {
      {"contact_mm2", NULL, 0}, {"above_mm2", NULL, 0}, {"pressure_mpa", NULL, 0}, {"peak_mpa", NULL, 0}};
  static const syn_csv_column of_moment[] = {{"force_n", NULL, 0}};
  static const syn_csv_column of_ligament[] = {{"peak_mpa", "ligament_peak_mpa", 0},
                                               {"stretch", "ligament_stretch", 0}};
  const syn_congruity_path *path = hip->congruity ? &hip->congruity->paths[0] : NULL;
  const syn_congruity_moment *moment = path && row < path->moment_count ? &path->moments[row] : NULL;
  syn_csv_put(to, when, &syn_congruity_surface_record, of_surface, 4,
              moment ? &moment->surfaces[SYN_CONGRUITY_ACETABULAR] : NULL, 0);
  syn_csv_put(to, when, &syn_congruity_moment_record, of_moment, 1, moment, 0);
  syn_csv_put(to, when, &syn_ligament_row_record, of_ligament, 2, row < hip->row_count ? &hip->rows[row] : NULL, 0);
}

static size_t count_osteotomy_moments(const void *osteotomy) { return count_moments(osteotomy); }

static void put_osteotomy_moment(syn_csv *to, const void *osteotomy, size_t row) {
  static const syn_csv_column of_angles[] = {{"flexion_deg", NULL, 6}, {"rotation_deg", NULL, 6}};
  const syn_osteotomy *made = osteotomy;
  const syn_hip_angles angles = angles_at(made, row);
  syn_csv_put(to, "", &angle_record, of_angles, 2, &angles, 0);
  put_osteotomy_hip(to, "before_", &made->before, row);
  put_osteotomy_hip(to, "after_", &made->after, row);
}
const syn_csv_table syn_osteotomy_csv = {count_osteotomy_moments, put_osteotomy_moment};
