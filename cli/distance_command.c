/* distance: computes the distance or the penetration depth of two bodies. */
#include "mesh_command.h"
#include "print/print.h"

static syn_status run(cli_session *session, syn_error *error) {
  syn_pose pose;
  syn_trimesh *pair[2];
  syn_clearance clearance;
  SYN_TRY(cli_pose(&session->arguments, &pose, error));
  SYN_TRY(cli_read_surfaces(session, session->arguments.operands[0], session->arguments.operands[1], pair, error));
  const syn_status status = syn_clearance_find(pair[0], pair[1], NULL, &pose, &clearance, error);
  if (status == SYN_OK) {
    cli_set_fields(session, &syn_clearance_record, &clearance);
    cli_print_clearance(session, &clearance);
  }
  cli_release_surfaces(pair);
  return status;
}

static const cli_option options[] = {OPT_POSE};

const cli_command cli_distance = {
    .name = "distance",
    .summary = "signed clearance between two bodies, with the points where it is found",
    .usage = {"A B [--pose '16 numbers']"},
    .description = "Positive apart: the least distance of the surfaces, exactly. Negative in penetration: the depth of "
                   "the deepest vertex of either body in the other one. 0 where the surfaces meet without that. Both "
                   "points are in the frame of A; --pose places B in it.",
    .options = CLI_TABLE(options),
    .operands = {2, 2},
    .run = run,
};
