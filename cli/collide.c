/* collide: two bodies in one pose, by any method of the library's table. */
#include <math.h>

#include "base/status.h"
#include "base/vec.h"
#include "bodies.h"
#include "collide/collide.h"
#include "joint.h"

static syn_status list_methods(cli_session *session) {
  cli_set_list(session, "methods", &syn_method_record, NULL, syn_method_count());
  for (size_t i = 0; i < syn_method_count(); ++i)
    cli_print(session, "%-14s %s\n", syn_method_at(i).name, syn_method_at(i).summary);
  return SYN_OK;
}

/* ---- options ------------------------------------------------------------------------------------------------------
 */

static syn_status check_given(const cli_arguments *arguments, syn_error *error) {
  static const char *const needed[] = {"fixed", "mobile", "center"}, *const placing[] = {"fixed", "mobile", "pose",
                                                                                         "angle"};
  const bool self = cli_given(arguments, "self"),
             placed = cli_given(arguments, "volume") && !cli_given(arguments, "angle");
  for (size_t i = 0; self && i < sizeof placing / sizeof *placing; ++i)
    if (cli_given(arguments, placing[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--self names the one body, as it lies; leave --%s away", placing[i]);
  for (size_t i = 0; !self && i < (placed ? 2 : sizeof needed / sizeof *needed); ++i)
    if (!cli_given(arguments, needed[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is needed; see `synovia help collide`", needed[i]);
  if (cli_given(arguments, "pose") && cli_given(arguments, "angle"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--pose and --angle both place the body; give one of them");
  if (cli_given(arguments, "angle") && !cli_given(arguments, "axis"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--angle needs --axis x,y,z: the axis to turn about");
  return SYN_OK;
}

static syn_status take_pose(const cli_arguments *arguments, syn_collide_options *options, syn_pose *pose,
                            syn_error *error) {
  if (cli_given(arguments, "center")) options->center = cli_vector(arguments, "center");
  options->fixed_outside = !cli_given(arguments, "fixed-inside");
  options->angle = cli_number(arguments, "angle", 0) * SYN_PI / 180;
  if (cli_given(arguments, "axis")) SYN_TRY(cli_direction(arguments, "axis", &options->axis, error));
  SYN_TRY(cli_pose(arguments, pose, error));
  SYN_TRY(syn_pose_check(pose, error));
  if (cli_given(arguments, "angle")) *pose = syn_pose_about_axis(options->center, options->axis, options->angle);
  return SYN_OK;
}

/* ---- output -------------------------------------------------------------------------------------------------------
 */

static void tell(cli_session *session, const syn_collision *collision) {
  const syn_contacts *c = &collision->contacts;
  char count[32];
  cli_set_fields(session, &syn_collision_record, collision);
  cli_print(session, "%s: %s, %s contacts\n", collision->method.name, c->penetrating ? "penetrating" : "apart",
            syn_count_words(c->count, count));
  if (isfinite(c->max_depth_mm))
    cli_print(session, "  %-16s %.6f mm\n", c->max_depth_mm > 0 ? "deepest" : "nearest", fabs(c->max_depth_mm));
  if (c->max_vertex != SYN_NONE)
    cli_print(session, "  %-16s %u at %.4f, %.4f, %.4f mm\n", "mobile element", c->max_vertex, c->max_point.x,
              c->max_point.y, c->max_point.z);
}

static syn_status write_mobile(cli_session *session, const syn_collision *collision, syn_error *error) {
  const char *hidden;
  SYN_TRY(cli_stage_file(session, cli_text(&session->arguments, "out", NULL), &hidden, error));
  SYN_TRY(syn_collision_write(collision, hidden, NULL, error));
  cli_made(session, hidden);
  cli_set_files(session);
  return SYN_OK;
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

/* `fixed` NULL: the mobile body with itself. */
static syn_status collide(cli_session *session, const syn_body *fixed, const syn_body *mobile, const syn_pose *pose,
                          const syn_collide_options *options, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_collision *collision;
  SYN_TRY(syn_collision_create(&session->context, cli_text(arguments, "method", NULL), fixed, mobile, options, pose,
                               (size_t)cli_number(arguments, "max-contacts", 1000), &collision, error));
  tell(session, collision);
  const syn_status status = cli_given(arguments, "out") ? write_mobile(session, collision, error) : SYN_OK;
  syn_collision_destroy(collision);
  return status;
}

static syn_status read_body(cli_session *session, const char *option, bool needs_volume, syn_body *body,
                            syn_error *error) {
  const char *path = cli_text(&session->arguments, option, NULL);
  return path ? syn_body_read(&session->context, path, needs_volume, &session->reading, body, error) : SYN_OK;
}

static syn_status run(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  if (cli_is(arguments, "method", "list")) return list_methods(session);
  if (arguments->operand_count > 1) return cli_collide_meshes(session, error);
  if (arguments->operand_count) return cli_collide_joint(session, error);
  const bool self = cli_given(arguments, "self");
  syn_method_info method;
  syn_collide_options how = syn_default_collide_options();
  syn_pose pose;
  syn_body fixed = {0}, mobile = {0};
  SYN_TRY(check_given(arguments, error));
  if (cli_given(arguments, "volume")) {
    if (cli_collide_how_given(arguments))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s goes with a method, not with --volume",
                      cli_collide_how_given(arguments));
    SYN_TRY(take_pose(arguments, &how, &pose, error));
    return cli_collide_volume(session, &pose, error);
  }
  if (cli_given(arguments, "report")) return syn_fail(error, SYN_BAD_ARGUMENT, "--report goes with --volume");
  if (!cli_given(arguments, "method"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--method is missing; `synovia collide --method list` lists the names");
  if (cli_given(arguments, "turn"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--turn goes with a joint file; two meshes take --axis and --angle");
  if (cli_given(arguments, "together"))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "--together goes with a joint file; `synovia collide MESH MESH…` takes several meshes");
  SYN_TRY(syn_method_find(cli_text(arguments, "method", NULL), &method, error));
  SYN_TRY(take_pose(arguments, &how, &pose, error));
  SYN_TRY(cli_collide_how(arguments, method.name, &how, error));
  if (cli_given(arguments, "out")) SYN_TRY(cli_stage_file(session, cli_text(arguments, "out", NULL), NULL, error));
  syn_status status = read_body(session, "fixed", method.needs_volume, &fixed, error);
  if (status == SYN_OK) status = read_body(session, "mobile", method.needs_volume, &mobile, error);
  if (status == SYN_OK && method.needs_volume) status = read_body(session, "self", true, &mobile, error);
  if (status == SYN_OK) status = collide(session, self ? NULL : &fixed, &mobile, &pose, &how, error);
  syn_body_release(&fixed);
  syn_body_release(&mobile);
  return status;
}

static const cli_option options[] = {
    {.name = "fixed", .kind = CLI_PATH, .value = "FILE", .help = "mesh of the body that stands still"},
    {.name = "mobile", .kind = CLI_PATH, .value = "FILE", .help = "mesh of the body that is placed"},
    {.name = "self",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "volume mesh of one body that may run into itself, instead of two; neighbours that share a node do not "
             "count (methods hash and buckettree)"},
    {.name = "fixed-inside",
     .kind = CLI_FLAG,
     .help =
         "the fixed body is the inner one, for the methods radial, ray-table, sliding-hash and split; else it is the "
         "outer one"},
    {.name = "center",
     .kind = CLI_NUMBERS,
     .numbers = 3,
     .value = "x,y,z",
     .help = "centre of rotation in mm, in the frame of the meshes"},
    {.name = "axis",
     .kind = CLI_NUMBERS,
     .numbers = 3,
     .value = "x,y,z",
     .standard = "0,0,1",
     .help = "axis of the turn, of any length"},
    {.name = "angle",
     .kind = CLI_NUMBER,
     .value = "DEG",
     .unit = "deg",
     .min = -360,
     .max = 360,
     .standard = "0",
     .help = "turn of the mobile body about the axis through the centre"},
    CLI_POSE_OPTION,
    {.name = "turn",
     .kind = CLI_TEXT,
     .value = "NAME=DEG…",
     .help = "of a joint file: turns by their names, such as flexion=30,adduction=10; with commas or blanks between"},
    {.name = "together",
     .kind = CLI_FLAG,
     .help = "of a joint file: every body with every other one, fixed with fixed and mobile with mobile as well; only "
             "pairs whose boxes meet are listed"},
    {.name = "threshold",
     .kind = CLI_NUMBERS,
     .numbers = CLI_MAX_NUMBERS,
     .fewer = true,
     .value = "MM[,MM…]",
     .unit = "mm",
     .min = 0,
     .max = 1e9,
     .help =
         "for the method split: nearer to the centre than this the bodies slide, farther they strike; after a second "
         "one they slide again, and so on"},
    {.name = "mapping",
     .kind = CLI_CHOICE,
     .value = "1|2|3",
     .choices = "1|2|3|spherical|cartesian|uniform",
     .standard = "3",
     .help = "how directions are cut into cells, for radial, ray-table and split: 1 spherical, 2 cartesian, 3 uniform"},
    {.name = "table-size",
     .kind = CLI_COUNT,
     .value = "N",
     .min = 1,
     .max = 1 << 24,
     .standard = "from the mesh",
     .help = "cells of the table, for the methods radial, ray-table, sliding-hash, cylindrical and split"},
    {.name = "neighbours",
     .kind = CLI_COUNT,
     .value = "N",
     .min = 0,
     .max = 64,
     .standard = "0, exact",
     .help =
         "look into N neighbouring cells on each side of the table of the first pose instead of making it again, by "
         "radial and cylindrical: approximate"},
    {.name = "no-normals",
     .kind = CLI_FLAG,
     .help = "for the radial methods: the innermost layer counts, whichever way its triangles face"},
    {.name = "both-roles",
     .kind = CLI_FLAG,
     .help = "also look for fixed vertices in the mobile body, by radial, cylindrical, split and the distance methods"},
    {.name = "between-vertices",
     .kind = CLI_FLAG,
     .help =
         "also look for the deepest point on edges and faces, by radial, cylindrical, split and the distance methods"},
    {.name = "reach",
     .kind = CLI_NUMBER,
     .value = "MM",
     .unit = "mm",
     .min = 0,
     .max = 1e12,
     .standard = "any distance",
     .help = "for the distance methods: vertices farther apart than this need not be measured"},
    {.name = "sheets",
     .kind = CLI_FLAG,
     .help =
         "for the distance methods: surfaces may be open sheets, such as cartilage; inside is what lies behind them, "
         "up to --reach"},
    {.name = "ball-radius",
     .kind = CLI_NUMBER,
     .value = "MM",
     .unit = "mm",
     .min = 1e-9,
     .max = 1e9,
     .standard = "1",
     .help = "for the method spheres: every vertex is a ball of this radius"},
    {.name = "convex-algorithm",
     .kind = CLI_CHOICE,
     .value = "alternating|gjk",
     .choices = "alternating|gjk",
     .standard = "alternating",
     .help = "for the method convex"},
    {.name = "volume",
     .kind = CLI_FLAG,
     .help = "the volume that both bodies share, the contour in which their surfaces cross, and the triangles inside, "
             "cut, and next to the contour; of closed surfaces, instead of a method"},
    {.name = "report",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "with --volume: a page with the bodies coloured by zone, such as overlap.html"},
    {.name = "title",
     .kind = CLI_TEXT,
     .value = "TEXT",
     .standard = "Overlap of two bodies",
     .help = "with --report: title of the page"},
    {.name = "method",
     .kind = CLI_TEXT,
     .value = "NAME",
     .standard = "obb for a joint file",
     .help = "how to look for contacts; `--method list` lists the names"},
    {.name = "max-contacts",
     .kind = CLI_COUNT,
     .value = "N",
     .min = 0,
     .max = 1e9,
     .standard = "1000",
     .help = "list no more contacts than this"},
    {.name = "out",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "write the mobile mesh where it is placed, with the depth of every vertex (VTP, PLY, CSV, …); with "
             "--volume both surfaces with their zones, and the contour as NAME_contour.vtp"},
};

const cli_command cli_collide = {
    .name = "collide",
    .summary = "where and how deep two bodies collide in one pose",
    .usage = {"--fixed FILE --mobile FILE --center x,y,z --method NAME [--axis x,y,z --angle DEG | --pose '16 numbers']"
              " [--out FILE]",
              "JOINT|DIR [--turn NAME=DEG…] [--together] [--method NAME]", "MESH MESH… [--method NAME]",
              "--fixed FILE --mobile FILE --volume [--pose '16 numbers'] [--out FILE] [--report FILE]",
              "--self FILE --method hash|buckettree", "--method list"},
    .description =
        "A depth is positive in penetration and negative where there is a clearance. Not every method gives depths; "
        "`--method list --json` says which do, and which need tetrahedra. Elements are counted from 0.\n\n"
        "Depths are measured along the ray from the centre by radial, ray-table and sliding-hash; along the arc about "
        "the "
        "axis by cylindrical, to the nearest surface, or with --angle back along that turn; by split along either, as "
        "--threshold says; along the shortest way to the surface by distance, proximity and proximity-walk; along the "
        "shortest translation that parts the hulls by convex; along the line between two balls by spheres. obb, aabb, "
        "hash and buckettree find contacts without depths.\n\n"
        "Of a joint file of any kind: every pair of a fixed and a mobile body that may touch, as they lie or turned by "
        "the joint's own names; the centre and the axes are those of the joint. With --together, or of several meshes, "
        "every body with every other one; boxes decide which pairs are asked, and the others are apart.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .max_operands = CLI_MAX_OPERANDS,
    .run = run,
};
