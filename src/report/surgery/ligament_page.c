/* A ligament of a hip as a page: how it deforms and is stressed, and the search for its modulus. */
#include <math.h>

#include "report/surgery/tissue_operation_page.h"

enum { CURVES = 5 };

/* ---- motions -------------------------------------------------------------------------------------------------------
 */

static double value_of(const syn_ligament_row *r, size_t curve) {
  const double values[CURVES] = {r->peak_mpa, r->middle_mpa, r->mean_mpa, r->stretch, r->tension_n};
  return values[curve];
}

static syn_status fill_motion(tissue_writing *w, const char *name, const char *label, const syn_clinical_motion *motion,
                              const syn_ligament_row *rows, size_t count, syn_report_motion *out, syn_error *error) {
  static const syn_report_curve shown[CURVES] = {{"peak", "Greatest stress", "MPa", NULL},
                                                 {"middle", "Greatest stress of the middle", "MPa", NULL},
                                                 {"mean", "Mean stress of the middle", "MPa", NULL},
                                                 {"stretch", "Stretch of the middle fibre", "", NULL},
                                                 {"tension", "Force on the pelvis", "N", NULL}};
  syn_report_curve *curves;
  syn_pose *poses;
  double *along;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &curves, CURVES, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &poses, count, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &along, count, error));
  for (size_t k = 0; k < CURVES; ++k) {
    double *values;
    SYN_TRY(SYN_TAKE(&w->hip.arena, &values, count, error));
    for (size_t i = 0; i < count; ++i) values[i] = value_of(&rows[i], k);
    curves[k] = shown[k];
    curves[k].values = values;
  }
  for (size_t i = 0; i < count; ++i) {
    along[i] = rows[i].angle * SYN_RADIAN;
    poses[i] = syn_hip_pose(&w->shown.hip, syn_hip_angles_along(motion, rows[i].angle));
  }
  *out = (syn_report_motion){.name = name,
                             .label = label,
                             .poses = poses,
                             .pose_count = count,
                             .along_label = "Angle",
                             .along_unit = "°",
                             .along = along,
                             .curves = curves,
                             .curve_count = CURVES};
  return SYN_OK;
}

/* ---- the ligament --------------------------------------------------------------------------------------------------
 */

/* One motion of the ligament: what it is at every vertex of its surface, row by row. */
typedef struct deformation {
  const syn_clinical_motion *motion;
  size_t row_count;
  const syn_vec3 *places;
  const double *stress_mpa;
} deformation;

/* Its stress and where it is, at every step of one motion. Fields of one name and different motions are one field to a
 * reader. */
static syn_status deform_ligament(tissue_writing *w, const syn_trimesh *surface, const deformation *of,
                                  syn_report_field *stress, syn_report_vectors *displacement, syn_error *error) {
  const uint32_t vertices = surface->vertex_count;
  const char *motion = of->row_count > 1 ? of->motion->name : NULL;
  syn_vec3 *way;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &way, of->row_count * vertices, error));
  for (size_t i = 0; i < of->row_count * vertices; ++i)
    way[i] = vec3_sub(of->places[i], surface->vertices[i % vertices]);
  *stress = (syn_report_field){.name = "stress",
                               .label = "Stress",
                               .unit = "MPa",
                               .values = of->stress_mpa,
                               .steps = of->row_count,
                               .motion = motion};
  *displacement = (syn_report_vectors){.name = "displacement",
                                       .label = "Displacement",
                                       .unit = "mm",
                                       .values = way,
                                       .steps = of->row_count,
                                       .motion = motion,
                                       .displaces = true};
  return SYN_OK;
}

/* The ligament as one more body, with its stress and its displacement in each motion. */
static syn_status add_ligament(tissue_writing *w, syn_hip_ligament kind, const syn_trimesh *surface,
                               const deformation *motions, size_t motion_count, syn_error *error) {
  const size_t count = w->hip.report.body_count;
  syn_report_body *bodies;
  syn_report_field *fields;
  syn_report_vectors *vectors;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &bodies, count + 1, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &fields, motion_count, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &vectors, motion_count, error));
  for (size_t i = 0; i < count; ++i) bodies[i] = w->hip.report.bodies[i];
  for (size_t m = 0; m < motion_count; ++m)
    SYN_TRY(deform_ligament(w, surface, &motions[m], &fields[m], &vectors[m], error));
  const syn_body ligament = {.name = syn_hip_ligament_name(kind), .tissue = SYN_TISSUE_LIGAMENT, .surface = surface};
  bodies[count] = (syn_report_body){.body = ligament,
                                    .label = syn_filled_capital(hip_text(&w->hip, "%s", ligament.name)),
                                    .fields = fields,
                                    .field_count = motion_count,
                                    .vectors = vectors,
                                    .vector_count = motion_count};
  w->hip.report.bodies = bodies;
  w->hip.report.body_count = count + 1;
  return SYN_OK;
}

/* ---- range of motion -----------------------------------------------------------------------------------------------
 */

static const char *limit_sentence(tissue_writing *w, const syn_ligament_rom *rom, const syn_ligament_motion *m) {
  char words[96];
  const char *bones = syn_hip_limit_words(&m->bones, words);
  if (!isfinite(m->limit.angle))
    return hip_text(&w->hip, "%s: the stress of %.2f MPa is not reached; bones alone: %s.", m->motion->label,
                    rom->options.failure.mean_mpa, bones);
  return hip_text(&w->hip, "%s: the ligament reaches %.2f MPa at %s; bones alone: %s.", m->motion->label,
                  rom->options.failure.mean_mpa, syn_hip_degrees(&w->hip, m->limit.angle * SYN_RADIAN), bones);
}

static syn_status fill_rom(tissue_writing *w, const syn_ligament_rom *rom, const char *title, syn_error *error) {
  const char **summary;
  syn_report_motion *motions;
  deformation *all;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &summary, rom->motion_count + 1, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &motions, rom->motion_count, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &all, rom->motion_count, error));
  SYN_TRY(syn_tissue_fill_page(w, title, "motion limited by a ligament", error));
  for (size_t m = 0; m < rom->motion_count; ++m) {
    const syn_ligament_motion *of = &rom->motions[m];
    summary[m] = limit_sentence(w, rom, of);
    all[m] = (deformation){of->motion, of->row_count, of->places, of->stress_mpa};
    SYN_TRY(
        fill_motion(w, of->motion->name, of->motion->label, of->motion, of->rows, of->row_count, &motions[m], error));
  }
  summary[rom->motion_count] = hip_text(
      &w->hip, "The %s ligament is %.1f mm long and %.1f mm wide, with %g MPa along its fibres.",
      syn_hip_ligament_name(rom->options.ligament), rom->length_mm, rom->width_mm, rom->options.tissue.young_mpa);
  w->hip.report.summary = summary;
  w->hip.report.summary_count = rom->motion_count + 1;
  w->hip.report.motions = motions;
  w->hip.report.motion_count = rom->motion_count;
  return add_ligament(w, rom->options.ligament, rom->surface, all, rom->motion_count, error);
}

syn_status syn_ligament_rom_stage(const syn_context *context, const syn_hip_case *hip_case, const syn_ligament_rom *rom,
                                  const char *title, const syn_provenance *provenance, syn_outbox *outbox,
                                  const char *folder, syn_error *error) {
  tissue_writing w;
  syn_context named;
  const char *hidden;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  syn_tissue_begin(&w, context, hip_case, provenance);
  const char *table = hip_text(&w.hip, "%s/ligament.csv", hidden);
  syn_status status = syn_hip_name_files(&w.hip, title, &named, error);
  if (!status) status = fill_rom(&w, rom, title, error);
  if (!status) status = syn_tissue_write_page(&w, hidden, outbox, error);
  if (!status) status = syn_ligament_rom_write_csv(&named, rom, table, error);
  if (!status) status = syn_outbox_add(outbox, table, error);
  syn_arena_release(&w.hip.arena);
  return status;
}

/* ---- stiffness -----------------------------------------------------------------------------------------------------
 */

static syn_status fill_ticks(tissue_writing *w, const syn_ligament_stiffness *s, syn_error *error) {
  enum { COLUMNS = 3 };
  static const syn_report_column columns[COLUMNS] = {
      {"time", "Time", "s", true}, {"young", "Young's modulus", "MPa", true}, {"stress", "Stress", "MPa", true}};
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &cells, COLUMNS * s->tick_count, error));
  for (size_t i = 0; i < s->tick_count; ++i) {
    const double row[COLUMNS] = {s->ticks[i].time_s, s->ticks[i].young_mpa, s->ticks[i].stress_mpa};
    for (size_t k = 0; k < COLUMNS; ++k) cells[COLUMNS * i + k] = syn_filled_number(row[k]);
  }
  w->hip.tables[0] =
      (syn_report_table){"ticks", "Search for the modulus", NULL, columns, COLUMNS, s->tick_count, cells, NULL};
  w->hip.report.tables = w->hip.tables;
  w->hip.report.table_count = 1;
  return SYN_OK;
}

static syn_status fill_stiffness(tissue_writing *w, const syn_ligament_stiffness *s, const char *title,
                                 syn_error *error) {
  const syn_ligament_stiffness_options *o = &s->options;
  const char **summary;
  syn_report_motion *motion;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &summary, 1, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &motion, 1, error));
  SYN_TRY(syn_tissue_fill_page(w, title, "stiffness of a ligament", error));
  summary[0] = isfinite(s->exact_mpa)
                   ? hip_text(&w->hip,
                              "If the %s ligament fails with %.2f MPa at %s (%s), its modulus along the fibres is %.2f "
                              "MPa.",
                              syn_hip_ligament_name(o->ligament), o->stress_mpa,
                              syn_hip_degrees(&w->hip, o->angle * SYN_RADIAN), o->motion->label, s->exact_mpa)
                   : hip_text(&w->hip, "A modulus of up to %g MPa does not give the %s ligament %.2f MPa at %s.",
                              o->most_mpa, syn_hip_ligament_name(o->ligament), o->stress_mpa,
                              syn_hip_degrees(&w->hip, o->angle * SYN_RADIAN));
  SYN_TRY(fill_motion(w, o->motion->name, o->motion->label, o->motion, s->rows, s->row_count, motion, error));
  w->hip.report.summary = summary;
  w->hip.report.summary_count = 1;
  w->hip.report.motions = motion;
  w->hip.report.motion_count = 1;
  const deformation way = {o->motion, s->row_count, s->places, s->stress_mpa};
  SYN_TRY(add_ligament(w, o->ligament, s->surface, &way, 1, error));
  return fill_ticks(w, s, error);
}

syn_status syn_ligament_stiffness_stage(const syn_context *context, const syn_hip_case *hip_case,
                                        const syn_ligament_stiffness *stiffness, const char *title,
                                        const syn_provenance *provenance, syn_outbox *outbox, const char *folder,
                                        syn_error *error) {
  tissue_writing w;
  syn_context named;
  const char *hidden;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  syn_tissue_begin(&w, context, hip_case, provenance);
  const char *table = hip_text(&w.hip, "%s/ligament.csv", hidden);
  syn_status status = syn_hip_name_files(&w.hip, title, &named, error);
  if (!status) status = fill_stiffness(&w, stiffness, title, error);
  if (!status) status = syn_tissue_write_page(&w, hidden, outbox, error);
  if (!status) status = syn_ligament_stiffness_write_csv(&named, stiffness, table, error);
  if (!status) status = syn_outbox_add(outbox, table, error);
  syn_arena_release(&w.hip.arena);
  return status;
}
