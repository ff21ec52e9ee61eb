#include "support.h"

#include "base/status.h"
#include "joint/joint_store.h"

#include <unistd.h>

#include <synovia/joint.h>

static syn_joint *make_shape(const char *name, const char *parameter, double value) {
  syn_error error;
  syn_joint *shape;
  const syn_shape_value values[] = {{parameter, value}};
  ASSERT_OK(syn_shape_create(NULL, name, values, 1, &shape, &error));
  return shape;
}

/* Stages and publishes in a folder of this name; returns it. */
static const char *stage(syn_joint *joint, const char *format, const char *name) {
  syn_error error;
  syn_outbox *outbox;
  const char *hidden, *folder = temporary_path(name);
  ASSERT_OK(syn_outbox_create(NULL, NULL, &outbox, &error));
  ASSERT_OK(syn_outbox_stage(outbox, folder, &hidden, &error));
  ASSERT_OK(syn_joint_stage(joint, format, outbox, hidden, &error));
  ASSERT_OK(syn_outbox_publish(outbox, &error));
  syn_outbox_destroy(outbox);
  return folder;
}

/* What was staged reads back as the same joint, meshes and all. */
static void a_joint_comes_back_from_its_files(void **state) {
  (void)state;
  syn_error error;
  syn_joint *made = make_shape("hip", "resolution", 2), *read;
  char path[600];
  snprintf(path, sizeof path, "%.500s/joint.json", stage(made, NULL, "hip"));
  ASSERT_OK(syn_joint_read(NULL, path, &read, &error));
  ASSERT_OK(syn_joint_load(read, NULL, &error));
  assert_int_equal(read->body_count, made->body_count);
  for (size_t i = 0; i < made->body_count; ++i) {
    const syn_trimesh *one = made->bodies[i].surface, *other = read->bodies[i].surface;
    assert_string_equal(read->bodies[i].name, made->bodies[i].name);
    assert_string_equal(read->bodies[i].mesh_file, made->bodies[i].mesh_file); /* which staging has set */
    assert_int_equal(other->triangle_count, one->triangle_count);
    assert_int_equal(other->vertex_count, one->vertex_count);
    assert_memory_equal(other->vertices, one->vertices, one->vertex_count * sizeof *one->vertices);
  }
  syn_joint_destroy(read);
  syn_joint_destroy(made);
}

/* A joint whose files are in cm is in mm once it is read, and so are the files that it is saved to: its size stays,
 * however often it goes through files, and whoever says the unit. */
static void a_joint_in_centimetres_is_scaled_once(void **state) {
  (void)state;
  syn_error error;
  syn_joint *made = make_shape("hip", "resolution", 2), *read, *again;
  char path[600], text[64] = "";
  snprintf(path, sizeof path, "%.500s/joint.json", stage(made, NULL, "small-hip"));
  for (int by_caller = 0; by_caller < 2; ++by_caller) {
    syn_read_options reading = syn_default_read_options();
    ASSERT_OK(syn_joint_read(NULL, path, &read, &error));
    if (by_caller)
      reading.scale = 10;
    else
      read->mm_per_unit = 10; /* as "units": "cm" in its file */
    ASSERT_OK(syn_joint_load(read, &reading, &error));
    assert_true(read->mm_per_unit == 10);
    snprintf(text, sizeof text, "large-hip-%d", by_caller);
    char saved[600];
    snprintf(saved, sizeof saved, "%.500s/joint.json", stage(read, NULL, text));
    ASSERT_OK(syn_joint_read(NULL, saved, &again, &error));
    ASSERT_OK(syn_joint_load(again, NULL, &error));
    for (size_t i = 0; i < made->body_count; ++i)
      for (uint32_t v = 0; v < made->bodies[i].surface->vertex_count; ++v) {
        const syn_vec3 small = made->bodies[i].surface->vertices[v], large = again->bodies[i].surface->vertices[v];
        assert_true(large.x == 10 * small.x && large.y == 10 * small.y && large.z == 10 * small.z);
      }
    syn_joint_destroy(again);
    syn_joint_destroy(read);
  }
  syn_joint_destroy(made);
}

static void check_moved(const syn_joint *from, const syn_joint *joint, syn_vec3 offset) {
  for (size_t i = 0; i < from->body_count; ++i)
    for (uint32_t v = 0; v < from->bodies[i].surface->vertex_count; ++v) {
      const syn_vec3 was = from->bodies[i].surface->vertices[v], is = joint->bodies[i].surface->vertices[v];
      const double by = from->bodies[i].moves;
      ASSERT_NEAR(is.x, 10 * was.x + by * offset.x, 1e-12);
      ASSERT_NEAR(is.z, 10 * was.z + by * offset.z, 1e-12);
    }
}

/* An offset is in mm whatever the unit of the files; it stays in joint files, and is in the meshes once they are saved.
 */
static void bodies_are_put_where_their_offset_says(void **state) {
  (void)state;
  syn_error error;
  syn_joint *made = make_shape("hip", "resolution", 2), *read, *again;
  char path[600], again_path[600];
  size_t size;
  snprintf(path, sizeof path, "%.500s/joint.json", stage(made, NULL, "own-frames"));
  char *text = read_whole_file(path, &size), *rest = text;
  FILE *file = fopen(path, "w");
  for (char *at; (at = strstr(rest, "\"moves\": true")); rest = at + 1)
    fprintf(file, "%.*s\"offset\": [1, -2, 30], \"", (int)(at - rest), rest);
  fputs(rest, file);
  assert_int_equal(fclose(file), 0);
  free(text);
  syn_read_options reading = syn_default_read_options();
  reading.scale = 10;
  ASSERT_OK(syn_joint_read(NULL, path, &read, &error));
  ASSERT_OK(syn_joint_write(NULL, read, path, &error));
  syn_joint_destroy(read);
  ASSERT_OK(syn_joint_read(NULL, path, &read, &error));
  ASSERT_OK(syn_joint_load(read, &reading, &error));
  check_moved(made, read, (syn_vec3){1, -2, 30});
  snprintf(again_path, sizeof again_path, "%.500s/joint.json", stage(read, NULL, "one-frame"));
  ASSERT_OK(syn_joint_read(NULL, again_path, &again, &error));
  ASSERT_OK(syn_joint_load(again, NULL, &error));
  check_moved(made, again, (syn_vec3){1, -2, 30});
  syn_joint_destroy(again);
  syn_joint_destroy(read);
  syn_joint_destroy(made);
}

/* A volume goes into a format that holds one, by default into VTU; otherwise its surface is written. */
static void volumes_go_where_they_fit(void **state) {
  (void)state;
  static const struct {
    const char *format, *file;
    bool holds_tets;
  } expected[] = {{NULL, "beam.vtu", true}, {"msh", "beam.msh", true}, {"stl", "beam.stl", false}};
  syn_error error;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    syn_joint *made = make_shape("beam", "length", 40);
    syn_geometry geometry;
    char path[600];
    const char *folder = stage(made, expected[i].format, expected[i].file);
    assert_int_equal(made->body_count, 1);
    assert_non_null(made->bodies[0].volume);
    assert_string_equal(made->bodies[0].mesh_file, expected[i].file);
    snprintf(path, sizeof path, "%.500s/%s", folder, expected[i].file);
    ASSERT_OK(syn_geometry_read(NULL, path, NULL, &geometry, &error));
    assert_int_equal(geometry.tet_count > 0, expected[i].holds_tets);
    syn_geometry_free(NULL, &geometry);
    snprintf(path, sizeof path, "%.500s/joint.json", folder);
    assert_int_equal(access(path, F_OK) == 0, made->has_axes);
    syn_joint_destroy(made);
  }
}

static void nothing_is_left_where_writing_fails(void **state) {
  (void)state;
  syn_error error;
  syn_joint *made = make_shape("hip", "resolution", 2);
  syn_outbox *outbox;
  const char *hidden;
  ASSERT_OK(syn_outbox_create(NULL, NULL, &outbox, &error));
  ASSERT_OK(syn_outbox_stage(outbox, temporary_path("fails"), &hidden, &error));
  ASSERT_FAILS(syn_joint_stage(made, "no such format", outbox, hidden, &error), SYN_BAD_ARGUMENT, "no such format");
  /* a body whose file would lie elsewhere */
  ASSERT_OK(syn_joint_add_body(made, &(syn_body){.name = "../elsewhere"}, &error));
  ASSERT_FAILS(syn_joint_stage(made, NULL, outbox, hidden, &error), SYN_BAD_ARGUMENT, "../elsewhere");
  assert_int_equal(syn_outbox_count(outbox), 0);
  syn_outbox_destroy(outbox);
  assert_int_equal(access(temporary_path("fails"), F_OK), -1);
  syn_joint_destroy(made);
}

static syn_status make_and_stage(const syn_context *context, void *user, syn_error *error) {
  const syn_shape_value values[] = {{"resolution", 2}};
  syn_joint *shape;
  syn_outbox *outbox;
  const char *hidden;
  SYN_TRY(syn_shape_create(context, "hip", values, 1, &shape, error));
  syn_status status = syn_outbox_create(context, NULL, &outbox, error);
  if (status == SYN_OK) status = syn_outbox_stage(outbox, user, &hidden, error);
  if (status == SYN_OK) status = syn_joint_stage(shape, NULL, outbox, hidden, error);
  syn_outbox_destroy(outbox);
  syn_joint_destroy(shape);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("refused"));
  check_every_allocation(make_and_stage, folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_joint_comes_back_from_its_files),      cmocka_unit_test(a_joint_in_centimetres_is_scaled_once),
      cmocka_unit_test(bodies_are_put_where_their_offset_says), cmocka_unit_test(volumes_go_where_they_fit),
      cmocka_unit_test(nothing_is_left_where_writing_fails),    cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
