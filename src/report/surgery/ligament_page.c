/* Writes a ligament of a hip as a page: its deformation and stress, and the search for its modulus. */
#include <math.h>

#include "base/vec.h"
#include "clinic/hip.h"
#include "clinic/surgery_rows.h"
#include "report/hip/hip_page.h"
#include <synovia/surgery.h>

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static syn_status add_motion(syn_page *page, const syn_hip *hip, const syn_motion *motion, const syn_ligament_row *rows,
                             size_t count, syn_error *error) {
#define OF(NAME) .offset = offsetof(syn_ligament_row, NAME)
  static const syn_page_column angle = {OF(angle), .factor = SYN_RADIAN};
  static const syn_page_column columns[] = {{"peak", "Greatest stress", "MPa", OF(peak_mpa)},
                                            {"middle", "Greatest stress of the middle", "MPa", OF(middle_mpa)},
                                            {"mean", "Mean stress of the middle", "MPa", OF(mean_mpa)},
                                            {"stretch", "Stretch of the middle fibre", "", OF(stretch)},
                                            {"tension", "Force on the pelvis", "N", OF(tension_n)}};
#undef OF
  const syn_page_rows all = SYN_PAGE_ROWS(rows, count);
  syn_pose *poses;
  SYN_TRY(SYN_TAKE(&page->arena, &poses, count, error));
  for (size_t i = 0; i < count; ++i) poses[i] = syn_hip_pose(hip, syn_hip_angles_along(motion, rows[i].angle));
  syn_report_motion *added =
      syn_page_add_motion(page, (syn_report_motion){.name = motion->name,
                                                    .label = motion->label,
                                                    .poses = poses,
                                                    .pose_count = count,
                                                    .along_label = "Angle",
                                                    .along_unit = "°",
                                                    .along = syn_page_values(page, &angle, all)});
  syn_page_add_curves(page, added, columns, sizeof columns / sizeof *columns, all);
  return SYN_OK;
}

/* Adds the hip, and the ligament as one more body, which deforms. */
static syn_status add_bodies(syn_page *page, const syn_hip_case *hip_case, const char *words, syn_hip_ligament kind,
                             const syn_trimesh *surface, syn_report_body **added, syn_error *error) {
  const syn_body ligament = {.name = syn_hip_ligament_name(kind), .tissue = SYN_TISSUE_LIGAMENT, .surface = surface};
  syn_page_show_hip(page, hip_case, words);
  syn_page_add_hip_notes(page, &(syn_hip_assumed){.hip_case = hip_case});
  syn_page_add_hip_parts(page, &hip_case->hip);
  *added = syn_page_add_body(
      page, (syn_report_body){.body = ligament, .label = syn_filled_capital(syn_page_text(page, "%s", ligament.name))});
  return syn_page_add_hip_inputs(page, hip_case, NULL, error);
}

/* ---- range of motion --------------------------------------------------------------------------------------------- */

static const char *limit_sentence(syn_page *page, const syn_ligament_rom *rom, const syn_ligament_motion *m) {
  char words[96];
  const char *bones = syn_hip_limit_words(&m->bones, words);
  if (!isfinite(m->limit.angle))
    return syn_page_text(page, "%s: the stress of %.2f MPa is not reached; bones alone: %s.", m->motion->label,
                         rom->options.failure_mpa, bones);
  return syn_page_text(page, "%s: the ligament reaches %.2f MPa at %s; bones alone: %s.", m->motion->label,
                       rom->options.failure_mpa, syn_page_quantity(page, m->limit.angle * SYN_RADIAN, "deg"), bones);
}

static syn_status add_rom(syn_publication *to, const void *result, syn_error *error) {
  const syn_ligament_rom *rom = result;
  syn_page *page = &to->page;
  syn_report_body *ligament;
  SYN_TRY(add_bodies(page, rom->hip_case, "motion limited by a ligament", rom->options.ligament, rom->surface,
                     &ligament, error));
  for (size_t m = 0; m < rom->motion_count; ++m) {
    const syn_ligament_motion *of = &rom->motions[m];
    const syn_page_deformation deformed = {of->motion->name, of->row_count, of->places, of->stress_mpa};
    syn_page_add_finding(page, limit_sentence(page, rom, of), NULL);
    SYN_TRY(add_motion(page, &rom->hip_case->hip, of->motion, of->rows, of->row_count, error));
    SYN_TRY(syn_page_add_deformation(page, ligament, &deformed, error));
  }
  syn_page_add_finding(page,
                       syn_page_text(page,
                                     "The %s ligament is %.1f mm long and %.1f mm wide, with %g MPa along its fibres.",
                                     syn_hip_ligament_name(rom->options.ligament), rom->length_mm, rom->width_mm,
                                     rom->options.tissue.young_mpa),
                       NULL);
  return SYN_OK;
}

static syn_status write_rom(syn_publication *to, const void *rom, syn_error *error) {
  const char *path;
  if (!(to->options->what & SYN_PUBLISH_FILES)) return SYN_OK;
  SYN_TRY(syn_publication_path(to, "ligament.csv", &path, error));
  SYN_TRY(syn_csv_write(&to->files, &syn_ligament_rom_csv, rom, path, error));
  return syn_publication_add(to, path, error);
}

static const char *name_rom(syn_publication *to, const void *result) {
  const syn_ligament_rom *rom = result;
  return syn_page_hip_name(&to->page, rom->hip_case->hip.side, to->options->title);
}

const syn_published_kind syn_published_ligament_rom = {.record = &syn_ligament_rom_record,
                                                       .kind = "surgery",
                                                       .command = "surgery ligament-rom",
                                                       .title = "Ligament",
                                                       .name_files = name_rom,
                                                       .add = add_rom,
                                                       .write = write_rom};

/* ---- stiffness --------------------------------------------------------------------------------------------------- */

static const char *modulus_sentence(syn_page *page, const syn_ligament_stiffness *s) {
  const syn_ligament_stiffness_options *o = &s->options;
  const char *name = syn_hip_ligament_name(o->ligament), *angle = syn_page_quantity(page, o->angle * SYN_RADIAN, "deg");
  if (!isfinite(s->exact_mpa))
    return syn_page_text(page, "A modulus of up to %g MPa does not give the %s ligament %.2f MPa at %s.", o->most_mpa,
                         name, o->stress_mpa, angle);
  return syn_page_text(page,
                       "If the %s ligament fails with %.2f MPa at %s (%s), its modulus along the fibres is %.2f MPa.",
                       name, o->stress_mpa, angle, o->motion->label, s->exact_mpa);
}

static syn_status add_stiffness(syn_publication *to, const void *result, syn_error *error) {
  static const syn_page_column ticks[] = {
      {"time", "Time", "s", .offset = offsetof(syn_ligament_tick, time_s)},
      {"young", "Young's modulus", "MPa", .offset = offsetof(syn_ligament_tick, young_mpa)},
      {"stress", "Stress", "MPa", .offset = offsetof(syn_ligament_tick, stress_mpa)}};
  const syn_ligament_stiffness *s = result;
  const syn_ligament_stiffness_options *o = &s->options;
  const syn_page_deformation deformed = {o->motion->name, s->row_count, s->places, s->stress_mpa};
  syn_page *page = &to->page;
  syn_report_body *ligament;
  SYN_TRY(add_bodies(page, s->hip_case, "stiffness of a ligament", o->ligament, s->surface, &ligament, error));
  syn_page_add_finding(page, modulus_sentence(page, s), NULL);
  SYN_TRY(add_motion(page, &s->hip_case->hip, o->motion, s->rows, s->row_count, error));
  SYN_TRY(syn_page_add_deformation(page, ligament, &deformed, error));
  syn_page_add_rows(page, (syn_report_table){.name = "ticks", .title = "Search for the modulus"}, ticks,
                    sizeof ticks / sizeof *ticks, SYN_PAGE_ROWS(s->ticks, s->tick_count));
  return SYN_OK;
}

static syn_status write_stiffness(syn_publication *to, const void *stiffness, syn_error *error) {
  const char *path;
  if (!(to->options->what & SYN_PUBLISH_FILES)) return SYN_OK;
  SYN_TRY(syn_publication_path(to, "ligament.csv", &path, error));
  SYN_TRY(syn_csv_write(&to->files, &syn_ligament_stiffness_csv, stiffness, path, error));
  return syn_publication_add(to, path, error);
}

static const char *name_stiffness(syn_publication *to, const void *result) {
  const syn_ligament_stiffness *s = result;
  return syn_page_hip_name(&to->page, s->hip_case->hip.side, to->options->title);
}

const syn_published_kind syn_published_ligament_stiffness = {.record = &syn_ligament_stiffness_record,
                                                             .kind = "surgery",
                                                             .command = "surgery ligament-stiffness",
                                                             .title = "Ligament",
                                                             .name_files = name_stiffness,
                                                             .add = add_stiffness,
                                                             .write = write_stiffness};
