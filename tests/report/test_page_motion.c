/* Pages and files of the program against each other: what touches at the end of a motion, how long a probe is, and
 * which pressure a surface has at its step. */
#include "page_reader.h"
#include "program.h"

#include "base/vec.h"

static char *page_in(const char *folder) {
  char path[700];
  size_t size;
  snprintf(path, sizeof path, "%s/report.html", folder);
  return read_whole_file(path, &size);
}

static void make_files(const char *shape, const char *resolution, const char *folder) {
  program_run run =
      run_synovia("shape", shape, "-o", folder, "-q", resolution ? "--resolution" : NULL, resolution, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
}

static syn_vec3 point_of(const json_t *list) {
  return vec3(json_number_value(json_array_get(list, 0)), json_number_value(json_array_get(list, 1)),
              json_number_value(json_array_get(list, 2)));
}

/* Rows of three numbers and a shift. */
static syn_vec3 moved_by(const json_t *pose, syn_vec3 p) {
  double m[12];
  for (size_t i = 0; i < 12; ++i) m[i] = json_number_value(json_array_get(pose, i));
  return vec3(m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
              m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]);
}

/* A lever may be turned either way about each axis. */
static const char lever[] =
    "{\"synovia\":1,\"kind\":\"other\",\"name\":\"Lever\",\"bodies\":[{\"name\":\"stone\",\"mesh\":\"stone.ply\","
    "\"tissue\":\"bone\",\"moves\":false},{\"name\":\"lever\",\"mesh\":\"lever.ply\",\"tissue\":\"bone\",\"moves\":"
    "true}],"
    "\"center\":[0,0,0],\"frame\":{\"axes\":[{\"axis\":[0,1,0],\"positive\":\"down\",\"negative\":\"up\"},{\"axis\":[-"
    "1,0,0],"
    "\"positive\":\"left_roll\",\"negative\":\"right_roll\"},{\"axis\":[0,0,1],\"positive\":\"left_turn\",\"negative\":"
    "\"right_turn\"}]},\"motions\":[\"down\",\"up\",\"left_roll\"]}";

/* At the last pose of each motion the point of the mobile body has come to the place of contact. */
static void motions_of_a_joint_end_in_contact(void **state) {
  (void)state;
  char folder[512], joint[600], out[512];
  size_t i, stopped = 0;
  json_t *motion;
  snprintf(folder, sizeof folder, "%s", temporary_path("lever"));
  snprintf(out, sizeof out, "%s", temporary_path("lever-page"));
  snprintf(joint, sizeof joint, "%s/lever.json", folder);
  make_files("lever", NULL, folder);
  write_text_file(joint, lever);
  program_run run = run_synovia("rom", joint, "-q", "-o", out, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  char *page = page_in(out);
  json_t *model = page_model(page);
  json_array_foreach(json_object_get(model, "motions"), i, motion) {
    const json_t *contact = json_object_get(motion, "contact"), *poses = json_object_get(motion, "poses");
    const syn_vec3 there = point_of(json_object_get(contact, "point")),
                   from = point_of(json_object_get(contact, "mobile_point"));
    const syn_vec3 end = moved_by(json_array_get(poses, json_array_size(poses) - 1), from);
    assert_true(vec3_distance(end, there) < 1e-9 && vec3_distance(from, there) > 1);
    ++stopped;
  }
  assert_int_equal(stopped, 2); /* down and up: nothing is in the way of the others */
  json_decref(model);
  free(page);
}

static void a_probe_is_as_long_as_the_scene_says(void **state) {
  (void)state;
  static const char scene[] =
      "{\"synovia\":1,\"name\":\"block\",\"integrator\":\"static\",\"bodies\":[{\"name\":\"block\",\"shape\":{\"name\":"
      "\"beam\",\"length\":40,\"width\":40,\"height\":20,\"cells-x\":4,\"cells-y\":4,\"cells-z\":3},\"model\":\"fem\","
      "\"law\":\"corotational\",\"material\":{\"young_mpa\":0.01,\"poisson\":0.45,\"density_kg_m3\":1050}}],"
      "\"hold\":[{\"body\":\"block\",\"box\":{\"min\":[-1,-21,-11],\"max\":[41,21,-9.9]}}],"
      "\"haptics\":{\"probe\":{\"radius_mm\":6,\"length_mm\":70},\"push\":{\"from\":[20,0,11],\"depth_mm\":3,"
      "\"period_s\":0.1}}}";
  char path[512], out[512];
  snprintf(path, sizeof path, "%s", temporary_path("block.json"));
  snprintf(out, sizeof out, "%s", temporary_path("probe-page"));
  write_text_file(path, scene);
  program_run run = run_synovia("haptics", path, "--seconds", "0.1", "-q", "-o", out, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  char *page = page_in(out);
  json_t *model = page_model(page);
  shown_mesh probe = decode_mesh(page, item_named(model, "bodies", "probe"));
  double low = INFINITY, high = -INFINITY, widest = 0;
  for (size_t i = 0; i < probe.vertex_count; ++i) {
    low = fmin(low, probe.vertices[i].z);
    high = fmax(high, probe.vertices[i].z);
    widest = fmax(widest, hypot(probe.vertices[i].x, probe.vertices[i].y));
  }
  ASSERT_NEAR(high - low, 70, 0.01);
  ASSERT_NEAR(widest, 6, 0.01);
  release_mesh(&probe);
  json_decref(model);
  free(page);
}

/* The greatest pressure on the socket's surface. */
static double greatest_pressure(const char *folder, size_t step) {
  char path[700];
  syn_geometry geometry;
  syn_error error;
  double most = 0;
  snprintf(path, sizeof path, "%s/socket_%04zu.vtu", folder, step);
  ASSERT_OK(syn_geometry_read(NULL, path, NULL, &geometry, &error));
  for (size_t f = 0; f < geometry.field_count; ++f)
    for (size_t i = 0; strcmp(geometry.fields[f].name, "pressure_mpa") == 0 && i < geometry.point_count; ++i)
      most = fmax(most, geometry.fields[f].values[i]);
  syn_geometry_free(NULL, &geometry);
  return most;
}

static void surfaces_have_the_pressure_of_their_step(void **state) {
  (void)state;
  char folder[512], joint[600], out[512], table[512];
  size_t i;
  json_t *step;
  snprintf(folder, sizeof folder, "%s", temporary_path("hip"));
  snprintf(out, sizeof out, "%s", temporary_path("pressed"));
  snprintf(joint, sizeof joint, "%s/joint.json", folder);
  snprintf(table, sizeof table, "%s", temporary_path("growing.csv"));
  make_files("hip", "2", folder);
  write_text_file(table, "time,flexion,adduction,rotation,fx_n,fy_n,fz_n\n0,0,0,0,100,0,-500\n1,0,0,0,200,0,-1000\n"
                         "2,0,0,0,400,0,-2000\n");
  json_t *answer = run_json(0, "pressure", joint, "--load", table, "-o", out, NULL);
  json_array_foreach(json_at(answer, "result.steps"), i, step) {
    const double peak = json_number_value(json_object_get(step, "peak_mpa")), shown = greatest_pressure(out, i);
    assert_true(shown > 0.9 * peak && shown < 1.001 * peak);
  }
  assert_int_equal(i, 3);
  json_decref(answer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motions_of_a_joint_end_in_contact),
      cmocka_unit_test(a_probe_is_as_long_as_the_scene_says),
      cmocka_unit_test(surfaces_have_the_pressure_of_their_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
