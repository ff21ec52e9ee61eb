/* GLB files are taken apart again by a reader that knows nothing but the specification. */
#include <jansson.h>

#include "base/vec.h"
#include "support.h"

typedef struct glb {
  char *bytes;
  size_t size, bin_size;
  const unsigned char *bin;
  json_t *json;
} glb;

static uint32_t word_at(const void *bytes) {
  const unsigned char *b = bytes;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const void *bytes) {
  const uint32_t bits = word_at(bytes);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static json_t *at(const glb *g, const char *array, json_int_t index) {
  json_t *value = json_array_get(json_object_get(g->json, array), (size_t)index);
  if (!value) fail_msg("%s[%d] is missing", array, (int)index);
  return value;
}

static json_int_t number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_integer(value)) fail_msg("%s is missing or no integer", key);
  return json_integer_value(value);
}

static const unsigned char *data_of(const glb *g, json_int_t accessor, json_int_t *count) {
  const json_t *a = at(g, "accessors", accessor);
  *count = number(a, "count");
  return g->bin + number(at(g, "bufferViews", number(a, "bufferView")), "byteOffset");
}

static int components_of(const json_t *accessor) {
  const char *type = json_string_value(json_object_get(accessor, "type"));
  return strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "VEC3") == 0 ? 3 : 4;
}

/* Views lie one behind the other and cover the chunk; accessors fill their views; min and max are those of the data. */
static void check_layout(const glb *g) {
  size_t i;
  json_t *value;
  json_int_t end = 0;
  json_array_foreach(json_object_get(g->json, "bufferViews"), i, value) {
    assert_int_equal(number(value, "byteOffset"), end);
    assert_int_equal(end % 4, 0);
    assert_true(number(value, "byteLength") > 0);
    end += number(value, "byteLength");
  }
  assert_int_equal(end, g->bin_size);
  json_array_foreach(json_object_get(g->json, "accessors"), i, value) {
    json_int_t count;
    const unsigned char *data = data_of(g, (json_int_t)i, &count);
    const int n = components_of(value);
    const json_t *view = at(g, "bufferViews", number(value, "bufferView"));
    assert_int_equal(number(view, "byteLength"), 4 * n * count);
    const json_t *low = json_object_get(value, "min"), *high = json_object_get(value, "max");
    for (int k = 0; low && k < n; ++k) {
      double smallest = INFINITY, largest = -INFINITY;
      for (json_int_t j = 0; j < count; ++j) {
        smallest = fmin(smallest, float_at(data + 4 * (n * j + k)));
        largest = fmax(largest, float_at(data + 4 * (n * j + k)));
      }
      assert_true(json_number_value(json_array_get(low, (size_t)k)) == smallest);
      assert_true(json_number_value(json_array_get(high, (size_t)k)) == largest);
    }
  }
}

static glb parse(const char *path) {
  glb g = {0};
  g.bytes = read_whole_file(path, &g.size);
  assert_true(g.size >= 20 && g.size % 4 == 0);
  assert_memory_equal(g.bytes, "glTF\2\0\0\0", 8);
  assert_int_equal(word_at(g.bytes + 8), g.size);
  const uint32_t length = word_at(g.bytes + 12);
  assert_memory_equal(g.bytes + 16, "JSON", 4);
  assert_int_equal(length % 4, 0);
  json_error_t error;
  g.json = json_loadb(g.bytes + 20, length, JSON_REJECT_DUPLICATES, &error);
  if (!g.json) fail_msg("JSON: %s", error.text);
  assert_string_equal(json_string_value(json_object_get(json_object_get(g.json, "asset"), "version")), "2.0");
  if (20 + length < g.size) {
    const char *chunk = g.bytes + 20 + length;
    g.bin_size = word_at(chunk);
    assert_memory_equal(chunk + 4, "BIN\0", 4);
    assert_int_equal(20 + length + 8 + g.bin_size, g.size);
    g.bin = (const unsigned char *)chunk + 8;
    assert_int_equal(number(at(&g, "buffers", 0), "byteLength"), g.bin_size);
  }
  check_layout(&g);
  return g;
}

static void release(glb *g) {
  json_decref(g->json);
  free(g->bytes);
}

static void read_numbers(const json_t *array, double *values, size_t count) {
  assert_int_equal(json_array_size(array), count);
  for (size_t i = 0; i < count; ++i) values[i] = json_number_value(json_array_get(array, i));
}

/* A node's rotation (and scale) and translation applied to a point; what is missing does nothing. */
static syn_vec3 through_node(const json_t *node, syn_vec3 p) {
  double q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1}, t[3] = {0, 0, 0};
  const json_t *value;
  if ((value = json_object_get(node, "rotation")) != NULL) read_numbers(value, q, 4);
  if ((value = json_object_get(node, "scale")) != NULL) read_numbers(value, s, 3);
  if ((value = json_object_get(node, "translation")) != NULL) read_numbers(value, t, 3);
  const syn_pose pose = syn_pose_from_quat((syn_quat){q[3], q[0], q[1], q[2]}, (syn_vec3){t[0], t[1], t[2]});
  return syn_pose_point(&pose, vec3(p.x * s[0], p.y * s[1], p.z * s[2]));
}

static void check_mesh(const glb *g, json_int_t node, const syn_scene_body *body) {
  const json_t *primitive =
      json_array_get(json_object_get(at(g, "meshes", number(at(g, "nodes", node), "mesh")), "primitives"), 0);
  const json_t *attributes = json_object_get(primitive, "attributes");
  json_int_t count;
  const unsigned char *data = data_of(g, number(attributes, "POSITION"), &count);
  assert_int_equal(count, body->mesh->vertex_count);
  for (json_int_t i = 0; i < 3 * count; ++i) {
    const double expected = vec3_at(body->mesh->vertices[i / 3], (int)(i % 3));
    assert_true(float_at(data + 4 * i) == (double)(float)expected);
  }
  assert_non_null(json_object_get(at(g, "accessors", number(attributes, "POSITION")), "min"));
  data = data_of(g, number(attributes, "NORMAL"), &count);
  for (json_int_t i = 0; i < count; ++i) {
    const syn_vec3 n = {float_at(data + 12 * i), float_at(data + 12 * i + 4), float_at(data + 12 * i + 8)};
    ASSERT_NEAR(vec3_length(n), 1, 1e-6);
    assert_true(vec3_dot(n, body->mesh->vertices[i]) > 0); /* star-shaped bodies: outward */
  }
  if (body->vertex_colors) {
    data = data_of(g, number(attributes, "COLOR_0"), &count);
    assert_int_equal(count, body->mesh->vertex_count);
    for (json_int_t i = 0; i < 4 * count; ++i)
      assert_true(float_at(data + 4 * i) == (double)body->vertex_colors[i / 4][i % 4]);
  } else {
    assert_null(json_object_get(attributes, "COLOR_0"));
  }
  data = data_of(g, number(primitive, "indices"), &count);
  assert_int_equal(count, 3 * body->mesh->triangle_count);
  for (json_int_t i = 0; i < count; ++i) assert_int_equal(word_at(data + 4 * i), body->mesh->triangles[i / 3].v[i % 3]);
  const json_t *material = at(g, "materials", number(primitive, "material"));
  assert_true(json_is_true(json_object_get(material, "doubleSided")));
  double color[4];
  read_numbers(json_object_get(json_object_get(material, "pbrMetallicRoughness"), "baseColorFactor"), color, 4);
  for (int k = 0; k < 4; ++k) assert_true(color[k] == (double)body->color[k]);
}

static const char *alpha_mode(const glb *g, json_int_t material) {
  return json_string_value(json_object_get(at(g, "materials", material), "alphaMode"));
}

enum { KEYS = 7 };
typedef struct example {
  syn_trimesh *fixed, *mobile;
  float colors[200][4];
  syn_pose poses[KEYS];
  double times[KEYS];
  syn_scene_body bodies[2];
  syn_scene scene;
} example;

static void make_example(example *e) {
  test_random random = {1};
  *e = (example){.fixed = make_blob(NULL, &random, 5, 6, 0.4), .mobile = make_blob(NULL, &random, 6, 7, 0.4)};
  for (int k = 0; k < KEYS; ++k) { /* a full turn: quaternions change sign on the way */
    e->poses[k] = syn_pose_about_axis(vec3(1, 2, 3), vec3(1, -1, 0.5), 1.1 * k);
    e->times[k] = 0.25 * k;
  }
  for (uint32_t i = 0; i < e->mobile->vertex_count; ++i)
    for (int k = 0; k < 4; ++k) e->colors[i][k] = (float)random_between(&random, 0, 1);
  e->bodies[0] = (syn_scene_body){.name = "pelvis \"left\"", .mesh = e->fixed, .color = {1, 0.5f, 0.25f, 1}};
  e->bodies[1] = (syn_scene_body){.name = "f\xc3\xa9mur",
                                  .mesh = e->mobile,
                                  .color = {0.1f, 0.2f, 0.3f, 0.5f},
                                  .vertex_colors = (const float(*)[4])e->colors,
                                  .keyframes = e->poses};
  e->scene =
      (syn_scene){.name = "hip", .bodies = e->bodies, .body_count = 2, .times_s = e->times, .keyframe_count = KEYS};
}

static void free_example(example *e) {
  syn_trimesh_destroy(e->fixed);
  syn_trimesh_destroy(e->mobile);
}

static void a_scene_comes_back_whole(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  example e;
  make_example(&e);
  const char *path = temporary_path("scene.glb");
  ASSERT_OK(syn_scene_write(&context, &e.scene, path, &error));
  assert_int_equal(memory.live, 0);
  assert_int_equal(memory.warnings, 0);
  glb g = parse(path);
  const json_t *root = at(&g, "nodes", 0);
  assert_int_equal(json_array_size(json_object_get(root, "children")), 2);
  assert_true(vec3_distance(through_node(root, vec3(0, 0, 1000)), vec3(0, 1, 0)) < 1e-15); /* z up, mm */
  assert_true(vec3_distance(through_node(root, vec3(1000, 0, 0)), vec3(1, 0, 0)) < 1e-15);
  assert_true(vec3_distance(through_node(root, vec3(0, 1000, 0)), vec3(0, 0, -1)) < 1e-15);
  for (json_int_t i = 0; i < 2; ++i) {
    assert_string_equal(json_string_value(json_object_get(at(&g, "nodes", i + 1), "name")), e.bodies[i].name);
    check_mesh(&g, i + 1, &e.bodies[i]);
  }
  assert_string_equal(alpha_mode(&g, 0), "OPAQUE");
  assert_string_equal(alpha_mode(&g, 1), "BLEND");
  release(&g);
  free_example(&e);
}

static void the_animation_gives_the_poses_back(void **state) {
  (void)state;
  syn_error error;
  example e;
  make_example(&e);
  const char *path = temporary_path("moving.glb");
  ASSERT_OK(syn_scene_write(NULL, &e.scene, path, &error));
  glb g = parse(path);
  const json_t *animation = at(&g, "animations", 0), *channels = json_object_get(animation, "channels");
  assert_int_equal(json_array_size(channels), 2);
  const unsigned char *outputs[2] = {NULL, NULL};
  for (size_t i = 0; i < 2; ++i) {
    const json_t *channel = json_array_get(channels, i), *target = json_object_get(channel, "target");
    assert_int_equal(number(target, "node"), 2);
    const json_t *sampler = json_array_get(json_object_get(animation, "samplers"), (size_t)number(channel, "sampler"));
    json_int_t count;
    const unsigned char *times = data_of(&g, number(sampler, "input"), &count);
    assert_int_equal(count, KEYS);
    assert_non_null(json_object_get(at(&g, "accessors", number(sampler, "input")), "max"));
    for (int k = 0; k < KEYS; ++k) ASSERT_NEAR(float_at(times + 4 * k), e.times[k], 1e-7);
    const bool turns = strcmp(json_string_value(json_object_get(target, "path")), "rotation") == 0;
    outputs[turns] = data_of(&g, number(sampler, "output"), &count);
    assert_int_equal(count, KEYS);
  }
  assert_true(outputs[0] && outputs[1]);
  syn_quat last = {1, 0, 0, 0};
  for (int k = 0; k < KEYS; ++k) {
    const unsigned char *t = outputs[0] + 12 * k, *r = outputs[1] + 16 * k;
    const syn_quat q = {float_at(r + 12), float_at(r), float_at(r + 4), float_at(r + 8)};
    const syn_pose pose = syn_pose_from_quat(q, vec3(float_at(t), float_at(t + 4), float_at(t + 8)));
    for (uint32_t i = 0; i < e.mobile->vertex_count; ++i)
      assert_true(vec3_distance(syn_pose_point(&pose, e.mobile->vertices[i]),
                                syn_pose_point(&e.poses[k], e.mobile->vertices[i])) < 1e-5);
    assert_true(q.w * last.w + q.x * last.x + q.y * last.y + q.z * last.z >= 0);
    last = q;
  }
  /* without animation support, the body stands in its first pose */
  const syn_vec3 p = {0.3, 0.2, 0.1};
  assert_true(vec3_distance(through_node(at(&g, "nodes", 2), p), syn_pose_point(&e.poses[0], p)) < 1e-12);
  assert_null(json_object_get(at(&g, "nodes", 1), "rotation"));
  release(&g);
  free_example(&e);
}

static void empty_scenes_and_bodies_are_valid(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  const char *path = temporary_path("empty.glb");
  const syn_scene nothing = {0};
  ASSERT_OK(syn_scene_write(&context, &nothing, path, &error));
  glb g = parse(path);
  assert_int_equal(json_array_size(json_object_get(g.json, "nodes")), 1);
  const char *absent[] = {"buffers", "bufferViews", "accessors", "meshes", "materials", "animations"};
  for (int i = 0; i < 6; ++i) assert_null(json_object_get(g.json, absent[i]));
  assert_null(json_object_get(at(&g, "nodes", 0), "children"));
  release(&g);
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &mesh, &error));
  const syn_scene_body bodies[2] = {{.mesh = mesh}, {.name = "\xff\xfe", .mesh = mesh}};
  const syn_scene scene = {.bodies = bodies, .body_count = 2};
  ASSERT_OK(syn_scene_write(&context, &scene, path, &error));
  g = parse(path);
  assert_string_equal(json_string_value(json_object_get(at(&g, "nodes", 1), "name")), "body 0");
  assert_string_equal(json_string_value(json_object_get(at(&g, "nodes", 2), "name")), "body 1");
  assert_non_null(strstr(memory.all_warnings, "not UTF-8"));
  assert_non_null(strstr(memory.all_warnings, "body 1 has no triangles"));
  release(&g);
  syn_trimesh_destroy(mesh);
}

static void a_geometry_is_written_as_one_body(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  test_random random = {2};
  syn_trimesh *blob = make_blob(NULL, &random, 5, 5, 0.2);
  double values[100] = {0};
  const syn_field field = {"depth", SYN_ON_POINTS, 1, values};
  syn_geometry geometry = syn_trimesh_geometry(blob);
  geometry.fields = &field;
  geometry.field_count = 1;
  const char *path = temporary_path("one.GLB");
  ASSERT_OK(syn_geometry_write(&context, &geometry, path, NULL, &error));
  assert_int_equal(memory.warnings, 1);
  assert_non_null(strstr(memory.last_warning, "glb files hold no fields: 1"));
  glb g = parse(path);
  const syn_scene_body expected = {.mesh = blob, .color = {0.75f, 0.70f, 0.60f, 1}};
  check_mesh(&g, 1, &expected);
  release(&g);
  const syn_vec3 bad[3] = {{0, 0, 0}, {NAN, 0, 0}, {0, 1, 0}};
  const syn_triangle face = {{0, 1, 2}};
  geometry = (syn_geometry){.point_count = 3, .triangle_count = 1, .points = bad, .triangles = &face};
  ASSERT_FAILS(syn_geometry_write(NULL, &geometry, path, NULL, &error), SYN_BAD_MESH, "vertex 1 is not finite");
  syn_trimesh_destroy(blob);
}

static void what_glb_cannot_hold_is_refused(void **state) {
  (void)state;
  syn_error error;
  example e;
  make_example(&e);
  const char *path = temporary_path("refused.glb");
  e.times[3] = e.times[2];
  ASSERT_FAILS(syn_scene_write(NULL, &e.scene, path, &error), SYN_BAD_ARGUMENT, "time 3");
  e.times[3] = NAN;
  ASSERT_FAILS(syn_scene_write(NULL, &e.scene, path, &error), SYN_BAD_ARGUMENT, "time 3");
  e.times[3] = 0.75;
  e.scene.times_s = NULL;
  ASSERT_FAILS(syn_scene_write(NULL, &e.scene, path, &error), SYN_BAD_ARGUMENT, "no times");
  e.scene.times_s = e.times;
  e.bodies[0].color[2] = 2;
  ASSERT_FAILS(syn_scene_write(NULL, &e.scene, path, &error), SYN_BAD_ARGUMENT, "colour of body 0");
  e.bodies[0].color[2] = 1;
  e.colors[4][3] = NAN;
  ASSERT_FAILS(syn_scene_write(NULL, &e.scene, path, &error), SYN_BAD_ARGUMENT, "vertex 4 of body 1");
  e.colors[4][3] = 0;
  e.poses[5].translation.y = INFINITY;
  ASSERT_FAILS(syn_scene_write(NULL, &e.scene, path, &error), SYN_BAD_ARGUMENT, "key frame 5 of body 1");
  e.poses[5].translation.y = 0;
  const syn_vec3 far[3] = {{0, 0, 0}, {1e39, 0, 0}, {0, 1, 0}};
  const syn_triangle face = {{0, 1, 2}};
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, far, 3, &face, 1, &mesh, &error));
  e.bodies[0].mesh = mesh;
  ASSERT_FAILS(syn_scene_write(NULL, &e.scene, path, &error), SYN_BAD_MESH, "vertex 1 of body 0");
  FILE *stream = fopen(path, "rb");
  assert_null(stream); /* nothing half-written is left behind */
  syn_trimesh_destroy(mesh);
  ASSERT_FAILS(syn_scene_write(NULL, &e.scene, "/nowhere/at/all.glb", &error), SYN_IO_ERROR, NULL);
  free_example(&e);
}

static syn_status write_example(const syn_context *context, void *user, syn_error *error) {
  const example *e = user;
  return syn_scene_write(context, &e->scene, temporary_path("memory.glb"), error);
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  example e;
  make_example(&e);
  check_every_allocation(write_example, &e);
  free_example(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_comes_back_whole),          cmocka_unit_test(the_animation_gives_the_poses_back),
      cmocka_unit_test(empty_scenes_and_bodies_are_valid), cmocka_unit_test(a_geometry_is_written_as_one_body),
      cmocka_unit_test(what_glb_cannot_hold_is_refused),   cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
