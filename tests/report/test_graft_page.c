/* The page of a graft: it is where the simulation has it, in both plans, and the tibia goes along. */
#include "block_hip.h"
#include "page_reader.h"
#include "title.h"

#include "base/vec.h"
#include "clinic/surgery_rows.h"

static const double degree = SYN_PI / 180;

typedef struct knee {
  syn_trimesh *femur, *tibia;
  syn_graft *graft;
} knee;

/* Two blocks 20 mm apart, a coarse graft between them and a short search. */
static knee make_knee(void) {
  syn_error error;
  knee k = {.femur = make_block(NULL, vec3(-40, 0, -30), vec3(40, 60, 30)),
            .tibia = make_block(NULL, vec3(-40, -80, -30), vec3(40, -20, 30))};
  syn_graft_options options = syn_default_graft_options();
  options.cells[0] = options.cells[1] = 1;
  options.cells[2] = 4;
  options.to = 20 * degree;
  options.step = 10 * degree;
  options.search_mm = 4;
  options.failure_mpa = 1e9;
  options.femur_outlet = vec3(4, 0, 1);
  options.tibia_outlet = vec3(2, -20, 0);
  ASSERT_OK(syn_graft_create(NULL, k.femur, k.tibia, &options, &k.graft, &error));
  return k;
}

static void drop_knee(knee *k) {
  syn_result_destroy(k->graft);
  syn_trimesh_destroy(k->femur);
  syn_trimesh_destroy(k->tibia);
}

static char *make_page(const knee *k, const char *folder) {
  syn_error error;
  char path[600];
  size_t size;
  syn_publish_options options = syn_default_publish_options();
  options.title = "Two blocks";
  ASSERT_OK(syn_publish(NULL, &syn_graft_record, k->graft, &options, folder, &error));
  snprintf(path, sizeof path, "%s/report.html", folder);
  return read_whole_file(path, &size);
}

/* What the simulation keeps: at the first angle the graft lies as at rest, its tibial end goes with the tibia, and no
 * vertex is stressed more than the peak, which lies on the surface. */
static void check_plan(const syn_graft_plan *plan) {
  const syn_trimesh *rest = plan->surface;
  const uint32_t count = rest->vertex_count;
  for (size_t row = 0; row < plan->row_count; ++row) {
    double most = 0;
    uint32_t ends = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const syn_vec3 place = plan->places[row * count + i];
      if (row == 0) ASSERT_NEAR(vec3_distance(place, rest->vertices[i]), 0, 1e-9);
      most = max2(most, plan->stress_mpa[row * count + i]);
      const syn_vec3 with_tibia = syn_pose_point(&plan->rows[row].tibia, rest->vertices[i]);
      ends += vec3_distance(place, with_tibia) < 1e-9;
    }
    assert_true(ends >= (row ? 4 : count)); /* the corners of its tibial end */
    assert_true(ends < count || row == 0);
    ASSERT_NEAR(most, plan->rows[row].peak_mpa, 1e-9 + 1e-9 * most);
  }
}

/* Every shown vertex is at the place of the vertex that it stands for, in the last row. */
static void check_shape(const char *page, const json_t *body, size_t number, const syn_graft_plan *plan,
                        const syn_trimesh *rest) {
  static const char *const motions[] = {"before", "after"};
  const json_t *moved = json_array_get(json_object_get(body, "vectors"), number);
  assert_string_equal(json_string_value(json_object_get(moved, "motion")), motions[number]);
  shown_mesh shown = decode_mesh(page, body);
  syn_vec3 *vectors = decode_vectors(page, moved, shown.vertex_count);
  const double step = json_number_value(json_object_get(moved, "step")),
               stored = json_number_value(json_object_get(json_object_get(body, "mesh"), "step"));
  const size_t last = plan->row_count - 1;
  assert_true(json_is_true(json_object_get(moved, "displaces")));
  for (size_t i = 0; i < shown.vertex_count; ++i) {
    uint32_t nearest = 0;
    for (uint32_t k = 1; k < rest->vertex_count; ++k)
      if (vec3_distance(rest->vertices[k], shown.vertices[i]) <
          vec3_distance(rest->vertices[nearest], shown.vertices[i]))
        nearest = k;
    const syn_vec3 end = vec3_add(shown.vertices[i], vectors[last * shown.vertex_count + i]);
    assert_true(vec3_distance(end, plan->places[last * rest->vertex_count + nearest]) < 2 * (step + stored));
  }
  free(vectors);
  release_mesh(&shown);
}

static void both_plans_are_played_as_they_were_simulated(void **state) {
  (void)state;
  char folder[512], table[600];
  snprintf(folder, sizeof folder, "%s", temporary_path("graft"));
  snprintf(table, sizeof table, "%s/graft.csv", folder);
  knee k = make_knee();
  assert_true(k.graft->searched);
  check_plan(&k.graft->before);
  check_plan(&k.graft->after);
  char *page = make_page(&k, folder);
  json_t *model = page_model(page);
  const json_t *graft = item_named(model, "bodies", "graft");
  check_shape(page, graft, 0, &k.graft->before, k.graft->before.surface);
  check_shape(page, graft, 1, &k.graft->after, k.graft->before.surface);
  const json_t *curve = item_named(item_named(model, "motions", "after"), "curves", "middle");
  for (size_t i = 0; i < k.graft->after.row_count; ++i)
    ASSERT_NEAR(json_number_value(json_array_get(json_object_get(curve, "values"), i)),
                k.graft->after.rows[i].middle_mpa, 1e-9);
  assert_non_null(strstr(page, "Best nearby: the graft does not tear"));
  assert_carries_title(table, json_string_value(json_object_get(model, "title")));
  syn_error error;
  size_t size, rows = 0;
  char *csv = read_whole_file(table, &size), *again;
  snprintf(table, sizeof table, "%s", temporary_path("again.csv"));
  syn_context titled = syn_default_context();
  titled.title = json_string_value(json_object_get(model, "title"));
  ASSERT_OK(syn_csv_write(&titled, &syn_graft_csv, k.graft, table, &error));
  again = read_whole_file(table, &size);
  assert_string_equal(csv, again);
  free(again);
  for (size_t i = 0; i < size; ++i) rows += csv[i] == '\n';
  assert_int_equal(rows, 1 + k.graft->before.row_count + k.graft->after.row_count);
  free(csv);
  json_decref(model);
  free(page);
  drop_knee(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_plans_are_played_as_they_were_simulated)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
