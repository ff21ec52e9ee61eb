/* Draws maps and curves over two parameters of the cases: those that the page describes, else maps of the usual columns
 * if cases of one shape vary exactly two parameters. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "clinic/hip.h"
#include "report/svg/svg.h"
#include "study/study_page.h"

/* ---- study page labrum ----------------------------------------------------------------------------------------- */
/* Shows the labrum of one case coloured by both depths, with the femur at the end of the motion (Arbabi 2009, Fig. 61).
 */

enum { STEPS = 30, FIELDS = 2 };

/* Depths of 0 have no colour. */
static syn_status take_field(syn_study_page *page, const double *depths, size_t count, const double **shown,
                             syn_error *error) {
  double *values;
  SYN_TRY(SYN_TAKE(&page->arena, &values, count, error));
  for (size_t i = 0; i < count; ++i) values[i] = depths[i] > 0 ? depths[i] : (double)NAN;
  *shown = values;
  return SYN_OK;
}

static syn_status take_mesh(syn_study_page *page, const syn_trimesh *mesh, const syn_pose *pose, syn_trimesh **kept,
                            syn_error *error) {
  SYN_TRY(syn_trimesh_transform(mesh, pose, kept, error));
  page->meshes[page->mesh_count++] = *kept;
  return SYN_OK;
}

static syn_status add_bodies(syn_study_page *page, const char *label, const syn_hip *hip, const syn_fai *fai,
                             const syn_pose *last, syn_error *error) {
  const syn_trimesh *labrum = hip->parts[SYN_HIP_LABRUM], *femur = hip->parts[SYN_HIP_FEMUR];
  const syn_pose still = syn_pose_identity();
  const double *curvilinear, *radial;
  syn_trimesh *shown[2];
  syn_report_body *bodies;
  syn_report_field *fields;
  SYN_TRY(SYN_TAKE(&page->arena, &bodies, 2, error));
  SYN_TRY(SYN_TAKE(&page->arena, &fields, FIELDS, error));
  SYN_TRY(take_field(page, fai->labrum_depth_mm, labrum->vertex_count, &curvilinear, error));
  SYN_TRY(take_field(page, fai->labrum_radial_mm, labrum->vertex_count, &radial, error));
  SYN_TRY(take_mesh(page, labrum, &still, &shown[0], error));
  SYN_TRY(take_mesh(page, femur, last, &shown[1], error));
  const char *names[FIELDS] = {syn_study_page_text(page, "%s: depth along the turn", label),
                               syn_study_page_text(page, "%s: depth along the radius", label)};
  fields[0] = (syn_report_field){"curvilinear_depth", names[0], "mm", curvilinear, 1, NULL, 0, 0};
  fields[1] = (syn_report_field){"radial_depth", names[1], "mm", radial, 1, NULL, 0, 0};
  bodies[0] = (syn_report_body){.body = {.name = "labrum", .tissue = SYN_TISSUE_LABRUM, .surface = shown[0]},
                                .label = syn_study_page_text(page, "Labrum, %s", label),
                                .fields = fields,
                                .field_count = FIELDS};
  bodies[1] = (syn_report_body){.body = {.name = "femur", .tissue = SYN_TISSUE_BONE, .surface = shown[1]},
                                .label = "Femur, sitting"};
  page->report.bodies = bodies;
  page->report.body_count = 2;
  return SYN_OK;
}

static syn_status show_labrum(syn_study_page *page, const char *label, const syn_hip *hip, bool bone_only,
                              syn_error *error) {
  const syn_motion_series *series = syn_motion_series_named("stand_to_sit");
  syn_fai_options options = syn_default_fai_options();
  syn_pose poses[STEPS + 1];
  syn_fai *fai;
  if (!hip->parts[SYN_HIP_LABRUM] || !hip->parts[SYN_HIP_FEMUR]) return SYN_OK;
  options.bone_only = bone_only;
  options.between_vertices = false; /* the vertices are coloured */
  syn_motion_series_poses(series, hip, STEPS, poses);
  SYN_TRY(syn_fai_create(&page->quiet, hip, poses, STEPS + 1, &options, &fai, error));
  const syn_status status =
      fai->labrum_depth_mm && fai->labrum_radial_mm ? add_bodies(page, label, hip, fai, &poses[STEPS], error) : SYN_OK;
  syn_fai_destroy(fai);
  return status;
}

static syn_status open_and_show(syn_study_page *page, const char *folder, const syn_study_case *it, const char *label,
                                syn_error *error) {
  syn_hip_input input = syn_default_hip_input();
  syn_hip_case *hip_case;
  syn_error why = {.byte = -1};
  SYN_TRY(
      syn_study_path(&page->arena, folder, syn_study_page_text(page, "%s/joint.json", it->name), &input.joint, error));
  page->quiet = *syn_context_or_default(page->content->context); /* the case has already given the warnings */
  page->quiet.warn = NULL;
  if (syn_hip_case_create(&page->quiet, &input, &hip_case, &why) != SYN_OK) {
    if (why.code != SYN_NO_MEMORY) return SYN_OK; /* the folder holds results only */
    *error = why;
    return SYN_NO_MEMORY;
  }
  const syn_status status = show_labrum(page, label, &hip_case->hip, it->bone_only, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

syn_status syn_study_page_labrum(syn_study_page *page, const char *folder, syn_error *error) {
  const syn_study *study = page->content->shown.study;
  for (size_t k = 0; folder && k < study->plan_count && !page->mesh_count; ++k) {
    const syn_plan_row *labrum = study->plans[k].labrum;
    const size_t i = labrum ? syn_plan_case_at(page, &study->plans[k].grid, labrum->cell) : SIZE_MAX;
    if (i != SIZE_MAX) SYN_TRY(open_and_show(page, folder, &study->cases[i], labrum->label, error));
  }
  return SYN_OK;
}

/* ---- study page plots ------------------------------------------------------------------------------------------ */

enum { MOST_VALUES = 8 /* with legible numbers in the cells */, MOST_MAPS = 4 };

/* ---- maps -------------------------------------------------------------------------------------------------------- */

/* Finds the report of each cell's case; without a report, the link is the tables, which have a row for it. */
static syn_status find_links(syn_study_page *page, const syn_plan_grid *grid, const char ***links, syn_error *error) {
  SYN_TRY(SYN_TAKE(&page->arena, links, plan_cells(grid), error));
  for (size_t k = 0; k < plan_cells(grid); ++k) {
    const char *link = syn_study_page_case_link(page, syn_plan_case_at(page, grid, k));
    (*links)[k] = link ? link : "#tables";
  }
  return SYN_OK;
}

static const char *axis_label(syn_study_page *page, const char *parameter) {
  const syn_report_column axis = syn_plan_axis(page, parameter);
  return syn_study_page_text(page, "%s%s%s", axis.label, *axis.unit ? ", " : "", axis.unit);
}

static syn_report_map *start_map(syn_study_page *page) {
  page->report.maps = page->maps;
  return &page->maps[page->report.map_count++];
}

/* Draws nothing if fewer than two cells are known. */
static syn_status put_grid_map(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_map *map,
                               const double *values, const char *const *texts, syn_error *error) {
  const char **links;
  size_t known = 0;
  for (size_t k = 0; k < plan_cells(grid); ++k) known += !isnan(values[k]);
  if (known < 2) return SYN_OK;
  SYN_TRY(find_links(page, grid, &links, error));
  *start_map(page) = (syn_report_map){.name = map->name,
                                      .label = map->label,
                                      .unit = syn_svg_unit(map->number.unit),
                                      .column_label = axis_label(page, grid->names[1]),
                                      .row_label = axis_label(page, grid->names[0]),
                                      .columns = grid->values[1],
                                      .rows = grid->values[0],
                                      .column_count = grid->counts[1],
                                      .row_count = grid->counts[0],
                                      .values = values,
                                      .texts = texts,
                                      .links = links};
  return SYN_OK;
}

/* Returns the index of a text among the words, and its short text; NAN if it is not among them. */
static double number_of_word(const json_t *words, const char *text, const char **shown) {
  const char *word;
  json_t *value;
  double number = 0;
  json_object_foreach((json_t *)(uintptr_t)words, word, value) {
    if (text && strcmp(text, word) == 0) {
      *shown = json_is_string(value) ? json_string_value(value) : word;
      return number;
    }
    ++number;
  }
  *shown = "";
  return NAN;
}

static syn_status add_grid_map(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_map *map,
                               syn_error *error) {
  double *values, p;
  const char **texts = NULL;
  SYN_TRY(SYN_TAKE(&page->arena, &values, plan_cells(grid), error));
  if (map->words) SYN_TRY(SYN_TAKE(&page->arena, &texts, plan_cells(grid), error));
  for (size_t k = 0; k < plan_cells(grid); ++k) {
    const size_t i = syn_plan_case_at(page, grid, k);
    const json_t *text = map->words && i != SIZE_MAX ? syn_plan_find(page->content->answers[i], map->number.key) : NULL;
    values[k] = map->words ? number_of_word(map->words, json_string_value(text), &texts[k])
                           : syn_plan_number_of(page, &map->number, i, k, &p);
  }
  return put_grid_map(page, grid, map, values, texts, error);
}

/* Draws means over all cases, by the names of rows and columns. */
static syn_status add_mean_map(syn_study_page *page, const syn_plan_map *map, syn_error *error) {
  double *values;
  const char **columns, **rows;
  size_t known = 0;
  SYN_TRY(SYN_TAKE(&page->arena, &values, map->row_count * map->column_count, error));
  SYN_TRY(SYN_TAKE(&page->arena, &columns, map->column_count, error));
  SYN_TRY(SYN_TAKE(&page->arena, &rows, map->row_count, error));
  for (size_t i = 0; i < map->row_count; ++i) {
    rows[i] = map->rows[i].label;
    for (size_t j = 0; j < map->column_count; ++j) {
      columns[j] = map->columns[j].label;
      const double mean = syn_plan_span_of(page, map->columns[j].number.key, map->rows[i].name).mean;
      values[i * map->column_count + j] = mean;
      known += !isnan(mean);
    }
  }
  /* A map without any value is omitted. */
  if (!known) return SYN_OK;
  *start_map(page) = (syn_report_map){.name = map->name,
                                      .label = map->label,
                                      .unit = syn_unit_symbol(map->columns[0].number.unit),
                                      .column_label = map->first,
                                      .column_names = columns,
                                      .row_names = rows,
                                      .column_count = map->column_count,
                                      .row_count = map->row_count,
                                      .values = values};
  return SYN_OK;
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* Draws a curve over the columns of the grid for each row that has a number. */
static syn_status add_curves(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_column *what,
                             syn_error *error) {
  const size_t steps = grid->counts[1];
  const syn_report_column row = syn_plan_axis(page, grid->names[0]), along_axis = syn_plan_axis(page, grid->names[1]);
  const char *between = !*row.unit || strcmp(row.unit, "°") == 0 ? "" : " ";
  syn_report_motion *motion;
  syn_report_curve *curves;
  double *along, *values, p;
  SYN_TRY(syn_study_page_panel(page, syn_study_page_text(page, "over_%s", grid->names[1]), what->label, steps,
                               grid->counts[0], &motion, &curves, &along, error));
  if (!motion) return SYN_OK;
  memcpy(along, grid->values[1], steps * sizeof *along);
  motion->along_label = along_axis.label;
  motion->along_unit = along_axis.unit;
  for (size_t i = 0; i < grid->counts[0]; ++i) {
    size_t known = 0;
    SYN_TRY(SYN_TAKE(&page->arena, &values, steps, error));
    for (size_t j = 0; j < steps; ++j) {
      const size_t cell = i * steps + j;
      values[j] = syn_plan_number_of(page, &what->number, syn_plan_case_at(page, grid, cell), cell, &p);
      known += !isnan(values[j]);
    }
    const char *name = syn_study_page_text(page, "%s %g%s%s", row.label, grid->values[0][i], between, row.unit);
    if (known)
      curves[motion->curve_count++] = (syn_report_curve){name, name, syn_unit_symbol(what->number.unit), values};
  }
  if (motion->curve_count == 0) --page->report.motion_count;
  return SYN_OK;
}

/* ---- default page ------------------------------------------------------------------------------------------------ */

static double parameter_of(const syn_study_case *it, const char *name) {
  for (size_t k = 0; k < it->value_count; ++k)
    if (strcmp(it->values[k].name, name) == 0) return it->values[k].value;
  return NAN;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Counts the distinct values of a parameter among all cases; SIZE_MAX if one of them uses the default. */
static size_t distinct_values(const syn_study *study, const char *name, double *values) {
  size_t count = 0;
  for (size_t i = 0; i < study->case_count; ++i) {
    values[i] = parameter_of(&study->cases[i], name);
    if (isnan(values[i])) return SIZE_MAX;
  }
  qsort(values, study->case_count, sizeof *values, ascending);
  for (size_t i = 0; i < study->case_count; ++i)
    if (i == 0 || values[i] != values[count - 1]) values[count++] = values[i];
  return count;
}

/* Finds two parameters in which cases of one shape differ, if they differ in nothing else. */
static syn_status find_varied(syn_study_page *page, syn_plan_grid *grid, bool *found, syn_error *error) {
  const syn_study *study = page->content->shown.study;
  size_t count = 0;
  *found = false;
  for (size_t i = 0; i < study->case_count; ++i) {
    const syn_study_case *it = &study->cases[i], *first = &study->cases[0];
    if (!it->shape || strcmp(it->shape, first->shape) != 0 || it->value_count != first->value_count) return SYN_OK;
  }
  for (size_t k = 0; study->case_count && k < study->cases[0].value_count; ++k) {
    double *values;
    SYN_TRY(SYN_TAKE(&page->arena, &values, study->case_count, error));
    const size_t distinct = distinct_values(study, study->cases[0].values[k].name, values);
    if (distinct == 1) continue;
    if (distinct > MOST_VALUES || count == 2) return SYN_OK;
    grid->names[count] = study->cases[0].values[k].name;
    grid->values[count] = values;
    grid->counts[count++] = distinct;
  }
  *found = count == 2;
  return SYN_OK;
}

static syn_status add_usual_maps(syn_study_page *page, syn_error *error) {
  static const char *const shown[][5] = {{"fai", "curvilinear_max_mm"},
                                         {"fai", "radial_max_mm"},
                                         {"rom", "motions", "flexion", "angle_deg"},
                                         {"rom", "motions", "internal_rotation_90", "angle_deg"},
                                         {"pressure", "peak_mpa"},
                                         {"center", "spread_mm"},
                                         {"measure", "coverage_percent"}};
  syn_plan_grid grid = {0};
  bool found;
  SYN_TRY(find_varied(page, &grid, &found, error));
  for (size_t m = 0; found && m < sizeof shown / sizeof *shown && page->report.map_count < MOST_MAPS; ++m) {
    const size_t column = syn_study_find_column(page->content, shown[m]);
    if (column == SYN_NO_COLUMN) continue;
    const syn_study_column *its = &page->content->shown.columns[column];
    const syn_plan_map map = {
        .name = its->key, .label = its->label, .number = {.key = its->key, .unit = its->unit, .above = -INFINITY}};
    SYN_TRY(add_grid_map(page, &grid, &map, error));
  }
  return SYN_OK;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static syn_status add_plan(syn_study_page *page, const syn_plan *plan, syn_error *error) {
  for (size_t i = 0; i < plan->table_count; ++i) {
    const syn_plan_table *table = &plan->tables[i];
    SYN_TRY(table->pair_count     ? syn_plan_add_correlations(page, table, error)
            : table->column_count ? syn_plan_add_row_table(page, &plan->grid, table, error)
                                  : syn_plan_add_grid_table(page, &plan->grid, table, error));
  }
  for (size_t i = 0; i < plan->curve_count; ++i) SYN_TRY(add_curves(page, &plan->grid, &plan->curves[i], error));
  for (size_t i = 0; i < plan->map_count; ++i)
    SYN_TRY(plan->maps[i].row_count ? add_mean_map(page, &plan->maps[i], error)
                                    : add_grid_map(page, &plan->grid, &plan->maps[i], error));
  return SYN_OK;
}

size_t syn_study_page_planned(const syn_study *study) {
  size_t count = 0;
  for (size_t i = 0; i < study->plan_count; ++i) count += study->plans[i].table_count;
  return count;
}

syn_status syn_study_page_plans(syn_study_page *page, syn_error *error) {
  const syn_study *study = page->content->shown.study;
  for (size_t i = 0; i < study->plan_count; ++i) SYN_TRY(add_plan(page, &study->plans[i], error));
  return page->report.map_count ? SYN_OK : add_usual_maps(page, error);
}
