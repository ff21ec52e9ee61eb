/* surgery graft: a graft for a torn cruciate ligament through the flexion of the knee, and better tunnels for it. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/vec.h"
#include "bodies.h"
#include "mesh.h"

/* ---- output -------------------------------------------------------------------------------------------------------
 */

static void print_plan(const cli_session *session, const char *title, const syn_graft_plan *p) {
  const syn_vec3 f = p->tunnels.femur, t = p->tunnels.tibia;
  cli_print(session, "%s\n", title);
  cli_print(session, "  outlets                femur %.2f, %.2f, %.2f; tibia %.2f, %.2f, %.2f mm\n", f.x, f.y, f.z, t.x,
            t.y, t.z);
  cli_print(session, "  their distance         varies by %.2f mm; %.2f mm where the graft is fixed\n", p->isometry_mm,
            p->rest_mm);
  cli_print(session, "  straight fibres        stretched by %.1f %% at most; slack of the middle one %.2f mm\n",
            100 * p->strain, p->slack_mm);
  cli_print(session, "  greatest stress        %.2f MPa at %.1f° of flexion, %.0f %% of the way to the tibia\n",
            p->peak_mpa, p->peak_flexion * CLI_DEGREES, 100 * p->peak_at);
  if (isnan(p->failure))
    cli_print(session, "  does not tear\n");
  else
    cli_print(session, "  tears at %.1f°\n", p->failure * CLI_DEGREES);
}

static void print_rows(const cli_session *session, const syn_graft_plan *p) {
  cli_print(session, "  flexion  length  volume  stress: femur  middle   tibia   touches femur   tibia\n");
  const size_t stride = p->row_count > 12 ? 10 : 1;
  for (size_t i = 0; i < p->row_count; ++i) {
    const syn_graft_row *r = &p->rows[i];
    if (i % stride != 0 && i + 1 != p->row_count) continue;
    cli_print(session, "  %6.1f° %7.2f %6.1f%% %14.2f %7.2f %7.2f %11.1f mm² %4.1f mm²\n", r->flexion * CLI_DEGREES,
              r->length_mm, 100 * (r->volume - 1), r->femur_mpa, r->middle_mpa, r->tibia_mpa, r->femur_touch_mm2,
              r->tibia_touch_mm2);
  }
}

static void tell(cli_session *session, const syn_graft *graft) {
  cli_set_fields(session, &syn_graft_record, graft);
  print_plan(session, "Tunnels as planned", &graft->before);
  print_rows(session, &graft->before);
  if (!graft->searched) return;
  print_plan(session, "\nBest tunnels nearby", &graft->after);
  print_rows(session, &graft->after);
}

/* ---- input --------------------------------------------------------------------------------------------------------
 */

/* The hinge: as given, or the mean axis of a recorded motion, in the sense of the one given. */
static syn_status take_hinge(const cli_session *session, syn_graft_options *o, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  if (cli_given(arguments, "axis")) SYN_TRY(cli_direction(arguments, "axis", &o->axis, error));
  if (cli_given(arguments, "center")) o->center = cli_vector(arguments, "center");
  if (cli_given(arguments, "long-axis")) SYN_TRY(cli_direction(arguments, "long-axis", &o->long_axis, error));
  const char *motion = cli_text(arguments, "motion", NULL);
  if (!motion) return SYN_OK;
  syn_motion_center found;
  SYN_TRY(syn_motion_center_read(&session->context, motion, cli_text(arguments, "tibia-name", "tibia_proximal_r"),
                                 cli_text(arguments, "femur-name", "femur_distal_r"), 1000, &found, error));
  if (!found.has_axis)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the motion turns too little to have an axis; give --axis and --center");
  o->axis = vec3_dot(found.axis, o->axis) < 0 ? vec3_neg(found.axis) : found.axis;
  o->center = found.axis_point;
  return SYN_OK;
}

static syn_status take_options(const cli_session *session, syn_graft_options *o, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  o->width_mm = cli_number(arguments, "width", o->width_mm);
  o->height_mm = cli_number(arguments, "height", o->height_mm);
  o->length_mm = cli_number(arguments, "length", o->length_mm);
  o->taper = cli_number(arguments, "taper", o->taper);
  o->model = cli_text(arguments, "model", o->model);
  o->failure_mpa = cli_number(arguments, "failure", o->failure_mpa);
  o->tissue.fibre_mpa = cli_number(arguments, "fibres", o->tissue.fibre_mpa);
  o->from = cli_number(arguments, "from", o->from * CLI_DEGREES) / CLI_DEGREES;
  o->to = cli_number(arguments, "to", o->to * CLI_DEGREES) / CLI_DEGREES;
  o->step = cli_number(arguments, "step", o->step * CLI_DEGREES) / CLI_DEGREES;
  o->rotation = cli_number(arguments, "rotation", 0) / CLI_DEGREES;
  o->touch_mm = cli_number(arguments, "touch", o->touch_mm);
  o->search_mm = cli_number(arguments, "search", o->search_mm);
  o->slack_mm = cli_number(arguments, "slack", o->slack_mm);
  o->go_on = cli_given(arguments, "go-on");
  return take_hinge(session, o, error);
}

static syn_status run(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_graft_options o = syn_default_graft_options();
  SYN_TRY(take_options(session, &o, error));
  const syn_graft_tunnels tunnels = {cli_vector(arguments, "femur-outlet"), cli_vector(arguments, "tibia-outlet")};
  syn_trimesh *femur, *tibia;
  SYN_TRY(cli_read_surface(session, arguments->operands[0], &femur, error));
  syn_status status = cli_read_surface(session, arguments->operands[1], &tibia, error);
  if (status == SYN_OK) {
    syn_graft *graft;
    status = syn_graft_simulate(&session->context, femur, tibia, &tunnels, &o, &graft, error);
    if (status == SYN_OK) tell(session, graft);
    syn_graft_destroy(graft);
    syn_trimesh_destroy(tibia);
  }
  syn_trimesh_destroy(femur);
  return status;
}

#define LENGTH(NAME, STANDARD, HELP)                                                                                   \
  {                                                                                                                    \
    .name = (NAME), .kind = CLI_NUMBER, .value = "MM", .unit = "mm", .min = 0, .max = 1e4, .standard = (STANDARD),     \
    .help = (HELP)                                                                                                     \
  }
#define ANGLE(NAME, LOW, STANDARD, HELP)                                                                               \
  {                                                                                                                    \
    .name = (NAME), .kind = CLI_NUMBER, .value = "DEG", .unit = "deg", .min = (LOW), .max = 180,                       \
    .standard = (STANDARD), .help = (HELP)                                                                             \
  }
#define VECTOR(NAME, REQUIRED, STANDARD, HELP)                                                                         \
  {                                                                                                                    \
    .name = (NAME), .kind = CLI_NUMBERS, .numbers = 3, .required = (REQUIRED), .value = "x,y,z",                       \
    .standard = (STANDARD), .help = (HELP)                                                                             \
  }

static const cli_option options[] = {
    VECTOR("femur-outlet", true, NULL, "where the femoral tunnel opens into the joint, mm"),
    VECTOR("tibia-outlet", true, NULL, "where the tibial tunnel opens into the joint, mm"),
    LENGTH("width", "10", "of the graft's cross-section"),
    LENGTH("height", "5", "of the graft's cross-section"),
    LENGTH("length", "the outlets' distance where it is fixed", "of the graft between the outlets"),
    {.name = "taper",
     .kind = CLI_NUMBER,
     .value = "PART",
     .min = 0,
     .max = 0.8,
     .standard = "0",
     .help = "how much of width and height is missing at both ends"},
    {.name = "model",
     .kind = CLI_CHOICE,
     .value = "NAME",
     .choices = "fem|vdm",
     .standard = "fem",
     .help = "finite elements with fibres, or the volume distribution method with the moduli of Sundaraj 2004"},
    {.name = "fibres",
     .kind = CLI_NUMBER,
     .value = "MPA",
     .unit = "MPa",
     .min = 1e-3,
     .max = 1e5,
     .standard = "225",
     .help = "Young's modulus along the fibres (Wilson et al. 1999)"},
    {.name = "failure",
     .kind = CLI_NUMBER,
     .value = "MPA",
     .unit = "MPa",
     .min = 1e-6,
     .max = 1e6,
     .standard = "39.6",
     .help = "stress at which it tears: 1784 N on 45 mm² (Wilson et al. 1999)"},
    ANGLE("from", -180, "0", "flexion where the graft is fixed and the motion begins"),
    ANGLE("to", -180, "90", "where it ends"),
    ANGLE("step", 1e-3, "1.5", "flexion from one equilibrium to the next"),
    ANGLE("rotation", -180, "0", "turn of the tibia about its long axis, at every angle"),
    VECTOR("axis", false, "0,0,-1", "of flexion: the tibia turns about it, right-handed"),
    VECTOR("center", false, "0,0,0", "a point on that axis, mm"),
    VECTOR("long-axis", false, "0,1,0", "of the tibia, for --rotation"),
    {.name = "motion",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "a recorded motion whose mean axis is that of flexion; lengths in metres"},
    {.name = "femur-name", .kind = CLI_TEXT, .value = "NAME", .standard = "femur_distal_r", .help = "in the recording"},
    {.name = "tibia-name",
     .kind = CLI_TEXT,
     .value = "NAME",
     .standard = "tibia_proximal_r",
     .help = "in the recording"},
    LENGTH("touch", "0.5", "bone nearer than this touches the graft"),
    LENGTH("search", "5", "how far either outlet may go in the search for better ones; 0: no search"),
    LENGTH("slack", "3", "how slack the graft may be in the search"),
    {.name = "go-on", .kind = CLI_FLAG, .help = "bend on where the graft has torn"},
};

const cli_command cli_surgery_graft = {
    .name = "surgery graft",
    .summary = "a graft for a torn cruciate ligament through flexion: stress, failure, contact, better tunnels",
    .usage = {"FEMUR TIBIA --femur-outlet x,y,z --tibia-outlet x,y,z [--motion FILE] [--search MM] [--model NAME]"},
    .description =
        "Sundaraj 2004, §6.3. The graft is a beam between the outlets of both tunnels, which are moved to the nearest "
        "point of their bone. Its femoral end stays, its tibial end moves with the tibia; its equilibrium is found at "
        "every angle. The search looks for outlets nearby that stretch the fibres least without a slack graft, and "
        "compares those "
        "around them by the greatest stress. Contact "
        "with the bones is measured, not resisted. docs/graft.md explains the numbers.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 2,
    .max_operands = 2,
    .run = run,
};
