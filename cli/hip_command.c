/* hip: the whole analysis of a person's hip from its meshes. */
#include "hip_command.h"
#include "print/print.h"

#include <stdlib.h>
#include <unistd.h>

syn_status cli_tell_hip(cli_session *session, const syn_hip_analysis *a, bool with_joint, const char *kind,
                        const char *title, syn_error *error) {
  cli_set_fields(session, &syn_hip_record, a);
  cli_print_hip(session, a);
  syn_publish_options how = syn_default_publish_options();
  how.title = title;
  how.kind = kind;
  if (!with_joint) how.what &= ~(unsigned)SYN_PUBLISH_JOINT;
  return cli_publish(session, &syn_hip_record, a, &how, error);
}

static syn_status analyse(cli_session *session, syn_hip_case *hip_case, syn_error *error) {
  char *joint = cli_path(session->folder, "joint.json");
  const bool has_joint = session->arguments.operand_count == 1 && access(joint, F_OK) == 0; /* perhaps the very one */
  free(joint);
  syn_hip_analysis *analysis;
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  SYN_TRY(cli_take(&session->arguments, &cli_band_options, &what.bands, error));
  SYN_TRY(syn_hip_analysis_create(&session->context, hip_case, &what, &analysis, error));
  const syn_status status =
      cli_tell_hip(session, analysis, !has_joint, "hip", cli_hip_title(session, hip_case, "Hip"), error);
  syn_hip_analysis_destroy(analysis);
  return status;
}

static const cli_option options[] = {
    OPT_GROUP(cli_hip_parts, 0),
    OPT_GROUP(cli_hip_options, 0),
    OPT_GROUP(cli_band_options, 0),
    OPT_TITLE,
    OPT_OUT("hip-output", "folder for the report and the files"),
};

const cli_command cli_hip = {
    .name = "hip",
    .summary = "the whole analysis of a person's hip from its meshes",
    .usage = {"PELVIS FEMUR [-o DIR]", "JOINT [-o DIR]"},
    .description =
        "Nothing but the two meshes is needed: side, landmarks, frames and centre are found from their shape. Writes "
        "report.html, a page that needs nothing but a browser; result.json, which is what --json prints, with every "
        "warning; rom.csv; a VTP file per body with the depths on it for ParaView; hip.glb with the motion; and "
        "joint.json to go on with.\n\nAn analysis that was made ends with exit code 0, also if the bones overlap as "
        "scanned: see `rom.overlap` and the warnings.\n\nMeshes in mm, in one frame; --units m converts. Research "
        "software, not a medical device.",
    .options = CLI_TABLE(options),
    .operands = {1, 2},
    .on_hip = analyse,
    .folder = "hip-output",
};
