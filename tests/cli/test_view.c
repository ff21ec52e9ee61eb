/* The live viewer, with requests of a browser and with hostile ones. Most of it on a hip of blocks whose limits have
 * closed forms. */
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "block_viewer.h"
#include "report/display.h"

static const double degrees = 180 / 3.14159265358979323846, reach_mm = 5;

/* ---- what is there and what is not --------------------------------------------------------------------------------
 */

static void the_page_is_served_with_its_protection(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char path[64], live[96], length[64];
  snprintf(path, sizeof path, "/%s/", v->token);
  snprintf(live, sizeof live, "\"live\":{\"url\":\"/%s\"}", v->token);
  answer page = ask(v, "GET", path, NULL, NULL);
  assert_int_equal(page.status, 200);
  assert_contains(page.body, live);
  assert_contains(page.body, "\"name\":\"pose_depth\"");
  assert_contains(page.head, "Content-Type: text/html");
  assert_contains(page.head, "Content-Security-Policy: default-src 'none'");
  assert_contains(page.head, "X-Content-Type-Options: nosniff");
  assert_null(strstr(page.head, "Access-Control"));
  snprintf(length, sizeof length, "Content-Length: %zu", page.size);
  end_answer(&page);
  answer head = ask(v, "HEAD", path, NULL, NULL);
  assert_int_equal(head.status, 200);
  assert_int_equal(head.size, 0);
  assert_contains(head.head, length);
  end_answer(&head);
  char localhost[32];
  snprintf(localhost, sizeof localhost, "localhost:%u", v->port);
  expect(ask(v, "GET", path, localhost, NULL), 200, NULL);
}

static void nothing_else_is_there(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char path[128], wrong[64];
  static const char *const elsewhere[] = {"/", "/favicon.ico", "//", "/pose", "/../../etc/passwd", "/?x=1"};
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; ++i)
    expect(ask(v, "GET", elsewhere[i], NULL, NULL), 404, "nothing here");
  static const char *const inside[] = {"", "/x", "/../", "//", "/pose/", "/index.html", "/%2e%2e/", "/joint.json"};
  for (size_t i = 0; i < sizeof inside / sizeof *inside; ++i) {
    snprintf(path, sizeof path, "/%s%s", v->token, inside[i]);
    expect(ask(v, "GET", path, NULL, NULL), 404, "nothing here");
  }
  for (size_t i = 0; i < strlen(v->token); i += 31) {
    snprintf(wrong, sizeof wrong, "%s", v->token);
    wrong[i] = wrong[i] == '0' ? '1' : '0';
    snprintf(path, sizeof path, "/%s/", wrong);
    expect(ask(v, "GET", path, NULL, NULL), 404, "nothing here");
  }
}

static void other_names_of_this_computer_are_refused(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char path[64], host[96];
  snprintf(path, sizeof path, "/%s/", v->token);
  static const char *const names[] = {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "[::1]"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(host, sizeof host, "%s:%u", names[i], v->port);
    expect(ask(v, "GET", path, host, NULL), 404, "nothing here");
  }
  expect(ask(v, "GET", path, "127.0.0.1:1", NULL), 404, "nothing here");
  expect(ask(v, "GET", path, "", NULL), 404, "nothing here");
}

static void only_the_methods_of_a_resource_are_taken(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char page[64], pose[64];
  snprintf(page, sizeof page, "/%s/", v->token);
  snprintf(pose, sizeof pose, "/%s/pose", v->token);
  static const char *const methods[] = {"DELETE", "PUT", "OPTIONS", "PATCH", "POST", "NONSENSE"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    answer a = ask(v, methods[i], page, NULL, NULL);
    assert_contains(a.head, "Allow: GET, HEAD");
    expect(a, 405, NULL);
  }
  expect(ask(v, "GET", pose, NULL, NULL), 405, "POST only");
  expect(ask(v, "PUT", pose, NULL, "{}"), 405, "POST only");
}

/* ---- requests that are wrong --------------------------------------------------------------------------------------
 */

static void requests_that_are_too_large_are_refused(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char head[256];
  snprintf(head, sizeof head, "POST /%s/pose HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nContent-Length: 65537\r\n\r\n", v->token,
           v->port);
  int connection = connect_viewer(v);
  send_all(connection, head, strlen(head));
  shutdown(connection, SHUT_WR);
  expect(read_answer(connection), 413, "64 KiB");
  /* without a Content-Length */
  snprintf(head, sizeof head,
           "POST /%s/pose HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
           v->token, v->port);
  connection = connect_viewer(v);
  send_all(connection, head, strlen(head));
  static char blanks[4097];
  memset(blanks, ' ', 4096);
  for (int i = 0; i < 17; ++i) {
    send_all(connection, "1000\r\n", 6);
    send_all(connection, blanks, 4096);
    send_all(connection, "\r\n", 2);
  }
  send_all(connection, "0\r\n\r\n", 5);
  expect(read_answer(connection), 413, "64 KiB");
  expect(post(v, "pose", blanks), 400, "not JSON");
}

static void requests_that_make_no_sense_are_told_why(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  static const struct {
    const char *resource, *body, *part;
  } cases[] = {
      {"pose", "", "not JSON"},
      {"pose", "{", "not JSON"},
      {"pose", "\xff\xfe{}", "not JSON"},
      {"pose", "[]", "expected an object"},
      {"pose", "{\"field\":\"\"}", "matrix: is missing"},
      {"pose", "{\"matrix\":[1,2],\"field\":\"\"}", "12 numbers"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,NaN],\"field\":\"\"}", "not JSON"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,1e999],\"field\":\"\"}", "not JSON"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,\"1\"],\"field\":\"\"}", "matrix[11]"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,1e300],\"field\":\"\"}", "kilometre"},
      {"pose", "{\"matrix\":[2,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"\"}", "not rigid"},
      {"pose", "{\"matrix\":[-1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"\"}", "mirror"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0]}", "field: is missing"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"heat\"}", "no field 'heat'"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"\",\"x\":1}", "x: this key is not known"},
      {"edit", "{}", "marker: is missing"},
      {"edit", "{\"center\":[0,0]}", "center"},
      {"edit", "{\"center\":[1e6,0,0]}", "within a metre"},
      {"edit", "{\"center\":[0,0,0],\"marker\":\"asis\"}", "marker: this key is not known"},
      {"edit", "{\"marker\":\"asis\",\"point\":[0,0,0]}", "no landmark 'asis'"},
      {"edit", "{\"marker\":\"nose\",\"point\":[0,0,0]}", "no landmark 'nose'"},
      {"edit", "7", "not JSON"},
      {"save", "", "not JSON"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    expect(post(v, cases[i].resource, cases[i].body), 400, cases[i].part);
}

/* ---- poses --------------------------------------------------------------------------------------------------------
 */

static char *pose_request(const syn_pose *pose, const char *field, char room[1024]) {
  double m[16];
  syn_pose_to_matrix(pose, m);
  char *at = room + sprintf(room, "{\"field\":\"%s\",\"matrix\":[", field);
  for (int i = 0; i < 12; ++i) at += sprintf(at, "%s%.17g", i ? "," : "", m[i]);
  strcpy(at, "]}");
  return room;
}

typedef struct pose_answer {
  answer raw;
  json_t *value;
  const unsigned char *stored;
  size_t stored_count;
} pose_answer;

static pose_answer ask_pose(const viewer *v, const syn_pose *pose, const char *field) {
  char request[1024];
  pose_answer a = {.raw = post(v, "pose", pose_request(pose, field, request))};
  if (a.raw.status != 200) fail_msg("%s: %s", request, a.raw.body);
  const unsigned char *b = (const unsigned char *)a.raw.body;
  const size_t length = b[0] + 256u * b[1] + 65536u * b[2];
  assert_true(a.raw.size >= 4 + length && length % 4 == 0);
  a.value = json_loadb(a.raw.body + 4, length, 0, NULL);
  assert_non_null(a.value);
  a.stored = b + 4 + length;
  a.stored_count = (a.raw.size - 4 - length) / 2;
  return a;
}

static void end_pose(pose_answer *a) {
  json_decref(a->value);
  end_answer(&a->raw);
}

static double number_named(json_t *value, const char *name) {
  size_t i;
  json_t *number;
  json_array_foreach(json_at(value, "numbers"), i, number) {
    if (strcmp(json_string_value(json_object_get(number, "name")), name) == 0)
      return json_number_value(json_object_get(number, "value"));
  }
  fail_msg("there is no number %s", name);
  return 0;
}

/* The depth of every vertex of one part in the other, by the library itself. */
static double *own_depths(const syn_hip *hip, const char *method, syn_hip_part of, const syn_pose *pose) {
  syn_error error;
  const bool swapped = of == SYN_HIP_PELVIS;
  const syn_body pelvis = {.surface = hip->parts[SYN_HIP_PELVIS]}, femur = {.surface = hip->parts[SYN_HIP_FEMUR]};
  const syn_pose used = swapped ? syn_pose_inverse(pose) : *pose;
  syn_collide_options options = syn_default_collide_options();
  options.center = hip->center;
  options.fixed_outside = !swapped;
  syn_collider *collider;
  ASSERT_OK(syn_collider_create(NULL, method, swapped ? &femur : &pelvis, swapped ? &pelvis : &femur, &options,
                                &collider, &error));
  syn_contacts result = {.vertex_depth = malloc(hip->parts[of]->vertex_count * sizeof(double))};
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  syn_collider_query(collider, &used, scratch, &result);
  free(scratch);
  syn_collider_destroy(collider);
  return result.vertex_depth;
}

/* Returns how many vertices have a value. */
static size_t check_field(const scene *s, const pose_answer *a, size_t index, const char *method,
                          const syn_pose *pose) {
  syn_error error;
  json_t *field = json_array_get(json_at(a->value, "fields"), index);
  const syn_hip_part part = index ? SYN_HIP_FEMUR : SYN_HIP_PELVIS;
  assert_string_equal(json_string_value(json_object_get(field, "body")), syn_hip_part_name(part));
  const double low = json_number_value(json_object_get(field, "low")),
               step = json_number_value(json_object_get(field, "step"));
  const size_t offset = (size_t)json_integer_value(json_object_get(field, "offset"));
  double *depths = own_depths(&s->blocks.hip, method, part, pose);
  syn_display display;
  ASSERT_OK(syn_display_make(NULL, s->blocks.hip.parts[part], 60000, &display, &error));
  assert_true(offset + display.mesh->vertex_count <= a->stored_count);
  size_t known = 0;
  for (uint32_t i = 0; i < display.mesh->vertex_count; ++i) {
    const unsigned char *at = a->stored + 2 * (offset + i);
    const unsigned stored = at[0] + 256u * at[1];
    const double expected = depths[display.source[i]];
    assert_int_equal(stored == 65535, !(expected >= -reach_mm));
    if (stored == 65535) continue;
    ++known;
    ASSERT_NEAR(low + step * stored, expected, step);
  }
  syn_display_release(NULL, &display);
  free(depths);
  return known;
}

static void fields_are_those_of_the_library(void **state) {
  const scene *s = *state;
  static const char *const fields[][2] = {{"pose_depth", "distance"}, {"pose_radial", "radial"}};
  size_t known[2] = {0, 0};
  for (int k = 0; k < 12; ++k) {
    const syn_pose pose =
        syn_hip_pose(&s->blocks.hip, (syn_hip_angles){(k - 3) * 0.2, (k % 4 - 2) * 0.15, (k % 3 - 1) * 0.3});
    for (int f = 0; f < 2; ++f) {
      pose_answer a = ask_pose(&s->viewer, &pose, fields[f][0]);
      assert_int_equal(json_array_size(json_at(a.value, "fields")), 2);
      for (size_t i = 0; i < 2; ++i) known[f] += check_field(s, &a, i, fields[f][1], &pose);
      end_pose(&a);
    }
  }
  assert_true(known[0] > 0 && known[1] > 0);
}

static void limits_at_a_pose_have_their_closed_forms(void **state) {
  const scene *s = *state;
  const double flexed = 0.3;
  for (int k = 0; k < 2; ++k) {
    const syn_pose pose = syn_hip_pose(&s->blocks.hip, (syn_hip_angles){.flexion = k * flexed});
    pose_answer a = ask_pose(&s->viewer, &pose, "");
    assert_int_equal(json_array_size(json_at(a.value, "fields")), 0);
    assert_int_equal(a.stored_count, 0);
    ASSERT_NEAR(number_named(a.value, "flexion"), k * flexed * degrees, 1e-9);
    ASSERT_NEAR(number_named(a.value, "free_flexion"), (block_flexion() - k * flexed) * degrees, 1e-9);
    ASSERT_NEAR(number_named(a.value, "free_extension"), (block_extension() + k * flexed) * degrees, 1e-9);
    if (k == 0) {
      ASSERT_NEAR(number_named(a.value, "free_adduction"), block_adduction() * degrees, 1e-9);
      ASSERT_NEAR(number_named(a.value, "free_internal_rotation"), block_internal_rotation() * degrees, 1e-9);
      ASSERT_NEAR(number_named(a.value, "free_external_rotation"), block_external_rotation() * degrees, 1e-9);
    }
    end_pose(&a);
  }
}

/* The pose that the viewer opens with: the end of a motion, where bodies touch. */
static void at_a_limit_the_way_back_is_free(void **state) {
  const scene *s = *state;
  const syn_pose pose = syn_hip_pose(&s->blocks.hip, (syn_hip_angles){.flexion = block_flexion()});
  pose_answer a = ask_pose(&s->viewer, &pose, "");
  ASSERT_NEAR(number_named(a.value, "free_flexion"), 0, 1e-9);
  ASSERT_NEAR(number_named(a.value, "free_extension"), (block_extension() + block_flexion()) * degrees, 1e-9);
  end_pose(&a);
}

static void clearance_and_contact_are_those_of_the_library(void **state) {
  const scene *s = *state;
  const syn_hip *hip = &s->blocks.hip;
  syn_error error;
  syn_distance *distance;
  ASSERT_OK(
      syn_distance_create(hip->parts[SYN_HIP_PELVIS], hip->parts[SYN_HIP_FEMUR], &hip->center, &distance, &error));
  void *scratch = malloc(syn_distance_scratch(distance) + 1);
  size_t touching = 0;
  for (int k = 0; k < 8; ++k) {
    const syn_pose pose = syn_hip_pose(hip, (syn_hip_angles){.flexion = k * 0.3});
    syn_clearance clearance;
    syn_distance_query(distance, &pose, NULL, scratch, &clearance);
    pose_answer a = ask_pose(&s->viewer, &pose, "pose_depth");
    ASSERT_NEAR(number_named(a.value, "clearance_femur_pelvis"), clearance.distance_mm, 1e-9);
    json_t *contacts = json_at(a.value, "contacts");
    assert_int_equal(json_array_size(contacts), clearance.distance_mm <= 0);
    touching += json_array_size(contacts);
    end_pose(&a);
  }
  assert_true(touching > 0 && touching < 8);
  free(scratch);
  syn_distance_destroy(distance);
}

/* ---- editing and saving -------------------------------------------------------------------------------------------
 */

static json_t *edit(const viewer *v, const char *body) {
  answer a = post(v, "edit", body);
  if (a.status != 200) fail_msg("%s: %s", body, a.body);
  json_t *value = json_loads(a.body, 0, NULL);
  end_answer(&a);
  assert_non_null(value);
  return value;
}

static double range_named(json_t *value, const char *name) {
  size_t i;
  json_t *range;
  json_array_foreach(json_at(value, "ranges"), i, range) {
    if (strcmp(json_string_value(json_object_get(range, "name")), name) == 0)
      return json_number_value(json_object_get(range, "value"));
  }
  fail_msg("there is no range %s", name);
  return 0;
}

static void a_centre_that_was_moved_is_saved(void **state) {
  const scene *s = *state;
  syn_error error;
  size_t size;
  char *before = read_whole_file(s->joint, &size);
  json_t *value = edit(&s->viewer, "{\"center\":[0,2,-1]}");
  assert_true(json_is_array(json_at(value, "notes")));
  ASSERT_NEAR(json_number_value(json_array_get(json_at(value, "frame.center"), 1)), 2, 0);
  /* what the library says of a hip with that centre */
  syn_hip hip = s->blocks.hip;
  hip.center = (syn_vec3){0, 2, -1};
  syn_hip_rom *rom;
  ASSERT_OK(syn_hip_rom_create(NULL, &hip, &rom, &error));
  void *scratch = malloc(syn_hip_rom_scratch(rom) + 1);
  syn_hip_limit limit;
  syn_hip_rom_query(rom, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1, scratch, &limit);
  ASSERT_NEAR(range_named(value, "flexion"), limit.angle * degrees, 1e-9);
  assert_true(fabs(limit.angle - block_flexion()) > 0.001);
  json_decref(value);
  const syn_pose pose = syn_pose_identity();
  pose_answer posed = ask_pose(&s->viewer, &pose, "pose_radial");
  ASSERT_NEAR(number_named(posed.value, "free_flexion"), limit.angle * degrees, 1e-9);
  end_pose(&posed);
  free(scratch);
  syn_hip_rom_destroy(rom);
  for (int k = 0; k < 2; ++k) expect(post(&s->viewer, "save", "{}"), 200, "joint.json");
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, s->joint, &joint, &error));
  assert_true(joint->has_center && joint->has_axes && joint->body_count == 2);
  ASSERT_NEAR(joint->center.z, -1, 0);
  syn_joint_destroy(joint);
  char backup[600];
  snprintf(backup, sizeof backup, "%s.bak", s->joint);
  char *kept = read_whole_file(backup, &size);
  assert_string_equal(kept, before); /* also after the second time */
  free(kept);
  free(before);
  /* the page is that of the new centre */
  char path[64];
  snprintf(path, sizeof path, "/%s/", s->viewer.token);
  expect(ask(&s->viewer, "GET", path, NULL, NULL), 200, "\"center\":[0.0,2.0,-1.0]");
}

/* On meshes alone, whose landmarks are found. */
static void a_landmark_that_was_moved_is_saved(void **state) {
  (void)state;
  syn_error error;
  char pelvis[512], femur[512], saved[512];
  const char *folder = temporary_path("parametric");
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  snprintf(pelvis, sizeof pelvis, "%s/pelvis.ply", folder);
  snprintf(femur, sizeof femur, "%s/femur.ply", folder);
  snprintf(saved, sizeof saved, "%s", temporary_path("saved.json"));
  const char *const words[] = {pelvis, femur, "--save", saved, "--json", "--threads", "1", NULL};
  viewer v = start_viewer(words);
  assert_contains(v.first, "\"tool\": \"synovia\"");
  struct timespec begin, end;
  const syn_pose pose = syn_pose_identity();
  clock_gettime(CLOCK_MONOTONIC, &begin);
  enum { POSES = 20 };
  for (int i = 0; i < POSES; ++i) {
    pose_answer a = ask_pose(&v, &pose, "pose_depth");
    end_pose(&a);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  print_message("%.0f poses per second\n",
                POSES / ((double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec)));
  json_decref(edit(&v, "{\"marker\":\"greater_trochanter\",\"point\":[30,1,-5]}"));
  expect(post(&v, "save", "{}"), 200, "saved.json");
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, saved, &joint, &error));
  assert_int_equal(joint->body_count, 2);
  bool found = false;
  for (size_t i = 0; i < joint->landmark_count; ++i)
    if (strcmp(joint->landmarks[i].name, "greater_trochanter") == 0) found = joint->landmarks[i].place.y == 1;
  assert_true(found);
  assert_true(joint->bodies[0].mesh_file[0] == '/' && access(joint->bodies[1].mesh_file, R_OK) == 0);
  syn_joint_destroy(joint);
  const int left_open = connect_viewer(&v);
  char rest[4096];
  kill(v.child, SIGTERM);
  size_t size = strlen(v.first), got;
  char all[8192];
  memcpy(all, v.first, size);
  while ((got = (size_t)read(v.out, rest, sizeof rest)) > 0 && got <= sizeof rest && size + got < sizeof all) {
    memcpy(all + size, rest, got);
    size += got;
  }
  json_t *envelope = json_loadb(all, size, 0, NULL); /* exactly one object */
  assert_non_null(envelope);
  assert_contains(json_string_value(json_at(envelope, "result.url")), v.token);
  json_decref(envelope);
  assert_int_equal(stop_viewer(&v, 0), 0);
  close(left_open);
}

/* ---- starting -----------------------------------------------------------------------------------------------------
 */

static void a_folder_stands_for_its_joint_file(void **state) {
  const scene *s = *state;
  char folder[512], other[512], port[16];
  snprintf(folder, sizeof folder, "%s", s->joint);
  *strrchr(folder, '/') = 0;
  snprintf(other, sizeof other, "%s", temporary_path("elsewhere.json"));
  const char *const words[] = {folder, "--save", other, "--threads", "1", NULL};
  viewer v = start_viewer(words);
  expect(post(&v, "save", "{}"), 200, "elsewhere.json");
  syn_error error;
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, other, &joint, &error));
  assert_true(joint->bodies[0].mesh_file[0] == '/');
  syn_joint_destroy(joint);
  /* its port is taken now */
  snprintf(port, sizeof port, "%u", v.port);
  json_t *refused = run_json(5, "view", folder, "--port", port, NULL);
  assert_contains(json_string_value(json_at(refused, "error.message")), "try another --port");
  json_decref(refused);
  assert_int_equal(stop_viewer(&v, SIGTERM), 0);
}

static void what_cannot_be_viewed_is_told(void **state) {
  (void)state;
  const char *empty = temporary_path("empty");
  assert_int_equal(mkdir(empty, 0700), 0);
  json_decref(run_json(3, "view", empty, NULL));
  json_decref(run_json(2, "view", NULL));
  json_decref(run_json(2, "view", empty, "--port", "65536", NULL));
}

/* A client that reads the address may end the viewer at once. */
static void a_signal_right_after_the_address_ends_it_well(void **state) {
  const scene *s = *state;
  const char *const words[] = {s->joint, "--quiet", "--threads", "1", NULL};
  assert_int_equal(stop_while_it_tells(words, SIGTERM), 0);
  assert_int_equal(stop_while_it_tells(words, SIGINT), 0);
  viewer v = start_viewer(words);
  assert_int_equal(stop_viewer(&v, SIGTERM), 0);
}

static void pages_from_elsewhere_are_refused(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  static const char *const origins[][2] = {{"http://127.0.0.1", ""}, {"http://evil.example", ""}, {"null", "-"}};
  for (size_t i = 0; i < 3; ++i) {
    char request[512];
    const char body[] = "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"\"}";
    char port[16] = "";
    if (!origins[i][1][0]) snprintf(port, sizeof port, ":%u", v->port);
    snprintf(request, sizeof request,
             "POST /%s/pose HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nOrigin: %s%s\r\nConnection: close\r\n"
             "Content-Length: %zu\r\n\r\n%s",
             v->token, v->port, origins[i][0], port, strlen(body), body);
    const int connection = connect_viewer(v);
    send_all(connection, request, strlen(request));
    expect(read_answer(connection), i == 0 ? 200 : 404, i == 0 ? NULL : "nothing here");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_page_is_served_with_its_protection),
      cmocka_unit_test(nothing_else_is_there),
      cmocka_unit_test(other_names_of_this_computer_are_refused),
      cmocka_unit_test(only_the_methods_of_a_resource_are_taken),
      cmocka_unit_test(requests_that_are_too_large_are_refused),
      cmocka_unit_test(requests_that_make_no_sense_are_told_why),
      cmocka_unit_test(fields_are_those_of_the_library),
      cmocka_unit_test(limits_at_a_pose_have_their_closed_forms),
      cmocka_unit_test(at_a_limit_the_way_back_is_free),
      cmocka_unit_test(a_signal_right_after_the_address_ends_it_well),
      cmocka_unit_test(pages_from_elsewhere_are_refused),
      cmocka_unit_test(clearance_and_contact_are_those_of_the_library),
      cmocka_unit_test(a_centre_that_was_moved_is_saved),
      cmocka_unit_test(a_landmark_that_was_moved_is_saved),
      cmocka_unit_test(a_folder_stands_for_its_joint_file),
      cmocka_unit_test(what_cannot_be_viewed_is_told),
  };
  return cmocka_run_group_tests(tests, open_scene, close_scene);
}
