/* Every detection method with every response: a soft cube that overlaps a plate feels it, or the contact is refused
 * with the methods that can be used. */
#include "support.h"

#include "base/vec.h"
#include "tissue/contact/contact.h"

typedef struct pair {
  syn_simulation *s;
  syn_joint *plate, *cube;
  syn_trimesh *lower;
  syn_soft *soft;
  uint32_t fixed, mobile;
} pair;

/* A plate whose top is at z = 0, and a cube that moves down and is 0.4 mm deep in it. */
static void make_pair(const syn_context *context, syn_response response, pair *p) {
  syn_error error;
  const syn_shape_value flat[] = {{"length", 40}, {"width", 40},  {"height", 6},
                                  {"cells-x", 8}, {"cells-y", 8}, {"cells-z", 2}},
                        block[] = {{"length", 8},  {"width", 8},   {"height", 8},
                                   {"cells-x", 3}, {"cells-y", 3}, {"cells-z", 3}};
  syn_simulation_options options = syn_default_simulation_options();
  options.integrator = response == SYN_RESPONSE_BARRIER ? SYN_INTEGRATOR_IMPLICIT : SYN_INTEGRATOR_SYMPLECTIC;
  options.step_s = 1e-5;
  ASSERT_OK(syn_shape_create(NULL, "beam", flat, 6, &p->plate, &error));
  ASSERT_OK(syn_shape_create(NULL, "beam", block, 6, &p->cube, &error));
  syn_pose down = syn_pose_identity();
  down.translation = vec3(-20, 0, -3);
  ASSERT_OK(syn_trimesh_transform(p->plate->bodies[0].surface, &down, &p->lower, &error));
  syn_body body = p->cube->bodies[0];
  body.material = (syn_material){1, 0.3, 1000};
  ASSERT_OK(syn_soft_create(NULL, "fem", &body, NULL, &p->soft, &error));
  ASSERT_OK(syn_simulation_create(context, &options, &p->s, &error));
  ASSERT_OK(syn_simulation_add_rigid(p->s, p->lower, NULL, &p->fixed, &error));
  ASSERT_OK(syn_simulation_add_soft(p->s, p->soft, NULL, &p->mobile, &error));
  const uint32_t count = syn_soft_node_count(p->soft);
  syn_vec3 *x = calloc(2 * (size_t)count, sizeof *x), *v = x + count;
  for (uint32_t i = 0; i < count; ++i) {
    x[i] = vec3_add(syn_soft_rest(p->soft)[i], vec3(-4, 0, 3.6));
    v[i] = vec3(0, 0, -10);
  }
  syn_simulation_set_motion(p->s, p->mobile, x, v);
  free(x);
}

static void release_pair(pair *p) {
  syn_simulation_destroy(p->s);
  syn_soft_destroy(p->soft);
  syn_trimesh_destroy(p->lower);
  syn_joint_destroy(p->plate);
  syn_joint_destroy(p->cube);
}

static syn_status touch_by(pair *p, syn_response response, const char *method, syn_error *error) {
  const double thresholds[] = {1};
  syn_touch_options o = syn_default_touch_options();
  o.response = response;
  o.method = method;
  o.collide.center = vec3(0.1, 0.2, 3); /* in the cube, above the plate */
  o.collide.axis = vec3(1, 0, 0);
  o.collide.thresholds_mm = thresholds;
  o.collide.threshold_count = 1;
  return syn_simulation_touch(p->s, p->fixed, p->mobile, &o, error);
}

/* Where the nodes are and how fast, after one step. */
static syn_vec3 *step_once(pair *p) {
  syn_error error;
  const uint32_t count = syn_soft_node_count(p->soft);
  syn_vec3 *after = calloc(2 * (size_t)count, sizeof *after);
  ASSERT_OK(syn_simulation_step(p->s, &error));
  memcpy(after, syn_simulation_positions(p->s, p->mobile), count * sizeof *after);
  memcpy(after + count, syn_simulation_velocities(p->s, p->mobile), count * sizeof *after);
  return after;
}

static bool is_pushed_up(const syn_vec3 *with, const syn_vec3 *without, uint32_t count) {
  double up = 0;
  for (uint32_t i = 0; i < 2 * count; ++i) up += with[i].z - without[i].z;
  return up > 1e-9;
}

static void every_method_with_every_response_acts_or_is_refused(void **state) {
  (void)state;
  for (int r = 0; r < SYN_RESPONSES; ++r) {
    const syn_response response = (syn_response)r;
    if (response == SYN_RESPONSE_BARRIER || response == SYN_RESPONSE_VOLUME) continue; /* detect by themselves */
    pair alone;
    make_pair(NULL, response, &alone);
    syn_vec3 *without = step_once(&alone);
    size_t used = 0;
    for (size_t m = 0; m < syn_method_count(); ++m) {
      const char *method = syn_method_at(m).name;
      syn_error error;
      pair p;
      make_pair(NULL, response, &p);
      const syn_status status = touch_by(&p, response, method, &error);
      if (status) {
        check_message(&error, SYN_BAD_ARGUMENT, "these do: distance, proximity, proximity-walk, radial");
        assert_non_null(strstr(error.message, method));
      } else {
        ++used;
        syn_vec3 *with = step_once(&p);
        if (!is_pushed_up(with, without, syn_soft_node_count(p.soft)))
          fail_msg("%s with %s does nothing", method, syn_response_name(response));
        free(with);
      }
      release_pair(&p);
    }
    assert_int_equal(used, 8);
    free(without);
    release_pair(&alone);
  }
}

/* Responses with a detection of their own act whatever the method, or say why not. */
static void responses_of_their_own_detection_act_or_are_refused(void **state) {
  (void)state;
  syn_error error;
  pair p, alone;
  make_pair(NULL, SYN_RESPONSE_VOLUME, &p);
  make_pair(NULL, SYN_RESPONSE_VOLUME, &alone);
  ASSERT_OK(touch_by(&p, SYN_RESPONSE_VOLUME, "distance", &error));
  syn_vec3 *with = step_once(&p), *without = step_once(&alone);
  assert_true(is_pushed_up(with, without, syn_soft_node_count(p.soft)));
  free(with);
  free(without);
  release_pair(&p);
  release_pair(&alone);
}

/* Deeper and deeper shapes by `convex` used to write behind their memory; two hulls have one contact, which is not
 * what a soft body needs. */
/* The modulus by the mean edge of the skin, which here is that of right triangles with two sides of 8/3 mm. */
static void a_penalty_of_its_own_is_as_stiff_as_a_layer_of_elements(void **state) {
  (void)state;
  syn_error error;
  pair p;
  make_pair(NULL, SYN_RESPONSE_PENALTY, &p);
  ASSERT_OK(touch_by(&p, SYN_RESPONSE_PENALTY, "distance", &error));
  const double edge = 8.0 / 3 * (2 + sqrt(2)) / 3;
  ASSERT_NEAR(p.s->touches[0].options.pressure_mpa_mm, 1 / edge, 1e-12);
  release_pair(&p);
}

static void convex_and_spheres_name_the_methods_that_work(void **state) {
  (void)state;
  static const char *const refused[] = {"convex", "spheres", "obb", "aabb", "hash", "buckettree"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    syn_error error;
    pair p;
    make_pair(NULL, SYN_RESPONSE_PENALTY, &p);
    ASSERT_FAILS(touch_by(&p, SYN_RESPONSE_PENALTY, refused[i], &error), SYN_BAD_ARGUMENT, refused[i]);
    check_message(&error, SYN_BAD_ARGUMENT, "cylindrical, split");
    release_pair(&p);
  }
}

/* From a centre inside the plate nothing of it faces the cube. */
static void a_centre_that_sees_nothing_is_warned_of(void **state) {
  (void)state;
  static const char *const methods[] = {"radial", "ray-table", "sliding-hash"};
  for (size_t i = 0; i < 3; ++i)
    for (int blind = 0; blind < 2; ++blind) {
      syn_error error;
      test_memory memory = {0};
      const syn_context context = test_context(&memory);
      pair p;
      make_pair(&context, SYN_RESPONSE_PENALTY, &p);
      syn_touch_options o = syn_default_touch_options();
      o.method = methods[i];
      o.collide.center = vec3(0.1, 0.2, blind ? -3 : 3);
      ASSERT_OK(syn_simulation_touch(p.s, p.fixed, p.mobile, &o, &error));
      if (blind != (strstr(memory.all_warnings, "pass through each other") != NULL))
        fail_msg("%s: %s", methods[i], memory.all_warnings);
      release_pair(&p);
      assert_int_equal(memory.live, 0);
    }
}

/* Keys that would be passed over in silence. */
static void keys_without_a_use_are_mistakes(void **state) {
  (void)state;
  static const char *const wrong[][2] = {
      {"\"method\":\"radial\"", "give it by \"center\""},
      {"\"method\":\"sliding-hash\",\"table_size\":100", "give it by \"center\""},
      {"\"method\":\"spheres\"", "these do: distance"},
      {"\"method\":\"convex\"", "these do: distance"},
      {"\"center\":[0,0,0]", "no use to the method distance"},
      {"\"table_size\":10,\"method\":\"proximity\"", "no use to the method proximity"},
      {"\"response\":\"barrier\",\"method\":\"distance\"", "no use to the response barrier"},
      {"\"response\":\"volume\",\"method\":\"distance\"", "no use to the response volume"},
      {"\"barrier_mm\":1", "no use to the response penalty"},
      {"\"damping_s\":1", "no use to the response penalty"},
      {"\"response\":\"correction\",\"pressure_mpa_mm\":1", "no use to the response correction"},
      {"\"response\":\"barrier\",\"pressure_mpa_mm\":1", "no use to the response barrier"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    syn_error error;
    syn_tissue_scene *scene;
    char text[700];
    const char *path = temporary_path("useless.json");
    snprintf(
        text, sizeof text,
        "{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"shape\":{\"name\":\"beam\"},\"model\":\"fem\"},{\"name\":\"r\","
        "\"shape\":{\"name\":\"cube\"},\"place\":[0,0,-300]}],\"contacts\":[{\"fixed\":\"r\",\"mobile\":\"b\",%s}]}",
        wrong[i][0]);
    write_text_file(path, text);
    const syn_status status = syn_tissue_scene_read(NULL, path, NULL, &scene, &error);
    assert_int_equal(status, SYN_BAD_FORMAT);
    check_message(&error, SYN_BAD_FORMAT, wrong[i][1]);
  }
}

/* A body of the model vdm neither falls nor turns: that is said. */
static void bodies_tied_to_their_places_are_warned_of(void **state) {
  (void)state;
  static const struct {
    const char *keys, *part; /* NULL: no warning */
  } cases[] = {{"\"gravity\":[0,0,-9810]", "hangs there"},
               {"\"hold\":[{\"body\":\"b\",\"nodes\":[0],\"turns\":[{\"axis\":[1,0,0],\"deg\":9}]}]", "turning"},
               {"\"hold\":[{\"body\":\"b\",\"nodes\":[0]}]", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_error error;
    syn_tissue_scene *scene;
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    char text[500];
    const char *path = temporary_path("tied.json");
    snprintf(
        text, sizeof text,
        "{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"shape\":{\"name\":\"cube\",\"cells\":2},\"model\":\"vdm\"}],%s}",
        cases[i].keys);
    write_text_file(path, text);
    ASSERT_OK(syn_tissue_scene_read(&context, path, NULL, &scene, &error));
    if (cases[i].part)
      assert_non_null(strstr(memory.all_warnings, cases[i].part));
    else
      assert_null(strstr(memory.all_warnings, "tied"));
    syn_tissue_scene_destroy(scene);
    assert_int_equal(memory.live, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_with_every_response_acts_or_is_refused),
      cmocka_unit_test(responses_of_their_own_detection_act_or_are_refused),
      cmocka_unit_test(a_penalty_of_its_own_is_as_stiff_as_a_layer_of_elements),
      cmocka_unit_test(convex_and_spheres_name_the_methods_that_work),
      cmocka_unit_test(a_centre_that_sees_nothing_is_warned_of),
      cmocka_unit_test(keys_without_a_use_are_mistakes),
      cmocka_unit_test(bodies_tied_to_their_places_are_warned_of),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
