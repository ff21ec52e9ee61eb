/* Contact pressure as text. */
#define _GNU_SOURCE /* asprintf */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hip_command.h"
#include "print.h"

static void print_marks(const cli_session *session, uint64_t marks) {
  for (int mark = 0; mark < SYN_PRESSURE_MARKS; ++mark)
    if (marks >> mark & 1) cli_print(session, " %s", syn_pressure_mark_name((syn_pressure_mark)mark));
}

/* Prints whether the peak is valid, its warnings and its assumptions. */
static void print_validity(const cli_session *session, const syn_pressure *p) {
  const syn_pressure_part *beside = p->peak->foundation;
  if (p->invalid_count == p->step_count && p->invalid_count)
    cli_print(session, "  NOT VALID: no pose is, nor this peak; see the warnings\n");
  else if (p->invalid_count)
    cli_print(session, "  NOT VALID: %zu of %zu poses, which do not count for the peak; see the warnings\n",
              (size_t)p->invalid_count, (size_t)p->step_count);
  if (p->peak->marks) {
    cli_print(session, "  doubts about the peak:");
    print_marks(session, p->peak->marks);
    cli_print(session, "\n");
  }
  if (beside)
    cli_print(session, "  by elastic foundation: peak %.2f MPa, mean %.2f MPa over %.0f mm²\n", beside->peak_mpa,
              beside->mean_mpa, beside->area_mm2);
  if (p->continued_at) cli_print(session, "  continued after step %zu of an earlier run\n", (size_t)p->continued_at);
  if (p->socket.assumed || p->head.assumed) {
    cli_print(session, "  the cartilage was assumed: the scan shows none");
    if (p->assumed_peak_mpa[0] > 0 && p->assumed_peak_mpa[1] > 0)
      cli_print(session, "; peak %.1f MPa with 1 mm on either bone, %.1f MPa with 2 mm", p->assumed_peak_mpa[0],
                p->assumed_peak_mpa[1]);
    cli_print(session, "\n");
  }
  if (p->nearest_hip[0]) {
    cli_print(session, "  nearest hip of the model: %s, %.2f %% of the radius away", p->nearest_hip,
              100 * p->trust.distance);
    if (isfinite(p->trust.error_percent))
      cli_print(session, "; the peak may be off by %.0f %%", p->trust.error_percent);
    cli_print(session, "\n");
  }
}

/* About 31 steps, the worst one among them. */
static void print_steps(const cli_session *session, const syn_pressure *p) {
  enum { SHOWN_STEPS = 31 };
  const size_t every = p->step_count > SHOWN_STEPS ? (p->step_count + SHOWN_STEPS - 1) / SHOWN_STEPS : 1;
  cli_print(session, "\n    at %%  flexion adduction rotation  load N  peak MPa mean MPa area mm²\n");
  for (size_t i = 0; i < p->step_count; ++i) {
    const syn_pressure_step *s = &p->steps[i];
    const double *angles = s->loaded.angles;
    if (i % every != 0 && i + 1 != p->step_count && i != p->peak_index) continue;
    const syn_vec3 force = s->loaded.force;
    cli_print(session, "  %5.1f", 100 * s->loaded.at);
    for (int axis = 0; axis < 3; ++axis) cli_print_number(session, 9, 1, angles[axis] * SYN_RADIAN);
    cli_print_number(session, 8, 0, sqrt(force.x * force.x + force.y * force.y + force.z * force.z));
    cli_print_number(session, 9, 3, s->total.peak_mpa);
    cli_print_number(session, 9, 3, s->total.mean_mpa);
    cli_print_number(session, 9, 1, s->total.area_mm2);
    if (s->marks & SYN_PRESSURE_INVALID) cli_print(session, "  not valid:");
    print_marks(session, s->marks);
    cli_print(session, "\n");
  }
}

static void print_regions(const cli_session *session, const syn_pressure *p) {
  if (p->peak->region_count <= 1) return;
  cli_print(session, "\nAt the peak:\n");
  for (uint32_t r = 0; r < p->peak->region_count; ++r) {
    const syn_pressure_part *part = &p->peak->regions[r];
    if (part->area_mm2 > 0)
      cli_print(session, "  %-16s %7.3f MPa at most, %7.1f mm², %6.1f N\n", syn_tissue_name(part->tissue),
                part->peak_mpa, part->area_mm2, part->force_n);
  }
}

static void print_comparison(const cli_session *session, const syn_contact_comparison *c) {
  char text[CLI_POINT];
  cli_print(session, "\nThe first step beside CalculiX:\n");
  cli_print(session, "  displacement  %.4f mm, theirs %.4f mm; apart by %.4f mm at most (at %s), rms %.4f mm\n",
            c->displacement_mm, c->their_displacement_mm, c->displacement_apart_mm,
            cli_point(c->displacement_apart_at, 1, text), c->displacement_rms_mm);
  cli_print(session, "  pressure      %.3f MPa, theirs %.3f MPa; apart by %.3f MPa at most (at %s), rms %.3f MPa\n",
            c->peak_mpa, c->their_peak_mpa, c->pressure_apart_mpa, cli_point(c->pressure_apart_at, 1, text),
            c->pressure_rms_mpa);
}

static void print_pressure(const cli_session *session, const syn_pressure *p) {
  const syn_pressure_part *peak = &p->peak->total;
  cli_print(session, "Contact pressure of the %s hip by %s: %s\n  peak %.2f MPa", syn_side_name(p->hip_case->hip.side),
            p->method, p->loads.label, peak->peak_mpa);
  if (isfinite(peak->area_mm2)) cli_print(session, ", mean %.2f MPa over %.0f mm²", peak->mean_mpa, peak->area_mm2);
  if (isfinite(peak->force_n)) cli_print(session, ", force %.0f N", peak->force_n);
  if (isfinite(peak->von_mises_mpa)) cli_print(session, ", von Mises %.2f MPa", peak->von_mises_mpa);
  cli_print(session, "\n");
  print_validity(session, p);
  print_steps(session, p);
  print_regions(session, p);
  if (p->compared) print_comparison(session, &p->comparison);
  cli_print(session, "\nLoad: %s\n", p->loads.source);
}

static void print_training(const cli_session *session, const syn_pressure_training *t) {
  cli_print(session, "%zu hips, %zu steps. The peak pressure of each from all others is off by:\n",
            (size_t)t->model->hip_count, (size_t)t->model->step_count);
  for (size_t i = 0; i < t->model->hip_count; ++i)
    cli_print(session, "  %-32s %7.2f %%\n", t->model->names[i], t->errors_percent[i]);
  cli_print(session, "  mean %.2f %%, standard deviation %.2f %%, median %.2f %%\n", t->mean_percent, t->sd_percent,
            t->median_percent);
}

/* ---- pressure command ------------------------------------------------------------------------------------------ */
/* pressure: contact pressure in a hip through a motion under load. */

typedef struct asked {
  syn_pressure_options run;
  bool train;
  const char *problem;
} asked;
#define INTO(FIELD) CLI_INTO(asked, FIELD)
static const cli_option pressure_options[] = {
    OPT_CHOICE(
        "method", "fem|foundation|estimate", "fem|foundation|estimate", "foundation", INTO(run.method),
        "fem: the layers deform and slide on each other; foundation: every point of the cartilage resists on its "
        "own, in milliseconds for each pose; estimate: by the shape, from hips whose pressures are known"),
    OPT_PATH("model", "FILE", NULL, INTO(run.model),
             "estimate: the hips whose pressures are known, see docs/theory/pressure-estimate.md"),
    OPT_FLAG("train", INTO(train),
             "write --model: the operand is a table of pressures with columns hip, at, peak_mpa, which --method gave"),
    OPT_TEXT("region", "NAME", "all", 0, "train: take the columns of this tissue, such as cartilage"),
    OPT_TEXT("load", "N|NAME|FILE", "1714.2975", INTO(run.load.load),
             "force on the femur: newtons, a constant force from standing to sitting; standing, walking, stairs_up, "
             "stairs_down, stand_up or sit_down, as measured; an OrthoLoad .xml; or a table with columns fx, fy, fz, "
             "see docs/pressure.md"),
    OPT_POINT("direction", "that of the load", CLI_FIELD(CLI_DIRECTION, asked, run.load.direction),
              "direction of the force on the femur, in the frame of the meshes"),
    OPT_NUMBER("body-weight", "N", "N", 1, 10000, "735.5", INTO(run.load.body_weight_n),
               "that loads in percent of body weight refer to"),
    OPT_TEXT("motion", "NAME|FILE", "that of the load, else one pose", INTO(run.load.motion),
             "stand_to_sit, squat, or a recorded motion as for `synovia fai`"),
    OPT_COUNT("steps", 1, 10000, "30", INTO(run.load.steps), "equal parts of a named motion"),
    OPT_GROUP(cli_layer_options, INTO(run.layers)),
    OPT_CHOICE("solver", "auto|cholmod|petsc", "auto|cholmod|petsc", "auto", 0,
               "fem: CHOLMOD in one process; PETSc spreads the work over the processes that `mpirun -n N synovia "
               "pressure …` starts; auto: PETSc under mpirun"),
    OPT_FLAG("closed", INTO(run.closed),
             "fem: the joint's closed bodies of cartilage as they are, filled with tetrahedra by gmsh; not the labrum"),
    OPT_FLAG("beside", INTO(run.beside_foundation),
             "fem: also the elastic foundation on the same layers, and the difference on the page"),
    OPT_PATH("problem", "FILE", NULL, INTO(problem),
             "fem: write the first step as an input of CalculiX (.inp) or FEBio (.feb)"),
    OPT_PATH("compare", "FILE.frd", NULL, INTO(run.fem.results),
             "fem: beside what CalculiX found for that .inp; see docs/theory/pressure-fem.md"),
    OPT_FLAG("restart", INTO(run.restart),
             "fem: start from the first step, even if a run with the same -o was stopped and left DIR.checkpoint"),
    OPT_FLAG("nonlinear", INTO(run.foundation.nonlinear), "foundation: stiffer the more it is compressed"),
    OPT_GROUP(cli_hip_options, 0),
    OPT_GROUP(cli_hip_parts, 0),
    OPT_TITLE,
    OPT_OUT(NULL,
            "write report.html, steps.csv, result.json, and socket.pvd and head.pvd with the pressure at every step"),
};

/* Refuses options of other methods, which would have no effect. */
static syn_status check_method(const cli_arguments *arguments, const char *method, syn_error *error) {
  static const char *const of[][2] = {{"model", "estimate"}, {"beside", "fem"},  {"closed", "fem"},
                                      {"problem", "fem"},    {"compare", "fem"}, {"restart", "fem"}};
  for (size_t i = 0; i < sizeof of / sizeof *of; ++i)
    if (cli_given(arguments, of[i][0]) && strcmp(method, of[i][1]) != 0)
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is for --method %s, not for %s", of[i][0], of[i][1], method);
  return SYN_OK;
}

/* Before the file is staged under another name: the message names the user's. */
static syn_status check_problem(const char *path, syn_error *error) {
  const size_t length = path ? strlen(path) : 0;
  if (!path || (length > 4 && (strcmp(path + length - 4, ".inp") == 0 || strcmp(path + length - 4, ".feb") == 0)))
    return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "--problem %s must end in .inp (CalculiX) or .feb (FEBio)", path);
}

/* A load of newtons; else a name or a file. */
static void take_newtons(syn_load_options *load) {
  double newtons;
  if (!load->load || !syn_number_read(load->load, strcspn(load->load, "Nn"), &newtons) || !isfinite(newtons)) return;
  load->force_n = newtons;
  load->load = NULL;
}

/* Returns a path beside the folder, which is published only at the end; free() it. */
static char *checkpoint_path(const cli_session *session) {
  const char *folder = cli_text(&session->arguments, "out", "");
  size_t length = strlen(folder);
  char *path = NULL;
  while (length > 1 && folder[length - 1] == '/') --length;
  if (length == 0) return NULL;
  return cli_or_stop(asprintf(&path, "%.*s.checkpoint", (int)length, folder) < 0 ? NULL : path);
}

/* Rank 0 writes the problem. */
static syn_status find(cli_session *session, const syn_hip_case *hip_case, asked *a, syn_error *error) {
  const syn_ranks *ranks = a->run.fem.contact.ranks;
  syn_pressure *p;
  SYN_TRY(check_method(&session->arguments, a->run.method, error));
  SYN_TRY(check_problem(a->problem, error));
  if (a->problem && !(ranks && syn_ranks_rank(ranks) > 0)) {
    SYN_TRY(syn_outbox_stage_file(session->outbox, a->problem, &a->run.fem.problem, error));
    cli_made(session, a->run.fem.problem);
  }
  char *checkpoint = checkpoint_path(session);
  a->run.checkpoint = checkpoint;
  syn_status status = syn_pressure_run(&session->context, hip_case, &a->run, &p, error);
  free(checkpoint);
  if (!p) return status;
  if (status != SYN_OK) cli_end_early(session, error);
  cli_set_fields(session, &syn_pressure_record, p);
  print_pressure(session, p);
  status =
      cli_publish_titled(session, &syn_pressure_record, p, cli_hip_title(session, hip_case, "Contact pressure"), error);
  syn_pressure_destroy(p);
  return status;
}

static syn_status train(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  const char *hidden, *motion = cli_text(arguments, "motion", "stand_to_sit");
  syn_pressure_model *model;
  syn_pressure_training training;
  if (!cli_given(arguments, "model"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--train needs --model FILE, which it writes");
  SYN_TRY(syn_outbox_stage_file(session->outbox, cli_text(arguments, "model", NULL), &hidden, error));
  SYN_TRY(syn_pressure_model_train_table(&session->context, arguments->operands[0], cli_text(arguments, "region", NULL),
                                         motion, cli_text(arguments, "method", "foundation"), &model, error));
  syn_status status = syn_pressure_model_test(model, &training, error);
  if (status == SYN_OK) {
    cli_set_fields(session, &syn_pressure_training_record, &training);
    print_training(session, &training);
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

/* Rank 0 prints and writes; the others only compute. */
static syn_status create_ranks(cli_session *session, syn_ranks **ranks, syn_error *error) {
  const char *solver = cli_text(&session->arguments, "solver", "auto");
  const bool fem = strcmp(cli_text(&session->arguments, "method", ""), "fem") == 0;
  size_t rank, count;
  syn_launch_find(&rank, &count);
  const bool several = count > 1;
  *ranks = NULL;
  if (!fem || strcmp(solver, "cholmod") == 0 || (!several && strcmp(solver, "auto") == 0)) return SYN_OK;
  SYN_TRY(syn_ranks_create(&session->context, ranks, error));
  if (several) session->context.threads = 1; /* a process has the core that mpirun gave it */
  if (syn_ranks_rank(*ranks) == 0) return SYN_OK;
  session->quiet = true;
  session->json = false;
  session->context.warn = NULL;
  session->folder = NULL;
  return SYN_OK;
}

/* A process that fails alone does not wait for the others: it ends, and mpirun ends them. */
static syn_status run_pressure(cli_session *session, syn_error *error) {
  asked a = {.run = syn_default_pressure_options()};
  syn_ranks *ranks;
  syn_hip_case *hip_case;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &a, error));
  if (a.train) return train(session, error);
  take_newtons(&a.run.load);
  if (cli_given(&session->arguments, "thickness")) a.run.layers.rule = SYN_RULE_CONSTANT;
  SYN_TRY(create_ranks(session, &ranks, error));
  a.run.fem.contact.ranks = ranks;
  SYN_TRY(cli_open_hip(session, false, &hip_case, error));
  const syn_status status = find(session, hip_case, &a, error);
  syn_hip_case_destroy(hip_case);
  if (status == SYN_OK || status == SYN_NOT_CONVERGED) syn_ranks_destroy(ranks);
  return status;
}

const cli_command cli_pressure = {
    .name = "pressure",
    .summary = "contact pressure in the cartilage of a hip",
    .usage = {"JOINT [--method fem|foundation|estimate] [--load N|NAME|FILE] [-o DIR]", "PELVIS FEMUR …",
              "TABLE --train --model FILE"},
    .description = "Cartilage is a layer on either bone: as scanned, else half of the joint space each, which the "
                   "answer says. The femur turns through the motion and shifts until the pressure balances the load. "
                   "Peak, mean, area and centre are of the step with the highest pressure; every step is in the "
                   "result.\n\nA step without equilibrium ends the run: the steps before it are written, and the exit "
                   "code is 4. See docs/pressure.md. Research software, not a medical device.",
    .options = CLI_TABLE(pressure_options),
    .operands = {1, 2},
    .run = run_pressure,
};
