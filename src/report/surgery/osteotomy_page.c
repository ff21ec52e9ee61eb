/* An osteotomy as a page: the hip after it, with the motion before and after. */
#include <math.h>

#include "report/surgery/tissue_operation_page.h"

#include <synovia/osteotomy.h>

enum { LIMIT_COLUMNS = 5, MOST_TABLES = 4, MOST_MOTIONS = 2 };

/* ---- words ---------------------------------------------------------------------------------------------------------
 */

static double mean_area(const syn_congruity_path *p) {
  double sum = 0;
  for (size_t i = 0; i < p->moment_count; ++i) sum += p->moments[i].surfaces[SYN_CONGRUITY_ACETABULAR].contact_mm2;
  return p->moment_count ? sum / (double)p->moment_count : (double)NAN;
}

static double most_pressure(const syn_congruity_path *p) {
  return p->moment_count ? p->moments[syn_congruity_worst(p)].surfaces[SYN_CONGRUITY_ACETABULAR].pressure_mpa
                         : (double)NAN;
}

static const char *motion_sentence(tissue_writing *w, const syn_osteotomy *o, size_t m) {
  const syn_osteotomy_motion *before = &o->before.motions[m], *after = &o->after.motions[m];
  char words[2][96];
  return hip_text(&w->hip, "%s: %s before, %s after.", before->motion->label,
                  syn_hip_limit_words(&before->limit, words[0]), syn_hip_limit_words(&after->limit, words[1]));
}

static syn_status fill_summary(tissue_writing *w, const syn_osteotomy *o, syn_error *error) {
  const char **summary;
  size_t count = 0;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &summary, o->motion_count + 3, error));
  summary[count++] =
      hip_text(&w->hip,
               "Turning the shaft by %.0f° into %s changes the neck-shaft angle from %s to %s. With "
               "the knee in its place the shaft is %.1f mm further %s and %.1f mm %s.",
               fabs(o->options.varus) * SYN_RADIAN, o->options.varus < 0 ? "valgus" : "varus",
               syn_hip_degrees(&w->hip, o->before.neck_shaft_deg), syn_hip_degrees(&w->hip, o->after.neck_shaft_deg),
               fabs(o->shift_medial_mm), o->shift_medial_mm < 0 ? "lateral" : "medial", fabs(o->shift_up_mm),
               o->shift_up_mm < 0 ? "lower" : "higher");
  if (o->before.congruity && o->after.congruity) {
    const syn_congruity_path *before = o->before.congruity->paths, *after = o->after.congruity->paths;
    summary[count++] =
        hip_text(&w->hip,
                 "In 90° of flexion with %.0f° of internal rotation the cartilages touch on %.0f mm² on "
                 "average before and on %.0f mm² after; the greatest contact pressure is %.2f and %.2f kPa.",
                 o->options.rotation * SYN_RADIAN, mean_area(before), mean_area(after), most_pressure(before) * 1e3,
                 most_pressure(after) * 1e3);
  }
  for (size_t m = 0; m < o->motion_count; ++m) summary[count++] = motion_sentence(w, o, m);
  w->hip.report.summary = summary;
  w->hip.report.summary_count = count;
  return SYN_OK;
}

/* ---- tables --------------------------------------------------------------------------------------------------------
 */

static syn_report_cell limit_cell(const syn_hip_limit *limit) {
  const syn_limit_state state = syn_hip_limit_state(limit);
  if (state == SYN_LIMIT_STOPPED) return syn_filled_number(syn_hip_limit_deg(limit));
  return syn_filled_words(state == SYN_LIMIT_NO_STOP ? "no stop" : "no free pose");
}

static syn_status fill_limits(tissue_writing *w, const syn_osteotomy *o, syn_report_table *table, syn_error *error) {
  static const syn_report_column columns[LIMIT_COLUMNS] = {{"motion", "Motion", "", false},
                                                           {"before", "Before", "°", true},
                                                           {"after", "After", "°", true},
                                                           {"gain", "Gain", "°", true},
                                                           {"where", "It then ends at", "", false}};
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &cells, LIMIT_COLUMNS * o->motion_count, error));
  for (size_t m = 0; m < o->motion_count; ++m) {
    const syn_osteotomy_motion *after = &o->after.motions[m];
    char words[96];
    syn_report_cell *row = cells + LIMIT_COLUMNS * m;
    row[0] = syn_filled_words(after->motion->label);
    row[1] = limit_cell(&o->before.motions[m].limit);
    row[2] = limit_cell(&after->limit);
    row[3] = syn_filled_number(after->gain_deg);
    row[4] = syn_filled_words(hip_text(&w->hip, "%s", syn_contact_place_words(&after->place, words)));
  }
  *table = (syn_report_table){"limits",
                              "Range of motion",
                              "Bone to bone, by the angles of the shaft.",
                              columns,
                              LIMIT_COLUMNS,
                              o->motion_count,
                              cells,
                              NULL};
  return SYN_OK;
}

static syn_status fill_ligament(tissue_writing *w, const syn_osteotomy *o, syn_report_table *table, syn_error *error) {
  enum { COLUMNS = 5 };
  static const syn_report_column columns[COLUMNS] = {{"angle", "Flexion and rotation together", "°", true},
                                                     {"before", "Greatest stress before", "kPa", true},
                                                     {"after", "after", "kPa", true},
                                                     {"stretch_before", "Stretch before", "", true},
                                                     {"stretch_after", "after", "", true}};
  const size_t rows = o->before.row_count < o->after.row_count ? o->before.row_count : o->after.row_count;
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &cells, COLUMNS * rows, error));
  for (size_t i = 0; i < rows; ++i) {
    const syn_ligament_row *before = &o->before.rows[i], *after = &o->after.rows[i];
    const double row[COLUMNS] = {before->angle * SYN_RADIAN, before->peak_mpa * 1e3, after->peak_mpa * 1e3,
                                 before->stretch, after->stretch};
    for (size_t k = 0; k < COLUMNS; ++k) cells[i * COLUMNS + k] = syn_filled_number(row[k]);
  }
  *table = (syn_report_table){"ligament",
                              hip_text(&w->hip, "The %s ligament", syn_hip_ligament_name(o->options.ligament)),
                              "It grew before the operation and is free of stress in that position of the meshes.",
                              columns,
                              COLUMNS,
                              rows,
                              cells,
                              NULL};
  return SYN_OK;
}

/* ---- both motions --------------------------------------------------------------------------------------------------
 */

/* Both hips have the same cartilages in the same mesh position: one body shows the fields of both motions. */
static syn_status fill_cartilages(tissue_writing *w, const syn_osteotomy *o, syn_report_motion *motions,
                                  syn_report_table *tables, syn_error *error) {
  const syn_congruity *const both[] = {o->after.congruity, o->before.congruity};
  static const char *const prefixes[] = {"after-", "before-"}, *const labels[] = {", after", ", before"};
  congruity_part parts[2];
  for (int k = 0; k < 2; ++k) {
    SYN_TRY(syn_congruity_fill(w, both[k], prefixes[k], labels[k], &parts[k], error));
    motions[k] = parts[k].motions[0];
    tables[k] = parts[k].tables[0];
  }
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    syn_report_body *body = syn_tissue_body(w, both[0]->surfaces[side]);
    const size_t each = parts[0].field_count;
    syn_report_field *fields;
    syn_report_vectors *vectors;
    SYN_TRY(SYN_TAKE(&w->hip.arena, &fields, 2 * each, error));
    SYN_TRY(SYN_TAKE(&w->hip.arena, &vectors, 2, error));
    for (size_t i = 0; i < 2 * each; ++i) fields[i] = parts[i / each].fields[side][i % each];
    for (int k = 0; k < 2; ++k) vectors[k] = parts[k].vectors[side][0];
    body->fields = fields;
    body->field_count = 2 * each;
    body->vectors = vectors;
    body->vector_count = 2;
  }
  return SYN_OK;
}

static syn_status fill_page(tissue_writing *w, const syn_osteotomy *o, const char *title, syn_error *error) {
  const bool soft = o->before.congruity && o->after.congruity;
  syn_report_motion *motions;
  syn_report_table *tables;
  size_t count = 1;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &motions, MOST_MOTIONS, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &tables, MOST_TABLES, error));
  for (int side = 0; soft && side < SYN_CONGRUITY_SIDES; ++side)
    w->shown.hip.parts[syn_congruity_part((syn_congruity_side)side)] = o->after.congruity->surfaces[side];
  SYN_TRY(syn_tissue_fill_page(w, title, "intertrochanteric osteotomy", error));
  SYN_TRY(fill_summary(w, o, error));
  SYN_TRY(fill_limits(w, o, &tables[0], error));
  if (soft) SYN_TRY(fill_cartilages(w, o, motions, &tables[count], error));
  if (soft) count += 2;
  if (o->before.row_count && o->after.row_count) SYN_TRY(fill_ligament(w, o, &tables[count++], error));
  w->hip.report.motions = motions;
  w->hip.report.motion_count = soft ? MOST_MOTIONS : 0;
  w->hip.report.tables = tables;
  w->hip.report.table_count = count;
  return SYN_OK;
}

/* ---- files ---------------------------------------------------------------------------------------------------------
 */

static syn_status write_rest(tissue_writing *w, const syn_osteotomy *o, syn_outbox *outbox, const char *hidden,
                             syn_error *error) {
  const char *table = hip_text(&w->hip, "%s/osteotomy.csv", hidden),
             *bone = hip_text(&w->hip, "%s/femur_after.ply", hidden);
  const syn_geometry geometry = syn_trimesh_geometry(o->after.femur);
  SYN_TRY(syn_arena_check(&w->hip.arena, error));
  SYN_TRY(syn_osteotomy_write_csv(w->hip.context, o, table, error));
  SYN_TRY(syn_outbox_add(outbox, table, error));
  SYN_TRY(syn_geometry_write(w->hip.context, &geometry, bone, NULL, error));
  SYN_TRY(syn_outbox_add(outbox, bone, error));
  if (o->before.congruity)
    SYN_TRY(syn_congruity_write_frames(w->hip.context, o->before.congruity, "before-", hidden, outbox, error));
  if (o->after.congruity)
    SYN_TRY(syn_congruity_write_frames(w->hip.context, o->after.congruity, "after-", hidden, outbox, error));
  return SYN_OK;
}

syn_status syn_osteotomy_stage(const syn_context *context, const syn_osteotomy *osteotomy, const char *title,
                               const syn_provenance *provenance, syn_outbox *outbox, const char *folder,
                               syn_error *error) {
  tissue_writing w;
  syn_context named;
  const char *hidden;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  syn_tissue_begin(&w, context, &osteotomy->after.hip_case, provenance);
  syn_status status = syn_hip_name_files(&w.hip, title, &named, error);
  if (!status) status = fill_page(&w, osteotomy, title, error);
  if (!status) status = syn_tissue_write_page(&w, hidden, outbox, error);
  if (!status) status = write_rest(&w, osteotomy, outbox, hidden, error);
  syn_arena_release(&w.hip.arena);
  return status;
}

static syn_status stage(const syn_context *context, const void *object, const char *title,
                        const syn_provenance *provenance, syn_outbox *outbox, const char *folder, syn_error *error) {
  return syn_osteotomy_stage(context, object, title, provenance, outbox, folder, error);
}

syn_status syn_osteotomy_write_files(const syn_context *context, const syn_osteotomy *osteotomy, const char *title,
                                     const syn_provenance *provenance, const char *folder, syn_error *error) {
  return syn_tissue_publish(context, stage, osteotomy, title, provenance, folder, error);
}
