/* measure: angles, radii and landmarks of a hip, each beside its published range. */
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "base/status.h"
#include "hip_case.h"

syn_status cli_measure_case(cli_session *session, const syn_hip_case *hip_case, syn_measures *measures,
                            syn_error *error) {
  if (!hip_case->anatomy) return syn_fail(error, SYN_BAD_MESH, "no anatomy was found, so there is nothing to measure");
  return syn_measures_find(&session->context, hip_case->hip.parts[SYN_HIP_PELVIS], hip_case->femur, hip_case->anatomy,
                           &hip_case->hip.center, measures, error);
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------
 */

static json_t *range_value(const syn_measure_info *info) {
  if (!info->source) return json_null();
  json_t *value = json_object();
  json_object_set_new(value, "low", cli_real(info->low));
  json_object_set_new(value, "high", cli_real(info->high));
  json_object_set_new(value, "source", json_string(info->source));
  return value;
}

static json_t *landmark_values(const syn_anatomy *anatomy) {
  json_t *all = json_object();
  for (int i = 0; i < SYN_LANDMARKS; ++i) {
    const syn_found_point *p = &anatomy->landmarks[i];
    if (p->found == SYN_FOUND_NOT) continue;
    json_t *value = json_object();
    json_object_set_new(value, "place", syn_json_from_vec3(p->place));
    json_object_set_new(value, "confidence", cli_real(p->confidence));
    json_object_set_new(value, "given", json_boolean(p->found == SYN_FOUND_GIVEN));
    json_object_set_new(all, syn_landmark_name((syn_landmark)i), value);
  }
  return all;
}

static json_t *axes_value(const syn_hip_axes *axes, syn_frame_source source) {
  json_t *value = json_object();
  json_object_set_new(value, "flexion", syn_json_from_vec3(axes->flexion));
  json_object_set_new(value, "adduction", syn_json_from_vec3(axes->adduction));
  json_object_set_new(value, "rotation", syn_json_from_vec3(axes->rotation));
  json_object_set_new(value, "source", json_string(syn_frame_source_name(source)));
  return value;
}

json_t *cli_measure_value(const syn_hip_case *hip_case, const syn_measures *measures) {
  const syn_anatomy *anatomy = hip_case->anatomy;
  json_t *value = json_object(), *ranges = json_object(), *impossible = json_object(), *clock = json_array();
  for (int i = 0; i < SYN_MEASURES; ++i) {
    const syn_measure_info *info = syn_measure_describe((syn_measure_id)i);
    json_object_set_new(value, info->name, cli_real(measures->value[i]));
    json_object_set_new(ranges, info->name, range_value(info));
    if (measures->why_not[i]) json_object_set_new(impossible, info->name, json_string(measures->why_not[i]));
  }
  for (int i = 0; i < SYN_CLOCK_STEPS; ++i) json_array_append_new(clock, cli_real(measures->alpha_clock_deg[i]));
  json_object_set_new(value, "alpha_worst_hour", cli_real(measures->alpha_worst_hour));
  json_object_set_new(value, "alpha_clock_deg", clock);
  json_object_set_new(value, "side", json_string(cli_side(hip_case->hip.side)));
  json_object_set_new(value, "side_confidence", cli_real(anatomy->side_confidence));
  json_object_set_new(value, "ranges", ranges);
  json_object_set_new(value, "impossible", impossible);
  json_object_set_new(value, "landmarks", landmark_values(anatomy));
  json_object_set_new(value, "pelvis_frame", axes_value(&anatomy->pelvis_axes, anatomy->pelvis_frame));
  json_object_set_new(value, "femur_frame", axes_value(&anatomy->femur_axes, anatomy->femur_frame));
  return value;
}

/* ---- text ---------------------------------------------------------------------------------------------------------
 */

/* "23-33" or "below 55", and where the value lies. */
static const char *range_text(const syn_measure_info *info, double value, char room[96]) {
  if (!info->source) return "";
  const bool below = isfinite(info->low) && value < info->low, above = isfinite(info->high) && value > info->high;
  char range[32];
  if (!isfinite(info->low))
    snprintf(range, sizeof range, "up to %g", info->high);
  else if (!isfinite(info->high))
    snprintf(range, sizeof range, "from %g", info->low);
  else
    snprintf(range, sizeof range, "%g to %g", info->low, info->high);
  snprintf(room, 96, "%s published range %s", below || above ? "OUTSIDE the" : "within the", range);
  return room;
}

void cli_measure_print(const cli_session *session, const syn_hip_case *hip_case, const syn_measures *measures) {
  const syn_anatomy *anatomy = hip_case->anatomy;
  cli_print(session, "%s hip", hip_case->hip.side == SYN_SIDE_LEFT ? "Left" : "Right");
  if (hip_case->hip.parts[SYN_HIP_PELVIS])
    cli_print(session, "; frame of the pelvis: %s", syn_frame_source_name(anatomy->pelvis_frame));
  if (hip_case->hip.parts[SYN_HIP_FEMUR])
    cli_print(session, "; frame of the femur: %s", syn_frame_source_name(anatomy->femur_frame));
  cli_print(session, "\n");
  for (int i = 0; i < SYN_MEASURES; ++i) {
    const syn_measure_info *info = syn_measure_describe((syn_measure_id)i);
    char room[96];
    if (measures->why_not[i])
      cli_print(session, "  %-38s        -- %s\n", info->label, measures->why_not[i]);
    else
      cli_print(session, "  %-38s %8.2f %-7s %s\n", info->label, measures->value[i], info->unit,
                range_text(info, measures->value[i], room));
  }
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status measure(cli_session *session, const syn_hip_case *hip_case, syn_error *error) {
  syn_measures measures;
  SYN_TRY(cli_measure_case(session, hip_case, &measures, error));
  json_t *value = cli_measure_value(hip_case, &measures);
  json_object_update(session->result, value);
  json_decref(value);
  cli_measure_print(session, hip_case, &measures);
  return SYN_OK;
}

static syn_status run(cli_session *session, syn_error *error) {
  syn_hip_case *hip_case;
  SYN_TRY(cli_open_hip(session, true, &hip_case, error));
  const syn_status status = measure(session, hip_case, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

static const cli_option options[] = {CLI_HIP_OPTIONS};

const cli_command cli_measure = {
    .name = "measure",
    .summary = "angles, radii and landmarks of a hip",
    .usage = {"JOINT", "PELVIS FEMUR", "FEMUR"},
    .description =
        "Angles in degrees, lengths in mm. Each measure stands beside the range that is published for it; "
        "\"outside the published range\" is not a diagnosis. What the meshes do not show (the torsion of a cut "
        "femur) is listed with the reason. The alpha angle is measured around the whole clock face; 3 o'clock is "
        "anterior on either side.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
