/* center: where a hip turns, by every method that the input allows. */
#include <math.h>

#include "base/json.h"
#include "hip_case.h"

static const struct {
  const char *name, *summary;
} about[SYN_CENTER_METHODS] = {
    [SYN_CENTER_FEMORAL_HEAD_SPHERE] = {"femoralheadsphere", "sphere through the femoral head"},
    [SYN_CENTER_ACETABULUM_SPHERE] = {"acetabulumsphere", "sphere through the joint surface of the socket"},
    [SYN_CENTER_DOUBLE_SPHERE] = {"doublesphere", "two spheres about one centre"},
    [SYN_CENTER_DCONST] = {"dconst", "circumduction at one constant joint space"},
    [SYN_CENTER_DREF] = {"dref", "circumduction at the joint space as scanned"},
    [SYN_CENTER_SCORE] = {"score", "stillest points of a recorded motion"},
    [SYN_CENTER_HARRINGTON] = {"harrington", "regression from the size of the pelvis"},
};

json_t *cli_center_value(const syn_hip_case *hip_case) {
  const syn_centers *centers = &hip_case->centers;
  json_t *value = json_object(), *methods = json_array(), *impossible = json_array();
  for (int i = 0; i < SYN_CENTER_METHODS; ++i) {
    const syn_center *c = &centers->methods[i];
    json_t *row = json_object();
    json_object_set_new(row, "name", json_string(about[i].name));
    if (c->known) {
      json_object_set_new(row, "center", syn_json_from_vec3(c->center));
      json_object_set_new(row, "radius_mm", cli_real(c->radius_mm));
      json_object_set_new(row, "residual_mm", cli_real(c->residual_mm));
    } else {
      json_object_set_new(row, "why_not", json_string(c->why_not ? c->why_not : "no anatomy was found"));
    }
    json_array_append_new(c->known ? methods : impossible, row);
  }
  json_object_set_new(value, "center", syn_json_from_vec3(hip_case->hip.center));
  json_object_set_new(value, "chosen", json_string(hip_case->center_method));
  json_object_set_new(value, "side", json_string(cli_side(hip_case->hip.side)));
  json_object_set_new(value, "methods", methods);
  json_object_set_new(value, "impossible", impossible);
  json_object_set_new(value, "spread_mm", cli_real(centers->spread_mm));
  return value;
}

void cli_center_print(const cli_session *session, const syn_hip_case *hip_case) {
  const syn_vec3 center = hip_case->hip.center;
  cli_print(session, "Centre of the %s hip: %.3f, %.3f, %.3f mm (%s)\n", cli_side(hip_case->hip.side), center.x,
            center.y, center.z, hip_case->center_method);
  for (int i = 0; i < SYN_CENTER_METHODS; ++i) {
    const syn_center *c = &hip_case->centers.methods[i];
    cli_print(session, "  %-18s ", about[i].name);
    if (!c->known) {
      cli_print(session, "-- %s\n", c->why_not ? c->why_not : "no anatomy was found");
      continue;
    }
    cli_print(session, "%9.3f %9.3f %9.3f", c->center.x, c->center.y, c->center.z);
    if (isfinite(c->radius_mm)) cli_print(session, "  radius %6.3f", c->radius_mm);
    if (isfinite(c->residual_mm)) cli_print(session, "  residual %.3f", c->residual_mm);
    cli_print(session, "  %s\n", about[i].summary);
  }
  if (hip_case->centers.spread_mm > 0)
    cli_print(session, "The methods lie within %.2f mm of each other.\n", hip_case->centers.spread_mm);
}

static syn_status run(cli_session *session, syn_error *error) {
  syn_hip_case *hip_case;
  const syn_status status = cli_open_hip(session, true, &hip_case, error);
  if (status != SYN_OK) return status;
  json_t *value = cli_center_value(hip_case);
  json_object_update(session->result, value);
  json_decref(value);
  cli_center_print(session, hip_case);
  syn_hip_case_destroy(hip_case);
  return SYN_OK;
}

static const cli_option options[] = {CLI_HIP_OPTIONS};

const cli_command cli_center = {
    .name = "center",
    .summary = "the hip centre by every method that the input allows",
    .usage = {"JOINT", "PELVIS FEMUR", "FEMUR"},
    .description =
        "All lengths in mm, in the frame of the meshes. The residual is the root mean square of what the method "
        "makes small: distances from a sphere, changes of the joint space, motion of the centre. Methods that "
        "the input does not allow are listed with the reason.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
