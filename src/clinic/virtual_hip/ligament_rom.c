/* Finds the rotation of a hip at which a ligament fails (Maciel 2005, §5.4.2). */
#include <math.h>
#include <string.h>

#include "clinic/virtual_hip/virtual_hip.h"
#include "result/record_csv.h"
#include "result/value.h"

const syn_ligament_limit syn_failure_stresses[SYN_FAILURE_STRESSES] = {{"Hewitt", 2.0, 1.4, NAN, NAN, NAN},
                                                                       {"Stewart", 2.58, 2.16, NAN, NAN, NAN}};
enum { MOST_STEPS = 10000 };

/* Sets the mean of both, as the text has it, with the root mean square of their spreads. */
static void set_mean_failure(syn_ligament_rom_options *o) {
  for (int i = 0; i < SYN_FAILURE_STRESSES; ++i) {
    const syn_ligament_limit *published = &syn_failure_stresses[i];
    o->failure_mpa += published->failure_mpa / SYN_FAILURE_STRESSES;
    o->failure_sd_mpa += published->failure_sd_mpa * published->failure_sd_mpa / SYN_FAILURE_STRESSES;
  }
  o->failure_sd_mpa = sqrt(o->failure_sd_mpa);
}

syn_ligament_rom_options syn_default_ligament_rom_options(void) {
  syn_ligament_rom_options o = {.ligament = SYN_LIGAMENT_ISCHIOFEMORAL,
                                .tissue = syn_default_ligament_options(),
                                .rest = {NAN, NAN, NAN},
                                .step = 5 * SYN_DEGREE,
                                .most = 90 * SYN_DEGREE,
                                .cookie = SYN_COOKIE};
  set_mean_failure(&o);
  return o;
}

static syn_status check_options(const syn_ligament_rom_options *o, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(o, syn_default_ligament_rom_options, error));
  if ((unsigned)o->measure >= SYN_LIGAMENT_MEASURES)
    return syn_fail(error, SYN_BAD_ARGUMENT, "no such measure of stress");
  if (!(o->failure_mpa > 0 && o->failure_sd_mpa >= 0 && isfinite(o->failure_mpa + o->failure_sd_mpa)))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the failure stress must be above 0 MPa, with a spread of 0 or more");
  if (!(o->step > 0 && o->most > 0 && o->most <= SYN_PI && o->most / o->step <= MOST_STEPS))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the femur must turn in positive steps, up to 180 degrees, %d at most",
                    MOST_STEPS);
  return SYN_OK;
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* Returns the first angle at which the stress is reached; NAN: none. */
static double angle_at(const syn_ligament_motion *m, syn_ligament_measure measure, double stress_mpa) {
  double before = 0;
  for (size_t i = 0; i < m->row_count; ++i) {
    const double stress = syn_ligament_row_stress(&m->rows[i], measure), angle = m->rows[i].angle;
    if (stress >= stress_mpa && i == 0) return angle;
    if (stress >= stress_mpa)
      return m->rows[i - 1].angle + (angle - m->rows[i - 1].angle) * (stress_mpa - before) / (stress - before);
    before = stress;
  }
  return NAN;
}

static void find_limit(const syn_ligament_motion *m, syn_ligament_measure measure, syn_ligament_limit *limit) {
  limit->angle = angle_at(m, measure, limit->failure_mpa);
  limit->low = angle_at(m, measure, max2(0, limit->failure_mpa - limit->failure_sd_mpa));
  limit->high = angle_at(m, measure, limit->failure_mpa + limit->failure_sd_mpa);
}

/* Returns the stress beyond which no result is needed. */
static double greatest_stress(const syn_ligament_rom_options *o) {
  double most = o->failure_mpa + o->failure_sd_mpa;
  for (int i = 0; i < SYN_FAILURE_STRESSES; ++i)
    most = max2(most, syn_failure_stresses[i].failure_mpa + syn_failure_stresses[i].failure_sd_mpa);
  return most;
}

/* Of the ischiofemoral ligament. */
static double published_angle(const syn_motion *motion, syn_hip_ligament ligament) {
  if (ligament != SYN_LIGAMENT_ISCHIOFEMORAL) return NAN;
  if (strcmp(motion->name, "internal_rotation") == 0) return 68;
  return strcmp(motion->name, "internal_rotation_90") == 0 ? 53 : NAN;
}

/* ---- one motion -------------------------------------------------------------------------------------------------- */

static void keep_row(syn_ligament_sim *sim, double angle, syn_ligament_motion *m) {
  syn_ligament_sim_row(sim, angle, &m->rows[m->row_count]);
  syn_ligament_sim_surface(sim, m->row_count++, m->places, m->stress_mpa);
}

static syn_status turn(syn_ligament_sim *sim, const syn_hip *hip, const syn_ligament_rom_options *o,
                       syn_ligament_motion *m, syn_error *error) {
  const double enough = greatest_stress(o);
  const size_t steps = (size_t)ceil(o->most / o->step - 1e-9);
  SYN_TRY(syn_ligament_sim_start(sim, hip, m->motion, o->step, error));
  keep_row(sim, 0, m);
  for (size_t i = 1; i <= steps && syn_ligament_row_stress(&m->rows[m->row_count - 1], o->measure) < enough; ++i) {
    const double before = m->rows[m->row_count - 1].angle, angle = min2(o->most, (double)i * o->step);
    if (!syn_progress(sim->ligament->context, m->motion->name, (double)i / (double)steps))
      return syn_fail(error, SYN_CANCELLED, "cancelled in the motion %s", m->motion->name);
    SYN_TRY(syn_ligament_sim_turn(sim, hip, syn_angles_turned(m->motion, before), syn_angles_turned(m->motion, angle),
                                  SYN_LIGAMENT_HALVINGS, error));
    keep_row(sim, angle, m);
  }
  return SYN_OK;
}

/* A ligament without equilibrium at some angle keeps the rows up to there. */
static syn_status follow(syn_ligament_rom *rom, const syn_hip_case *hip_case, const syn_ligament *ligament,
                         syn_ligament_motion *m, syn_error *error) {
  const size_t most_rows = (size_t)ceil(rom->options.most / rom->options.step) + 2;
  syn_ligament_sim sim;
  SYN_TRY(SYN_NEW(rom->result.context, &m->rows, most_rows, error));
  SYN_TRY(SYN_NEW(rom->result.context, &m->places, most_rows * rom->surface->vertex_count, error));
  SYN_TRY(SYN_NEW(rom->result.context, &m->stress_mpa, most_rows * rom->surface->vertex_count, error));
  syn_status status = syn_ligament_sim_begin(ligament, &hip_case->hip, &sim, error);
  if (!status) status = turn(&sim, &hip_case->hip, &rom->options, m, error);
  syn_ligament_sim_end(&sim);
  m->complete = status == SYN_OK;
  if (status == SYN_NOT_CONVERGED && m->row_count > 0) {
    syn_warn(rom->result.context,
             "the %s ligament has no equilibrium beyond %.1f degrees in the motion %s: its curve ends there",
             syn_hip_ligament_name(rom->options.ligament), m->rows[m->row_count - 1].angle / SYN_DEGREE,
             m->motion->name);
    status = SYN_OK;
  }
  m->limit.failure_mpa = rom->options.failure_mpa;
  m->limit.failure_sd_mpa = rom->options.failure_sd_mpa;
  find_limit(m, rom->options.measure, &m->limit);
  for (int i = 0; i < SYN_FAILURE_STRESSES; ++i) {
    m->published[i] = syn_failure_stresses[i];
    find_limit(m, rom->options.measure, &m->published[i]);
  }
  m->published_deg = published_angle(m->motion, rom->options.ligament);
  return status;
}

static syn_status find_bone_limits(syn_ligament_rom *rom, const syn_hip_case *hip_case, syn_error *error) {
  const syn_hip bones = syn_hip_bones(&hip_case->hip);
  syn_rom *prepared;
  void *scratch = NULL;
  SYN_TRY(syn_hip_rom_create(rom->result.context, &bones, &prepared, error));
  const syn_status status = syn_allocate(rom->result.context, syn_rom_scratch(prepared), 1, &scratch, error);
  for (size_t i = 0; !status && i < rom->motion_count; ++i)
    syn_rom_query(prepared, rom->motions[i].motion, scratch, &rom->motions[i].bones);
  syn_free(rom->result.context, scratch);
  syn_rom_destroy(prepared);
  return status;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static syn_status take_motions(syn_ligament_rom *rom, const syn_ligament_rom_options *o, syn_error *error) {
  static const char *const usual[] = {"internal_rotation", "internal_rotation_90"};
  const size_t count = o->motions ? o->motion_count : sizeof usual / sizeof *usual;
  SYN_TRY(SYN_NEW_ZEROED(rom->result.context, &rom->motions, count, error));
  rom->motion_count = count;
  for (size_t i = 0; i < count; ++i)
    rom->motions[i].motion = o->motions ? o->motions[i] : syn_clinical_motion_named(usual[i]);
  rom->options.motions = NULL;
  rom->options.motion_count = 0;
  return SYN_OK;
}

static syn_status pull(syn_ligament_rom *rom, const syn_hip_case *hip_case, const syn_ligament_rom_options *o,
                       syn_error *error) {
  syn_ligament *ligament;
  SYN_TRY(syn_ligament_create(rom->result.context, hip_case, o->ligament, &o->tissue, &ligament, error));
  rom->length_mm = ligament->length_mm;
  rom->width_mm = ligament->width_mm;
  syn_status status = syn_trimesh_share(syn_soft_skin(ligament->soft), &rom->surface, error);
  for (size_t i = 0; !status && i < rom->motion_count; ++i)
    status = follow(rom, hip_case, ligament, &rom->motions[i], error);
  syn_ligament_destroy(ligament);
  return status;
}

static syn_status fill(syn_ligament_rom *rom, const syn_hip_case *hip_case, const syn_ligament_rom_options *o,
                       syn_error *error) {
  syn_posed_hip resting;
  SYN_TRY(take_motions(rom, o, error));
  SYN_TRY(find_bone_limits(rom, hip_case, error));
  syn_status status = syn_hip_pose_case(hip_case, &o->rest, &resting, error);
  if (!status) status = pull(rom, &resting.hip_case, o, error);
  syn_posed_hip_release(&resting);
  return status;
}

syn_status syn_ligament_rom_create(const syn_context *context, const syn_hip_case *hip_case,
                                   const syn_ligament_rom_options *options, syn_ligament_rom **rom, syn_error *error) {
  const syn_ligament_rom_options o = options ? *options : syn_default_ligament_rom_options();
  syn_ligament_rom *made;
  *rom = NULL;
  SYN_TRY(check_options(&o, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->result = (syn_result){&syn_ligament_rom_record, context};
  made->hip_case = hip_case;
  made->options = o;
  const syn_status status = fill(made, hip_case, &o, error);
  if (status)
    syn_result_destroy(made);
  else
    *rom = made;
  return status;
}

static void release_ligament_rom(void *result) {
  syn_ligament_rom *rom = result;
  for (size_t i = 0; i < rom->motion_count; ++i) {
    syn_free(rom->result.context, rom->motions[i].rows);
    syn_free(rom->result.context, rom->motions[i].places);
    syn_free(rom->result.context, rom->motions[i].stress_mpa);
  }
  syn_trimesh_destroy(rom->surface);
  syn_free(rom->result.context, rom->motions);
  syn_free(rom->result.context, rom);
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static double limit_end(const void *limit, size_t i) {
  const syn_ligament_limit *l = limit;
  return (i ? l->high : l->low) * SYN_RADIAN;
}
GET(limit_band, syn_ligament_limit, value_numbers(limit_end, at, 2))
static const syn_result_field limit_fields[] = {
    MEMBER(syn_ligament_limit, source, "source", "Source", "", FILE_ONLY),
    MEMBER(syn_ligament_limit, failure_mpa, "failure_mpa", "Failure stress", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_limit, failure_sd_mpa, "failure_sd_mpa", "Its standard deviation", "MPa", FILE_ONLY),
    ANGLE(syn_ligament_limit, angle, "angle_deg", "Reached at", FILE_ONLY),
    FIELD(NUMBERS, "band_deg", "One standard deviation", "deg", FILE_ONLY, limit_band)};
static const syn_record limit_record = RECORD_OF(syn_ligament_limit, "limits", limit_fields);

static const syn_result_field before_motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    NAMED(syn_ligament_motion, bones.state, syn_limit_state_name, "state", "State", FILE_ONLY),
    ANGLE(syn_ligament_motion, bones.angle, "angle_deg", "Bone to bone", FILE_ONLY)};
static const syn_record before_motion_record = RECORD_OF(syn_ligament_motion, "motions", before_motion_fields);

GET(motion_state, syn_ligament_motion,
    value_text(isfinite(at->limit.angle) ? "stopped"
               : at->complete            ? "no_stop"
                                         : "no_equilibrium"))
GET(motion_band, syn_ligament_motion, value_numbers(limit_end, &at->limit, 2))
GET(motion_limits, syn_ligament_motion, value_list(at->published, SYN_FAILURE_STRESSES))
static const syn_result_field after_motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, motion_state),
    ANGLE(syn_ligament_motion, limit.angle, "angle_deg", "The ligament fails at", FILE_ONLY),
    FIELD(NUMBERS, "band_deg", "One standard deviation of its failure stress", "deg", FILE_ONLY, motion_band),
    MEMBER(syn_ligament_motion, published_deg, "published_deg", "Maciel 2005", "deg", FILE_ONLY),
    FIELD_OF(LIST, limit_record, "limits", "Published failure stresses", FILE_ONLY, motion_limits),
    LIST_OF(syn_ligament_motion, rows, row_count, syn_ligament_row_record, "rows", "Angles", FILE_ONLY)};
static const syn_record after_motion_record = RECORD_OF(syn_ligament_motion, "motions", after_motion_fields);

static const syn_result_field before_fields[] = {
    LIST_OF(syn_ligament_rom, motions, motion_count, before_motion_record, "motions", "Motions", FILE_ONLY)};
static const syn_record before_record = RECORD_OF(syn_ligament_rom, "before", before_fields);
static const syn_result_field after_fields[] = {
    LIST_OF(syn_ligament_rom, motions, motion_count, after_motion_record, "motions", "Motions", FILE_ONLY)};
static const syn_record after_record = RECORD_OF(syn_ligament_rom, "after", after_fields);

static const syn_result_field rom_fields[] = {
    NAMED(syn_ligament_rom, options.ligament, syn_hip_ligament_name, "ligament", "Ligament", FILE_ONLY),
    NAMED(syn_ligament_rom, options.measure, syn_ligament_measure_name, "stress", "Stress that is compared", FILE_ONLY),
    MEMBER(syn_ligament_rom, length_mm, "length_mm", "Length at rest", "mm", FILE_ONLY),
    MEMBER(syn_ligament_rom, width_mm, "width_mm", "Mean width", "mm", FILE_ONLY),
    MEMBER(syn_ligament_rom, options.tissue.young_mpa, "young_mpa", "Young's modulus along its fibres", "MPa",
           FILE_ONLY),
    MEMBER(syn_ligament_rom, options.failure_mpa, "failure_mpa", "Failure stress", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_rom, options.failure_sd_mpa, "failure_sd_mpa", "Its standard deviation", "MPa", FILE_ONLY),
    ITSELF(before_record, "before", "Bones alone", FILE_ONLY),
    ITSELF(after_record, "after", "With the ligament", FILE_ONLY)};
const syn_record syn_ligament_rom_record =
    RESULT_OF(syn_ligament_rom, "ligament_rom", rom_fields, release_ligament_rom);

/* The angles of all motions, one motion after the other. */
static size_t count_ligament_angles(const void *rom) {
  const syn_ligament_rom *r = rom;
  size_t count = 0;
  for (size_t m = 0; m < r->motion_count; ++m) count += r->motions[m].row_count;
  return count;
}
static void put_ligament_angle(syn_csv *to, const void *rom, size_t row) {
  static const syn_csv_column of_row[] = {{"angle_deg", NULL, 6}, {"peak_mpa", NULL, 0}, {"middle_mpa", NULL, 0},
                                          {"mean_mpa", NULL, 0},  {"stretch", NULL, 0},  {"tension_n", NULL, 0},
                                          {"touching", NULL, 0}};
  const syn_ligament_rom *r = rom;
  size_t m = 0;
  for (; m + 1 < r->motion_count && row >= r->motions[m].row_count; ++m) row -= r->motions[m].row_count;
  syn_csv_put_text(to, "motion", r->motions[m].motion->name);
  syn_csv_put(to, "", &syn_ligament_row_record, of_row, 7, r->motions[m].rows, row);
}
const syn_csv_table syn_ligament_rom_csv = {count_ligament_angles, put_ligament_angle};
