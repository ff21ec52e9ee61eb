/* Binary glTF 2.0: bodies with colours and, where they move, key frames. Writing takes two walks over the scene in the
 * same order: the first describes every block of numbers in JSON and lays them out, the second writes the numbers. */
#include <float.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/status.h"
#include "base/vec.h"
#include "mesh/io/format.h"
#include "mesh/trimesh.h"

enum { GL_UNSIGNED_INT = 5125, GL_FLOAT = 5126, GL_ARRAY_BUFFER = 34962, GL_ELEMENT_ARRAY_BUFFER = 34963 };
enum { CHUNK_JSON = 0x4e4f534a, CHUNK_BIN = 0x004e4942, MAGIC = 0x46546c67, VERSION = 2 };

/* The description under construction. jansson's calls pass NULL on, so that one look at `failed` in the end is enough.
 */
typedef struct description {
  const syn_context *context;
  const syn_scene *scene;
  json_t *accessors, *views, *meshes, *materials, *nodes, *children, *samplers, *channels;
  uint64_t bytes; /* of numbers laid out so far */
  bool failed;
} description;

static void append_json(description *d, json_t *array, json_t *value) {
  d->failed |= json_array_append_new(array, value) != 0;
}
static void set(description *d, json_t *object, const char *key, json_t *value) {
  d->failed |= json_object_set_new(object, key, value) != 0;
}

/* A JSON text must be UTF-8; a name that is not, or is missing, is replaced by `spare`. */
static json_t *name_text(const description *d, const char *name, const char *spare) {
  json_t *text = json_string(name ? name : spare);
  if (text) return text;
  syn_warn(d->context, "a name in the scene is not UTF-8 and was written as '%s'", spare);
  return json_string(spare);
}

static bool moves(const syn_scene *scene, const syn_scene_body *body) {
  return body->keyframes && scene->keyframe_count > 0;
}

static bool is_drawn(const syn_scene_body *body) { return body->mesh->triangle_count > 0; }

/* ---- checks ----------------------------------------------------------------------------------------------------- */

static bool is_color(const float color[4]) {
  for (int i = 0; i < 4; ++i)
    if (!(color[i] >= 0 && color[i] <= 1)) return false;
  return true;
}

static bool fits_floats(syn_vec3 p) {
  const double most = (double)FLT_MAX;
  return fabs(p.x) <= most && fabs(p.y) <= most && fabs(p.z) <= most;
}

static syn_status check_body(const syn_scene *scene, size_t index, syn_error *error) {
  const syn_scene_body *body = &scene->bodies[index];
  if (!is_color(body->color))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the colour of body %zu has a part outside 0 to 1", index);
  for (uint32_t i = 0; i < body->mesh->vertex_count; ++i) {
    if (!fits_floats(body->mesh->vertices[i]))
      return syn_fail(error, SYN_BAD_MESH, "vertex %u of body %zu is beyond what the 32-bit floats of GLB hold", i,
                      index);
    if (body->vertex_colors && !is_color(body->vertex_colors[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the colour of vertex %u of body %zu has a part outside 0 to 1", i,
                      index);
  }
  for (size_t k = 0; moves(scene, body) && k < scene->keyframe_count; ++k) {
    const syn_quat q = syn_pose_quat(&body->keyframes[k]);
    if (!fits_floats(body->keyframes[k].translation) || !isfinite(q.w + q.x + q.y + q.z))
      return syn_fail(error, SYN_BAD_ARGUMENT, "key frame %zu of body %zu is not a finite pose", k, index);
  }
  return SYN_OK;
}

/* glTF wants times that start at zero or later and rise strictly, as floats. */
static syn_status check_scene(const syn_scene *scene, syn_error *error) {
  if (scene->keyframe_count > 0 && !scene->times_s)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the scene has %zu key frames but no times", scene->keyframe_count);
  float last = -1;
  for (size_t k = 0; k < scene->keyframe_count; ++k) {
    const double time = scene->times_s[k];
    if (!(time >= 0 && time <= (double)FLT_MAX) || !((float)time > last))
      return syn_fail(error, SYN_BAD_ARGUMENT, "time %zu of the animation is %g s: times must be >= 0 and rise", k,
                      time);
    last = (float)time;
  }
  for (size_t i = 0; i < scene->body_count; ++i) SYN_TRY(check_body(scene, i, error));
  return SYN_OK;
}

/* ---- describing ------------------------------------------------------------------------------------------------- */

static json_t *three_floats(const float v[3]) { return json_pack("[fff]", (double)v[0], (double)v[1], (double)v[2]); }

/* Lays out `count` items of `components` 4-byte numbers and returns the accessor's number; target 0 for none. The
 * accessor itself comes back too, for bounds. */
static json_int_t lay_out(description *d, int target, int component_type, const char *type, int components,
                          size_t count, json_t **accessor) {
  const uint64_t bytes = 4 * (uint64_t)components * count;
  json_t *view =
      json_pack("{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)d->bytes, "byteLength", (json_int_t)bytes);
  if (target) set(d, view, "target", json_integer(target));
  append_json(d, d->views, view);
  *accessor = json_pack("{s:I,s:i,s:I,s:s}", "bufferView", (json_int_t)json_array_size(d->views) - 1, "componentType",
                        component_type, "count", (json_int_t)count, "type", type);
  append_json(d, d->accessors, *accessor);
  d->bytes += bytes;
  return (json_int_t)json_array_size(d->accessors) - 1;
}

/* Bounds of what is written: of the floats, not of the doubles. */
static void set_position_bounds(description *d, json_t *accessor, const syn_trimesh *mesh) {
  float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    for (int k = 0; k < 3; ++k) {
      const float value = (float)vec3_at(mesh->vertices[i], k);
      if (value < low[k]) low[k] = value;
      if (value > high[k]) high[k] = value;
    }
  set(d, accessor, "min", three_floats(low));
  set(d, accessor, "max", three_floats(high));
}

static bool is_transparent(const syn_scene_body *body) {
  bool transparent = body->color[3] < 1;
  for (uint32_t i = 0; body->vertex_colors && i < body->mesh->vertex_count; ++i)
    transparent |= body->vertex_colors[i][3] < 1;
  return transparent;
}

/* Open meshes are drawn from both sides: a patch of cartilage has no back. */
static json_int_t describe_material(description *d, const syn_scene_body *body) {
  const float *c = body->color;
  append_json(d, d->materials,
              json_pack("{s:{s:[ffff],s:f,s:f},s:s,s:b}", "pbrMetallicRoughness", "baseColorFactor", (double)c[0],
                        (double)c[1], (double)c[2], (double)c[3], "metallicFactor", 0.0, "roughnessFactor", 0.7,
                        "alphaMode", is_transparent(body) ? "BLEND" : "OPAQUE", "doubleSided", 1));
  return (json_int_t)json_array_size(d->materials) - 1;
}

static json_int_t describe_mesh(description *d, const syn_scene_body *body) {
  const syn_trimesh *mesh = body->mesh;
  json_t *accessor, *attributes = json_object();
  const json_int_t position = lay_out(d, GL_ARRAY_BUFFER, GL_FLOAT, "VEC3", 3, mesh->vertex_count, &accessor);
  set_position_bounds(d, accessor, mesh);
  set(d, attributes, "POSITION", json_integer(position));
  set(d, attributes, "NORMAL",
      json_integer(lay_out(d, GL_ARRAY_BUFFER, GL_FLOAT, "VEC3", 3, mesh->vertex_count, &accessor)));
  if (body->vertex_colors)
    set(d, attributes, "COLOR_0",
        json_integer(lay_out(d, GL_ARRAY_BUFFER, GL_FLOAT, "VEC4", 4, mesh->vertex_count, &accessor)));
  const json_int_t indices =
      lay_out(d, GL_ELEMENT_ARRAY_BUFFER, GL_UNSIGNED_INT, "SCALAR", 1, 3 * (size_t)mesh->triangle_count, &accessor);
  append_json(d, d->meshes,
              json_pack("{s:[{s:o,s:I,s:I}]}", "primitives", "attributes", attributes, "indices", indices, "material",
                        describe_material(d, body)));
  return (json_int_t)json_array_size(d->meshes) - 1;
}

static json_t *quat_json(syn_quat q) { return json_pack("[ffff]", q.x, q.y, q.z, q.w); }
static json_t *vec3_json(syn_vec3 v) { return json_pack("[fff]", v.x, v.y, v.z); }

/* One node under the root for each body; a body that moves stands in its first pose. */
static void describe_body(description *d, size_t index) {
  const syn_scene_body *body = &d->scene->bodies[index];
  char spare[32];
  snprintf(spare, sizeof spare, "body %zu", index);
  json_t *node = json_object();
  set(d, node, "name", name_text(d, body->name, spare));
  if (is_drawn(body))
    set(d, node, "mesh", json_integer(describe_mesh(d, body)));
  else
    syn_warn(d->context, "body %zu has no triangles: it is only a name in the scene", index);
  if (moves(d->scene, body)) {
    set(d, node, "translation", vec3_json(body->keyframes[0].translation));
    set(d, node, "rotation", quat_json(syn_pose_quat(&body->keyframes[0])));
  }
  append_json(d, d->nodes, node);
  append_json(d, d->children, json_integer((json_int_t)json_array_size(d->nodes) - 1));
}

static void describe_channel(description *d, json_int_t times, json_int_t values, size_t body, const char *path) {
  append_json(d, d->samplers, json_pack("{s:I,s:I,s:s}", "input", times, "output", values, "interpolation", "LINEAR"));
  append_json(d, d->channels,
              json_pack("{s:I,s:{s:I,s:s}}", "sampler", (json_int_t)json_array_size(d->samplers) - 1, "target", "node",
                        (json_int_t)body + 1, "path", path));
}

static bool is_animated(const syn_scene *scene) {
  bool any = false;
  for (size_t i = 0; i < scene->body_count; ++i) any |= moves(scene, &scene->bodies[i]);
  return any;
}

static void describe_animation(description *d) {
  const syn_scene *scene = d->scene;
  const size_t count = scene->keyframe_count;
  json_t *accessor;
  const json_int_t times = lay_out(d, 0, GL_FLOAT, "SCALAR", 1, count, &accessor);
  set(d, accessor, "min", json_pack("[f]", (double)(float)scene->times_s[0]));
  set(d, accessor, "max", json_pack("[f]", (double)(float)scene->times_s[count - 1]));
  for (size_t i = 0; i < scene->body_count; ++i) {
    if (!moves(scene, &scene->bodies[i])) continue;
    describe_channel(d, times, lay_out(d, 0, GL_FLOAT, "VEC3", 3, count, &accessor), i, "translation");
    describe_channel(d, times, lay_out(d, 0, GL_FLOAT, "VEC4", 4, count, &accessor), i, "rotation");
  }
}

/* Creates the root, which converts z up to y up (a rotation by 90 degrees about x) and mm to m. */
static json_t *root_node(description *d) {
  const double half = sqrt(0.5);
  return json_pack("{s:o,s:[ffff],s:[fff]}", "name", name_text(d, d->scene->name, "scene"), "rotation", -half, 0.0, 0.0,
                   half, "scale", 0.001, 0.001, 0.001);
}

/* glTF forbids empty arrays: what is not there is not mentioned. Takes over `array`. */
static void set_unless_empty(description *d, json_t *object, const char *key, json_t *array) {
  if (json_array_size(array) > 0)
    set(d, object, key, array);
  else
    json_decref(array);
}

static json_t *describe(description *d) {
  json_t **const arrays[] = {&d->accessors, &d->views,    &d->meshes,   &d->materials,
                             &d->nodes,     &d->children, &d->samplers, &d->channels};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) *arrays[i] = json_array();
  json_t *root = root_node(d), *all = json_object();
  append_json(d, d->nodes, root);
  for (size_t i = 0; i < d->scene->body_count; ++i) describe_body(d, i);
  if (is_animated(d->scene)) describe_animation(d);
  set_unless_empty(d, root, "children", d->children);
  set(d, all, "asset", json_pack("{s:s,s:s+}", "version", "2.0", "generator", "Synovia ", syn_version()));
  set(d, all, "scene", json_integer(0));
  set(d, all, "scenes", json_pack("[{s:[i]}]", "nodes", 0));
  if (d->bytes > 0) set(d, all, "buffers", json_pack("[{s:I}]", "byteLength", (json_int_t)d->bytes));
  if (json_array_size(d->channels) > 0) {
    set(d, all, "animations",
        json_pack("[{s:s,s:O,s:O}]", "name", "motion", "samplers", d->samplers, "channels", d->channels));
  }
  json_decref(d->samplers);
  json_decref(d->channels);
  set_unless_empty(d, all, "nodes", d->nodes);
  set_unless_empty(d, all, "meshes", d->meshes);
  set_unless_empty(d, all, "materials", d->materials);
  set_unless_empty(d, all, "accessors", d->accessors);
  set_unless_empty(d, all, "bufferViews", d->views);
  return all;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Writes up to four words, little endian. Stream errors are checked once, when the file is closed. */
static void put_words(FILE *stream, const uint32_t *words, size_t count) {
  unsigned char bytes[16] = {0};
  for (size_t i = 0; i < 4 * count; ++i) bytes[i] = (unsigned char)(words[i / 4] >> 8 * (i % 4));
  fwrite(bytes, 4, count, stream);
}

static void put_word(FILE *stream, uint32_t word) { put_words(stream, &word, 1); }

static void put_floats(FILE *stream, const float *values, size_t count) {
  uint32_t words[4];
  memcpy(words, values, count * sizeof *words);
  put_words(stream, words, count);
}

static void put_vec3(FILE *stream, syn_vec3 v) {
  const float values[3] = {(float)v.x, (float)v.y, (float)v.z};
  put_floats(stream, values, 3);
}

static syn_status write_mesh(const syn_context *context, const syn_scene_body *body, FILE *stream, syn_error *error) {
  const syn_trimesh *mesh = body->mesh;
  syn_vec3 *normals;
  SYN_TRY(SYN_NEW(context, &normals, mesh->vertex_count, error));
  syn_trimesh_vertex_normals(mesh, normals);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) put_vec3(stream, mesh->vertices[i]);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) /* glTF wants unit length even where no normal exists */
    put_vec3(stream, vec3_length2(normals[i]) > 0 ? normals[i] : vec3(0, 0, 1));
  syn_free(context, normals);
  for (uint32_t i = 0; body->vertex_colors && i < mesh->vertex_count; ++i)
    put_floats(stream, body->vertex_colors[i], 4);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) put_words(stream, mesh->triangles[t].v, 3);
  return SYN_OK;
}

/* Writes rotations. q and -q are the same rotation; the one nearer to the previous one is written, so that no viewer
 * takes the long path. */
static void write_rotations(const syn_scene *scene, const syn_scene_body *body, FILE *stream) {
  syn_quat last = {1, 0, 0, 0};
  for (size_t k = 0; k < scene->keyframe_count; ++k) {
    syn_quat q = syn_pose_quat(&body->keyframes[k]);
    if (q.w * last.w + q.x * last.x + q.y * last.y + q.z * last.z < 0) q = (syn_quat){-q.w, -q.x, -q.y, -q.z};
    const float values[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    put_floats(stream, values, 4);
    last = q;
  }
}

static syn_status write_numbers(const syn_context *context, const syn_scene *scene, FILE *stream, syn_error *error) {
  for (size_t i = 0; i < scene->body_count; ++i)
    if (is_drawn(&scene->bodies[i])) SYN_TRY(write_mesh(context, &scene->bodies[i], stream, error));
  if (!is_animated(scene)) return SYN_OK;
  for (size_t k = 0; k < scene->keyframe_count; ++k) put_floats(stream, &(const float){(float)scene->times_s[k]}, 1);
  for (size_t i = 0; i < scene->body_count; ++i) {
    const syn_scene_body *body = &scene->bodies[i];
    if (!moves(scene, body)) continue;
    for (size_t k = 0; k < scene->keyframe_count; ++k) put_vec3(stream, body->keyframes[k].translation);
    write_rotations(scene, body, stream);
  }
  return SYN_OK;
}

/* Header, JSON padded with blanks, numbers; these are words already and need no padding. */
static syn_status write_chunks(const description *d, const char *text, FILE *stream, syn_error *error) {
  const uint64_t length = strlen(text), padded = (length + 3) / 4 * 4;
  const uint64_t total = 12 + 8 + padded + (d->bytes > 0 ? 8 + d->bytes : 0);
  if (total > UINT32_MAX)
    return syn_fail(error, SYN_TOO_LARGE, "the scene needs %llu bytes, a GLB file holds 4 GiB at most",
                    (unsigned long long)total);
  put_word(stream, MAGIC);
  put_word(stream, VERSION);
  put_word(stream, (uint32_t)total);
  put_word(stream, (uint32_t)padded);
  put_word(stream, CHUNK_JSON);
  fwrite(text, 1, length, stream);
  for (uint64_t i = length; i < padded; ++i) fputc(' ', stream);
  if (d->bytes == 0) return SYN_OK;
  put_word(stream, (uint32_t)d->bytes);
  put_word(stream, CHUNK_BIN);
  return write_numbers(d->context, d->scene, stream, error);
}

static syn_status write_scene(const syn_context *context, const syn_scene *scene, FILE *stream, syn_error *error) {
  SYN_TRY(check_scene(scene, error));
  description d = {.context = context, .scene = scene};
  json_t *all = describe(&d);
  char *text = d.failed ? NULL : json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(17));
  json_decref(all);
  if (!text) return syn_fail(error, SYN_NO_MEMORY, "there is no memory to describe the scene");
  syn_status status = write_chunks(&d, text, stream, error);
  free(text);
  return status;
}

syn_status syn_scene_write(const syn_context *context, const syn_scene *scene, const char *path, syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  syn_status status = write_scene(context, scene, output.stream, error);
  if (status == SYN_OK) return syn_output_commit(&output, error);
  syn_output_discard(&output);
  return status;
}

/* A geometry's triangles as a scene of one body. */
static syn_status write_geometry(const syn_context *context, const syn_geometry *g, const syn_write_options *options,
                                 FILE *stream, syn_error *error) {
  (void)options;
  SYN_TRY(syn_validate_points(g->points, g->point_count, error));
  SYN_TRY(syn_validate_cells(g->triangle_count ? g->triangles->v : NULL, 3, g->triangle_count, g->point_count,
                             "triangle", error));
  const syn_trimesh mesh = {.context = context,
                            .vertex_count = (uint32_t)g->point_count,
                            .triangle_count = (uint32_t)g->triangle_count,
                            .vertices = g->points,
                            .triangles = g->triangles};
  const char *title = syn_context_or_default(context)->title;
  const syn_scene_body body = {.name = "surface", .mesh = &mesh, .color = {0.75f, 0.70f, 0.60f, 1}};
  const syn_scene scene = {.name = title ? title : "Synovia", .bodies = &body, .body_count = 1};
  return write_scene(context, &scene, stream, error);
}

const syn_format syn_format_glb = {
    .info = {.name = "glb", .extensions = ".glb", .writes = true, .holds_triangles = true}, .write = write_geometry};
