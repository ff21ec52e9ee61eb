/* collide: two bodies in one pose, by any method of the library's table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "base/vec.h"
#include "bodies.h"
#include "mesh.h"

static const char *method_name(const void *user, size_t index) {
  (void)user;
  return syn_method_at(index).name;
}

static syn_status find_method(const char *name, syn_method_info *info, syn_error *error) {
  for (size_t i = 0; i < syn_method_count(); ++i) {
    *info = syn_method_at(i);
    if (strcmp(info->name, name) == 0) return SYN_OK;
  }
  char hint[96];
  return syn_fail(error, SYN_BAD_ARGUMENT, "there is no method '%.40s'.%s `synovia collide --method list` lists them.",
                  name, cli_did_you_mean(name, method_name, NULL, syn_method_count(), hint));
}

static syn_status list_methods(cli_session *session) {
  json_t *list = json_array();
  for (size_t i = 0; i < syn_method_count(); ++i) {
    const syn_method_info info = syn_method_at(i);
    json_t *method = json_object();
    json_object_set_new(method, "name", json_string(info.name));
    json_object_set_new(method, "summary", json_string(info.summary));
    json_object_set_new(method, "needs_volume", json_boolean(info.needs_volume));
    json_object_set_new(method, "tells_depth", json_boolean(info.tells_depth));
    json_object_set_new(method, "tells_field", json_boolean(info.tells_field));
    json_array_append_new(list, method);
    cli_print(session, "%-14s %s\n", info.name, info.summary);
  }
  cli_set(session, "methods", list);
  return SYN_OK;
}

/* ---- bodies and pose ----------------------------------------------------------------------------------------------
 */

typedef struct bodies {
  syn_method_info method;
  syn_trimesh *surface[2]; /* fixed, mobile */
  syn_tetmesh *volume[2];
  syn_pose pose;
  syn_collide_options options;
  double threshold_mm; /* what options.thresholds_mm points at */
  bool self;           /* the mobile body with itself; there is no fixed one */
} bodies;

static syn_status read_body(cli_session *session, const char *path, bool needs_volume, syn_trimesh **surface,
                            syn_tetmesh **volume, syn_error *error) {
  if (!needs_volume) return cli_read_surface(session, path, surface, error);
  SYN_TRY(syn_tetmesh_read(&session->context, path, &session->reading, volume, error));
  return syn_tetmesh_surface(*volume, surface, NULL, error);
}

static bool same_volume(const syn_tetmesh *a, const syn_tetmesh *b) {
  return a->vertex_count == b->vertex_count && a->tet_count == b->tet_count &&
         memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0 &&
         memcmp(a->tets, b->tets, a->tet_count * sizeof *a->tets) == 0;
}

static bool same_surface(const syn_trimesh *a, const syn_trimesh *b) {
  return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
         memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0 &&
         memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles) == 0;
}

/* A body touches itself everywhere, so this query would be useless. */
static void warn_of_same_body(const cli_session *session, const bodies *b) {
  const syn_pose identity = syn_pose_identity();
  const bool volume = b->method.needs_volume;
  if (memcmp(&b->pose, &identity, sizeof identity) != 0) return;
  if (volume ? !same_volume(b->volume[0], b->volume[1]) : !same_surface(b->surface[0], b->surface[1])) return;
  syn_warn(&session->context, "both files hold the same body in the same place, so that it meets itself everywhere; %s",
           volume ? "`collide --self FILE` looks for places where a body runs into itself"
                  : "`mesh info FILE` counts where a surface crosses itself");
}

/* One body with itself: methods on volumes know it by the same mesh for both. */
static syn_status read_self(cli_session *session, bodies *b, syn_error *error) {
  if (!b->method.needs_volume)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the method '%s' does not look for a body that runs into itself: take hash or buckettree with a "
                    "volume mesh; `synovia mesh info` counts where a surface crosses itself",
                    b->method.name);
  SYN_TRY(syn_tetmesh_read(&session->context, cli_text(&session->arguments, "self", NULL), &session->reading,
                           &b->volume[1], error));
  b->self = true;
  return SYN_OK;
}

static syn_status read_bodies(cli_session *session, bodies *b, syn_error *error) {
  static const char *const names[2] = {"fixed", "mobile"};
  if (cli_given(&session->arguments, "self")) return read_self(session, b, error);
  for (int i = 0; i < 2; ++i)
    SYN_TRY(read_body(session, cli_text(&session->arguments, names[i], NULL), b->method.needs_volume, &b->surface[i],
                      &b->volume[i], error));
  warn_of_same_body(session, b);
  return SYN_OK;
}

static void release(bodies *b) {
  for (int i = 0; i < 2; ++i) {
    syn_trimesh_destroy(b->surface[i]);
    syn_tetmesh_destroy(b->volume[i]);
  }
}

static syn_status take_pose(const cli_arguments *arguments, bodies *b, syn_error *error) {
  b->options = syn_default_collide_options();
  if (cli_given(arguments, "center")) b->options.center = cli_vector(arguments, "center");
  b->options.fixed_outside = !cli_given(arguments, "fixed-inside");
  b->options.angle = cli_number(arguments, "angle", 0) * SYN_PI / 180;
  if (cli_given(arguments, "threshold")) {
    b->threshold_mm = cli_number(arguments, "threshold", 0);
    b->options.thresholds_mm = &b->threshold_mm;
    b->options.threshold_count = 1;
  }
  if (cli_given(arguments, "pose") && cli_given(arguments, "angle"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--pose and --angle both place the body; give one of them");
  if (cli_given(arguments, "angle") && !cli_given(arguments, "axis"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--angle needs --axis x,y,z: the axis to turn about");
  if (cli_given(arguments, "axis")) SYN_TRY(cli_direction(arguments, "axis", &b->options.axis, error));
  SYN_TRY(cli_pose(arguments, &b->pose, error));
  SYN_TRY(syn_pose_check(&b->pose, error));
  if (cli_given(arguments, "angle"))
    b->pose = syn_pose_about_axis(b->options.center, b->options.axis, b->options.angle);
  return SYN_OK;
}

/* ---- asking -------------------------------------------------------------------------------------------------------
 */

static uint32_t mobile_vertices(const bodies *b) {
  return b->method.needs_volume ? b->volume[1]->vertex_count : b->surface[1]->vertex_count;
}

static syn_status ask_with(const cli_session *session, const bodies *b, const syn_collider *collider,
                           syn_contacts *result, syn_error *error) {
  const size_t most = (size_t)cli_number(&session->arguments, "max-contacts", 1000);
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  result->capacity = most;
  result->contacts = malloc(most * sizeof *result->contacts + 1);
  if (b->method.tells_field) result->vertex_depth = malloc(mobile_vertices(b) * sizeof *result->vertex_depth + 1);
  const bool enough = scratch && result->contacts && (result->vertex_depth || !b->method.tells_field);
  if (enough) syn_collider_query(collider, &b->pose, scratch, result);
  free(scratch);
  return enough ? SYN_OK : syn_fail(error, SYN_NO_MEMORY, "there is no memory for the contacts");
}

static syn_status ask(cli_session *session, const bodies *b, syn_contacts *result, syn_error *error) {
  const syn_body mobile = {.surface = b->surface[1], .volume = b->volume[1]},
                 fixed = b->self ? mobile : (syn_body){.surface = b->surface[0], .volume = b->volume[0]};
  syn_collider *collider;
  SYN_TRY(syn_collider_create(&session->context, b->method.name, &fixed, &mobile, &b->options, &collider, error));
  const syn_status status = ask_with(session, b, collider, result, error);
  syn_collider_destroy(collider);
  return status;
}

/* ---- output ------------------------------------------------------------------------------------------------------
 */

static json_t *contacts_value(const syn_contacts *result) {
  json_t *list = json_array();
  for (size_t i = 0; i < result->count && i < result->capacity; ++i) {
    const syn_contact *c = &result->contacts[i];
    json_t *value = json_object();
    json_object_set_new(value, "of", json_string(syn_contact_of_name(c->of)));
    json_object_set_new(value, "fixed_element", json_integer(c->fixed_element));
    json_object_set_new(value, "mobile_element", json_integer(c->mobile_element));
    json_object_set_new(value, "depth_mm", cli_real(c->depth_mm));
    json_object_set_new(value, "point", syn_json_from_vec3(c->point));
    json_object_set_new(value, "direction", syn_json_from_vec3(c->direction));
    json_array_append_new(list, value);
  }
  return list;
}

static void tell(cli_session *session, const bodies *b, const syn_contacts *result) {
  char count[32];
  const bool has_vertex = result->max_vertex != SYN_NONE;
  cli_set(session, "method", json_string(b->method.name));
  cli_set(session, "self", json_boolean(b->self));
  cli_set(session, "penetrating", json_boolean(result->penetrating));
  cli_set(session, "max_depth_mm", cli_real(result->max_depth_mm));
  cli_set(session, "max_vertex", has_vertex ? json_integer(result->max_vertex) : json_null());
  cli_set(session, "max_point", has_vertex ? syn_json_from_vec3(result->max_point) : json_null());
  cli_set(session, "contact_count", json_integer((json_int_t)result->count));
  cli_set(session, "contacts", contacts_value(result));
  if (result->count > result->capacity)
    syn_warn(&session->context, "only the first %zu of %zu contacts are listed; --max-contacts lists more",
             result->capacity, result->count);
  cli_print(session, "%s: %s, %s contacts\n", b->method.name, result->penetrating ? "penetrating" : "apart",
            cli_count(result->count, count));
  if (isfinite(result->max_depth_mm))
    cli_print(session, "  %-16s %.6f mm\n", result->max_depth_mm > 0 ? "deepest" : "nearest",
              fabs(result->max_depth_mm));
  if (has_vertex)
    cli_print(session, "  %-16s %u at %.4f, %.4f, %.4f mm\n", "mobile element", result->max_vertex, result->max_point.x,
              result->max_point.y, result->max_point.z);
}

/* The mobile body where the pose puts it, with its depths. */
static syn_status write_mobile(cli_session *session, const bodies *b, const syn_contacts *result, const char *path,
                               syn_error *error) {
  const bool volume = b->method.needs_volume;
  syn_geometry geometry = volume ? syn_tetmesh_geometry(b->volume[1]) : syn_trimesh_geometry(b->surface[1]);
  const syn_field depth = {"depth_mm", SYN_ON_POINTS, 1, result->vertex_depth};
  syn_vec3 *points = malloc(geometry.point_count * sizeof *points + 1);
  if (!points) return syn_fail(error, SYN_NO_MEMORY, "there is no memory to move the mobile body");
  for (size_t i = 0; i < geometry.point_count; ++i) points[i] = syn_pose_point(&b->pose, geometry.points[i]);
  geometry.points = points;
  if (result->vertex_depth) {
    /* nothing is in the way: no depth, NAN in files */
    for (size_t i = 0; i < geometry.point_count; ++i)
      if (!isfinite(result->vertex_depth[i])) result->vertex_depth[i] = NAN;
    geometry.fields = &depth;
    geometry.field_count = 1;
  } else {
    syn_warn(&session->context, "the method '%s' gives no depth at every vertex: %s has none", b->method.name, path);
  }
  const char *hidden;
  syn_status status = cli_stage_file(session, path, &hidden, error);
  if (status == SYN_OK) status = cli_write(session, &geometry, hidden, NULL, error);
  free(points);
  if (status == SYN_OK) cli_set_files(session);
  return status;
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status collide(cli_session *session, bodies *b, syn_error *error) {
  const char *path = cli_text(&session->arguments, "out", NULL);
  syn_contacts result = {0};
  syn_status status = ask(session, b, &result, error);
  if (status == SYN_OK) tell(session, b, &result);
  if (status == SYN_OK && path) status = write_mobile(session, b, &result, path, error);
  free(result.contacts);
  free(result.vertex_depth);
  return status;
}

static syn_status check_given(const cli_arguments *arguments, syn_error *error) {
  static const char *const needed[] = {"fixed", "mobile", "center"}, *const placing[] = {"fixed", "mobile", "pose",
                                                                                         "angle"};
  const bool self = cli_given(arguments, "self");
  for (size_t i = 0; self && i < sizeof placing / sizeof *placing; ++i)
    if (cli_given(arguments, placing[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--self names the one body, as it lies; leave --%s away", placing[i]);
  for (size_t i = 0; !self && i < sizeof needed / sizeof *needed; ++i)
    if (!cli_given(arguments, needed[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is needed; see `synovia help collide`", needed[i]);
  return SYN_OK;
}

static syn_status run(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  if (cli_is(arguments, "method", "list")) return list_methods(session);
  bodies b = {0};
  SYN_TRY(check_given(arguments, error));
  SYN_TRY(find_method(cli_text(arguments, "method", NULL), &b.method, error));
  SYN_TRY(take_pose(arguments, &b, error));
  if (cli_given(arguments, "out")) SYN_TRY(cli_stage_file(session, cli_text(arguments, "out", NULL), NULL, error));
  syn_status status = read_bodies(session, &b, error);
  if (status == SYN_OK) status = collide(session, &b, error);
  release(&b);
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
     .help = "the fixed body is the inner one, for the methods radial, ray-table and split; else it is the outer one"},
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
    {.name = "threshold",
     .kind = CLI_NUMBER,
     .value = "MM",
     .unit = "mm",
     .min = 0,
     .max = 1e9,
     .help = "for the method split: nearer to the centre than this the bodies slide, farther they strike"},
    {.name = "method",
     .kind = CLI_TEXT,
     .required = true,
     .value = "NAME",
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
     .help = "write the mobile mesh where it is placed, with the depth of every vertex (VTP, PLY, CSV, …)"},
};

const cli_command cli_collide = {
    .name = "collide",
    .summary = "where and how deep two bodies collide in one pose",
    .usage = {"--fixed FILE --mobile FILE --center x,y,z --method NAME [--axis x,y,z --angle DEG | --pose '16 numbers']"
              " [--out FILE]",
              "--self FILE --method hash|buckettree", "--method list"},
    .description =
        "A depth is positive in penetration and negative where there is a clearance. Not every method gives depths; "
        "`--method list --json` says which do, and which need tetrahedra. Elements are counted from 0.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
