/* Finds the stiffness with which a ligament fails at a measured angle (Maciel 2005, §5.4.3). */
#include <math.h>

#include "clinic/virtual_hip/virtual_hip.h"
#include "result/record_csv.h"
#include "result/value.h"

enum { MOST_STEPS = 10000, BISECTIONS = 30 };

syn_ligament_stiffness_options syn_default_ligament_stiffness_options(void) {
  syn_ligament_options tissue = syn_default_ligament_options();
  tissue.young_mpa = 1;
  return (syn_ligament_stiffness_options){.ligament = SYN_LIGAMENT_ISCHIOFEMORAL,
                                          .tissue = tissue,
                                          .measure = SYN_LIGAMENT_PEAK,
                                          .angle = 40 * SYN_DEGREE,
                                          .step = 5 * SYN_DEGREE,
                                          .stress_mpa = 2.5,
                                          .rate_mpa_s = 1,
                                          .tick_s = 0.25,
                                          .most_mpa = 100,
                                          .rest = {NAN, NAN, NAN},
                                          .cookie = SYN_COOKIE};
}

static double ticks_at_most(const syn_ligament_stiffness_options *o) {
  return ceil((o->most_mpa - o->tissue.young_mpa) / (o->rate_mpa_s * o->tick_s));
}

static syn_status check_options(const syn_ligament_stiffness_options *o, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(o, syn_default_ligament_stiffness_options, error));
  if ((unsigned)o->measure >= SYN_LIGAMENT_MEASURES)
    return syn_fail(error, SYN_BAD_ARGUMENT, "no such measure of stress");
  if (!(o->angle > 0 && o->angle <= SYN_PI && o->step > 0 && o->angle / o->step <= MOST_STEPS))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the angle must be above 0 and up to 180 degrees, in %d steps at most",
                    MOST_STEPS);
  if (!(o->stress_mpa > 0 && o->rate_mpa_s > 0 && o->tick_s > 0 && o->most_mpa > o->tissue.young_mpa) ||
      !(ticks_at_most(o) <= MOST_STEPS))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "stress, rate and time step of the search must be above 0, and its end above its begin, %d steps "
                    "at most",
                    MOST_STEPS);
  return SYN_OK;
}

/* ---- at the angle ------------------------------------------------------------------------------------------------ */

typedef struct search {
  syn_ligament_stiffness *made;
  const syn_hip *hip;
  const syn_motion *motion;
  syn_ligament *soft; /* of the first modulus */
  double *state;      /* of its simulation at the angle */
} search;

/* Solves the equilibrium with another modulus, starting from the stored one. */
static syn_status stress_with(const search *s, double young_mpa, double *stress_mpa, syn_error *error) {
  const syn_ligament_stiffness_options *o = &s->made->options;
  const syn_hip_angles there = syn_angles_turned(s->motion, o->angle);
  syn_ligament_options tissue = o->tissue;
  syn_ligament *ligament;
  syn_ligament_sim sim;
  tissue.young_mpa = young_mpa;
  SYN_TRY(syn_ligament_stiffened(s->soft, &tissue, &ligament, error));
  syn_status status = syn_ligament_sim_begin(ligament, s->hip, &sim, error);
  if (!status) {
    syn_simulation_set_state(sim.simulation, s->state);
    status = syn_ligament_sim_turn(&sim, s->hip, there, there, 0, error);
  }
  if (!status) {
    syn_ligament_row row;
    syn_ligament_sim_row(&sim, o->angle, &row);
    *stress_mpa = syn_ligament_row_stress(&row, o->measure);
  }
  syn_ligament_sim_end(&sim);
  syn_ligament_destroy(ligament);
  return status;
}

static syn_status turn(search *s, syn_ligament_sim *sim, syn_error *error) {
  syn_ligament_stiffness *made = s->made;
  const syn_ligament_stiffness_options *o = &made->options;
  const size_t steps = (size_t)ceil(o->angle / o->step - 1e-9);
  SYN_TRY(syn_trimesh_share(syn_soft_skin(s->soft->soft), &made->surface, error));
  const size_t vertices = made->surface->vertex_count;
  SYN_TRY(SYN_NEW(made->result.context, &made->rows, steps + 1, error));
  SYN_TRY(SYN_NEW(made->result.context, &made->places, (steps + 1) * vertices, error));
  SYN_TRY(SYN_NEW(made->result.context, &made->stress_mpa, (steps + 1) * vertices, error));
  SYN_TRY(syn_ligament_sim_start(sim, s->hip, s->motion, o->step, error));
  for (size_t i = 0; i <= steps; ++i) {
    const double before = i ? made->rows[i - 1].angle : 0, angle = min2(o->angle, (double)i * o->step);
    if (i > 0)
      SYN_TRY(syn_ligament_sim_turn(sim, s->hip, syn_angles_turned(s->motion, before),
                                    syn_angles_turned(s->motion, angle), SYN_LIGAMENT_HALVINGS, error));
    syn_ligament_sim_row(sim, angle, &made->rows[made->row_count]);
    syn_ligament_sim_surface(sim, made->row_count++, made->places, made->stress_mpa);
  }
  SYN_TRY(SYN_NEW(made->result.context, &s->state, syn_simulation_get_state(sim->simulation, NULL), error));
  syn_simulation_get_state(sim->simulation, s->state);
  return SYN_OK;
}

static syn_status go_to_angle(search *s, syn_error *error) {
  syn_ligament_sim sim;
  syn_status status = syn_ligament_sim_begin(s->soft, s->hip, &sim, error);
  if (!status) status = turn(s, &sim, error);
  syn_ligament_sim_end(&sim);
  return status;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* The method of the text: raises the modulus tick by tick until the stress is high enough. */
static syn_status ramp(search *s, syn_error *error) {
  syn_ligament_stiffness *made = s->made;
  const syn_ligament_stiffness_options *o = &made->options;
  const size_t most = (size_t)ticks_at_most(o);
  const double first = syn_ligament_row_stress(&made->rows[made->row_count - 1], o->measure);
  SYN_TRY(SYN_NEW(made->result.context, &made->ticks, most + 1, error));
  made->ticks[made->tick_count++] = (syn_ligament_tick){0, o->tissue.young_mpa, first};
  made->simple_mpa = o->tissue.young_mpa * o->stress_mpa / first;
  while (made->tick_count <= most && made->ticks[made->tick_count - 1].stress_mpa < o->stress_mpa) {
    const double time = (double)made->tick_count * o->tick_s;
    const double young = min2(o->most_mpa, o->tissue.young_mpa + o->rate_mpa_s * time);
    if (!syn_progress(made->result.context, "stiffness", young / max2(young, made->simple_mpa)))
      return syn_fail(error, SYN_CANCELLED, "cancelled in the search for the stiffness");
    double stress;
    SYN_TRY(stress_with(s, young, &stress, error));
    made->ticks[made->tick_count++] = (syn_ligament_tick){time, young, stress};
  }
  return SYN_OK;
}

static syn_status bisect(search *s, syn_error *error) {
  syn_ligament_stiffness *made = s->made;
  const syn_ligament_tick *last = &made->ticks[made->tick_count - 1];
  made->young_mpa = made->exact_mpa = NAN;
  if (last->stress_mpa < made->options.stress_mpa) return SYN_OK;
  made->young_mpa = made->exact_mpa = last->young_mpa;
  double low = made->tick_count > 1 ? last[-1].young_mpa : 0, high = last->young_mpa;
  for (int i = 0; i < BISECTIONS && high - low > 1e-4 * high; ++i) {
    double stress;
    SYN_TRY(stress_with(s, (low + high) / 2, &stress, error));
    *(stress < made->options.stress_mpa ? &low : &high) = (low + high) / 2;
  }
  made->exact_mpa = (low + high) / 2;
  return SYN_OK;
}

static syn_status find_on(syn_ligament_stiffness *made, const syn_hip_case *hip_case, syn_error *error) {
  const syn_ligament_stiffness_options *o = &made->options;
  search s = {.made = made,
              .hip = &hip_case->hip,
              .motion = o->motion ? o->motion : syn_clinical_motion_named("internal_rotation_90")};
  SYN_TRY(syn_ligament_create(made->result.context, hip_case, o->ligament, &o->tissue, &s.soft, error));
  syn_status status = go_to_angle(&s, error);
  if (!status) status = ramp(&s, error);
  if (!status) status = bisect(&s, error);
  made->options.motion = s.motion;
  made->length_mm = s.soft->length_mm;
  made->stretch = made->row_count ? made->rows[made->row_count - 1].stretch : (double)NAN;
  syn_free(made->result.context, s.state);
  syn_ligament_destroy(s.soft);
  return status;
}

static syn_status find(syn_ligament_stiffness *made, const syn_hip_case *hip_case, syn_error *error) {
  syn_posed_hip resting;
  syn_status status = syn_hip_pose_case(hip_case, &made->options.rest, &resting, error);
  if (!status) status = find_on(made, &resting.hip_case, error);
  syn_posed_hip_release(&resting);
  return status;
}

syn_status syn_ligament_stiffness_create(const syn_context *context, const syn_hip_case *hip_case,
                                         const syn_ligament_stiffness_options *options,
                                         syn_ligament_stiffness **stiffness, syn_error *error) {
  const syn_ligament_stiffness_options o = options ? *options : syn_default_ligament_stiffness_options();
  syn_ligament_stiffness *made;
  *stiffness = NULL;
  SYN_TRY(check_options(&o, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->result = (syn_result){&syn_ligament_stiffness_record, context};
  made->hip_case = hip_case;
  made->options = o;
  const syn_status status = find(made, hip_case, error);
  if (status)
    syn_result_destroy(made);
  else
    *stiffness = made;
  return status;
}

static void release_ligament_stiffness(void *result) {
  syn_ligament_stiffness *s = result;
  syn_free(s->result.context, s->rows);
  syn_free(s->result.context, s->ticks);
  syn_free(s->result.context, s->places);
  syn_free(s->result.context, s->stress_mpa);
  syn_trimesh_destroy(s->surface);
  syn_free(s->result.context, s);
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static const syn_result_field tick_fields[] = {
    MEMBER(syn_ligament_tick, time_s, "time_s", "Time", "s", FILE_ONLY),
    MEMBER(syn_ligament_tick, young_mpa, "young_mpa", "Young's modulus", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_tick, stress_mpa, "stress_mpa", "Stress", "MPa", FILE_ONLY)};
static const syn_record tick_record = RECORD_OF(syn_ligament_tick, "ticks", tick_fields);

GET(found_stress, syn_ligament_stiffness,
    isfinite(at->young_mpa) ? value_real(at->ticks[at->tick_count - 1].stress_mpa) : value_none())
static const syn_result_field found_fields[] = {
    MEMBER(syn_ligament_stiffness, young_mpa, "young_mpa", "Found by steps", "MPa", FILE_ONLY),
    FIELD(REAL, "stress_mpa", "Stress with it", "MPa", FILE_ONLY, found_stress),
    MEMBER(syn_ligament_stiffness, exact_mpa, "exact_mpa", "Found by halving", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, simple_mpa, "proportional_mpa", "By proportion", "MPa", FILE_ONLY)};
static const syn_record found_record = RECORD_OF(syn_ligament_stiffness, "after", found_fields);

static const syn_result_field stiffness_fields[] = {
    NAMED(syn_ligament_stiffness, options.ligament, syn_hip_ligament_name, "ligament", "Ligament", FILE_ONLY),
    NAMED(syn_ligament_stiffness, options.measure, syn_ligament_measure_name, "stress", "Stress that is compared",
          FILE_ONLY),
    MEMBER(syn_motion, name, "motion", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_stiffness, options.motion)),
    ANGLE(syn_ligament_stiffness, options.angle, "angle_deg", "Measured angle", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, options.stress_mpa, "failure_mpa", "Failure stress", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, length_mm, "length_mm", "Length at rest", "mm", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, stretch, "stretch", "Stretch at the angle", "", FILE_ONLY),
    POINTED(syn_ligament_stiffness, ticks, tick_record, "before", "At first", FILE_ONLY),
    ITSELF(found_record, "after", "Found", FILE_ONLY),
    LIST_OF(syn_ligament_stiffness, rows, row_count, syn_ligament_row_record, "rows", "Angles", FILE_ONLY),
    LIST_OF(syn_ligament_stiffness, ticks, tick_count, tick_record, "ticks", "Search", FILE_ONLY)};
const syn_record syn_ligament_stiffness_record =
    RESULT_OF(syn_ligament_stiffness, "ligament_stiffness", stiffness_fields, release_ligament_stiffness);

static size_t count_ligament_ticks(const void *stiffness) {
  return ((const syn_ligament_stiffness *)stiffness)->tick_count;
}
static void put_ligament_tick(syn_csv *to, const void *stiffness, size_t row) {
  syn_csv_put(to, "", &tick_record, NULL, 0, ((const syn_ligament_stiffness *)stiffness)->ticks, row);
}
const syn_csv_table syn_ligament_stiffness_csv = {count_ligament_ticks, put_ligament_tick};
