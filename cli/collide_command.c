/* collide: queries two bodies at one pose, by any method of the library. */
#define _GNU_SOURCE /* asprintf */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hip_command.h"
#include "mesh_command.h"
#include "print.h"

/* ---- print collide --------------------------------------------------------------------------------------------- */
/* Collisions, distances, overlaps, turns and recorded motions as text. */

static void print_collision(const cli_session *session, const syn_collision *collision) {
  const syn_contacts *c = &collision->contacts;
  const syn_sliding_counts *table = &collision->sliding;
  char text[CLI_POINT], counts[3][32];
  cli_print(session, "%s: %s, %s contacts\n", collision->method.name, c->penetrating ? "penetrating" : "apart",
            syn_count_text(c->count, counts[0]));
  if (isfinite(c->max_depth_mm))
    cli_print(session, "  %s          %.6f mm\n", c->max_depth_mm > 0 ? "deepest" : "nearest", fabs(c->max_depth_mm));
  if (c->max_vertex != SYN_NONE)
    cli_print(session, "  mobile element   %zu at %s mm\n", (size_t)c->max_vertex, cli_point(c->max_point, 4, text));
  if (table->side)
    cli_print(session,
              "  table            %zu × %zu cells, %s of them empty; %s triangles overwritten; %s distance tests\n",
              (size_t)table->side, (size_t)table->side, syn_count_text(table->empty, counts[0]),
              syn_count_text(table->overwritten, counts[1]), syn_count_text(table->tests, counts[2]));
}

static void print_clearance(const cli_session *session, const syn_clearance *clearance) {
  const double distance = clearance->distance_mm;
  char text[CLI_POINT];
  cli_print(session, "%.6f mm %s\n", fabs(distance),
            distance > 0   ? "apart"
            : distance < 0 ? "deep in each other"
                           : "apart: the surfaces meet");
  cli_print(session, "  A  %s (triangle %u)\n", cli_point(clearance->point_fixed, 4, text), clearance->fixed_triangle);
  cli_print(session, "  B  %s (triangle %u)\n", cli_point(clearance->point_mobile, 4, text),
            clearance->mobile_triangle);
}

static void print_overlap(const cli_session *session, const syn_overlap *overlap) {
  char text[CLI_POINT];
  cli_print(session, "volume of overlap %.6f mm³\n", overlap->volume_mm3);
  if (overlap->volume_mm3 > 0) {
    cli_print(session, "  centroid         %s mm\n", cli_point(overlap->centroid, 4, text));
    cli_print(session, "  inside           %.4f mm² of the fixed, %.4f mm² of the mobile surface\n",
              overlap->fixed_area_mm2, overlap->mobile_area_mm2);
  }
  for (uint32_t i = 0; i < overlap->loop_count; ++i)
    cli_print(session, "  %s          %.4f mm, %u points\n", i ? "       " : "contour", syn_overlap_loop_mm(overlap, i),
              (unsigned)(overlap->loop_start[i + 1] - overlap->loop_start[i]));
  cli_print(session, "  triangles             fixed     mobile\n");
  for (int zone = 0; zone < SYN_ZONES; ++zone)
    cli_print(session, "  %-16s %10zu %10zu\n", syn_zone_name((syn_zone)zone),
              (size_t)syn_overlap_zone_count(overlap, false, (syn_zone)zone),
              (size_t)syn_overlap_zone_count(overlap, true, (syn_zone)zone));
}

static void print_turn(const cli_session *session, char sign, const syn_event *event) {
  char text[CLI_POINT];
  if (event->kind == SYN_EVENT_NONE)
    cli_print(session, "%c  free all the way round\n", sign);
  else
    cli_print(session, "%c %8.4f°  %s at %s mm (fixed %u, mobile %u)\n", sign, event->angle * SYN_RADIAN,
              syn_event_kind_name(event->kind), cli_point(event->point, 4, text), event->fixed_element,
              event->mobile_element);
}

void cli_print_turn_range(const cli_session *session, const syn_turn_range *range) {
  char text[CLI_POINT];
  if (range->overlap.found) {
    cli_print(session, "The bodies overlap before they turn, at %s mm", cli_point(range->overlap.point, 4, text));
    if (isfinite(range->overlap.depth_mm)) cli_print(session, ", %.4f mm deep", range->overlap.depth_mm);
    cli_print(session, ".\n");
    return;
  }
  print_turn(session, '+', &range->positive);
  print_turn(session, '-', &range->negative);
}

static void print_position(const cli_session *session, const char *what, syn_vec3 position) {
  cli_print(session, "  %-6s", what);
  cli_print_number(session, 10, 3, position.x);
  cli_print_number(session, 10, 3, position.y);
  cli_print_number(session, 10, 3, position.z);
}

void cli_print_motion_center(const cli_session *session, const syn_motion_center *m) {
  char text[CLI_POINT];
  cli_print(session, "Recorded motion of %zu poses, which turns by %.2f°:\n", (size_t)m->pose_count,
            m->turn * SYN_RADIAN);
  if (m->has_center) {
    print_position(session, "centre", m->center);
    cli_print(session, "  residual %.3f mm, certain to %.3f mm (confidence %.2f)\n", m->residual_mm, m->center_sd_mm,
              m->center_confidence);
  } else {
    cli_print(session, "  centre -- the motion turns too little, or about one axis only\n");
  }
  if (m->has_axis) {
    print_position(session, "axis", m->axis_point);
    cli_print(session, "  towards %s; residual %.3f mm, certain to %.3f mm; %.1f %% of the turning is about it\n",
              cli_point(m->axis, 4, text), m->axis_residual_mm, m->axis_sd_mm, 100 * m->axis_share);
  } else {
    cli_print(session, "  axis   -- the motion turns by less than 5 degrees\n");
  }
}

/* Prints the results of all pairs. */
static void print_pairs(cli_session *session, const syn_joint_collision *pairs, size_t count) {
  cli_set_list(session, "pairs", &syn_joint_collision_record, pairs, count);
  cli_print_pairs(session, pairs, count);
}

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

/* Reads the options of this method; refuses those of other methods. */
static syn_status collide_how(cli_session *session, const char *method, syn_collide_options *how, syn_error *error) {
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

/* ---- collide meshes -------------------------------------------------------------------------------------------- */
/* collide MESH MESH…: queries every pair of bodies, as scanned. */

/* Warns if the bodies (those with a surface) look as if their files were in metres. */
static void warn_of_units(cli_session *session, const syn_body *fixed, const syn_body *mobile) {
  const syn_trimesh *surfaces[] = {fixed->surface, mobile->surface};
  syn_box boxes[2];
  size_t count = 0;
  for (int i = 0; i < 2; ++i)
    if (surfaces[i]) boxes[count++] = syn_trimesh_bounds(surfaces[i]);
  syn_doubt_units(&session->context, boxes, count);
}

static syn_status collide_collide_meshes(cli_session *session, const syn_joint *joint, const syn_method_info *method,
                                         syn_error *error) {
  syn_joint_collision *pairs;
  syn_collide_options how;
  size_t count;
  SYN_TRY(collide_how(session, method->name, &how, error));
  SYN_TRY(syn_joint_collide_all(&session->context, joint, method->name, &how, NULL,
                                (size_t)cli_number(&session->arguments, "max-contacts", 1000), &pairs, &count, error));
  cli_set(session, "bodies", json_integer((json_int_t)joint->body_count));
  print_pairs(session, pairs, count);
  if (count == 0) cli_print(session, "%zu bodies, all apart\n", joint->body_count);
  syn_joint_collisions_destroy(&session->context, pairs, count);
  return SYN_OK;
}

/* collide MESH MESH…: every pair of bodies, as scanned. */
static syn_status collide_meshes(cli_session *session, syn_error *error) {
  const char *of_others = cli_first_given(&session->arguments, "fixed mobile self center axis angle pose turn "
                                                               "together out volume report");
  syn_method_info method;
  syn_joint *joint;
  if (of_others)
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s does not go with several meshes, which are tested as scanned",
                    of_others);
  SYN_TRY(syn_method_find(cli_text(&session->arguments, "method", "obb"), &method, error));
  SYN_TRY(syn_joint_from_meshes(&session->context, session->arguments.operands, session->arguments.operand_count,
                                method.needs_volume, &session->reading, &joint, error));
  const syn_status status = collide_collide_meshes(session, joint, &method, error);
  syn_joint_destroy(joint);
  return status;
}

/* ---- collide joint --------------------------------------------------------------------------------------------- */
/* collide JOINT: every pair of bodies of a joint in one pose, by the names of its file. */

/* --turn NAME=DEG,… or --pose; without either as scanned. */
static syn_status take_pose_collide_joint(cli_arguments *arguments, const syn_joint *joint, syn_pose *pose,
                                          syn_error *error) {
  SYN_TRY(cli_pose(arguments, pose, error));
  SYN_TRY(syn_pose_check(pose, error));
  if (!cli_given(arguments, "turn")) return SYN_OK;
  if (cli_given(arguments, "pose"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--pose and --turn both place the mobile bodies; give one of them");
  const cli_words turns = cli_gather_words(arguments, "turn", CLI_MAX_OPERANDS);
  for (size_t i = 0; i < turns.count; ++i)
    if (!strchr(turns.names[i], '='))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--turn takes NAME=DEG, such as %s=20, not '%.60s'",
                      syn_joint_direction(joint, 0, 1), turns.names[i]);
  return syn_joint_pose_named(joint, turns.names, turns.count, pose, error);
}

static syn_status collide_collide_joint(cli_session *session, const syn_joint *joint, syn_error *error) {
  cli_arguments *arguments = &session->arguments;
  syn_joint_collision *pairs;
  syn_collide_options how;
  size_t count;
  syn_pose pose;
  SYN_TRY(collide_how(session, cli_text(arguments, "method", "obb"), &how, error));
  SYN_TRY(take_pose_collide_joint(arguments, joint, &pose, error));
  SYN_TRY((cli_given(arguments, "together") ? syn_joint_collide_all : syn_joint_collide)(
      &session->context, joint, cli_text(arguments, "method", "obb"), &how, &pose,
      (size_t)cli_number(arguments, "max-contacts", 1000), &pairs, &count, error));
  cli_set(session, "kind", json_string(syn_joint_kind(joint)));
  print_pairs(session, pairs, count);
  syn_joint_collisions_destroy(&session->context, pairs, count);
  return SYN_OK;
}

/* collide JOINT: all its bodies in one pose. */
static syn_status collide_joint(cli_session *session, syn_error *error) {
  const char *of_pair = cli_first_given(&session->arguments, "fixed mobile self center axis angle out volume report");
  if (of_pair)
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is for two meshes; a joint file names its bodies itself", of_pair);
  syn_joint *joint;
  cli_open_folder(session);
  if (!syn_path_ends(session->arguments.operands[0], ".json"))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "'%.200s' is no joint file (.json); give two meshes as --fixed and --mobile, or several by name",
                    session->arguments.operands[0]);
  syn_joint_input input = syn_default_joint_input();
  input.joint = session->arguments.operands[0];
  input.reading = &session->reading;
  SYN_TRY(syn_joint_open_any(&session->context, &input, &joint, error));
  const syn_status status = collide_collide_joint(session, joint, error);
  syn_joint_destroy(joint);
  return status;
}

/* ---- collide volume -------------------------------------------------------------------------------------------- */
/* collide --volume: computes the region and volume of interpenetration of two bodies. */

static syn_status write_page(cli_session *session, const syn_overlap *o, const syn_body *fixed, const syn_body *mobile,
                             syn_error *error) {
  const char *hidden;
  SYN_TRY(syn_outbox_stage_file(session->outbox, cli_text(&session->arguments, "report", NULL), &hidden, error));
  SYN_TRY(syn_overlap_report_write(&session->context, o, fixed, mobile,
                                   cli_text(&session->arguments, "title", "Overlap of two bodies"),
                                   cli_provenance(session), hidden, error));
  cli_made(session, hidden);
  return SYN_OK;
}

/* FILE with both surfaces and their zones, and beside it the contour, if there is one, as FILE_contour.vtp. */
static syn_status write_surfaces(cli_session *session, const syn_overlap *o, const syn_body *fixed,
                                 const syn_body *mobile, syn_error *error) {
  const char *hidden, *path = session->folder, *dot = strrchr(cli_without_folder(path), '.');
  SYN_TRY(syn_outbox_stage_file(session->outbox, path, &hidden, error));
  SYN_TRY(syn_overlap_write(o, fixed->surface, mobile->surface, hidden, NULL, error));
  cli_made(session, hidden);
  if (o->loop_count == 0) return SYN_OK;
  char *contour = NULL;
  if (asprintf(&contour, "%.*s_contour.vtp", dot ? (int)(dot - path) : (int)strlen(path), path) < 0) contour = NULL;
  syn_status status = syn_outbox_stage_file(session->outbox, cli_or_stop(contour), &hidden, error);
  if (status == SYN_OK) status = syn_overlap_write_contour(o, hidden, error);
  if (status == SYN_OK) cli_made(session, hidden);
  free(contour);
  return status;
}

static syn_status measure(cli_session *session, const syn_body *fixed, const syn_body *mobile, const syn_pose *pose,
                          syn_error *error) {
  const bool report = cli_given(&session->arguments, "report");
  syn_overlap *overlap;
  SYN_TRY(syn_overlap_create(fixed->surface, mobile->surface, pose, &overlap, error));
  cli_set_fields(session, &syn_overlap_record, overlap);
  print_overlap(session, overlap);
  syn_status status = session->folder ? write_surfaces(session, overlap, fixed, mobile, error) : SYN_OK;
  if (status == SYN_OK && report) status = write_page(session, overlap, fixed, mobile, error);
  if (status == SYN_OK && (session->folder || report)) cli_set_files(session);
  syn_overlap_destroy(overlap);
  return status;
}

static syn_status read_side(cli_session *session, const char *option, syn_body *body, syn_error *error) {
  const char *path = cli_text(&session->arguments, option, NULL);
  SYN_TRY(syn_body_read(&session->context, path, false, &session->reading, body, error));
  body->name = cli_without_folder(path);
  return SYN_OK;
}

/* collide --volume: the mobile body at this pose. */
static syn_status collide_volume(cli_session *session, const syn_pose *pose, syn_error *error) {
  syn_body fixed = {0}, mobile = {0};
  if (cli_given(&session->arguments, "method") || cli_given(&session->arguments, "threshold"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--volume has a method of its own; leave --method and --threshold away");
  if (cli_given(&session->arguments, "self"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--volume is of two bodies, not of one with itself");
  syn_status status = read_side(session, "fixed", &fixed, error);
  if (status == SYN_OK) status = read_side(session, "mobile", &mobile, error);
  if (status == SYN_OK) warn_of_units(session, &fixed, &mobile);
  if (status == SYN_OK && strcmp(fixed.name, mobile.name) == 0) {
    fixed.name = "fixed";
    mobile.name = "mobile";
  }
  if (status == SYN_OK) status = measure(session, &fixed, &mobile, pose, error);
  syn_body_release(&fixed);
  syn_body_release(&mobile);
  return status;
}

/* ---- collide command ------------------------------------------------------------------------------------------- */

#define INTO(FIELD) CLI_INTO(syn_collide_options, FIELD)
static const cli_option collide_options[] = {
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

static syn_status take_pose_collide(const cli_arguments *arguments, const syn_collide_options *how, syn_pose *pose,
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
static syn_status collide_collide(cli_session *session, const syn_body *fixed, const syn_body *mobile,
                                  const syn_pose *pose, const syn_collide_options *how, syn_error *error) {
  const char *hidden;
  syn_collision *collision;
  SYN_TRY(syn_collision_create(&session->context, cli_text(&session->arguments, "method", NULL), fixed, mobile, how,
                               pose, (size_t)cli_number(&session->arguments, "max-contacts", 1000), &collision, error));
  cli_set_fields(session, &syn_collision_record, collision);
  print_collision(session, collision);
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
  if (status == SYN_OK) warn_of_units(session, &fixed, &mobile);
  if (status == SYN_OK)
    status =
        collide_collide(session, cli_given(&session->arguments, "self") ? NULL : &fixed, &mobile, pose, how, error);
  syn_body_release(&fixed);
  syn_body_release(&mobile);
  return status;
}

static syn_status run_collide(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_method_info method;
  syn_collide_options how;
  syn_pose pose;
  if (cli_is(arguments, "method", "list")) return list_methods(session);
  if (arguments->operand_count > 1) return collide_meshes(session, error);
  if (arguments->operand_count) return collide_joint(session, error);
  SYN_TRY(check_given(arguments, error));
  if (cli_given(arguments, "volume")) {
    SYN_TRY(collide_how(session, "volume", &how, error));
    SYN_TRY(take_pose_collide(arguments, &how, &pose, error));
    return collide_volume(session, &pose, error);
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
  SYN_TRY(collide_how(session, method.name, &how, error));
  SYN_TRY(take_pose_collide(arguments, &how, &pose, error));
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
    .options = CLI_TABLE(collide_options),
    .operands = {0, CLI_MAX_OPERANDS},
    .run = run_collide,
};

/* ---- distance command ------------------------------------------------------------------------------------------ */
/* distance: computes the distance or the penetration depth of two bodies. */

static syn_status run_distance(cli_session *session, syn_error *error) {
  syn_pose pose;
  syn_trimesh *pair[2];
  syn_clearance clearance;
  SYN_TRY(cli_pose(&session->arguments, &pose, error));
  SYN_TRY(cli_read_surfaces(session, session->arguments.operands[0], session->arguments.operands[1], pair, error));
  const syn_status status = syn_clearance_find(pair[0], pair[1], NULL, &pose, &clearance, error);
  if (status == SYN_OK) {
    cli_set_fields(session, &syn_clearance_record, &clearance);
    print_clearance(session, &clearance);
  }
  cli_release_surfaces(pair);
  return status;
}

static const cli_option distance_options[] = {OPT_POSE};

const cli_command cli_distance = {
    .name = "distance",
    .summary = "signed clearance between two bodies, with the points where it is found",
    .usage = {"A B [--pose '16 numbers']"},
    .description = "Positive apart: the least distance of the surfaces, exactly. Negative in penetration: the depth of "
                   "the deepest vertex of either body in the other one. 0 where the surfaces meet without that. Both "
                   "points are in the frame of A; --pose places B in it.",
    .options = CLI_TABLE(distance_options),
    .operands = {2, 2},
    .run = run_distance,
};
