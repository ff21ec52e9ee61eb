#include "program.h"

static const char box[] = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\n"
                          "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
static const char identity[] = "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1";
/* a corner of the box comes to lie in the other one, in no special place */
static const char into[] = "1 0 0 1.37 0 1 0 1.19 0 0 1 1.58 0 0 0 1";
/* turned by 30 degrees about x and shifted by little, so that volumes overlap */
static const char aslant[] = "1 0 0 0.3 0 0.8660254037844387 -0.5 0.2 0 0.5 0.8660254037844387 0.1 0 0 0 1";
static const char away[] = "1 0 0 50 0 1 0 0 0 0 1 0 0 0 0 1";

static const char *box_file(void) {
  const char *path = temporary_path("box.obj");
  write_text_file(path, box);
  return path;
}

static void the_methods_are_those_of_the_library(void **state) {
  (void)state;
  json_t *answer = run_json(0, "collide", "--method", "list", NULL), *list = json_at(answer, "result.methods");
  assert_int_equal(json_array_size(list), syn_method_count());
  for (size_t i = 0; i < syn_method_count(); ++i)
    assert_string_equal(json_string_value(json_at(json_array_get(list, i), "name")), syn_method_at(i).name);
  json_decref(answer);
}

static void wrong_words_are_explained(void **state) {
  (void)state;
  const char *path = box_file();
  json_t *answer =
      run_json(2, "collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", "--method", "nonsense", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "there is no method 'nonsense'");
  json_decref(answer);
  answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--method", "nonsense", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "--center is needed");
  json_decref(answer);
  answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "--method");
  json_decref(answer);
}

/* Any method that works on surfaces: boxes with a corner in each other penetrate, those far apart do not. */
static void every_surface_method_answers(void **state) {
  (void)state;
  const char *path = box_file(), *out = temporary_path("placed.vtp");
  for (size_t i = 0; i < syn_method_count(); ++i) {
    const syn_method_info info = syn_method_at(i);
    if (info.needs_volume) continue;
    json_t *answer = run_json(0, "collide", "--fixed", path, "--mobile", path, "--center", "0.9,1.1,0.8", "--method",
                              info.name, "--threshold", "1", "--pose", away, "--out", out, NULL);
    assert_true(json_is_false(json_at(answer, "result.penetrating")));
    assert_int_equal(json_array_size(json_at(answer, "result.contacts")), 0);
    json_decref(answer);
    answer = run_json(0, "mesh", "info", out, NULL);
    ASSERT_NEAR(json_number_value(json_array_get(json_at(answer, "result.bounds.min"), 0)), 50, 1e-9);
    assert_int_equal(json_array_size(json_at(answer, "result.fields")), info.tells_field);
    json_decref(answer);
    answer = run_json(0, "collide", "--fixed", path, "--mobile", path, "--center", "0.9,1.1,0.8", "--method", info.name,
                      "--threshold", "1", "--pose", into, "--max-contacts", "1", NULL);
    json_at(answer, "result.max_depth_mm");
    json_at(answer, "result.max_vertex");
    if (strcmp(info.name, "distance") == 0) {
      assert_true(json_is_true(json_at(answer, "result.penetrating")));
      ASSERT_NEAR(json_number_at(answer, "result.max_depth_mm"), 0.42, 1e-9);
      assert_int_equal(json_integer_value(json_at(answer, "result.max_vertex")), 0);
    }
    assert_true(json_array_size(json_at(answer, "result.contacts")) <= 1);
    json_decref(answer);
    answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", "--method", info.name,
                      "--pose", identity, "--axis", "0,0,1", "--angle", "5", NULL);
    assert_contains(json_string_value(json_at(answer, "error.message")), "give one of them");
    json_decref(answer);
    answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", "--method", info.name,
                      "--angle", "5", NULL);
    assert_contains(json_string_value(json_at(answer, "error.message")), "--angle needs --axis");
    json_decref(answer);
    answer = run_json(0, "collide", "--fixed", path, "--mobile", path, "--center", "40,0,0", "--method", info.name,
                      "--threshold", "1", "--axis", "0,0,1", "--angle", "180deg", NULL);
    assert_true(json_is_false(json_at(answer, "result.penetrating")));
    json_decref(answer);
  }
}

/* ---- kinds of contacts --------------------------------------------------------------------------------------------
 */

static bool is_kind_of(const char *method, const char *of) {
  static const char *const kinds[][5] = {
      {"radial", "vertex-triangle"},
      {"ray-table", "vertex-triangle"},
      {"sliding-hash", "vertex-triangle"},
      {"cylindrical", "vertex-triangle"},
      {"split", "vertex-triangle"},
      {"distance", "vertex-triangle"},
      {"proximity", "vertex-triangle"},
      {"proximity-walk", "vertex-triangle"},
      {"obb", "triangle-triangle"},
      {"aabb", "triangle-triangle"},
      {"spheres", "ball-ball"},
      {"hash", "vertex-tet"},
      {"buckettree", "face-tet", "tet-face"},
      {"convex", "vertex-triangle", "triangle-vertex", "triangle-triangle"},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    for (int k = 1; k < 5 && strcmp(kinds[i][0], method) == 0 && kinds[i][k]; ++k)
      if (strcmp(kinds[i][k], of) == 0) return true;
  return false;
}

static const char *beam_file(void) {
  static char path[512];
  const char *folder = temporary_path("beam");
  json_decref(run_json(0, "shape", "beam", "--out", folder, NULL));
  snprintf(path, sizeof path, "%s/beam.vtu", folder);
  return path;
}

/* Every kind has the name that the header gives it; BucketTree's two had none. */
static void every_contact_names_its_kind(void **state) {
  (void)state;
  const char *surface = box_file(), *volume = beam_file();
  unsigned found = 0;
  for (size_t i = 0; i < syn_method_count(); ++i) {
    const syn_method_info info = syn_method_at(i);
    const char *path = info.needs_volume ? volume : surface;
    json_t *answer = run_json(0, "collide", "--fixed", path, "--mobile", path, "--center", "0.9,1.1,0.8", "--method",
                              info.name, "--threshold", "1", "--pose", info.needs_volume ? aslant : into, NULL),
           *contact;
    size_t index;
    json_array_foreach(json_at(answer, "result.contacts"), index, contact) {
      const char *of = json_string_value(json_at(contact, "of"));
      if (!is_kind_of(info.name, of)) fail_msg("%s reports a contact of '%s'", info.name, of);
      for (unsigned k = 0; k < SYN_CONTACT_OF_KINDS; ++k)
        if (strcmp(of, syn_contact_of_name((syn_contact_of)k)) == 0) found |= 1u << k;
    }
    json_decref(answer);
  }
  assert_true(found & 1u << SYN_OF_FACE_TET && found & 1u << SYN_OF_TET_FACE && found & 1u << SYN_OF_VERTEX_TET &&
              found & 1u << SYN_OF_TRIANGLE_TRIANGLE && found & 1u << SYN_OF_VERTEX_TRIANGLE);
  for (unsigned k = 0; k < SYN_CONTACT_OF_KINDS; ++k)
    assert_string_not_equal(syn_contact_of_name((syn_contact_of)k), "unknown");
  assert_string_equal(syn_contact_of_name((syn_contact_of)SYN_CONTACT_OF_KINDS), "unknown");
}

/* ---- one body with itself -----------------------------------------------------------------------------------------
 */

/* Two tetrahedra of one mesh without a common node, apart or with a corner of one in the other. */
static const char *two_tets(bool apart) {
  const char *path = temporary_path(apart ? "apart.mesh" : "meeting.mesh");
  char text[512];
  snprintf(text, sizeof text,
           "MeshVersionFormatted 2\nDimension 3\nVertices 8\n0 0 0 0\n4 0 0 0\n0 4 0 0\n0 0 4 0\n"
           "%d 0.5 0.5 0\n9 1 0 0\n9 0 1 0\n9 0 0 0\nTetrahedra 2\n1 2 3 4 0\n5 7 6 8 0\nEnd\n",
           apart ? 5 : 1);
  write_text_file(path, text);
  return path;
}

static void a_body_that_runs_into_itself_is_found(void **state) {
  (void)state;
  static const char *const methods[] = {"hash", "buckettree"};
  for (int k = 0; k < 2; ++k) {
    json_t *answer = run_json(0, "collide", "--self", two_tets(false), "--method", methods[k], NULL);
    assert_true(json_is_true(json_at(answer, "result.penetrating")) && json_is_true(json_at(answer, "result.self")));
    json_decref(answer);
    answer = run_json(0, "collide", "--self", two_tets(true), "--method", methods[k], NULL);
    assert_int_equal(json_integer_value(json_at(answer, "result.contact_count")), 0);
    json_decref(answer);
    /* neighbours share nodes: a sound mesh does not meet itself */
    answer = run_json(0, "collide", "--self", beam_file(), "--method", methods[k], NULL);
    assert_int_equal(json_integer_value(json_at(answer, "result.contact_count")), 0);
    json_decref(answer);
  }
  /* two tissues and each with itself in one run, as a pair and as several meshes */
  char meeting[512];
  snprintf(meeting, sizeof meeting, "%s", two_tets(false));
  json_t *both = run_json(0, "collide", "--fixed", meeting, "--mobile", beam_file(), "--center", "0,0,0", "--pose",
                          away, "--method", "buckettree", "--with-self", NULL),
         *several = run_json(0, "collide", meeting, beam_file(), "--method", "buckettree", "--with-self", NULL);
  const json_t *contacts = json_at(both, "result.contacts"),
               *itself = json_array_get(json_at(several, "result.pairs"), 0);
  assert_true(json_array_size(contacts) > 0);
  assert_string_equal(json_string_value(json_object_get(json_array_get(contacts, 0), "of")), "fixed-self");
  assert_true(json_is_true(json_object_get(json_object_get(itself, "collision"), "self")));
  assert_int_equal(json_integer_value(json_object_get(json_object_get(itself, "collision"), "contact_count")),
                   json_array_size(contacts));
  json_decref(both);
  json_decref(several);
  json_t *answer = run_json(2, "collide", "--self", box_file(), "--method", "obb", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "hash or buckettree");
  json_decref(answer);
  answer = run_json(2, "collide", "--self", box_file(), "--fixed", box_file(), "--method", "hash", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "leave --fixed away");
  json_decref(answer);
}

static void the_same_file_twice_is_noticed(void **state) {
  (void)state;
  const char *volume = beam_file(), *surface = box_file();
  program_run run =
      run_synovia("collide", "--fixed", volume, "--mobile", volume, "--center", "0,0,0", "--method", "hash", NULL);
  assert_contains(run.err, "--self FILE");
  end_run(&run);
  run = run_synovia("collide", "--fixed", surface, "--mobile", surface, "--center", "0,0,0", "--method", "obb", NULL);
  assert_contains(run.err, "the same body in the same place");
  end_run(&run);
  run = run_synovia("collide", "--fixed", surface, "--mobile", surface, "--center", "0,0,0", "--method", "obb",
                    "--pose", into, NULL);
  assert_null(strstr(run.err, "the same body"));
  end_run(&run);
}

/* ---- which body is inside -----------------------------------------------------------------------------------------
 */

/* A ball that reaches 0.5 mm into a cup about the origin. */
static void make_ball_and_cup(const char *name, const char *resolution, char ball[512], char cup[512]) {
  const char *folder = temporary_path(name);
  json_decref(run_json(0, "shape", "ball", "--radius", "24.5", "--resolution", resolution, "--out", folder, NULL));
  json_decref(run_json(0, "shape", "cup", "--inner", "24", "--resolution", resolution, "--out", folder, NULL));
  snprintf(ball, 512, "%s/ball.ply", folder);
  snprintf(cup, 512, "%s/cup.ply", folder);
}

static void a_fixed_body_inside_the_mobile_one_is_noticed_and_can_be_said(void **state) {
  (void)state;
  static const char *const methods[] = {"radial", "ray-table", "split"};
  char ball[512], cup[512];
  make_ball_and_cup("shapes", "20", ball, cup);
  for (int k = 0; k < 3; ++k) {
    program_run run = run_synovia("collide", "--fixed", ball, "--mobile", cup, "--center", "0,0,0", "--threshold", "40",
                                  "--method", methods[k], NULL);
    assert_contains(run.err, "--fixed-inside");
    end_run(&run);
    run = run_synovia("collide", "--fixed", cup, "--mobile", ball, "--center", "0,0,0", "--threshold", "40", "--method",
                      methods[k], NULL);
    assert_null(strstr(run.err, "--fixed-inside"));
    end_run(&run);
    json_t *answer = run_json(0, "collide", "--fixed", ball, "--mobile", cup, "--center", "0,0,0", "--threshold", "40",
                              "--method", methods[k], "--fixed-inside", NULL);
    assert_true(json_is_true(json_at(answer, "result.penetrating")));
    ASSERT_NEAR(json_number_at(answer, "result.max_depth_mm"), 0.5, 0.02);
    json_decref(answer);
  }
}

/* ---- many bodies --------------------------------------------------------------------------------------------------
 */

/* The box, moved along x. */
static void write_box_at(const char *path, double x) {
  static const char faces[] = "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  for (int i = 0; i < 8; ++i)
    fprintf(file, "v %.17g %d %d\n", x + (i % 4 == 1 || i % 4 == 2 ? 2 : 0), i % 4 >= 2 ? 2 : 0, i >= 4 ? 2 : 0);
  fputs(faces, file);
  fclose(file);
}

static void several_meshes_are_asked_pair_by_pair(void **state) {
  (void)state;
  char paths[4][512];
  static const double at[] = {0, 1.3, 2.9, 40}; /* 0 meets 1, 1 meets 2; 3 is far */
  for (int i = 0; i < 4; ++i) {
    char name[32];
    snprintf(name, sizeof name, "box%d.obj", i);
    snprintf(paths[i], sizeof paths[i], "%s", temporary_path(name));
    write_box_at(paths[i], at[i]);
  }
  json_t *answer = run_json(0, "collide", paths[0], paths[1], paths[2], paths[3], "--method", "obb", NULL);
  const json_t *pairs = json_at(answer, "result.pairs");
  assert_int_equal(json_integer_value(json_at(answer, "result.bodies")), 4);
  assert_int_equal(json_array_size(pairs), 2);
  for (size_t i = 0; i < 2; ++i) {
    const json_t *pair = json_array_get(pairs, i);
    char fixed[32], mobile[32];
    snprintf(fixed, sizeof fixed, "box%zu.obj", i);
    snprintf(mobile, sizeof mobile, "box%zu.obj", i + 1);
    assert_string_equal(json_string_value(json_object_get(pair, "fixed")), fixed);
    assert_string_equal(json_string_value(json_object_get(pair, "mobile")), mobile);
    assert_true(json_is_true(json_object_get(json_object_get(pair, "collision"), "penetrating")));
  }
  json_decref(answer);
  program_run run = run_synovia("collide", paths[0], paths[3], NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "2 bodies, all apart");
  end_run(&run);
  answer = run_json(0, "collide", paths[0], paths[0], "--method", "obb", NULL);
  assert_string_equal(json_string_value(json_object_get(json_array_get(json_at(answer, "result.pairs"), 0), "mobile")),
                      "box0.obj (2)");
  json_decref(answer);
  answer = run_json(2, "collide", paths[0], paths[1], "--center", "0,0,0", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "--center does not go with several meshes");
  json_decref(answer);
  answer = run_json(2, "collide", "--fixed", paths[0], "--mobile", paths[1], "--center", "0,0,0", "--method", "obb",
                    "--together", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "--together goes with a joint file");
  json_decref(answer);
}

/* ---- the volume of overlap ----------------------------------------------------------------------------------------
 */

static void count_zones(const json_t *elements, size_t counts[SYN_ZONES]) {
  size_t i;
  const json_t *element;
  memset(counts, 0, SYN_ZONES * sizeof *counts);
  json_array_foreach(elements, i, element) {
    for (int zone = 0; zone < SYN_ZONES; ++zone)
      counts[zone] += strcmp(json_string_value(json_object_get(element, "zone")), syn_zone_name((syn_zone)zone)) == 0;
  }
}

static void the_volume_of_overlap_is_told_and_written(void **state) {
  (void)state;
  const char *path = box_file();
  char meshes[512], contour[512], page[512];
  snprintf(meshes, sizeof meshes, "%s", temporary_path("overlap.vtp"));
  snprintf(contour, sizeof contour, "%s", temporary_path("overlap_contour.vtp"));
  snprintf(page, sizeof page, "%s", temporary_path("overlap.html"));
  json_t *answer = run_json(0, "collide", "--fixed", path, "--mobile", path, "--volume", "--pose", into, "--out",
                            meshes, "--report", page, NULL);
  ASSERT_NEAR(json_number_at(answer, "result.volume_mm3"), (2 - 1.37) * (2 - 1.19) * (2 - 1.58), 1e-12);
  ASSERT_NEAR(json_number_at(answer, "result.fixed_area_mm2"), 0.63 * 0.81 + 0.81 * 0.42 + 0.42 * 0.63, 1e-12);
  assert_int_equal(json_array_size(json_at(answer, "result.contour")), 1);
  const json_t *loop = json_array_get(json_at(answer, "result.contour"), 0);
  ASSERT_NEAR(json_number_value(json_object_get(loop, "length_mm")), 2 * (0.63 + 0.81 + 0.42), 1e-12);
  assert_int_equal(json_array_size(json_object_get(loop, "points")),
                   json_integer_value(json_object_get(loop, "point_count")));
  size_t counts[SYN_ZONES], i;
  const json_t *zone;
  count_zones(json_at(answer, "result.fixed_elements"), counts);
  assert_true(counts[SYN_ZONE_CUT] >= 3);
  json_array_foreach(json_at(answer, "result.zones"), i, zone) if (i != SYN_ZONE_OUTSIDE)
      assert_int_equal(json_integer_value(json_object_get(zone, "fixed")), counts[i]);
  assert_int_equal(json_array_size(json_at(answer, "result.files")), 3);
  json_decref(answer);
  /* Both surfaces with a zone for each triangle, the contour as lines, and a page. */
  syn_error error;
  syn_geometry read;
  ASSERT_OK(syn_geometry_read(NULL, meshes, NULL, &read, &error));
  assert_int_equal(read.triangle_count, 24);
  assert_int_equal(read.field_count, 2);
  assert_string_equal(read.fields[0].name, "zone");
  syn_geometry_free(NULL, &read);
  size_t size;
  char *lines = read_whole_file(contour, &size), *html = read_whole_file(page, &size);
  assert_contains(lines, "NumberOfLines=\"1\"");
  assert_contains(html, "share a volume of");
  free(lines);
  free(html);
  program_run run = run_synovia("collide", "--fixed", path, "--mobile", path, "--volume", "--pose", into, NULL);
  assert_contains(run.out, "volume of overlap 0.214326 mm³");
  assert_contains(run.out, "contour");
  assert_contains(run.out, "inner");
  end_run(&run);
  answer = run_json(0, "collide", "--fixed", path, "--mobile", path, "--volume", "--pose", away, NULL);
  ASSERT_NEAR(json_number_at(answer, "result.volume_mm3"), 0, 0);
  assert_true(json_is_null(json_at(answer, "result.centroid")));
  json_decref(answer);
}

static void options_that_do_not_go_with_a_volume_are_refused(void **state) {
  (void)state;
  const char *path = box_file();
  json_t *answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--volume", "--method", "obb", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "leave --method");
  json_decref(answer);
  answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", "--method", "obb", "--report",
                    temporary_path("no.html"), NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "--report goes with --volume");
  json_decref(answer);
  answer =
      run_json(2, "collide", "--fixed", path, "--mobile", path, "--volume", "--axis", "0,0,1", "--angle", "3", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "--center is needed");
  json_decref(answer);
}

/* ---- how methods work ---------------------------------------------------------------------------------------------
 */

typedef struct how_case {
  const char *method, *words[7]; /* options and their values */
  syn_collide_options options;
} how_case;

static const double three_mm[] = {10, 24.2, 30};

/* Words on the command line, and the library's options that they stand for. */
static size_t make_cases(how_case *cases) {
  const syn_collide_options standard = syn_default_collide_options();
  size_t n = 0;
  cases[n++] =
      (how_case){"radial", {"--mapping", "1", "--table-size", "600", "--no-normals", "--both-roles"}, standard};
  cases[n - 1].options.mapping = SYN_MAPPING_SPHERICAL;
  cases[n - 1].options.table_size = 600;
  cases[n - 1].options.use_normals = false;
  cases[n - 1].options.both_roles = true;
  cases[n++] = (how_case){"radial", {"--mapping", "cartesian", "--between-vertices"}, standard};
  cases[n - 1].options.mapping = SYN_MAPPING_CARTESIAN;
  cases[n - 1].options.between_vertices = true;
  cases[n++] = (how_case){"radial", {"--neighbours", "2"}, standard};
  cases[n - 1].options.neighbours = 2;
  cases[n++] = (how_case){"cylindrical", {"--neighbours", "1"}, standard};
  cases[n - 1].options.neighbours = 1;
  cases[n++] = (how_case){"sliding-hash", {"--table-size", "1600"}, standard};
  cases[n - 1].options.table_size = 1600;
  cases[n++] = (how_case){"cylindrical", {"--both-roles", "--table-size", "500"}, standard};
  cases[n - 1].options.both_roles = true;
  cases[n - 1].options.table_size = 500;
  cases[n++] = (how_case){"split", {"--threshold", "10,24.2mm 30"}, standard};
  cases[n - 1].options.thresholds_mm = three_mm;
  cases[n - 1].options.threshold_count = 3;
  cases[n++] = (how_case){"split", {"--threshold", "10", "24.2", "30"}, standard};
  cases[n - 1].options.thresholds_mm = three_mm;
  cases[n - 1].options.threshold_count = 3;
  cases[n++] = (how_case){"distance", {"--both-roles", "--between-vertices"}, standard};
  cases[n - 1].options.both_roles = cases[n - 1].options.between_vertices = true;
  cases[n++] = (how_case){"proximity", {"--reach", "0.2", "--sheets"}, standard};
  cases[n - 1].options.reach_mm = 0.2;
  cases[n - 1].options.sheets = true;
  cases[n++] = (how_case){"spheres", {"--ball-radius", "0.3"}, standard};
  cases[n - 1].options.ball_radius_mm = 0.3;
  cases[n++] = (how_case){"convex", {"--convex-algorithm", "gjk"}, standard};
  cases[n - 1].options.convex_algorithm = SYN_CONVEX_GJK;
  return n;
}

static void check_case(const how_case *c, const char *cup, const char *ball) {
  const char *const *w = c->words;
  syn_error error;
  syn_trimesh *fixed, *mobile;
  syn_collision *collision;
  ASSERT_OK(syn_trimesh_read(NULL, cup, NULL, &fixed, &error));
  ASSERT_OK(syn_trimesh_read(NULL, ball, NULL, &mobile, &error));
  const syn_body a = {.surface = fixed}, b = {.surface = mobile};
  ASSERT_OK(syn_collision_create(NULL, c->method, &a, &b, &c->options, NULL, 10, &collision, &error));
  json_t *answer = run_json(0, "collide", "--fixed", cup, "--mobile", ball, "--center", "0,0,0", "--method", c->method,
                            "--max-contacts", "10", w[0], w[1], w[2], w[3], w[4], w[5], w[6], NULL);
  assert_int_equal(json_integer_value(json_at(answer, "result.contact_count")), collision->contacts.count);
  if (isfinite(collision->contacts.max_depth_mm))
    ASSERT_NEAR(json_number_at(answer, "result.max_depth_mm"), collision->contacts.max_depth_mm, 1e-9);
  json_decref(answer);
  syn_collision_destroy(collision);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
}

static void every_way_of_the_library_can_be_asked_for(void **state) {
  (void)state;
  how_case cases[16];
  char ball[512], cup[512];
  const char *folder = temporary_path("how");
  json_decref(run_json(0, "shape", "ball", "--radius", "24.5", "--resolution", "20", "--out", folder, NULL));
  json_decref(run_json(0, "shape", "cup", "--inner", "24", "--resolution", "20", "--out", folder, NULL));
  snprintf(ball, sizeof ball, "%s/ball.ply", folder);
  snprintf(cup, sizeof cup, "%s/cup.ply", folder);
  const size_t count = make_cases(cases);
  for (size_t i = 0; i < count; ++i) check_case(&cases[i], cup, ball);
}

/* Maciel 2005, §4.3.3.1: whatever the size, every triangle that looks inward is in a cell or was overwritten. */
static void the_table_of_the_sliding_hash_is_counted(void **state) {
  (void)state;
  static const char *const cells[] = {"100", "400", "1600", "10000", "40000", "160000"};
  char ball[512], cup[512];
  make_ball_and_cup("sliding", "9", ball, cup);
  double placed = 0, tests = INFINITY;
  for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
    json_t *answer = run_json(0, "collide", "--fixed", cup, "--mobile", ball, "--center", "0,0,0", "--method",
                              "sliding-hash", "--table-size", cells[i], "--max-contacts", "0", NULL);
    const double side = json_number_at(answer, "result.table.side"), all = strtod(cells[i], NULL),
                 now = all - json_number_at(answer, "result.table.empty") +
                       json_number_at(answer, "result.table.overwritten");
    assert_true(side * side == all && now > 300 && (i == 0 || now == placed));
    assert_true(json_number_at(answer, "result.table.tests") < tests); /* fewer with every size, as published */
    tests = json_number_at(answer, "result.table.tests");
    placed = now;
    json_decref(answer);
  }
  program_run run = run_synovia("collide", "--fixed", cup, "--mobile", ball, "--center", "0,0,0", "--method",
                                "sliding-hash", "--table-size", "100", NULL);
  assert_contains(run.out, "10 × 10 cells, ");
  end_run(&run);
  json_t *answer =
      run_json(0, "collide", "--fixed", cup, "--mobile", ball, "--center", "0,0,0", "--method", "radial", NULL);
  assert_null(json_object_get(json_object_get(answer, "result"), "table"));
  json_decref(answer);
}

static void options_of_other_methods_are_refused(void **state) {
  (void)state;
  static const char *const wrong[][3] = {{"distance", "--mapping", "2"},
                                         {"obb", "--reach", "1"},
                                         {"radial", "--ball-radius", "1"},
                                         {"cylindrical", "--convex-algorithm", "gjk"},
                                         {"hash", "--with-self", NULL}};
  const char *path = box_file();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    json_t *answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", "--method",
                              wrong[i][0], wrong[i][1], wrong[i][2], NULL);
    assert_contains(json_string_value(json_at(answer, "error.message")), "does not take");
    json_decref(answer);
  }
  json_t *answer = run_json(2, "collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", "--method", "split",
                            "--threshold", "1,-2", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "between 0 and");
  json_decref(answer);
}

/* In whatever way two meshes are given. */
static void bodies_that_look_like_metres_are_told(void **state) {
  (void)state;
  const char *path = temporary_path("metres.obj");
  write_text_file(path, "v 0 0 0\nv .02 0 0\nv 0 .02 0\nv 0 0 .02\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const char *const ways[][8] = {{path, path},
                                 {"--fixed", path, "--mobile", path, "--center", "0,0,0", "--method", "obb"},
                                 {"--fixed", path, "--mobile", path, "--volume", "-q"}};
  for (size_t i = 0; i < 3; ++i)
    for (int in_metres = 0; in_metres < 2; ++in_metres) {
      const char *const *w = ways[i];
      json_t *answer = in_metres
                           ? run_json(0, "collide", "--units=m", w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], NULL)
                           : run_json(0, "collide", w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], NULL);
      size_t k, told = 0;
      json_t *warning;
      json_array_foreach(json_at(answer, "warnings"), k, warning) told +=
          strstr(json_string_value(warning), "give --units m") != NULL;
      assert_int_equal(told, !in_metres);
      json_decref(answer);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_methods_are_those_of_the_library),
      cmocka_unit_test(wrong_words_are_explained),
      cmocka_unit_test(bodies_that_look_like_metres_are_told),
      cmocka_unit_test(every_surface_method_answers),
      cmocka_unit_test(every_contact_names_its_kind),
      cmocka_unit_test(a_body_that_runs_into_itself_is_found),
      cmocka_unit_test(the_same_file_twice_is_noticed),
      cmocka_unit_test(a_fixed_body_inside_the_mobile_one_is_noticed_and_can_be_said),
      cmocka_unit_test(every_way_of_the_library_can_be_asked_for),
      cmocka_unit_test(the_table_of_the_sliding_hash_is_counted),
      cmocka_unit_test(options_of_other_methods_are_refused),
      cmocka_unit_test(several_meshes_are_asked_pair_by_pair),
      cmocka_unit_test(the_volume_of_overlap_is_told_and_written),
      cmocka_unit_test(options_that_do_not_go_with_a_volume_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
