/* surgery resect: bone removed against degrees gained. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "surgery/surgery.h"

enum { MOST_MOTIONS = 32 };

/* ---- text ---------------------------------------------------------------------------------------------------------
 */

static void print_angle(const cli_session *session, const syn_resected_motion *m, bool first) {
  switch (syn_hip_limit_state(&m->limit)) {
  case SYN_LIMIT_STOPPED: cli_print(session, "  %7.2f", syn_hip_limit_deg(&m->limit)); break;
  case SYN_LIMIT_NO_STOP: cli_print(session, "  no stop"); break;
  default: cli_print(session, "  no pose");
  }
  if (first)
    cli_print(session, "        ");
  else if (isnan(m->gain_deg))
    cli_print(session, "       ?");
  else
    cli_print(session, " %+7.2f", m->gain_deg);
}

static void print_steps(const cli_session *session, const syn_resection *r) {
  const bool cam = r->options.kind == SYN_RESECTION_CAM;
  cli_print(session, "\n  Depth   Removed%s", cam ? "  Alpha" : "");
  for (size_t m = 0; m < r->motion_count; ++m) cli_print(session, "    Motion %zu     ", m + 1);
  cli_print(session, "\n     mm       mm³%s", cam ? "      °" : "");
  for (size_t m = 0; m < r->motion_count; ++m) cli_print(session, "        °    gain");
  cli_print(session, "\n");
  for (size_t i = 0; i < r->step_count; ++i) {
    const syn_resection_step *s = &r->steps[i];
    cli_print(session, "  %5.2f %9.1f", s->depth_mm, s->volume_mm3);
    if (cam) cli_print(session, "  %5.1f", s->alpha_deg);
    for (size_t m = 0; m < r->motion_count; ++m) print_angle(session, &s->motions[m], i == 0);
    cli_print(session, "\n");
  }
}

static void print_motion(const cli_session *session, const syn_resection *r, size_t m) {
  const syn_resected_motion *before = &r->steps[0].motions[m], *after = &r->steps[r->step_count - 1].motions[m];
  char words[96];
  cli_print(session, "  %zu %s", m + 1, before->motion->label);
  if (!isnan(after->gain_deg) && r->step_count > 1) cli_print(session, ": %+.2f°", after->gain_deg);
  if (!isnan(after->gain_band_deg.low))
    cli_print(session, ", 95 %% %.1f to %.1f°", after->gain_band_deg.low, after->gain_band_deg.high);
  cli_print(session, "\n      before: %s", syn_hip_limit_words(&before->limit, words));
  if (syn_contact_place_words(&before->place, words)[0]) cli_print(session, ", %s", words);
  cli_print(session, "\n      after:  %s", syn_hip_limit_words(&after->limit, words));
  if (syn_contact_place_words(&after->place, words)[0]) cli_print(session, ", %s", words);
  cli_print(session, "\n");
}

static void tell(cli_session *session, const syn_resection *r) {
  const syn_resection_options *o = &r->options;
  const bool cam = o->kind == SYN_RESECTION_CAM;
  char from[16], to[16];
  cli_set_fields(session, &syn_resection_record, r);
  cli_print(session, "Resection of the %s of the %s hip, %s to %s o'clock", cam ? "cam" : "rim",
            syn_side_name(r->hip_case->hip.side), syn_clock_words(o->from_hour, from), syn_clock_words(o->to_hour, to));
  if (cam) cli_print(session, ", towards an alpha angle of %g°", o->alpha_deg);
  cli_print(session, ":\n");
  for (size_t m = 0; m < r->motion_count; ++m) print_motion(session, r, m);
  print_steps(session, r);
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static const char *motion_name_at(const void *user, size_t index) {
  (void)user;
  return syn_clinical_motion_at(index)->name;
}

/* The names of --motion, with commas between. */
static syn_status take_motions(const cli_arguments *arguments, const syn_clinical_motion *motions[MOST_MOTIONS],
                               syn_resection_options *what, syn_error *error) {
  const char *list = cli_text(arguments, "motion", "");
  for (list += strspn(list, ", "); *list; list += strspn(list, ", ")) {
    const size_t length = strcspn(list, ", ");
    char word[64], hint[96];
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), list);
    const syn_clinical_motion *motion = syn_clinical_motion_named(word);
    if (!motion)
      return syn_fail(error, SYN_BAD_ARGUMENT, "there is no motion '%s'.%s", word,
                      syn_did_you_mean(word, motion_name_at, NULL, syn_clinical_motion_count(), hint));
    if (what->motion_count == MOST_MOTIONS)
      return syn_fail(error, SYN_BAD_ARGUMENT, "at most %d motions", MOST_MOTIONS);
    motions[what->motion_count++] = motion;
    list += length;
  }
  if (what->motion_count) what->motions = motions;
  return SYN_OK;
}

static void take_options(const cli_arguments *arguments, syn_resection_options *what) {
  if (cli_is(arguments, "cut", "rim")) what->kind = SYN_RESECTION_RIM;
  what->step_mm = cli_number(arguments, "step", what->step_mm);
  what->depth_mm = cli_number(arguments, "depth", what->depth_mm);
  what->from_hour = cli_number(arguments, "from", what->from_hour);
  what->to_hour = cli_number(arguments, "to", what->to_hour);
  what->alpha_deg = cli_number(arguments, "alpha", what->alpha_deg);
  what->neck_mm = cli_number(arguments, "neck", what->neck_mm);
  what->offset_mm = cli_number(arguments, "offset", what->offset_mm);
  what->width_mm = cli_number(arguments, "width", what->width_mm);
  what->edge_mm = cli_number(arguments, "edge", what->edge_mm);
  what->bands = cli_band_options(arguments);
}

static syn_status plan(cli_session *session, const syn_hip_case *hip_case, const char *folder, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  const syn_clinical_motion *motions[MOST_MOTIONS];
  syn_resection_options what = syn_default_resection_options();
  syn_resection *resection;
  take_options(arguments, &what);
  SYN_TRY(take_motions(arguments, motions, &what, error));
  SYN_TRY(syn_resection_create(&session->context, hip_case, &what, &resection, error));
  tell(session, resection);
  const syn_status status = folder ? cli_write_resection(session, resection, cli_given(arguments, "every-cut"),
                                                         cli_hip_title(session, hip_case, "Resection"), folder, error)
                                   : SYN_OK;
  syn_resection_destroy(resection);
  return status;
}

syn_status cli_run_on_hip(cli_session *session, cli_hip_work *work, syn_error *error) {
  const char *folder = cli_text(&session->arguments, "out", NULL);
  syn_hip_case *hip_case;
  if (folder) SYN_TRY(cli_stage(session, folder, NULL, error));
  SYN_TRY(cli_open_hip(session, false, &hip_case, error));
  const syn_status status = work(session, hip_case, folder, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) { return cli_run_on_hip(session, plan, error); }

static const cli_option options[] = {
    {.name = "cut",
     .kind = CLI_CHOICE,
     .value = "cam|rim",
     .choices = "cam|rim",
     .standard = "cam",
     .help = "what is removed: bone of the femur between head and neck, or of the acetabular rim"},
    {.name = "depth",
     .kind = CLI_NUMBER,
     .unit = "mm",
     .min = 0.01,
     .max = 10,
     .value = "MM",
     .standard = "of a cam all that stands out, up to 10; of the rim 5, up to 8",
     .help = "deepest cut"},
    {.name = "step",
     .kind = CLI_NUMBER,
     .unit = "mm",
     .min = 0.01,
     .max = 10,
     .value = "MM",
     .standard = "0.5",
     .help = "between the depths that are planned"},
    {.name = "from",
     .kind = CLI_NUMBER,
     .unit = "h",
     .min = 0,
     .max = 12,
     .value = "HOUR",
     .standard = "12 of a cam, 11 of the rim",
     .help = "where the cut begins on the clock face about the neck, or of the acetabulum; 3 is anterior"},
    {.name = "to",
     .kind = CLI_NUMBER,
     .unit = "h",
     .min = 0,
     .max = 12,
     .value = "HOUR",
     .standard = "4 of a cam, 3 of the rim",
     .help = "where it ends, clockwise; the same hour as --from: all round"},
    {.name = "alpha",
     .kind = CLI_NUMBER,
     .unit = "deg",
     .min = 30,
     .max = 80,
     .value = "DEG",
     .standard = "42, as in healthy hips",
     .help = "of a cam: the alpha angle that is aimed at"},
    {.name = "neck",
     .kind = CLI_NUMBER,
     .unit = "mm",
     .min = 0,
     .max = 30,
     .value = "MM",
     .standard = "0",
     .help = "of a cam: how far beyond its isthmus the neck may be cut as thin as there"},
    {.name = "offset",
     .kind = CLI_NUMBER,
     .unit = "mm",
     .min = 0,
     .max = 5,
     .value = "MM",
     .standard = "0",
     .help = "of a cam: how much thinner than its isthmus the neck may become on that side"},
    {.name = "width",
     .kind = CLI_NUMBER,
     .unit = "mm",
     .min = 0,
     .max = 15,
     .value = "MM",
     .standard = "4",
     .help = "of the rim: how far beyond it the cut is level before it slopes"},
    {.name = "edge",
     .kind = CLI_NUMBER,
     .unit = "mm",
     .min = 0.1,
     .max = 5,
     .value = "MM",
     .standard = "0.5",
     .help = "longest edge of the mesh where it is cut"},
    {.name = "motion",
     .kind = CLI_TEXT,
     .value = "NAME,…",
     .standard = "flexion,internal_rotation_90,fadir",
     .help = "motions whose gain is computed, as for `synovia rom`"},
    CLI_HIP_OPTIONS,
    CLI_BAND_OPTIONS,
    CLI_TITLE_OPTION,
    {.name = "every-cut", .kind = CLI_FLAG, .help = "write the bone after each cut, not only after the deepest"},
    CLI_OUT_OPTION(
        "write report.html with the curves, resection.csv, the bone after the cut and result.json to this folder"),
};

const cli_command cli_surgery_resect = {
    .name = "surgery resect",
    .summary = "cam and rim resection: bone removed against degrees gained",
    .usage = {"PELVIS FEMUR [--cut cam|rim] [--depth MM] [--from HOUR --to HOUR] [-o DIR]", "JOINT [--cut cam|rim] …"},
    .description =
        "Cuts of growing depth, each within the next, and how far the bones then turn. A cam is cut no deeper than "
        "the step, and never below the shape aimed at: the head's sphere up to the alpha angle aimed at, from there "
        "its "
        "tangent down to the neck. The rim is lowered along the normal of its plane. What is left is a closed mesh: "
        "`synovia hip` and `synovia rom` take it. Where nothing stands out a warning says so.\n\n"
        "Gains are bone to bone; the 95 % band of the deepest cut is of the same hips drawn before and after. See "
        "docs/surgery.md. "
        "Research software, not a medical device.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
