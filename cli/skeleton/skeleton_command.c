/* skeleton: poses a tree of joints by a posture or a recorded motion, and finds contacts of its bodies. */
#include "hip_command.h"
#include "print/print.h"

typedef struct asked {
  syn_skeleton_analysis_options what;
  cli_words ranges;
} asked;
#define INTO(FIELD) CLI_INTO(asked, FIELD)
static const cli_option options[] = {
    OPT_TEXT("set", "DOF=VALUE,…", "all at rest", INTO(what.posture),
             "the posture: degrees or mm, or per cent of the range in force, as in knee_angle_r=90 or "
             "knee_angle_r=50%"),
    OPT_PATH("motion", "FILE", NULL, INTO(what.recording),
             "a recorded motion, .mot, .sto or CSV; columns with the names of Dofs move them"),
    OPT_MM("motion-unit", 1e-6, 1e6, "1000 for .mot and .sto, else 1", INTO(what.mm_per_unit),
           "the unit of lengths in the recorded motion"),
    OPT_FLAG("unclamped", INTO(what.unclamped), "use values beyond the range in force unchanged"),
    OPT_PATH("meshes", "DIR", "that of the skeleton file", INTO(what.meshes),
             "folder of the mesh files that the skeleton names"),
    OPT_TEXT(
        "method", "NAME", NULL, INTO(what.method),
        "collide the bodies in every posture by this method, in both roles: vertices of either body in the other, as "
        "`collide --both-roles` does; `synovia collide --method list` lists them"),
    OPT_MM("reach", 0, 1e6, "20", INTO(what.colliding.reach_mm), "bodies farther apart than this are not measured"),
    OPT_THRESHOLDS(
        "for the method split: nearer than this to the joint that carries the mobile body they slide, farther "
        "they strike"),
    OPT_TEXT(
        "rom", "DOF,…", NULL, INTO(ranges),
        "how far these Dofs go either way, one at a time, before bodies touch; joint surfaces (\"articular\" in the "
        "skeleton file) glide and end no Dof"),
    OPT_OUT(NULL, "write report.html, skeleton.glb and result.json to this folder"),
    OPT_TEXT("title", "TEXT", NULL, 0, "title of the report"),
};

static syn_status run(cli_session *session, syn_error *error) {
  asked a = {.what = syn_default_skeleton_analysis_options()};
  syn_skeleton *skeleton;
  syn_skeleton_analysis *analysis;
  if (session->folder) SYN_TRY(syn_outbox_stage(session->outbox, session->folder, NULL, error));
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &a, error));
  a.what.reading = &session->reading;
  a.what.colliding.thresholds_mm = cli_numbers(&session->arguments, "threshold");
  a.what.colliding.threshold_count = cli_number_count(&session->arguments, "threshold");
  a.what.bodies = session->folder != NULL;
  a.what.ranges = a.ranges.names;
  a.what.range_count = a.ranges.count;
  SYN_TRY(syn_skeleton_read(&session->context, session->arguments.operands[0], &skeleton, error));
  syn_status status = syn_skeleton_analysis_create(&session->context, skeleton, &a.what, &analysis, error);
  if (status == SYN_OK) {
    cli_set_fields(session, &syn_skeleton_record, analysis);
    cli_print_skeleton(session, analysis);
    status = cli_publish_titled(session, &syn_skeleton_record, analysis, cli_text(&session->arguments, "title", NULL),
                                error);
    syn_skeleton_analysis_destroy(analysis);
  }
  syn_skeleton_destroy(skeleton);
  return status;
}

const cli_command cli_skeleton = {
    .name = "skeleton",
    .summary = "a tree of joints in a posture or motion: ranges in force, contacts of its bodies, how far a Dof goes",
    .usage = {"FILE [--set DOF=VALUE,…] [--motion FILE] [--method NAME] [--rom DOF,…] [--meshes DIR] [-o DIR]"},
    .description = "FILE is a skeleton file: see docs/skeleton.md, examples/leg.json and examples/body.json. Angles "
                   "are in degrees, lengths in mm. Each Dof is printed with its value and the range in force: its own "
                   "limits, narrowed by the modifiers of other Dofs. Values beyond it are clamped, and that is said. "
                   "Meshes are read only where --method, --rom or -o need them.",
    .options = CLI_TABLE(options),
    .operands = {1, 1},
    .run = run,
};
