/* hip: the whole analysis of a person's hip from its meshes. */
#include "hip.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory.h"
#include "hip_files.h"

/* ---- telling ------------------------------------------------------------------------------------------------------
 */

static json_t *overlap_value(const syn_penetration *overlap) {
  if (!overlap->found) return json_null();
  json_t *value = json_object();
  json_object_set_new(value, "depth_mm", cli_real(overlap->depth_mm));
  json_object_set_new(value, "point", syn_json_from_vec3(overlap->point));
  return value;
}

/* Each motion's angle about every known centre, and within the band around the one that was used. */
static json_t *effect_value(const syn_center_effect *e) {
  json_t *all = json_array();
  for (size_t i = 0; i < e->motion_count; ++i) {
    json_t *row = json_object(), *methods = json_object();
    for (int m = 0; m < SYN_CENTER_METHODS; ++m)
      json_object_set_new(methods, syn_center_method_name((syn_center_method)m),
                          cli_real(e->method_angle[(size_t)m * e->motion_count + i] * CLI_DEGREES));
    json_object_set_new(row, "motion", json_string(syn_clinical_motion_at(i)->name));
    json_object_set_new(row, "low_deg", cli_real(e->band_low[i] * CLI_DEGREES));
    json_object_set_new(row, "high_deg", cli_real(e->band_high[i] * CLI_DEGREES));
    json_object_set_new(row, "by_method_deg", methods);
    json_array_append_new(all, row);
  }
  return all;
}

/* Arbabi 2009, Eq. 14: how depths differ from those about dref, by method and principal motion. */
static json_t *depth_effect_value(const syn_center_effect *e) {
  static const char *const motions[SYN_PRINCIPAL_MOTIONS] = {"flexion",           "extension", "internal_rotation",
                                                             "external_rotation", "adduction", "abduction"};
  json_t *all = json_array();
  for (int m = 0; m < SYN_CENTER_METHODS; ++m)
    for (int i = 0; i < SYN_PRINCIPAL_MOTIONS; ++i) {
      if (!isfinite(e->curvilinear_change_mm[m][i])) continue;
      json_t *row = json_object();
      json_object_set_new(row, "method", json_string(syn_center_method_name((syn_center_method)m)));
      json_object_set_new(row, "motion", json_string(motions[i]));
      json_object_set_new(row, "curvilinear_mm", cli_real(e->curvilinear_change_mm[m][i]));
      json_object_set_new(row, "radial_percent", cli_real(e->radial_change_percent[m][i]));
      json_array_append_new(all, row);
    }
  return all;
}

static json_t *center_value(const syn_hip_analysis *a) {
  json_t *value = cli_center_value(a->hip_case);
  if (!a->effect) return value;
  json_object_set_new(value, "band_mm", cli_real(a->effect->band_mm));
  json_object_set_new(value, "effect", effect_value(a->effect));
  if (a->effect->has_depths) json_object_set_new(value, "depth_effect", depth_effect_value(a->effect));
  return value;
}

static json_t *rom_value(const syn_hip_analysis *a) {
  if (!a->rom) return json_null();
  json_t *value = json_object();
  json_object_set_new(value, "motions", cli_limits_value(a));
  json_object_set_new(value, "map", cli_envelope_value(a->envelope));
  json_object_set_new(value, "overlap", overlap_value(&a->overlap));
  return value;
}

static void print_band(const cli_session *session, const syn_hip_analysis *a) {
  static const char *const told[] = {"flexion", "internal_rotation_90"};
  cli_print(session, "\nIf the centre is off by %g mm:", a->effect->band_mm);
  for (size_t k = 0; k < 2; ++k)
    for (size_t i = 0; i < a->effect->motion_count; ++i)
      if (strcmp(syn_clinical_motion_at(i)->name, told[k]) == 0 && isfinite(a->effect->band_low[i]))
        cli_print(session, "%s %s %.1f to %.1f°", k ? "," : "", syn_clinical_motion_at(i)->label,
                  a->effect->band_low[i] * CLI_DEGREES, a->effect->band_high[i] * CLI_DEGREES);
  cli_print(session, ".\n");
}

void cli_tell_hip(cli_session *session, const syn_hip_analysis *a) {
  cli_set(session, "side", json_string(cli_side(a->hip_case->hip.side)));
  cli_set(session, "seat", cli_seat_value(&a->hip_case->hip));
  cli_set(session, "center", center_value(a));
  cli_set(session, "measure", a->has_measures ? cli_measure_value(a->hip_case, &a->measures) : json_null());
  cli_set(session, "rom", rom_value(a));
  cli_set(session, "fai", cli_impingement_value(&a->impingement));
  cli_center_print(session, a->hip_case);
  if (a->has_measures) {
    cli_print(session, "\n");
    cli_measure_print(session, a->hip_case, &a->measures);
  }
  if (a->rom) {
    cli_print(session, "\nRange of motion:\n");
    cli_limits_print(session, a);
  }
  if (a->effect) print_band(session, a);
  cli_print(session, "\n");
  cli_impingement_print(session, &a->impingement);
  if (a->overlap.found) {
    cli_print(session, "\nThe bones overlap as they lie, at %.2f, %.2f, %.2f mm", a->overlap.point.x,
              a->overlap.point.y, a->overlap.point.z);
    if (isfinite(a->overlap.depth_mm)) cli_print(session, ", %.3f mm deep", a->overlap.depth_mm);
    cli_print(session, ": check the segmentation before trusting the range of motion.\n");
  }
}

syn_status cli_write_hip_page(cli_session *session, const syn_hip_analysis *a, const char *kind, const char *title,
                              const char *folder, syn_error *error) {
  const char *hidden;
  SYN_TRY(cli_stage(session, folder, &hidden, error));
  char *path = cli_path(hidden, "report.html");
  const syn_status status = cli_hip_report(session, a, kind, title, path, error);
  free(path);
  if (status != SYN_OK) return status;
  path = cli_path(folder, "report.html");
  cli_set(session, "report", cli_string(path));
  cli_print(session, "\nThe report is %s: open it in a browser.\n", path);
  free(path);
  return cli_write_hip_result(session, hidden, error);
}

syn_status cli_write_hip(cli_session *session, const syn_hip_analysis *a, bool from_joint, const char *kind,
                         const char *title, const char *folder, syn_error *error) {
  const char *hidden;
  SYN_TRY(cli_stage(session, folder, &hidden, error));
  SYN_TRY(cli_write_hip_files(session, a, from_joint, hidden, error));
  return cli_write_hip_page(session, a, kind, title, folder, error);
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status analyse_and_write(cli_session *session, syn_hip_case *hip_case, const char *folder,
                                    syn_error *error) {
  char *joint = cli_path(folder, "joint.json");
  const bool has_joint = session->arguments.operand_count == 1 && access(joint, F_OK) == 0; /* perhaps the very one */
  free(joint);
  syn_hip_analysis *analysis;
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, NULL, &analysis, error));
  cli_tell_hip(session, analysis);
  const syn_status status =
      cli_write_hip(session, analysis, has_joint, "hip", cli_hip_title(session, hip_case, "Hip"), folder, error);
  syn_hip_analysis_destroy(analysis);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  const char *folder = cli_text(&session->arguments, "out", "hip-output");
  syn_hip_case *hip_case;
  SYN_TRY(cli_stage(session, folder, NULL, error));
  SYN_TRY(cli_open_hip(session, false, &hip_case, error));
  const syn_status status = analyse_and_write(session, hip_case, folder, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

static const cli_option options[] = {
    CLI_HIP_PART_OPTIONS,
    CLI_HIP_OPTIONS,
    CLI_TITLE_OPTION,
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .value = "DIR",
     .standard = "hip-output",
     .help = "folder for the report and the files"},
};

const cli_command cli_hip = {
    .name = "hip",
    .summary = "the whole analysis of a person's hip from its meshes",
    .usage = {"PELVIS FEMUR [-o DIR]", "JOINT [-o DIR]"},
    .description =
        "Nothing but the two meshes is needed: side, landmarks, frames and centre are found from their shape. Writes "
        "report.html, a page that needs nothing but a browser; result.json, which is what --json prints, with every "
        "warning; rom.csv; a VTP file per "
        "body with the depths on it for ParaView; hip.glb with the motion; and joint.json to go on with.\n\n"
        "An analysis that was made ends with exit code 0, also where the bones overlap as they lie: `rom.overlap` and "
        "the "
        "warnings tell.\n\n"
        "Meshes in mm, in one frame; --units m converts. Research software, not a medical device.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
