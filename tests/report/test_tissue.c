/* The page of a simulation: shapes, poses and numbers are those of the run, also of one that was continued. */
#include "page_reader.h"

#include "base/vec.h"

#define PRESS SYN_SOURCE_DIR "/examples/scenes/press.json"

/* Runs the scene in the folder, or reads what is there, and writes its page; the caller frees it. */
static char *make_page(const char *folder, syn_tissue_scene **scene, syn_tissue_run **run) {
  syn_error error;
  char path[600];
  size_t size;
  syn_tissue_run_options options = syn_default_tissue_run_options();
  options.folder = folder;
  options.keep_fields = true;
  ASSERT_OK(syn_tissue_scene_read(NULL, PRESS, NULL, scene, &error));
  ASSERT_OK(syn_tissue_scene_run(*scene, &options, run, &error));
  const syn_published_input scene_file = {PRESS, NULL};
  syn_publish_options publishing = syn_default_publish_options();
  publishing.title = "Press";
  publishing.inputs = &scene_file;
  publishing.input_count = 1;
  ASSERT_OK(syn_publish(NULL, &syn_tissue_run_record, *run, &publishing, folder, &error));
  snprintf(path, sizeof path, "%s/report.html", folder);
  return read_whole_file(path, &size);
}

static void release(syn_tissue_scene *scene, syn_tissue_run *run) {
  syn_tissue_run_destroy(run);
  syn_tissue_scene_destroy(scene);
}

/* The last shape is where the simulation ended. */
static void check_shape(const char *page, const json_t *model, const syn_tissue_scene *scene, size_t frames) {
  const json_t *body = item_named(model, "bodies", "tissue"), *moved = item_named(body, "vectors", "displacement");
  const syn_soft *soft = scene->bodies[0].soft;
  const syn_trimesh *skin = syn_soft_skin(soft);
  shown_mesh shown = decode_mesh(page, body);
  syn_vec3 *vectors = decode_vectors(page, moved, shown.vertex_count),
           *ends = malloc(skin->vertex_count * sizeof *ends);
  const double step = json_number_value(json_object_get(moved, "step")),
               stored = json_number_value(json_object_get(json_object_get(body, "mesh"), "step"));
  syn_soft_skin_points(soft, syn_simulation_positions(scene->simulation, 0), ends);
  assert_true(json_is_true(json_object_get(moved, "displaces")));
  assert_int_equal(json_integer_value(json_object_get(moved, "steps")), frames);
  for (size_t i = 0; i < shown.vertex_count; ++i) {
    uint32_t nearest = 0;
    for (uint32_t k = 1; k < skin->vertex_count; ++k)
      if (vec3_distance(skin->vertices[k], shown.vertices[i]) <
          vec3_distance(skin->vertices[nearest], shown.vertices[i]))
        nearest = k;
    const syn_vec3 end = vec3_add(shown.vertices[i], vectors[(frames - 1) * shown.vertex_count + i]);
    assert_true(vec3_distance(end, ends[nearest]) < 2 * (step + stored));
    assert_true(vec3_length(vectors[i]) < 1e-12); /* the first frame is at rest */
  }
  free(ends);
  free(vectors);
  release_mesh(&shown);
}

static void a_simulation_is_played_as_it_went(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("press"));
  syn_tissue_scene *scene;
  syn_tissue_run *run;
  char *page = make_page(folder, &scene, &run);
  json_t *model = page_model(page);
  const json_t *motion = json_array_get(json_object_get(model, "motions"), 0);
  check_shape(page, model, scene, run->moment_count);
  /* the ball goes down by 3 mm */
  const json_t *poses = json_array_get(json_object_get(motion, "bodies"), 1),
               *last = json_array_get(poses, run->moment_count - 1);
  ASSERT_NEAR(json_number_value(json_array_get(last, 11)), -3, 1e-12);
  const json_t *stress = item_named(motion, "curves", "von_mises_mpa"),
               *force = item_named(motion, "curves", "contact_n");
  for (size_t i = 0; i < run->moment_count; ++i) {
    ASSERT_NEAR(json_number_value(json_array_get(json_object_get(stress, "values"), i)), run->moments[i].von_mises_mpa,
                1e-15);
    ASSERT_NEAR(json_number_value(json_array_get(json_object_get(force, "values"), i)), run->moments[i].contact_n,
                1e-12);
  }
  assert_non_null(strstr(page, "surfaces never cross"));
  json_decref(model);
  release(scene, run);
  /* A run that had ended is only read: its page has the same bytes. */
  char *again = make_page(folder, &scene, &run);
  assert_true(run->continued_at > 0);
  assert_string_equal(page, again);
  free(page);
  free(again);
  release(scene, run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_simulation_is_played_as_it_went)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
