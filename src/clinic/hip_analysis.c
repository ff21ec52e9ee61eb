/* Analyses a hip: all results in one object. */
#include <math.h>
#include <string.h>

#include <synovia/clinic.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/center/center.h"
#include "clinic/fai/fai.h"
#include "clinic/findings/hip_findings.h"
#include "clinic/hip.h"
#include "clinic/hip_case.h"
#include "clinic/measure/measure.h"
#include "clinic/rom/hip_rom.h"
#include "result/note_about.h"
#include "result/value.h"

enum { SERIES_STEPS = 30 };

syn_hip_analysis_options syn_default_hip_analysis_options(void) {
  return (syn_hip_analysis_options){.parts = SYN_HIP_EVERYTHING,
                                    .series = "stand_to_sit",
                                    .center_band_mm = syn_default_center_effect_options().band_mm,
                                    .fadir_step = syn_default_fadir_options().step,
                                    .fai = syn_default_fai_options(),
                                    .envelope = syn_default_envelope_options(),
                                    .bands = syn_default_band_options(),
                                    .slack_mm = -1,
                                    .cookie = SYN_COOKIE};
}

static bool has_bones(const syn_hip *hip) { return hip->parts[SYN_HIP_PELVIS] && hip->parts[SYN_HIP_FEMUR]; }

/* Reports the next part; longer parts also report their progress. */
static syn_status tell(const syn_hip_analysis *a, const char *what, syn_error *error) {
  if (syn_progress(a->context, what, 0)) return SYN_OK;
  return syn_fail(error, SYN_CANCELLED, "the analysis of the hip was cancelled");
}

/* ---- impingement ------------------------------------------------------------------------------------------------- */

static syn_status make_poses(syn_hip_analysis *a, const syn_hip_analysis_options *options, syn_error *error) {
  const syn_context *context = a->context;
  const syn_hip *hip = &a->hip_case->hip;
  syn_impingement *i = &a->impingement;
  i->series = options->series ? options->series : "stand_to_sit";
  const syn_motion_series *series = syn_motion_series_named(i->series);
  if (!series) return syn_hip_motion_read(context, hip, i->series, &i->poses, &i->times_s, &i->pose_count, error);
  i->pose_count = SERIES_STEPS + 1;
  SYN_TRY(SYN_NEW(context, &i->poses, i->pose_count, error));
  syn_motion_series_poses(series, hip, SERIES_STEPS, i->poses);
  return SYN_OK;
}

/* Depths at every step are for pages that show the motion; for a long recording of fine meshes they would exceed the
 * memory. */
static syn_fai_options depths_wanted(const syn_hip *hip, const syn_fai_options *wanted, size_t pose_count) {
  static const size_t most_values = 4000000;
  const syn_trimesh *femur = hip->parts[SYN_HIP_FEMUR], *labrum = hip->parts[SYN_HIP_LABRUM];
  const size_t vertices = (size_t)(femur ? femur->vertex_count : 0) + (labrum ? labrum->vertex_count : 0);
  syn_fai_options options = *wanted;
  options.by_step = vertices > 0 && pose_count <= most_values / vertices;
  return options;
}

static syn_status find_impingement(syn_hip_analysis *a, const syn_hip_analysis_options *options, syn_error *error) {
  const syn_hip *hip = &a->hip_case->hip;
  syn_impingement *i = &a->impingement;
  if (syn_hip_has_soft_socket(hip)) {
    const syn_fai_options depths = depths_wanted(hip, &options->fai, i->pose_count);
    SYN_TRY(syn_fai_create(a->context, hip, i->poses, i->pose_count, &depths, &i->fai, error));
    i->has_class = i->fai->has_curvilinear && i->fai->has_radial && strcmp(i->series, "stand_to_sit") == 0;
  }
  if (!a->bones_rom) return SYN_OK;
  syn_fadir_options fadir = syn_default_fadir_options();
  fadir.step = options->fadir_step;
  fadir.anatomy = a->hip_case->anatomy;
  return syn_fadir_create(a->context, hip, a->bones_rom, &fadir, &i->fadir, error);
}

/* ---- range of motion --------------------------------------------------------------------------------------------- */

/* Published ranges are bone to bone, so the bones are also rotated alone. */
static syn_status make_roms(syn_hip_analysis *a, syn_error *error) {
  const syn_hip *hip = &a->hip_case->hip, bones = syn_hip_bones(hip);
  a->has_soft = syn_hip_has_soft_socket(hip) || hip->parts[SYN_HIP_FEMORAL_CARTILAGE];
  SYN_TRY(syn_hip_rom_create(a->context, &bones, &a->bones_rom, error));
  if (a->has_soft) return syn_hip_rom_create(a->context, hip, &a->rom, error);
  a->rom = a->bones_rom;
  return SYN_OK;
}

static double contact_hour(const syn_hip_analysis *a, const syn_limit *limit) {
  const bool stopped = limit->state == SYN_LIMIT_STOPPED;
  return stopped ? syn_hip_clock_hour(&a->hip_case->hip, a->hip_case->anatomy, limit->event.point) : (double)NAN;
}

static void find_limit(const syn_hip_analysis *a, syn_hip_motion_limit *l, void *scratch) {
  const syn_motion *m = l->motion;
  syn_rom_query(a->rom, m, scratch, &l->limit);
  l->bones = l->limit;
  if (a->has_soft) syn_rom_query(a->bones_rom, m, scratch, &l->bones);
  l->place = syn_limit_place(&a->hip_case->hip, a->hip_case->anatomy, &l->limit);
  l->hour = contact_hour(a, &l->limit);
  l->shift = a->hip_case->hip.seat;
  for (int k = 0; k < SYN_BAND_SLOTS; ++k) l->bands[k] = (syn_band){NAN, NAN};
  l->stopped_part = l->below_part = NAN;
}

static syn_status find_limit_task(void *analysis, size_t i, syn_error *error) {
  const syn_hip_analysis *a = analysis;
  const size_t all = syn_rom_scratch(a->rom), bones = syn_rom_scratch(a->bones_rom);
  char *scratch;
  SYN_TRY(SYN_NEW(a->context, &scratch, all > bones ? all : bones, error));
  find_limit(a, &a->limits[i], scratch);
  syn_free(a->context, scratch);
  return SYN_OK;
}

static syn_status find_limits(syn_hip_analysis *a, const syn_hip_analysis_options *options, syn_error *error) {
  const size_t count = options->motions ? options->motion_count : SYN_CLINICAL_MOTIONS;
  SYN_TRY(SYN_NEW(a->context, &a->limits, count, error));
  for (size_t i = 0; i < count; ++i)
    a->limits[i].motion = options->motions ? options->motions[i] : &syn_clinical_motions[i];
  SYN_TRY(syn_parallel_tasks(a->context, count, find_limit_task, a, error));
  a->limit_count = count;
  return SYN_OK;
}

/* ---- more about the range of motion ------------------------------------------------------------------------------ */

static syn_status find_slack(syn_hip_analysis *a, double slack_mm, syn_error *error) {
  const syn_hip_case *c = a->hip_case;
  SYN_TRY(SYN_NEW(a->context, &a->slack, a->limit_count, error));
  for (; a->slack_count < a->limit_count; ++a->slack_count) {
    syn_hip_motion_limit *l = &a->slack[a->slack_count];
    *l = (syn_hip_motion_limit){.motion = a->limits[a->slack_count].motion};
    SYN_TRY(syn_slack_find(a->rom, l->motion, slack_mm, &l->shift, &l->limit, error));
    l->bones = l->limit;
    l->hour = contact_hour(a, &l->limit);
    l->place = syn_limit_place(&c->hip, c->anatomy, &l->limit);
  }
  return SYN_OK;
}

static void find_series_limit(const syn_hip_analysis *a, syn_series_limit *l, void *scratch) {
  const syn_hip *hip = &a->hip_case->hip;
  l->free_part = syn_motion_series_free_fraction(l->series, hip, a->rom, scratch, &l->limit);
  const syn_pose pose = l->series->pose(hip, l->free_part >= 1 ? l->series->turn : l->free_part);
  l->flexion = syn_hip_angles_of(hip, &pose).flexion;
}

static void find_sweep_limit(const syn_hip_analysis *a, syn_sweep_limit *l, void *scratch) {
  const syn_hip *hip = &a->hip_case->hip;
  const syn_pose neutral = syn_hip_pose(hip, (syn_hip_angles){0, 0, 0});
  syn_rom_turn(a->rom, &neutral, syn_hip_horizontal_axis(hip, l->axis_angle), scratch, &l->positive, &l->negative);
}

static syn_status find_more(syn_hip_analysis *a, const syn_hip_analysis_options *options, syn_error *error) {
  if (options->slack_mm >= 0) SYN_TRY(find_slack(a, options->slack_mm, error));
  const size_t series = options->series_limits ? options->series_limit_count : 0;
  char *scratch;
  SYN_TRY(SYN_NEW(a->context, &a->series, series, error));
  SYN_TRY(SYN_NEW(a->context, &a->sweep, options->sweep_count, error));
  SYN_TRY(SYN_NEW(a->context, &scratch, syn_rom_scratch(a->rom), error));
  for (; a->series_count < series; ++a->series_count) {
    a->series[a->series_count].series = options->series_limits[a->series_count];
    find_series_limit(a, &a->series[a->series_count], scratch);
  }
  for (; a->sweep_count < options->sweep_count; ++a->sweep_count) {
    a->sweep[a->sweep_count].axis_angle = SYN_PI * (double)a->sweep_count / (double)options->sweep_count;
    find_sweep_limit(a, &a->sweep[a->sweep_count], scratch);
  }
  syn_free(a->context, scratch);
  return SYN_OK;
}

/* ---- the analysis ------------------------------------------------------------------------------------------------ */

static syn_status measure(syn_hip_analysis *a, const syn_hip_analysis_options *options, syn_error *error) {
  const syn_hip_case *c = a->hip_case;
  if (!c->anatomy) return SYN_OK;
  SYN_TRY(tell(a, "measures", error));
  const syn_vec3 *center = &c->hip.center; /* in the bones as scanned */
  SYN_TRY(
      syn_measures_find(a->context, c->hip.parts[SYN_HIP_PELVIS], c->femur, c->anatomy, center, &a->measures, error));
  a->has_measures = true;
  syn_band_options bands = options->bands;
  if (!(options->parts & SYN_HIP_BANDS)) bands.draws = 0;
  SYN_TRY(syn_measure_bands_find(a->context, c->hip.parts[SYN_HIP_PELVIS], c->femur, c->anatomy, center, &bands,
                                 &a->measures, &a->measure_bands, error));
  syn_alpha_doubt(a->context, &a->measures, &a->measure_bands);
  return SYN_OK;
}

static syn_status find_left_out(syn_hip_analysis *a, syn_error *error) {
  syn_left_out found;
  SYN_TRY(syn_hip_left_out_find(&a->hip_case->hip, &found, error));
  a->left_out_triangles = found.triangles;
  a->articular_overlap_mm = found.overlap_mm;
  a->overlap = found.elsewhere;
  if (a->articular_overlap_mm > 0)
    syn_warn(a->context,
             "head and socket overlap as they were scanned, by %.*f mm; the joint surface of the head stops no motion",
             syn_mm_decimals(a->articular_overlap_mm), a->articular_overlap_mm);
  return SYN_OK;
}

static syn_status find_range(syn_hip_analysis *a, const syn_hip_analysis_options *options, syn_error *error) {
  const syn_hip *hip = &a->hip_case->hip;
  const unsigned parts = options->parts;
  SYN_TRY(tell(a, "range of motion", error));
  SYN_TRY(find_left_out(a, error));
  SYN_TRY(make_roms(a, error));
  if (parts & SYN_HIP_LIMITS) {
    SYN_TRY(find_limits(a, options, error));
    if (parts & SYN_HIP_BANDS)
      SYN_TRY(
          syn_hip_bands_find(a->bones_rom, a->hip_case->anatomy, &options->bands, a->limits, a->limit_count, error));
    SYN_TRY(find_more(a, options, error));
  }
  if (parts & SYN_HIP_ENVELOPE) {
    SYN_TRY(syn_hip_envelope_create(a->context, hip, a->hip_case->anatomy, a->rom, &options->envelope, &a->envelope,
                                    error));
  }
  if (!(parts & SYN_HIP_CENTER_EFFECT)) return SYN_OK;
  SYN_TRY(tell(a, "other centres", error));
  syn_center_effect_options effect = syn_default_center_effect_options();
  effect.band_mm = options->center_band_mm;
  effect.bones_rom = a->bones_rom;
  return syn_center_effect_create(a->context, hip, a->hip_case->anatomy, &a->hip_case->centers, &effect, &a->effect,
                                  error);
}

static syn_status find_sensitivity(syn_hip_analysis *a, syn_error *error) {
  const syn_hip_case *c = a->hip_case;
  SYN_TRY(SYN_NEW(a->context, &a->sensitivity, 1, error));
  return syn_center_sensitivity_find(a->context, &c->hip, c->anatomy, &c->centers, a->sensitivity, error);
}

static syn_status analyse(syn_hip_analysis *a, const syn_hip_analysis_options *options, syn_error *error) {
  const unsigned parts = options->parts;
  const unsigned no_range = SYN_HIP_MEASURES | SYN_HIP_BANDS | SYN_HIP_SENSITIVITY;
  if (parts & SYN_HIP_IMPINGEMENT) SYN_TRY(make_poses(a, options, error)); /* a missing file is reported at once */
  if (parts & SYN_HIP_SENSITIVITY) SYN_TRY(find_sensitivity(a, error));
  if (parts & SYN_HIP_MEASURES) SYN_TRY(measure(a, options, error));
  if ((parts & ~no_range) && has_bones(&a->hip_case->hip)) SYN_TRY(find_range(a, options, error));
  if (parts & SYN_HIP_IMPINGEMENT) SYN_TRY(find_impingement(a, options, error));
  return syn_hip_judge(a, error);
}

syn_status syn_hip_analysis_create(const syn_context *context, syn_hip_case *hip_case,
                                   const syn_hip_analysis_options *options, syn_hip_analysis **analysis,
                                   syn_error *error) {
  const syn_hip_analysis_options standard = syn_default_hip_analysis_options();
  syn_hip_analysis *made;
  *analysis = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_hip_analysis_options, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->hip_case = hip_case;
  const syn_status status = analyse(made, options, error);
  if (status == SYN_OK)
    *analysis = made;
  else
    syn_hip_analysis_destroy(made);
  return status;
}

syn_status syn_hip_analyse(const syn_context *context, const syn_hip_input *input,
                           const syn_hip_analysis_options *options, syn_hip_analysis **analysis, syn_error *error) {
  syn_hip_case *hip_case;
  *analysis = NULL;
  SYN_TRY(syn_hip_case_create(context, input, &hip_case, error));
  const syn_status status = syn_hip_analysis_create(context, hip_case, options, analysis, error);
  if (status == SYN_OK)
    (*analysis)->owns_case = true;
  else
    syn_hip_case_destroy(hip_case);
  return status;
}

void syn_hip_analysis_destroy(syn_hip_analysis *a) {
  if (!a) return;
  if (a->rom != a->bones_rom) syn_rom_destroy(a->rom);
  syn_rom_destroy(a->bones_rom);
  syn_free(a->context, a->limits);
  syn_free(a->context, a->slack);
  syn_free(a->context, a->series);
  syn_free(a->context, a->sweep);
  syn_free(a->context, a->sensitivity);
  syn_free(a->context, a->findings);
  syn_envelope_destroy(a->envelope);
  syn_center_effect_destroy(a->effect);
  syn_fai_destroy(a->impingement.fai);
  syn_fadir_destroy(a->impingement.fadir);
  syn_free(a->context, a->impingement.poses);
  syn_free(a->context, a->impingement.times_s);
  if (a->owns_case) syn_hip_case_destroy(a->hip_case);
  syn_free(a->context, a);
}

/* ---- assumptions ------------------------------------------------------------------------------------------------- */

enum { OF_PELVIC_FRAME, OF_FEMORAL_FRAME, OF_SEAT, OF_JOINT_SURFACE };

syn_hip_assumed syn_hip_assumed_of(const syn_hip_analysis *a) {
  return (syn_hip_assumed){a->hip_case, a->limit_count > 0, a->left_out_triangles};
}

static bool is_partial_or_scan(const syn_hip_case *c, syn_hip_part bone) {
  if (!c->anatomy || !c->hip.parts[bone]) return false;
  const syn_frame_source source = bone == SYN_HIP_PELVIS ? c->anatomy->pelvis_frame : c->anatomy->femur_frame;
  return source == SYN_FRAME_PARTIAL || source == SYN_FRAME_BODY;
}

bool syn_hip_assumes(const syn_hip_assumed *a, size_t index) {
  switch (index) {
  case OF_PELVIC_FRAME: return is_partial_or_scan(a->hip_case, SYN_HIP_PELVIS);
  case OF_FEMORAL_FRAME: return is_partial_or_scan(a->hip_case, SYN_HIP_FEMUR);
  case OF_SEAT: return a->has_limits && vec3_length(a->hip_case->hip.seat) > 0;
  default: return a->has_limits && a->left_out_triangles > 0;
  }
}

static const char *frame_words(const syn_anatomy *anatomy, bool of_pelvis) {
  const syn_frame_source source = of_pelvis ? anatomy->pelvis_frame : anatomy->femur_frame;
  if (source == SYN_FRAME_BODY)
    return of_pelvis ? "The pelvic frame is that of the scan." : "The femoral frame is that of the scan.";
  return of_pelvis
             ? "The pelvic frame is partial: the other half of the pelvis was not found, and the plane of symmetry "
               "is assumed. Flexion and adduction are measured from it."
             : "The femoral frame is partial: the epicondyles are not there, and what there is of shaft and neck, "
               "with the pelvis of the scan, stands in for them. Rotation is measured from it.";
}

syn_value syn_hip_assumption(const syn_hip_assumed *a, size_t index) {
  switch (index) {
  case OF_PELVIC_FRAME:
  case OF_FEMORAL_FRAME: return value_text(frame_words(a->hip_case->anatomy, index == OF_PELVIC_FRAME));
  case OF_SEAT:
    return syn_value_words("The head is shifted by %.*f mm from where it was scanned, to where the joint space is more even.",
                           syn_mm_decimals(vec3_length(a->hip_case->hip.seat)), vec3_length(a->hip_case->hip.seat));
  default:
    return syn_value_words(
        "The joint surface of the head (%zu triangles within %.1f mm of its centre) stops no motion.",
        a->left_out_triangles, a->hip_case->hip.joint_ball.radius_mm);
  }
}

const char *syn_hip_assumption_about(size_t index) {
  switch (index) {
  case OF_PELVIC_FRAME: return SYN_ABOUT_MOTIONS " " SYN_ABOUT_PELVIS;
  case OF_FEMORAL_FRAME: return SYN_ABOUT_MOTIONS " femoral_torsion_deg combined_version_deg";
  default: return SYN_ABOUT_MOTIONS;
  }
}

static bool has_assumption(const void *analysis, size_t index) {
  const syn_hip_assumed assumed = syn_hip_assumed_of(analysis);
  return syn_hip_assumes(&assumed, index);
}

static syn_value text_of(const void *analysis, size_t index) {
  const syn_hip_assumed assumed = syn_hip_assumed_of(analysis);
  return syn_hip_assumption(&assumed, index);
}

static syn_value about_of(const void *object, size_t index) {
  (void)object;
  return value_text(syn_hip_assumption_about(index));
}

static const syn_result_field assumption_fields[] = {FIELD(TEXT, "text", "Assumption", "", FILE_ONLY, text_of),
                                                     FIELD(TEXT, "about", "What it is about", "", FILE_ONLY, about_of)};
static const syn_record assumption_record = RECORD("assumptions", assumption_fields);

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static const syn_hip *hip(const void *object) { return object; }
static syn_value seat_length(const void *h, size_t i) { return (void)i, value_real(vec3_length(hip(h)->seat)); }
static const syn_result_field seat_fields[] = {
    MEMBER(syn_hip, seat, "shift_mm", "Shift of the femur", "mm", FILE_ONLY),
    FIELD(REAL, "length_mm", "Shift of the femur", "mm", FILE_ONLY, seat_length)};
const syn_record syn_seat_record = RECORD_OF(syn_hip, "seat", seat_fields);

/* ---- all fields -------------------------------------------------------------------------------------------------- */

static const syn_hip_analysis *analysis(const void *object) { return object; }

static syn_value hip_side(const void *a, size_t i) {
  return (void)i, value_text(syn_side_name(analysis(a)->hip_case->hip.side));
}
static syn_value hip_seat(const void *a, size_t i) { return (void)i, value_record(&analysis(a)->hip_case->hip, 0); }
static syn_value itself(const void *a, size_t i) { return (void)i, value_record(a, 0); }
static syn_value hip_measure(const void *a, size_t i) {
  return (void)i, analysis(a)->has_measures ? value_record(a, 0) : value_none();
}
static syn_value hip_rom(const void *a, size_t i) {
  return (void)i, analysis(a)->rom ? value_record(a, 0) : value_none();
}

static syn_value hip_assumptions(const void *a, size_t i) {
  return (void)i, (syn_value){.kind = SYN_VALUE_LIST, .items = {a, 0, SYN_HIP_ASSUMPTIONS, has_assumption}};
}

static syn_value hip_verdict(const void *a, size_t i) {
  return (void)i, analysis(a)->verdict.known ? value_record(&analysis(a)->verdict, 0) : value_none();
}

static const syn_result_field syn_hip_fields[] = {
    FIELD(TEXT, "side", "Side", "", FILE_ONLY, hip_side),
    FIELD_OF(RECORD, syn_seat_record, "seat", "Seat", FILE_ONLY, hip_seat),
    FIELD_OF(RECORD, syn_center_record, "center", "Hip centre", SHOWN, itself),
    FIELD_OF(RECORD, syn_measure_record, "measure", "Measures", SHOWN, hip_measure),
    FIELD_OF(RECORD, syn_rom_record, "rom", "Range of motion", SHOWN, hip_rom),
    FIELD_OF(RECORD, syn_fai_record, "fai", "Impingement", SHOWN, itself),
    FIELD_OF(RECORD, syn_verdict_record, "impingement", "Impingement", FILE_ONLY, hip_verdict),
    LIST_OF(syn_hip_analysis, findings, finding_count, syn_finding_record, "findings", "Findings", FILE_ONLY),
    FIELD_OF(LIST, assumption_record, "assumptions", "Assumptions", FILE_ONLY, hip_assumptions),
};
const syn_record syn_hip_record = RECORD_OF(syn_hip_analysis, "hip", syn_hip_fields);
