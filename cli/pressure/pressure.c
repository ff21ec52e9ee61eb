/* pressure: contact pressure in a hip through a motion under load. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/status.h"
#include "base/text.h"
#include "bodies.h"
#include "hip.h"

/* ---- text ---------------------------------------------------------------------------------------------------------
 */

/* A column; what a method does not know stays empty. */
static void print_number(const cli_session *session, int width, int decimals, double value) {
  if (isfinite(value))
    cli_print(session, "%*.*f", width, decimals, value);
  else
    cli_print(session, "%*s", width, "");
}

static void print_step(const cli_session *session, const syn_pressure_step *s) {
  const double *a = s->loaded.angles;
  cli_print(session, "  %5.1f  %7.1f  %7.1f  %7.1f", 100 * s->loaded.at, a[0] * CLI_DEGREES, a[1] * CLI_DEGREES,
            a[2] * CLI_DEGREES);
  print_number(session, 8, 0, s->total.force_n);
  print_number(session, 9, 3, s->total.peak_mpa);
  print_number(session, 9, 3, s->total.mean_mpa);
  print_number(session, 9, 1, s->total.area_mm2);
  cli_print(session, "\n");
}

static void print_regions(const cli_session *session, const syn_pressure *p) {
  const syn_pressure_step *s = &p->steps[p->worst];
  if (p->socket.region_count < 2) return;
  cli_print(session, "\nAt the peak:\n");
  for (uint32_t r = 0; r < p->socket.region_count; ++r) {
    const syn_pressure_part *of = &s->regions[r];
    if (!(of->area_mm2 > 0)) continue;
    cli_print(session, "  %-16s %7.3f MPa at most, %7.1f mm², %6.1f N\n", syn_tissue_name(p->socket.regions[r].tissue),
              of->peak_mpa, of->area_mm2, of->force_n);
  }
}

static void print_comparison(const cli_session *session, const syn_bearing_comparison *c) {
  const syn_vec3 u = c->displacement_apart_at, p = c->pressure_apart_at;
  cli_print(session, "\nThe first step beside CalculiX:\n");
  cli_print(
      session, "  displacement  %.4f mm, theirs %.4f mm; apart by %.4f mm at most (at %.1f, %.1f, %.1f), rms %.4f mm\n",
      c->displacement_mm, c->their_displacement_mm, c->displacement_apart_mm, u.x, u.y, u.z, c->displacement_rms_mm);
  cli_print(
      session,
      "  pressure      %.3f MPa, theirs %.3f MPa; apart by %.3f MPa at most (at %.1f, %.1f, %.1f), rms %.3f MPa\n",
      c->peak_mpa, c->their_peak_mpa, c->pressure_apart_mpa, p.x, p.y, p.z, c->pressure_rms_mpa);
}

static void tell(cli_session *session, const syn_pressure *p) {
  enum { ROWS = 31 };
  const syn_pressure_part *worst = &p->steps[p->worst].total;
  cli_set_fields(session, &syn_pressure_record, p);
  cli_print(session, "Contact pressure of the %s hip by %s: %s\n", syn_side_name(p->hip_case->hip.side), p->method,
            p->loads.label);
  cli_print(session, "  peak %.2f MPa", worst->peak_mpa);
  if (isfinite(worst->area_mm2)) cli_print(session, ", mean %.2f MPa over %.0f mm²", worst->mean_mpa, worst->area_mm2);
  if (isfinite(worst->force_n)) cli_print(session, ", force %.0f N", worst->force_n);
  if (isfinite(worst->von_mises_mpa)) cli_print(session, ", von Mises %.2f MPa", worst->von_mises_mpa);
  cli_print(session, "\n");
  if (p->worst < p->foundation_count)
    cli_print(session, "  by elastic foundation: peak %.2f MPa, mean %.2f MPa over %.0f mm²\n",
              p->foundation[p->worst].total.peak_mpa, p->foundation[p->worst].total.mean_mpa,
              p->foundation[p->worst].total.area_mm2);
  if (p->continued_at) cli_print(session, "  continued after step %zu of an earlier run\n", p->continued_at);
  if (p->socket.assumed || p->head.assumed) cli_print(session, "  the cartilage was assumed: the scan shows none\n");
  cli_print(session, "\n    at %%  flexion adduction rotation  load N  peak MPa mean MPa area mm²\n");
  const size_t every = p->step_count > ROWS ? (p->step_count + ROWS - 1) / ROWS : 1;
  for (size_t i = 0; i < p->step_count; ++i)
    if (i % every == 0 || i + 1 == p->step_count || i == p->worst) print_step(session, &p->steps[i]);
  print_regions(session, p);
  if (p->compared) print_comparison(session, &p->comparison);
  cli_print(session, "\nLoad: %s\n", p->loads.source);
}

/* ---- options ------------------------------------------------------------------------------------------------------
 */

/* --load: newtons, the name of an activity, or a file. */
static void take_load(const cli_arguments *arguments, syn_load_options *load) {
  const char *text = cli_text(arguments, "load", NULL);
  double newtons;
  if (text && syn_word_double((syn_word){text, strcspn(text, "Nn")}, &newtons) && isfinite(newtons))
    load->force_n = newtons;
  else
    load->load = text;
  load->motion = cli_text(arguments, "motion", NULL);
  load->steps = (uint32_t)cli_number(arguments, "steps", load->steps);
  load->body_weight_n = cli_number(arguments, "body-weight", load->body_weight_n);
}

static syn_pressure_options take_options(const cli_arguments *arguments) {
  syn_pressure_options options = syn_default_pressure_options();
  options.method = cli_text(arguments, "method", options.method);
  take_load(arguments, &options.load);
  options.layers.edge_mm = cli_number(arguments, "edge", options.layers.edge_mm);
  options.layers.layers = (uint32_t)cli_number(arguments, "layers", options.layers.layers);
  if (cli_given(arguments, "thickness")) {
    options.layers.rule = SYN_RULE_CONSTANT;
    options.layers.thickness_mm = cli_number(arguments, "thickness", options.layers.thickness_mm);
  }
  options.model = cli_text(arguments, "model", NULL);
  options.beside_foundation = cli_given(arguments, "beside");
  options.foundation.nonlinear = cli_given(arguments, "nonlinear");
  return options;
}

/* An option of another method would be passed over in silence. */
static syn_status check_method(const cli_arguments *arguments, const char *method, syn_error *error) {
  static const char *const of[][2] = {
      {"model", "estimate"}, {"beside", "fem"}, {"problem", "fem"}, {"compare", "fem"}, {"restart", "fem"}};
  for (size_t i = 0; i < sizeof of / sizeof *of; ++i)
    if (cli_given(arguments, of[i][0]) && strcmp(method, of[i][1]) != 0)
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is for --method %s, not for %s", of[i][0], of[i][1], method);
  return SYN_OK;
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status stage_files(cli_session *session, const void *pressure, const syn_provenance *provenance,
                              const char *folder, syn_error *error) {
  const syn_pressure *p = pressure;
  return syn_pressure_stage(&session->context, p, cli_hip_title(session, p->hip_case, "Contact pressure"), provenance,
                            session->outbox, folder, error);
}

/* Beside the folder, which appears only when everything is there. */
static const char *checkpoint_path(const cli_session *session, char path[SYN_LONGEST_PATH]) {
  const char *folder = cli_text(&session->arguments, "out", NULL);
  size_t length = folder ? strlen(folder) : 0;
  while (length > 1 && folder[length - 1] == '/') --length;
  snprintf(path, SYN_LONGEST_PATH, "%.*s.checkpoint", (int)length, folder ? folder : "");
  return length > 0 ? path : NULL;
}

/* One process of a team writes. */
static syn_status stage_problem(cli_session *session, const syn_team *team, const char **hidden, syn_error *error) {
  const char *path = cli_text(&session->arguments, "problem", NULL);
  if (!path || (team && syn_team_rank(team) > 0)) return SYN_OK;
  SYN_TRY(cli_stage_file(session, path, hidden, error));
  cli_made(session, *hidden);
  return SYN_OK;
}

static syn_status find(cli_session *session, const syn_hip_case *hip_case, const char *folder, syn_team *team,
                       syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_pressure_options options = take_options(arguments);
  SYN_TRY(check_method(arguments, options.method, error));
  if (cli_given(arguments, "direction")) SYN_TRY(cli_direction(arguments, "direction", &options.load.direction, error));
  options.fem.contact.team = team;
  options.fem.results = cli_text(&session->arguments, "compare", NULL);
  char kept[SYN_LONGEST_PATH];
  options.checkpoint = checkpoint_path(session, kept);
  options.restart = cli_given(&session->arguments, "restart");
  syn_pressure *pressure;
  SYN_TRY(stage_problem(session, team, &options.fem.problem, error));
  syn_status status = syn_pressure_run(&session->context, hip_case, &options, &pressure, error);
  if (!pressure) return status;
  if (status != SYN_OK) cli_end_early(session, error);
  tell(session, pressure);
  status = folder ? cli_write_page(session, stage_files, pressure, folder, error) : SYN_OK;
  syn_pressure_destroy(pressure);
  return status;
}

/* ---- training -----------------------------------------------------------------------------------------------------
 */

static void tell_training(cli_session *session, const syn_pressure_training *training) {
  const syn_pressure_model *model = training->model;
  cli_set_fields(session, &syn_pressure_training_record, training);
  cli_print(session, "%zu hips, %zu steps. The peak pressure of each from all others is off by:\n", model->hip_count,
            model->step_count);
  for (size_t i = 0; i < model->hip_count; ++i)
    cli_print(session, "  %-32s %7.2f %%\n", model->names[i], training->errors_percent[i]);
  cli_print(session, "  mean %.2f %%, standard deviation %.2f %%, median %.2f %%\n", training->mean_percent,
            training->sd_percent, training->median_percent);
}

static syn_status train(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  const char *hidden, *motion = cli_text(arguments, "motion", "stand_to_sit");
  syn_pressure_model *model;
  syn_pressure_training training;
  if (!cli_given(arguments, "model"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--train needs --model FILE, which it writes");
  SYN_TRY(cli_stage_file(session, cli_text(arguments, "model", NULL), &hidden, error));
  SYN_TRY(syn_pressure_model_train_table(&session->context, arguments->operands[0], cli_text(arguments, "region", NULL),
                                         motion, cli_text(arguments, "method", "foundation"), &model, error));
  syn_status status = syn_pressure_model_test(model, &training, error);
  if (status == SYN_OK) {
    tell_training(session, &training);
    syn_free(&session->context, training.errors_percent);
    status = syn_pressure_model_write(&session->context, model, hidden, error);
  }
  if (status == SYN_OK) {
    cli_made(session, hidden);
    cli_set_files(session);
  }
  syn_pressure_model_destroy(model);
  return status;
}

/* One process for all of mpirun's prints and writes. */
static syn_status join_team(cli_session *session, const char **folder, syn_team **team, syn_error *error) {
  const char *solver = cli_text(&session->arguments, "solver", "auto");
  const bool fem = strcmp(cli_text(&session->arguments, "method", ""), "fem") == 0;
  const bool several = syn_study_share_of_launcher().count > 1;
  *team = NULL;
  if (!fem || strcmp(solver, "cholmod") == 0 || (!several && strcmp(solver, "auto") == 0)) return SYN_OK;
  SYN_TRY(syn_team_join(&session->context, team, error));
  if (several) session->context.threads = 1; /* a process has the core that mpirun gave it */
  if (syn_team_rank(*team) == 0) return SYN_OK;
  session->quiet = true;
  session->json = false;
  session->context.warn = NULL;
  *folder = NULL;
  return SYN_OK;
}

static syn_status open_and_find(cli_session *session, const char *folder, syn_team *team, syn_error *error) {
  syn_hip_case *hip_case;
  if (folder) SYN_TRY(cli_stage(session, folder, NULL, error));
  SYN_TRY(cli_open_hip(session, false, &hip_case, error));
  const syn_status status = find(session, hip_case, folder, team, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

/* A process that fails alone does not wait for the others: it ends, and mpirun ends them. */
static syn_status run(cli_session *session, syn_error *error) {
  const char *folder = cli_text(&session->arguments, "out", NULL);
  syn_team *team;
  if (cli_given(&session->arguments, "train")) return train(session, error);
  SYN_TRY(join_team(session, &folder, &team, error));
  const syn_status status = open_and_find(session, folder, team, error);
  if (status == SYN_OK || status == SYN_NOT_CONVERGED) syn_team_leave(team);
  return status;
}

static const cli_option options[] = {
    {.name = "method",
     .kind = CLI_CHOICE,
     .value = "fem|foundation|estimate",
     .choices = "fem|foundation|estimate",
     .standard = "foundation",
     .help = "fem: the layers deform and slide on each other; foundation: every point of the cartilage resists on its "
             "own, in milliseconds for each pose; estimate: by the shape, from hips whose pressures are known"},
    {.name = "model",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "estimate: the hips whose pressures are known, see docs/pressure-estimate.md"},
    {.name = "train",
     .kind = CLI_FLAG,
     .help = "write --model: the operand is a table of pressures with columns hip, at, peak_mpa, which --method gave"},
    {.name = "region",
     .kind = CLI_TEXT,
     .value = "NAME",
     .standard = "all",
     .help = "train: take the columns of this tissue, such as cartilage"},
    {.name = "load",
     .kind = CLI_TEXT,
     .value = "N|NAME|FILE",
     .standard = "1714.2975",
     .help = "force on the femur: newtons, a constant force from standing to sitting; standing, walking, stairs_up, "
             "stairs_down, stand_up or sit_down, as measured; an OrthoLoad .xml; or a table with columns fx, fy, fz, "
             "see docs/pressure.md"},
    {.name = "direction",
     .kind = CLI_NUMBERS,
     .numbers = 3,
     .value = "x,y,z",
     .standard = "that of the load",
     .help = "direction of the force on the femur, in the frame of the meshes"},
    {.name = "body-weight",
     .kind = CLI_NUMBER,
     .unit = "N",
     .min = 1,
     .max = 10000,
     .value = "N",
     .standard = "735.5",
     .help = "that loads in percent of body weight refer to"},
    {.name = "motion",
     .kind = CLI_TEXT,
     .value = "NAME|FILE",
     .standard = "that of the load, else one pose",
     .help = "stand_to_sit, squat, or a recorded motion as for `synovia fai`"},
    {.name = "steps",
     .kind = CLI_COUNT,
     .min = 1,
     .max = 100000,
     .value = "N",
     .standard = "30",
     .help = "equal parts of a named motion"},
    CLI_LAYER_OPTIONS,
    {.name = "solver",
     .kind = CLI_CHOICE,
     .value = "auto|cholmod|petsc",
     .choices = "auto|cholmod|petsc",
     .standard = "auto",
     .help =
         "fem: CHOLMOD in one process; PETSc spreads the work over the processes that `mpirun -n N synovia pressure …` "
         "starts; auto: PETSc under mpirun"},
    {.name = "beside",
     .kind = CLI_FLAG,
     .help = "fem: also the elastic foundation on the same layers, and the difference on the page"},
    {.name = "problem",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "fem: write the first step as an input of CalculiX (.inp) or FEBio (.feb)"},
    {.name = "compare",
     .kind = CLI_PATH,
     .value = "FILE.frd",
     .help = "fem: beside what CalculiX found for that .inp; see docs/pressure-fem.md"},
    {.name = "restart",
     .kind = CLI_FLAG,
     .help = "fem: start from the begin, even if a run with the same -o was stopped and left DIR.checkpoint"},
    {.name = "nonlinear", .kind = CLI_FLAG, .help = "foundation: stiffer the more it is compressed"},
    CLI_HIP_OPTIONS,
    CLI_HIP_PART_OPTIONS,
    CLI_TITLE_OPTION,
    CLI_OUT_OPTION(
        "write report.html, steps.csv, result.json, and socket.pvd and head.pvd with the pressure at every step"),
};

const cli_command cli_pressure = {
    .name = "pressure",
    .summary = "contact pressure in the cartilage of a hip",
    .usage = {"JOINT [--method fem|foundation|estimate] [--load N|NAME|FILE] [-o DIR]", "PELVIS FEMUR …",
              "TABLE --train --model FILE"},
    .description =
        "Cartilage is a layer on either bone: as scanned, else half of the joint space each, which the answer "
        "says. The femur turns through the motion and shifts until the pressure balances the load. Peak, "
        "mean, area and centre are of the step with the highest pressure; every step is in the result.\n\n"
        "A step without equilibrium ends the run: the steps before it are written, and the exit code is 4. "
        "See docs/pressure.md. Research software, not a medical device.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
