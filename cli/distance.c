/* distance: how far two bodies are apart, or how deep they are in each other. */
#include <math.h>

#include "base/status.h"
#include "bodies.h"
#include "mesh.h"

static void tell(cli_session *session, const syn_clearance *c) {
  cli_set_fields(session, &syn_clearance_record, c);
  cli_print(session, "%.6f mm %s\n", fabs(c->distance_mm),
            c->distance_mm > 0   ? "apart"
            : c->distance_mm < 0 ? "deep in each other"
                                 : "apart: the surfaces meet");
  cli_print(session, "  A  %.4f, %.4f, %.4f (triangle %u)\n", c->point_fixed.x, c->point_fixed.y, c->point_fixed.z,
            c->fixed_triangle);
  cli_print(session, "  B  %.4f, %.4f, %.4f (triangle %u)\n", c->point_mobile.x, c->point_mobile.y, c->point_mobile.z,
            c->mobile_triangle);
}

static syn_status run(cli_session *session, syn_error *error) {
  syn_pose pose;
  syn_trimesh *a, *b;
  SYN_TRY(cli_pose(&session->arguments, &pose, error));
  SYN_TRY(cli_read_surface(session, session->arguments.operands[0], &a, error));
  syn_status status = cli_read_surface(session, session->arguments.operands[1], &b, error);
  if (status == SYN_OK) {
    syn_clearance clearance;
    status = syn_clearance_find(a, b, NULL, &pose, &clearance, error);
    if (status == SYN_OK) tell(session, &clearance);
    syn_trimesh_destroy(b);
  }
  syn_trimesh_destroy(a);
  return status;
}

static const cli_option options[] = {CLI_POSE_OPTION};

const cli_command cli_distance = {
    .name = "distance",
    .summary = "signed clearance between two bodies, with the points where it is found",
    .usage = {"A B [--pose '16 numbers']"},
    .description = "Positive apart: the least distance of the surfaces, exactly. Negative in penetration: the depth of "
                   "the deepest vertex of either body in the other one. 0 where the surfaces meet without that. Both "
                   "points are in the frame of A; --pose places B in it.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 2,
    .max_operands = 2,
    .run = run,
};
