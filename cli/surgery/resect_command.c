/* surgery resect: computes the gain in range of motion for the bone removed. */
#include <stdlib.h>

#include "hip_command.h"
#include "print/print.h"

typedef struct asked {
  syn_resection_options plan;
  cli_words motions;
  bool every_cut;
} asked;
#define INTO(FIELD) CLI_INTO(asked, FIELD)
static const cli_option options[] = {
    OPT_CHOICE("cut", "cam|rim", "cam|rim", "cam", INTO(plan.kind),
               "what is removed: bone of the femur between head and neck, or of the acetabular rim"),
    OPT_MM("depth", 0.01, 10, "of a cam all that stands out, up to 10; of the rim 5, up to 8", INTO(plan.depth_mm),
           "deepest cut"),
    OPT_MM("step", 0.01, 10, "0.5", INTO(plan.step_mm), "between the depths that are planned"),
    OPT_NUMBER("from", "HOUR", "h", 0, 12, "by the contacts, see below; with --to: 12, of the rim 11",
               INTO(plan.from_hour),
               "where the cut begins on the clock face about the neck, or of the acetabulum; 3 is anterior"),
    OPT_NUMBER("to", "HOUR", "h", 0, 12, "by the contacts; with --from: 4, of the rim 3", INTO(plan.to_hour),
               "where it ends, clockwise; the same hour as --from: all round"),
    OPT_DEG("alpha", 30, 80, "42, as in healthy hips", INTO(plan.alpha_deg),
            "of a cam: the alpha angle that is aimed at"),
    OPT_MM("neck", 0, 30, "0", INTO(plan.neck_mm),
           "of a cam: how far beyond its isthmus the neck may be cut as thin as there"),
    OPT_MM("offset", 0, 5, "0", INTO(plan.offset_mm),
           "of a cam: how much thinner than its isthmus the neck may become on that side"),
    OPT_MM("width", 0, 15, "4", INTO(plan.width_mm), "of the rim: how far beyond it the cut is level before it slopes"),
    OPT_MM("edge", 0.1, 5, "0.5", INTO(plan.edge_mm), "longest edge of the mesh where it is cut"),
    OPT_TEXT("motion", "NAME,…", "flexion,internal_rotation_90,fadir", INTO(motions),
             "motions whose gain is computed, as for `synovia rom`"),
    OPT_GROUP(cli_hip_options, 0),
    OPT_GROUP(cli_band_options, INTO(plan.bands)),
    OPT_TITLE,
    OPT_FLAG("every-cut", INTO(every_cut), "write the bone after each cut, not only after the deepest"),
    OPT_OUT(NULL,
            "write report.html with the curves, resection.csv, the bone after the cut and result.json to this folder"),
};

static syn_status plan(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  asked a = {.plan = syn_default_resection_options()};
  syn_resection *resection;
  void *motions;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &a, error));
  SYN_TRY(cli_take_motions(&a.motions, &motions, &a.plan.motions, &a.plan.motion_count, error));
  syn_status status = syn_resection_create(&session->context, hip_case, &a.plan, &resection, error);
  free(motions);
  SYN_TRY(status);
  cli_set_fields(session, &syn_resection_record, resection);
  cli_print_resection(session, resection);
  syn_publish_options how = syn_default_publish_options();
  how.title = cli_hip_title(session, hip_case, "Resection");
  how.every_cut = a.every_cut;
  status = cli_publish(session, &syn_resection_record, resection, &how, error);
  syn_resection_destroy(resection);
  return status;
}

const cli_command cli_surgery_resect = {
    .name = "surgery resect",
    .summary = "cam and rim resection: bone removed against degrees gained",
    .usage = {"PELVIS FEMUR [--cut cam|rim] [--depth MM] [--from HOUR --to HOUR] [-o DIR]", "JOINT [--cut cam|rim] …"},
    .description =
        "Cuts of growing depth, each within the next, and how far the bones then turn. A cam is cut no deeper than the "
        "step, and never below the shape aimed at: the head's sphere up to the alpha angle aimed at, from there its "
        "tangent down to the neck. The rim is lowered along the normal of its plane. What is left is a closed mesh: "
        "`synovia hip` and `synovia rom` take it. Where nothing stands out a warning says so.\n\nWithout --from and "
        "--to the "
        "cut runs from 12 to 4 o'clock (of the rim 11 to 3), and on to an hour beyond every contact that stops one of "
        "the motions; contacts that lie elsewhere are cut about alone. A motion that still ends within an hour of the "
        "cut is named in a warning.\n\nGains are bone to "
        "bone; the 95 % band of the deepest cut is of the same hips drawn before and after. See docs/surgery.md. "
        "Research software, not a medical device.",
    .options = CLI_TABLE(options),
    .operands = {1, 2},
    .on_hip = plan,
};
