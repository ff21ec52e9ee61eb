/* collide: queries two bodies at one pose, by any method of the library. */
#include <string.h>

#include "collide/collide.h"
#include "print/print.h"

#define INTO(FIELD) CLI_INTO(syn_collide_options, FIELD)
static const cli_option options[] = {
    OPT_PATH("fixed", "FILE", NULL, 0, "mesh of the body that stands still"),
    OPT_PATH("mobile", "FILE", NULL, 0, "mesh of the body that is placed"),
    OPT_PATH("self", "FILE", NULL, 0,
             "volume mesh of one body that may run into itself, instead of two; neighbours that share a node do not "
             "count (methods hash and buckettree)"),
    OPT_FLAG("fixed-inside", CLI_FIELD(CLI_FALSE, syn_collide_options, fixed_outside),
             "the fixed body is the inner one, for the methods radial, ray-table, sliding-hash and split; else it is "
             "the outer one"),
    OPT_POINT("center", NULL, INTO(center), "centre of rotation in mm, in the frame of the meshes"),
    OPT_POINT("axis", "0,0,1", CLI_FIELD(CLI_DIRECTION, syn_collide_options, axis), "axis of the turn, of any length"),
    OPT_DEG("angle", -360, 360, "0", 0, "turn of the mobile body about the axis through the centre"),
    OPT_POSE,
    OPT_TEXT("turn", "NAME=DEG…", NULL, 0,
             "of a joint file: turns by their names, such as flexion=30,adduction=10; with commas or blanks between"),
    OPT_FLAG("together", 0,
             "of a joint file: every body with every other one, fixed with fixed and mobile with mobile as well; only "
             "pairs whose boxes meet are listed"),
    OPT_THRESHOLDS("for the method split: nearer to the centre than this the bodies slide, farther they strike; after "
                   "a second one they slide again, and so on"),
    OPT_CHOICE(
        "mapping", "1|2|3", "1|2|3|spherical|cartesian|uniform", "3", 0,
        "how directions are cut into cells, for radial, ray-table and split: 1 spherical, 2 cartesian, 3 uniform"),
    OPT_COUNT("table-size", 1, 1 << 24, "from the mesh", INTO(table_size),
              "cells of the table, for the methods radial, ray-table, sliding-hash, cylindrical and split"),
    OPT_COUNT("neighbours", 0, 64, "0, exact", INTO(neighbours),
              "look into N neighbouring cells on each side of the table of the first pose instead of making it again, "
              "by radial and cylindrical: approximate"),
    OPT_FLAG("no-normals", CLI_FIELD(CLI_FALSE, syn_collide_options, use_normals),
             "for the radial methods: the innermost layer counts, whichever way its triangles face"),
    OPT_FLAG("both-roles", INTO(both_roles),
             "also look for fixed vertices in the mobile body, by radial, cylindrical, split and the distance methods"),
    OPT_FLAG(
        "between-vertices", INTO(between_vertices),
        "also look for the deepest point on edges and faces, by radial, cylindrical, split and the distance methods"),
    OPT_MM("reach", 0, 1e12, "any distance", INTO(reach_mm),
           "for the distance methods: vertices farther apart than this need not be measured"),
    OPT_FLAG("with-self", INTO(with_self),
             "for the method buckettree: also where either body runs into itself, in the same run"),
    OPT_FLAG("sheets", INTO(sheets),
             "for the distance methods: surfaces may be open sheets, such as cartilage; inside is what lies behind "
             "them, up to --reach"),
    OPT_MM("ball-radius", 1e-9, 1e9, "1", INTO(ball_radius_mm),
           "for the method spheres: every vertex is a ball of this radius"),
    OPT_CHOICE("convex-algorithm", "alternating|gjk", "alternating|gjk", "alternating", INTO(convex_algorithm),
               "for the method convex"),
    OPT_FLAG("volume", 0,
             "the volume that both bodies share, the contour in which their surfaces cross, and the triangles inside, "
             "cut, and next to the contour; of closed surfaces, instead of a method"),
    OPT_PATH("report", "FILE", NULL, 0, "with --volume: a page with the bodies coloured by zone, such as overlap.html"),
    OPT_TEXT("title", "TEXT", "Overlap of two bodies", 0, "with --report: title of the page"),
    OPT_TEXT("method", "NAME", "obb for a joint file", 0, "how to look for contacts; `--method list` lists the names"),
    OPT_COUNT("max-contacts", 0, 1e9, "1000", 0, "list no more contacts than this"),
    OPT_PATH("out", "FILE", NULL, 0,
             "write the mobile mesh where it is placed, with the depth of every vertex (VTP, PLY, CSV, …); with "
             "--volume both surfaces with their zones, and the contour as NAME_contour.vtp"),
};

/* Each option, and the methods that take it. */
static const char *const table[][2] = {
    {"mapping", "radial, ray-table, split"},
    {"with-self", "buckettree"},
    {"table-size", "radial, ray-table, sliding-hash, cylindrical, split"},
    {"neighbours", "radial, cylindrical"},
    {"no-normals", "radial, ray-table, sliding-hash, split"},
    {"both-roles", "radial, cylindrical, split, distance, proximity, proximity-walk"},
    {"between-vertices", "radial, cylindrical, split, distance, proximity, proximity-walk"},
    {"reach", "distance, proximity, proximity-walk"},
    {"sheets", "distance, proximity, proximity-walk"},
    {"ball-radius", "spheres"},
    {"convex-algorithm", "convex"},
};
enum { OPTIONS = sizeof table / sizeof *table };

static bool is_in_list(const char *word, const char *list) {
  for (const size_t length = strlen(word); *list; list += strspn(list, ", ")) {
    const size_t next = strcspn(list, ",");
    if (next == length && memcmp(list, word, length) == 0) return true;
    list += next;
  }
  return false;
}

syn_status cli_collide_how(cli_session *session, const char *method, syn_collide_options *how, syn_error *error) {
  cli_arguments *arguments = &session->arguments;
  const char *mapping = cli_text(arguments, "mapping", "3");
  *how = syn_default_collide_options();
  SYN_TRY(cli_take(arguments, &session->command->options, how, error));
  how->angle = cli_number(arguments, "angle", 0) * SYN_PI / 180;
  how->thresholds_mm = cli_numbers(arguments, "threshold");
  how->threshold_count = cli_number_count(arguments, "threshold");
  for (unsigned m = SYN_MAPPING_SPHERICAL; m < SYN_MAPPINGS; ++m)
    if (cli_is(arguments, "mapping", syn_mapping_name((syn_mapping)m)) || mapping[0] == (char)('0' + m))
      how->mapping = (syn_mapping)m;
  for (size_t i = 0; i < OPTIONS; ++i)
    if (cli_given(arguments, table[i][0]) && !is_in_list(method, table[i][1]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the method %s does not take --%s; these do: %s", method, table[i][0],
                      table[i][1]);
  return SYN_OK;
}

static syn_status check_given(const cli_arguments *arguments, syn_error *error) {
  static const char *const needed[] = {"fixed", "mobile", "center"};
  const bool self = cli_given(arguments, "self"),
             placed = cli_given(arguments, "volume") && !cli_given(arguments, "angle");
  const char *placing = cli_first_given(arguments, "fixed mobile pose angle");
  if (self && placing)
    return syn_fail(error, SYN_BAD_ARGUMENT, "--self names the one body, as it lies; leave --%s away", placing);
  for (size_t i = 0; !self && i < (placed ? 2 : sizeof needed / sizeof *needed); ++i)
    if (!cli_given(arguments, needed[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is needed; see `synovia help collide`", needed[i]);
  if (cli_given(arguments, "pose") && cli_given(arguments, "angle"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--pose and --angle both place the body; give one of them");
  if (cli_given(arguments, "angle") && !cli_given(arguments, "axis"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--angle needs --axis x,y,z: the axis to turn about");
  return SYN_OK;
}

static syn_status take_pose(const cli_arguments *arguments, const syn_collide_options *how, syn_pose *pose,
                            syn_error *error) {
  SYN_TRY(cli_pose(arguments, pose, error));
  SYN_TRY(syn_pose_check(pose, error));
  if (cli_given(arguments, "angle")) *pose = syn_pose_about_axis(how->center, how->axis, how->angle);
  return SYN_OK;
}

static syn_status list_methods(cli_session *session) {
  cli_set_list(session, "methods", &syn_method_record, NULL, syn_method_count());
  for (size_t i = 0; i < syn_method_count(); ++i)
    cli_print(session, "%-14s %s\n", syn_method_at(i).name, syn_method_at(i).summary);
  return SYN_OK;
}

/* `fixed` NULL: the mobile body with itself. */
static syn_status collide(cli_session *session, const syn_body *fixed, const syn_body *mobile, const syn_pose *pose,
                          const syn_collide_options *how, syn_error *error) {
  const char *hidden;
  syn_collision *collision;
  SYN_TRY(syn_collision_create(&session->context, cli_text(&session->arguments, "method", NULL), fixed, mobile, how,
                               pose, (size_t)cli_number(&session->arguments, "max-contacts", 1000), &collision, error));
  cli_set_fields(session, &syn_collision_record, collision);
  cli_print_collision(session, collision);
  syn_status status = SYN_OK;
  if (session->folder) {
    status = syn_outbox_stage_file(session->outbox, session->folder, &hidden, error);
    if (status == SYN_OK) status = syn_collision_write(collision, hidden, NULL, error);
    if (status == SYN_OK) cli_made(session, hidden);
    if (status == SYN_OK) cli_set_files(session);
  }
  syn_collision_destroy(collision);
  return status;
}

static syn_status read_body(cli_session *session, const char *option, bool needs_volume, syn_body *body,
                            syn_error *error) {
  const char *path = cli_text(&session->arguments, option, NULL);
  return path ? syn_body_read(&session->context, path, needs_volume, &session->reading, body, error) : SYN_OK;
}

static syn_status collide_files(cli_session *session, const syn_method_info *method, const syn_collide_options *how,
                                const syn_pose *pose, syn_error *error) {
  syn_body fixed = {0}, mobile = {0};
  syn_status status = read_body(session, "fixed", method->needs_volume, &fixed, error);
  if (status == SYN_OK) status = read_body(session, "mobile", method->needs_volume, &mobile, error);
  if (status == SYN_OK && method->needs_volume) status = read_body(session, "self", true, &mobile, error);
  if (status == SYN_OK) cli_doubt_units(session, &fixed, &mobile);
  if (status == SYN_OK)
    status = collide(session, cli_given(&session->arguments, "self") ? NULL : &fixed, &mobile, pose, how, error);
  syn_body_release(&fixed);
  syn_body_release(&mobile);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_method_info method;
  syn_collide_options how;
  syn_pose pose;
  if (cli_is(arguments, "method", "list")) return list_methods(session);
  if (arguments->operand_count > 1) return cli_collide_meshes(session, error);
  if (arguments->operand_count) return cli_collide_joint(session, error);
  SYN_TRY(check_given(arguments, error));
  if (cli_given(arguments, "volume")) {
    SYN_TRY(cli_collide_how(session, "volume", &how, error));
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
  SYN_TRY(cli_collide_how(session, method.name, &how, error));
  SYN_TRY(take_pose(arguments, &how, &pose, error));
  if (session->folder) SYN_TRY(syn_outbox_stage_file(session->outbox, session->folder, NULL, error));
  return collide_files(session, &method, &how, &pose, error);
}

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
        "`--method list --json` says which do, and which need tetrahedra. Elements are counted from 0.\n\nDepths are "
        "measured along the ray from the centre by radial, ray-table and sliding-hash; along the arc about the axis by "
        "cylindrical, to the nearest surface, or with --angle back along that turn; by split along either, as "
        "--threshold says; along the shortest way to the surface by distance, proximity and proximity-walk; along the "
        "shortest translation that parts the hulls by convex; along the line between two balls by spheres. obb, aabb, "
        "hash and buckettree find contacts without depths: all pairs that meet, so that n triangles that lie on m "
        "others "
        "are n times m contacts, which takes as long as that (Ctrl-C stops it; `mesh check` counts triangles that are "
        "there twice, and `mesh repair` drops them). ray-table and sliding-hash know one wall for each "
        "direction: "
        "they are for layers about the centre, and a warning says where the fixed body is none.\n\nMethods that read "
        "off the triangles where the inside is (the first five, distance, proximity and proximity-walk) refuse a "
        "closed "
        "surface that faces inward; `mesh repair` turns it.\n\nOf a joint file of any kind: every pair of a fixed and "
        "a "
        "mobile body that may touch, as scanned or turned by the joint's own names; the centre is that of the "
        "joint, and arcs run back along the turn, or, as scanned, about its first axis. With --together, or of several "
        "meshes, every body with every other one; boxes decide which "
        "pairs are asked, and the others are apart.",
    .options = CLI_TABLE(options),
    .operands = {0, CLI_MAX_OPERANDS},
    .run = run,
};
