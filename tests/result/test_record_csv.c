/* Tables of results as CSV: every cell has the value of its struct member, and no two members have the same value. */
#include <math.h>

#include "support.h"

#include <synovia/synovia.h>

#include "clinic/hip.h"
#include "clinic/surgery_rows.h"

/* ---- a table read back --------------------------------------------------------------------------------------------
 */

enum { MAX_CELLS = 64, MAX_ROWS = 8 };
static struct {
  char *text;
  char *cells[MAX_ROWS][MAX_CELLS];
  size_t counts[MAX_ROWS], row_count;
  bool seen[MAX_CELLS];
} read_back;

static void split_line(char *line, size_t row) {
  char *at = line;
  for (;;) {
    char *end = at + strcspn(at, ",");
    const bool is_last = !*end;
    *end = 0;
    assert_true(read_back.counts[row] < MAX_CELLS);
    read_back.cells[row][read_back.counts[row]++] = at;
    if (is_last) break;
    at = end + 1;
  }
}

static void write_and_read(const syn_csv_table *table, const void *object) {
  syn_error error;
  const char *path = temporary_path("table.csv");
  ASSERT_OK(syn_csv_write(NULL, table, object, path, &error));
  memset(&read_back, 0, sizeof read_back);
  size_t size;
  read_back.text = read_whole_file(path, &size);
  for (char *line = read_back.text; *line;) {
    char *end = line + strcspn(line, "\n");
    const bool is_last = !*end;
    *end = 0;
    assert_true(read_back.row_count < MAX_ROWS);
    split_line(line, read_back.row_count++);
    if (is_last) break;
    line = end + 1;
  }
  for (size_t row = 0; row < read_back.row_count; ++row) assert_int_equal(read_back.counts[row], read_back.counts[0]);
}

static const char *cell(size_t row, const char *column) {
  for (size_t i = 0; i < read_back.counts[0]; ++i)
    if (strcmp(read_back.cells[0][i], column) == 0) {
      read_back.seen[i] = true;
      return read_back.cells[row + 1][i];
    }
  fail_msg("there is no column %s", column);
  return NULL;
}

static void expect(size_t row, const char *column, double value) {
  const char *text = cell(row, column);
  if (isnan(value) ? text[0] != 0 : fabs(strtod(text, NULL) - value) > 1e-6 * (1 + fabs(value)))
    fail_msg("%s of row %zu is '%s', not %.9g", column, row, text, value);
}

static void expect_text(size_t row, const char *column, const char *value) {
  assert_string_equal(cell(row, column), value);
}

/* All columns were looked at. */
static void end_table(size_t rows) {
  assert_int_equal(read_back.row_count, rows + 1);
  for (size_t i = 0; i < read_back.counts[0]; ++i)
    if (!read_back.seen[i]) fail_msg("column %s was not expected", read_back.cells[0][i]);
  free(read_back.text);
}

/* Another number each time. */
static double number;
static double another(void) { return number += 1.25; }

/* ---- congruity ----------------------------------------------------------------------------------------------------
 */

static syn_congruity_surface some_surface(void) {
  return (syn_congruity_surface){another(), another(), another(), another(), another(), another(), another()};
}
static syn_congruity_moment some_moment(void) {
  return (syn_congruity_moment){.time_s = another(),
                                .angles = {another() / 100, another() / 100, another() / 100},
                                .surfaces = {some_surface(), some_surface()},
                                .force = {another(), another(), another()}};
}
static double length_of(syn_vec3 v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

static void expect_surface(size_t row, const char *side, const syn_congruity_surface *s) {
  char column[64];
  const struct {
    const char *name;
    double value;
  } columns[] = {{"peak_mpa", s->peak_mpa},  {"mean_mpa", s->mean_mpa}, {"pressure_mpa", s->pressure_mpa},
                 {"even", s->even},          {"strain", s->strain},     {"contact_mm2", s->contact_mm2},
                 {"above_mm2", s->above_mm2}};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i) {
    snprintf(column, sizeof column, "%s_%s", side, columns[i].name);
    expect(row, column, columns[i].value);
  }
}

static void congruity_has_a_row_for_each_moment(void **state) {
  (void)state;
  syn_congruity_moment first[] = {some_moment(), some_moment()}, second[] = {some_moment()};
  const syn_hip_path ways[] = {{.name = "one"}, {.name = "two"}};
  syn_congruity_path paths[] = {{.path = &ways[0], .moment_count = 2, .moments = first},
                                {.path = &ways[1], .moment_count = 1, .moments = second}};
  const syn_congruity congruity = {.path_count = 2, .paths = paths};
  first[1].surfaces[SYN_CONGRUITY_FEMORAL].even = (double)NAN; /* without contact */
  write_and_read(&syn_congruity_csv, &congruity);
  for (size_t row = 0; row < 3; ++row) {
    const syn_congruity_moment *m = row < 2 ? &first[row] : &second[0];
    expect_text(row, "motion", row < 2 ? "one" : "two");
    expect(row, "time_s", m->time_s);
    expect(row, "flexion_deg", m->angles.flexion * SYN_RADIAN);
    expect(row, "adduction_deg", m->angles.adduction * SYN_RADIAN);
    expect(row, "rotation_deg", m->angles.rotation * SYN_RADIAN);
    expect(row, "force_n", length_of(m->force));
    expect_surface(row, "femoral", &m->surfaces[SYN_CONGRUITY_FEMORAL]);
    expect_surface(row, "acetabular", &m->surfaces[SYN_CONGRUITY_ACETABULAR]);
  }
  end_table(3);
  paths[0].moment_count = paths[1].moment_count = 0; /* the head alone */
  write_and_read(&syn_congruity_csv, &congruity);
  assert_int_equal(read_back.row_count, 1);
  assert_int_equal(read_back.counts[0], 20);
  free(read_back.text);
}

/* ---- ligaments ----------------------------------------------------------------------------------------------------
 */

static syn_ligament_row some_ligament_row(void) {
  return (syn_ligament_row){.angle = another() / 100,
                            .peak_mpa = another(),
                            .middle_mpa = another(),
                            .mean_mpa = another(),
                            .stretch = another(),
                            .tension_n = another(),
                            .touching = (uint32_t)another()};
}

static void ligaments_have_a_row_for_each_angle_or_tick(void **state) {
  (void)state;
  syn_ligament_row first[] = {some_ligament_row(), some_ligament_row()}, second[] = {some_ligament_row()};
  const syn_motion *names[] = {&syn_clinical_motions[0], &syn_clinical_motions[1]};
  syn_ligament_motion motions[] = {{.motion = names[0], .row_count = 2, .rows = first},
                                   {.motion = names[1], .row_count = 1, .rows = second}};
  const syn_ligament_rom rom = {.motion_count = 2, .motions = motions};
  write_and_read(&syn_ligament_rom_csv, &rom);
  for (size_t row = 0; row < 3; ++row) {
    const syn_ligament_row *r = row < 2 ? &first[row] : &second[0];
    expect_text(row, "motion", names[row == 2]->name);
    expect(row, "angle_deg", r->angle * SYN_RADIAN);
    expect(row, "peak_mpa", r->peak_mpa);
    expect(row, "middle_mpa", r->middle_mpa);
    expect(row, "mean_mpa", r->mean_mpa);
    expect(row, "stretch", r->stretch);
    expect(row, "tension_n", r->tension_n);
    expect(row, "touching", r->touching);
  }
  end_table(3);
  syn_ligament_tick ticks[] = {{another(), another(), another()}, {another(), another(), another()}};
  const syn_ligament_stiffness stiffness = {.tick_count = 2, .ticks = ticks};
  write_and_read(&syn_ligament_stiffness_csv, &stiffness);
  for (size_t row = 0; row < 2; ++row) {
    expect(row, "time_s", ticks[row].time_s);
    expect(row, "young_mpa", ticks[row].young_mpa);
    expect(row, "stress_mpa", ticks[row].stress_mpa);
  }
  end_table(2);
}

/* ---- graft --------------------------------------------------------------------------------------------------------
 */

static syn_graft_row some_graft_row(void) {
  return (syn_graft_row){.flexion = another() / 100,
                         .outlets_mm = another(),
                         .length_mm = another(),
                         .volume = another(),
                         .peak_mpa = another(),
                         .peak_at = another(),
                         .femur_mpa = another(),
                         .middle_mpa = another(),
                         .tibia_mpa = another(),
                         .femur_touch_mm2 = another(),
                         .tibia_touch_mm2 = another()};
}

static void a_graft_has_a_row_for_each_angle_of_each_plan(void **state) {
  (void)state;
  syn_graft_row before[] = {some_graft_row(), some_graft_row()}, after[] = {some_graft_row()};
  syn_graft graft = {
      .before = {.row_count = 2, .rows = before}, .after = {.row_count = 1, .rows = after}, .searched = true};
  write_and_read(&syn_graft_csv, &graft);
  for (size_t row = 0; row < 3; ++row) {
    const syn_graft_row *r = row < 2 ? &before[row] : &after[0];
    expect_text(row, "tunnels", row < 2 ? "before" : "after");
    expect(row, "flexion_deg", r->flexion * SYN_RADIAN);
    expect(row, "outlets_mm", r->outlets_mm);
    expect(row, "length_mm", r->length_mm);
    expect(row, "volume_change_percent", 100 * (r->volume - 1));
    expect(row, "peak_mpa", r->peak_mpa);
    expect(row, "peak_at", r->peak_at);
    expect(row, "femur_end_mpa", r->femur_mpa);
    expect(row, "middle_mpa", r->middle_mpa);
    expect(row, "tibia_end_mpa", r->tibia_mpa);
    expect(row, "femur_touch_mm2", r->femur_touch_mm2);
    expect(row, "tibia_touch_mm2", r->tibia_touch_mm2);
  }
  end_table(3);
  graft.searched = false;
  write_and_read(&syn_graft_csv, &graft);
  assert_int_equal(read_back.row_count, 3);
  free(read_back.text);
}

/* ---- resection ----------------------------------------------------------------------------------------------------
 */

static syn_gain some_resected_motion(const syn_motion *motion, bool is_stopped) {
  return (syn_gain){.motion = motion,
                    .limit = {.state = is_stopped ? SYN_LIMIT_STOPPED : SYN_LIMIT_NO_STOP,
                              .angle = is_stopped ? another() / 100 : (double)NAN},
                    .gain_deg = another(),
                    .gain_band_deg = {another(), another()}};
}

static void a_resection_has_a_row_for_each_step(void **state) {
  (void)state;
  const syn_motion *names[] = {&syn_clinical_motions[0], &syn_clinical_motions[1]};
  syn_gain motions[][2] = {{some_resected_motion(names[0], true), some_resected_motion(names[1], false)},
                           {some_resected_motion(names[0], true), some_resected_motion(names[1], true)}};
  syn_resection_step steps[2];
  for (size_t i = 0; i < 2; ++i)
    steps[i] = (syn_resection_step){.depth_mm = another(),
                                    .deepest_mm = another(),
                                    .volume_mm3 = another(),
                                    .area_mm2 = another(),
                                    .alpha_deg = i ? another() : (double)NAN,
                                    .motions = motions[i],
                                    .motion_count = 2};
  const syn_resection resection = {.step_count = 2, .motion_count = 2, .steps = steps};
  write_and_read(&syn_resection_csv, &resection);
  for (size_t row = 0; row < 2; ++row) {
    expect(row, "depth_mm", steps[row].depth_mm);
    expect(row, "deepest_mm", steps[row].deepest_mm);
    expect(row, "volume_mm3", steps[row].volume_mm3);
    expect(row, "area_mm2", steps[row].area_mm2);
    expect(row, "alpha_deg", steps[row].alpha_deg);
    for (size_t m = 0; m < 2; ++m) {
      const syn_gain *of = &motions[row][m];
      char column[64];
#define COLUMN(NAME) (snprintf(column, sizeof column, "%s_" NAME, names[m]->name), column)
      expect_text(row, COLUMN("state"), syn_limit_state_name(of->limit.state));
      expect(row, COLUMN("deg"), of->limit.angle * SYN_RADIAN);
      expect(row, COLUMN("gain_deg"), of->gain_deg);
      expect(row, COLUMN("gain_low_deg"), of->gain_band_deg.low);
      expect(row, COLUMN("gain_high_deg"), of->gain_band_deg.high);
    }
  }
  end_table(2);
}

/* ---- osteotomy ----------------------------------------------------------------------------------------------------
 */

static void expect_operated(size_t row, const char *when, const syn_congruity_moment *moment,
                            const syn_ligament_row *ligament) {
  const syn_congruity_surface *s = moment ? &moment->surfaces[SYN_CONGRUITY_ACETABULAR] : NULL;
  char column[64];
  const struct {
    const char *name;
    double value;
  } columns[] = {{"contact_mm2", s ? s->contact_mm2 : (double)NAN},
                 {"above_mm2", s ? s->above_mm2 : (double)NAN},
                 {"pressure_mpa", s ? s->pressure_mpa : (double)NAN},
                 {"peak_mpa", s ? s->peak_mpa : (double)NAN},
                 {"force_n", moment ? length_of(moment->force) : (double)NAN},
                 {"ligament_peak_mpa", ligament ? ligament->peak_mpa : (double)NAN},
                 {"ligament_stretch", ligament ? ligament->stretch : (double)NAN}};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i) {
    snprintf(column, sizeof column, "%s_%s", when, columns[i].name);
    expect(row, column, columns[i].value);
  }
}

/* Two legs of the motion, 20 degrees of flexion and 10 of rotation, in steps of 10: four moments. */
static void an_osteotomy_has_a_row_for_each_moment(void **state) {
  (void)state;
  syn_congruity_moment moments[] = {some_moment(), some_moment(), some_moment(), some_moment()};
  syn_congruity_path path = {.moment_count = 4, .moments = moments};
  syn_congruity before = {.path_count = 1, .paths = &path};
  syn_ligament_row rows[] = {some_ligament_row(), some_ligament_row(), some_ligament_row()};
  const double ten = 10 * SYN_DEGREE;
  const syn_osteotomy made = {.options = {.cartilage = {.step = ten}},
                              .points = {{0, 0, 0}, {2 * ten, 0, 0}, {2 * ten, 0, ten}},
                              .before = {.congruity = &before},
                              .after = {.row_count = 3, .rows = rows}};
  static const double flexion[] = {0, 10, 20, 20}, rotation[] = {0, 0, 0, 10};
  write_and_read(&syn_osteotomy_csv, &made);
  for (size_t row = 0; row < 4; ++row) {
    expect(row, "flexion_deg", flexion[row]);
    expect(row, "rotation_deg", rotation[row]);
    expect_operated(row, "before", &moments[row], NULL);
    expect_operated(row, "after", NULL, row < 3 ? &rows[row] : NULL);
  }
  end_table(4);
}

/* ---- range of motion ----------------------------------------------------------------------------------------------
 */

static syn_limit some_limit(syn_limit_state state) {
  return (syn_limit){.state = state, .angle = state == SYN_LIMIT_STOPPED ? another() / 100 : (double)NAN};
}

static void a_sweep_has_a_row_for_each_axis(void **state) {
  (void)state;
  syn_sweep_limit sweep[] = {{.axis_angle = another() / 100,
                              .positive = some_limit(SYN_LIMIT_STOPPED),
                              .negative = some_limit(SYN_LIMIT_NO_STOP)},
                             {.axis_angle = another() / 100,
                              .positive = some_limit(SYN_LIMIT_NO_FREE_POSE),
                              .negative = some_limit(SYN_LIMIT_STOPPED)}};
  const syn_hip_analysis analysis = {.sweep = sweep, .sweep_count = 2};
  write_and_read(&syn_sweep_csv, &analysis);
  for (size_t row = 0; row < 2; ++row) {
    const double axis = strtod(cell(row, "axis_deg"), NULL);
    assert_true(fabs(axis - sweep[row].axis_angle * SYN_RADIAN) < 1e-4 * axis); /* six digits */
    expect(row, "positive_deg", sweep[row].positive.angle * SYN_RADIAN);
    expect_text(row, "positive_state", syn_limit_state_name(sweep[row].positive.state));
    expect(row, "negative_deg", sweep[row].negative.angle * SYN_RADIAN);
    expect_text(row, "negative_state", syn_limit_state_name(sweep[row].negative.state));
  }
  end_table(2);
}

static void expect_turn(size_t row, const char *way, syn_limit_state state, double angle,
                        const syn_contact_place *place) {
  char column[64];
#define OF_WAY(NAME) (snprintf(column, sizeof column, "%s_" NAME, way), column)
  expect_text(row, OF_WAY("state"), syn_limit_state_name(state));
  const char *text = cell(row, OF_WAY("rotation_deg"));
  if (state == SYN_LIMIT_STOPPED)
    assert_true(fabs(strtod(text, NULL) - angle * SYN_RADIAN) < 1e-4);
  else
    assert_string_equal(text, "");
  expect_text(row, OF_WAY("femur_region"), syn_femur_region_name(place->femur));
  expect_text(row, OF_WAY("pelvis_region"), syn_pelvis_region_name(place->pelvis));
  expect(row, OF_WAY("femur_clock"), place->femur_hour);
  expect(row, OF_WAY("pelvis_clock"), place->pelvis_hour);
  expect_text(row, OF_WAY("inside_joint"), place->inside_joint ? "yes" : "no");
}

static void an_envelope_has_a_row_for_each_cell(void **state) {
  (void)state;
  double internal[] = {another() / 100, another() / 100}, external[] = {another() / 100, another() / 100};
  syn_limit_state inward[] = {SYN_LIMIT_STOPPED, SYN_LIMIT_NO_STOP};
  syn_limit_state outward[] = {SYN_LIMIT_NO_FREE_POSE, SYN_LIMIT_STOPPED};
  syn_contact_place places[] = {{SYN_FEMUR_NECK, SYN_PELVIS_RIM, 1.5, 2.25, true},
                                {SYN_FEMUR_HEAD, SYN_PELVIS_RIM, 3.5, 4.25, false}};
  syn_contact_place outer[] = {{SYN_FEMUR_HEAD, SYN_PELVIS_RIM, 5.5, 6.25, false},
                               {SYN_FEMUR_NECK, SYN_PELVIS_RIM, 7.5, 8.25, true}};
  const syn_envelope envelope = {.flexion_count = 2,
                                 .adduction_count = 1,
                                 .flexion_from = 10 * SYN_DEGREE,
                                 .adduction_from = -20 * SYN_DEGREE,
                                 .step = 5 * SYN_DEGREE,
                                 .internal = internal,
                                 .external = external,
                                 .internal_states = inward,
                                 .external_states = outward,
                                 .places = places,
                                 .external_places = outer};
  write_and_read(&syn_envelope_csv, &envelope);
  for (size_t row = 0; row < 2; ++row) {
    expect(row, "flexion_deg", row ? 15 : 10);
    expect(row, "adduction_deg", -20);
    expect_turn(row, "internal", inward[row], internal[row], &places[row]);
    expect_turn(row, "external", outward[row], external[row], &outer[row]);
  }
  end_table(2);
}

/* ---- pressure -----------------------------------------------------------------------------------------------------
 */

static syn_pressure_part some_part(void) {
  return (syn_pressure_part){another(), another(), another(),           another(), {another(), another(), another()},
                             another(), another(), SYN_TISSUE_CARTILAGE};
}

static void expect_part(size_t row, const char *prefix, const syn_pressure_part *part) {
  char column[64];
  const struct {
    const char *name;
    double value;
  } columns[] = {{"peak_mpa", part->peak_mpa},
                 {"mean_mpa", part->mean_mpa},
                 {"area_mm2", part->area_mm2},
                 {"force_n", part->force_n},
                 {"center_of_pressure_x", part->center.x},
                 {"center_of_pressure_y", part->center.y},
                 {"center_of_pressure_z", part->center.z},
                 {"von_mises_mpa", part->von_mises_mpa},
                 {"principal_mpa", part->principal_mpa}};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i) {
    snprintf(column, sizeof column, "%s%s", prefix, columns[i].name);
    expect(row, column, columns[i].value);
  }
}

static void pressures_have_a_row_for_each_step(void **state) {
  (void)state;
  double times[] = {another(), another()};
  syn_pressure_step steps[2];
  const syn_pressure_part beside = some_part();
  for (size_t i = 0; i < 2; ++i)
    steps[i] = (syn_pressure_step){.loaded = {.at = another(),
                                              .time_s = times[i],
                                              .angles = {another() / 100, another() / 100, another() / 100},
                                              .force = {another(), another(), another()}},
                                   .shift = {another(), another(), another()},
                                   .total = some_part(),
                                   .regions = {some_part(), some_part()},
                                   .iterations = (uint32_t)another(),
                                   .strain = another(),
                                   .marks = i ? 1U << SYN_PRESSURE_STRAIN | 1U << SYN_PRESSURE_BARE_BONE : 0};
  steps[0].foundation = &beside;
  const syn_pressure run = {.socket = {.region_count = 2, .tissues = {SYN_TISSUE_CARTILAGE, SYN_TISSUE_LABRUM}},
                            .step_count = 2,
                            .steps = steps};
  write_and_read(&syn_pressure_csv, &run);
  for (size_t row = 0; row < 2; ++row) {
    const syn_pressure_step *s = &steps[row];
    expect(row, "at", s->loaded.at);
    expect(row, "time_s", times[row]);
    expect(row, "flexion_deg", s->loaded.angles[0] * SYN_RADIAN);
    expect(row, "adduction_deg", s->loaded.angles[1] * SYN_RADIAN);
    expect(row, "rotation_deg", s->loaded.angles[2] * SYN_RADIAN);
    expect(row, "load_n", length_of(s->loaded.force));
    expect(row, "foundation_peak_mpa", row ? (double)NAN : beside.peak_mpa);
    expect(row, "foundation_mean_mpa", row ? (double)NAN : beside.mean_mpa);
    expect(row, "foundation_area_mm2", row ? (double)NAN : beside.area_mm2);
    expect(row, "shift_mm_x", s->shift.x);
    expect(row, "shift_mm_y", s->shift.y);
    expect(row, "shift_mm_z", s->shift.z);
    expect(row, "iterations", s->iterations);
    expect(row, "strain", s->strain);
    expect(row, "valid", !row);
    expect_part(row, "", &s->total);
    expect_part(row, "cartilage_", &s->regions[0]);
    expect_part(row, "labrum_", &s->regions[1]);
    expect_text(row, "marks", row ? "bare_bone strain" : "");
  }
  end_table(2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(congruity_has_a_row_for_each_moment),
      cmocka_unit_test(ligaments_have_a_row_for_each_angle_or_tick),
      cmocka_unit_test(a_graft_has_a_row_for_each_angle_of_each_plan),
      cmocka_unit_test(a_resection_has_a_row_for_each_step),
      cmocka_unit_test(an_osteotomy_has_a_row_for_each_moment),
      cmocka_unit_test(a_sweep_has_a_row_for_each_axis),
      cmocka_unit_test(an_envelope_has_a_row_for_each_cell),
      cmocka_unit_test(pressures_have_a_row_for_each_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
