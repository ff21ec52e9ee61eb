/* Writes an osteotomy as a page: the hip after it, with the motion before and after. */
#include <math.h>

#include "clinic/hip.h"
#include "clinic/virtual_hip/virtual_hip.h"
#include "report/surgery/congruity_page.h"
#include <synovia/surgery.h>

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static double mean_area(const syn_congruity_path *p) {
  double sum = 0;
  for (size_t i = 0; i < p->moment_count; ++i) sum += p->moments[i].surfaces[SYN_CONGRUITY_ACETABULAR].contact_mm2;
  return p->moment_count ? sum / (double)p->moment_count : (double)NAN;
}

static double most_pressure(const syn_congruity_path *p) {
  return p->moment_count ? p->moments[syn_congruity_worst(p)].surfaces[SYN_CONGRUITY_ACETABULAR].pressure_mpa
                         : (double)NAN;
}

static const char *motion_sentence(syn_page *page, const syn_osteotomy *o, size_t m) {
  const syn_gain *before = &o->before.motions[m], *after = &o->after.motions[m];
  char words[2][96];
  return syn_page_text(page, "%s: %s before, %s after.", before->motion->label,
                       syn_hip_limit_words(&before->limit, words[0]), syn_hip_limit_words(&after->limit, words[1]));
}

static void add_findings(syn_page *page, const syn_osteotomy *o) {
  syn_page_add_finding(
      page,
      syn_page_text(page,
                    "Turning the shaft by %.0f° into %s changes the neck-shaft angle from %s to %s. With "
                    "the knee in its place the shaft is %.1f mm further %s and %.1f mm %s.",
                    fabs(o->options.varus) * SYN_RADIAN, o->options.varus < 0 ? "valgus" : "varus",
                    syn_page_quantity(page, o->before.neck_shaft_deg, "deg"),
                    syn_page_quantity(page, o->after.neck_shaft_deg, "deg"), fabs(o->shift_medial_mm),
                    o->shift_medial_mm < 0 ? "lateral" : "medial", fabs(o->shift_up_mm),
                    o->shift_up_mm < 0 ? "lower" : "higher"),
      NULL);
  if (o->before.congruity && o->after.congruity) {
    const syn_congruity_path *before = o->before.congruity->paths, *after = o->after.congruity->paths;
    syn_page_add_finding(
        page,
        syn_page_text(page,
                      "In 90° of flexion with %.0f° of internal rotation the cartilages touch on %.0f mm² on "
                      "average before and on %.0f mm² after; the greatest contact pressure is %.2f and %.2f kPa.",
                      o->options.rotation * SYN_RADIAN, mean_area(before), mean_area(after),
                      most_pressure(before) * 1e3, most_pressure(after) * 1e3),
        NULL);
  }
  for (size_t m = 0; m < o->motion_count; ++m) syn_page_add_finding(page, motion_sentence(page, o, m), NULL);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static syn_report_cell limit_cell(const syn_limit *limit) {
  const syn_limit_state state = limit->state;
  if (state == SYN_LIMIT_STOPPED) return syn_filled_number(limit->angle * SYN_RADIAN);
  return syn_filled_words(state == SYN_LIMIT_NO_STOP ? "no stop" : "no free pose");
}

static syn_status add_limits(syn_page *page, const syn_osteotomy *o, syn_error *error) {
  static const syn_report_column columns[] = {{"motion", "Motion", "", false},
                                              {"before", "Before", "°", true},
                                              {"after", "After", "°", true},
                                              {"gain", "Gain", "°", true},
                                              {"where", "It then ends at", "", false}};
  const syn_report_table head = {.name = "limits",
                                 .title = "Range of motion",
                                 .note = "Bone to bone, by the angles of the shaft.",
                                 .columns = columns,
                                 .column_count = sizeof columns / sizeof *columns,
                                 .row_count = o->motion_count};
  syn_report_cell *cell;
  SYN_TRY(syn_page_add_table(page, head, &cell, error));
  for (size_t m = 0; m < o->motion_count; ++m) {
    const syn_gain *after = &o->after.motions[m];
    char words[96];
    *cell++ = syn_filled_words(after->motion->label);
    *cell++ = limit_cell(&o->before.motions[m].limit);
    *cell++ = limit_cell(&after->limit);
    *cell++ = syn_filled_number(after->gain_deg);
    *cell++ = syn_filled_words(syn_page_text(page, "%s", syn_contact_place_words(&after->place, words)));
  }
  return SYN_OK;
}

static syn_status add_ligament(syn_page *page, const syn_osteotomy *o, syn_error *error) {
  static const syn_report_column columns[] = {{"angle", "Flexion and rotation together", "°", true},
                                              {"before", "Greatest stress before", "kPa", true},
                                              {"after", "after", "kPa", true},
                                              {"stretch_before", "Stretch before", "", true},
                                              {"stretch_after", "after", "", true}};
  const syn_report_table head = {
      .name = "ligament",
      .title = syn_page_text(page, "The %s ligament", syn_hip_ligament_name(o->options.ligament)),
      .note = "It grew before the operation and is free of stress in that position of the meshes.",
      .columns = columns,
      .column_count = sizeof columns / sizeof *columns,
      .row_count = o->before.row_count < o->after.row_count ? o->before.row_count : o->after.row_count};
  syn_report_cell *cell;
  SYN_TRY(syn_page_add_table(page, head, &cell, error));
  for (size_t i = 0; i < head.row_count; ++i) {
    const syn_ligament_row *before = &o->before.rows[i], *after = &o->after.rows[i];
    const double row[] = {before->angle * SYN_RADIAN, before->peak_mpa * 1e3, after->peak_mpa * 1e3, before->stretch,
                          after->stretch};
    for (size_t k = 0; k < sizeof row / sizeof *row; ++k) *cell++ = syn_filled_number(row[k]);
  }
  return SYN_OK;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

/* Both hips have the same cartilages in the same mesh position, so one body shows the fields of both motions. */
static syn_status add_page(syn_publication *to, const void *result, syn_error *error) {
  const syn_osteotomy *o = result;
  const syn_hip_case *hip_case = &o->after.hip_case;
  const syn_congruity *before = o->before.congruity, *after = o->after.congruity;
  const bool soft = before && after;
  syn_page *page = &to->page;
  const syn_hip shown = soft ? syn_congruity_hip(&hip_case->hip, after) : hip_case->hip;
  syn_page_show_hip(page, hip_case, "intertrochanteric osteotomy");
  syn_page_add_hip_notes(page, &(syn_hip_assumed){.hip_case = hip_case});
  syn_page_add_hip_parts(page, &shown);
  SYN_TRY(syn_page_add_hip_inputs(page, hip_case, NULL, error));
  add_findings(page, o);
  SYN_TRY(add_limits(page, o, error));
  if (soft) {
    const syn_trimesh *const *bodies = (const syn_trimesh *const *)after->surfaces;
    SYN_TRY(syn_page_add_congruity(page, after, bodies, "after-", ", after", error));
    SYN_TRY(syn_page_add_congruity(page, before, bodies, "before-", ", before", error));
  }
  return o->before.row_count && o->after.row_count ? add_ligament(page, o, error) : SYN_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static syn_status write_files(syn_publication *to, const void *result, syn_error *error) {
  const syn_osteotomy *o = result;
  const syn_geometry femur = syn_trimesh_geometry(o->after.femur);
  const char *table, *bone;
  if (!(to->options->what & SYN_PUBLISH_FILES)) return SYN_OK;
  SYN_TRY(syn_publication_path(to, "osteotomy.csv", &table, error));
  SYN_TRY(syn_csv_write(&to->files, &syn_osteotomy_csv, o, table, error));
  SYN_TRY(syn_publication_add(to, table, error));
  SYN_TRY(syn_publication_path(to, "femur_after.ply", &bone, error));
  SYN_TRY(syn_geometry_write(&to->files, &femur, bone, NULL, error));
  SYN_TRY(syn_publication_add(to, bone, error));
  if (o->before.congruity) SYN_TRY(syn_publication_add_congruity(to, o->before.congruity, "before-", error));
  return o->after.congruity ? syn_publication_add_congruity(to, o->after.congruity, "after-", error) : SYN_OK;
}

static const char *name_files(syn_publication *to, const void *result) {
  const syn_osteotomy *o = result;
  return syn_page_hip_name(&to->page, o->after.hip_case.hip.side, to->options->title);
}

const syn_published_kind syn_published_osteotomy = {.record = &syn_osteotomy_record,
                                                    .kind = "surgery",
                                                    .command = "surgery osteotomy",
                                                    .title = "Osteotomy",
                                                    .name_files = name_files,
                                                    .add = add_page,
                                                    .write = write_files};
