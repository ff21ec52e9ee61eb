// test: slow
/* What holds for every shape of the table, whatever its parameters. */
#include "shape/shape_maker.h"
#include "surfaces.h"

#include "base/vec.h"

enum { MAX_VALUES = 64 };

typedef struct request {
  const syn_shape_info *info;
  syn_shape_value values[MAX_VALUES];
  size_t count;
} request;

static void set(request *r, size_t parameter, double value) {
  r->values[r->count++] = (syn_shape_value){r->info->parameters[parameter].name, value};
}

static int64_t handles_of(const syn_shape_info *info, const syn_body *body) {
  if (strcmp(info->name, "torus") == 0) return 1;
  return strcmp(body->name, "muscle") == 0 || strcmp(body->name, "labrum") == 0;
}

static void check_joint(const syn_joint *joint) {
  if (!joint->has_axes) return;
  const syn_vec3 f = joint->axes.flexion, a = joint->axes.adduction, r = joint->axes.rotation;
  assert_true(vec3_finite(joint->center));
  ASSERT_NEAR(vec3_length(f), 1, 1e-12);
  ASSERT_NEAR(vec3_length(a), 1, 1e-12);
  ASSERT_NEAR(vec3_distance(vec3_cross(f, a), r), 0, 1e-12);
}

static void check_shape(const syn_shape_info *info, const syn_joint *shape) {
  assert_true(shape->body_count >= 1);
  for (uint32_t i = 0; i < shape->body_count; ++i) {
    const syn_body *body = &shape->bodies[i];
    char name[80];
    snprintf(name, sizeof name, "%s/%s", info->name, body->name);
    assert_ptr_equal(syn_joint_body_named(shape, body->name), body); /* names are unique */
    assert_true(body->name[0]);
    check_surface(body->surface, name, handles_of(info, body));
    if (body->volume) check_volume(body->volume, body->surface, name);
  }
  check_joint(shape);
}

/* Makes and checks; false where the maker refused the combination with a sentence. */
static bool try_request(const request *r) {
  syn_error error = {0};
  syn_joint *shape;
  syn_context context = syn_default_context();
  context.threads = 1; /* the many small checks would only wait for each other */
  syn_status status = syn_shape_create(&context, r->info->name, r->values, r->count, &shape, &error);
  if (status == SYN_BAD_ARGUMENT) {
    assert_int_equal(error.code, SYN_BAD_ARGUMENT);
    assert_true(strlen(error.message) > 20);
    assert_null(shape);
    return false;
  }
  if (status != SYN_OK) fail_msg("%s: %s", r->info->name, error.message);
  check_shape(r->info, shape);
  syn_joint_destroy(shape);
  return true;
}

static void each_has_a_sane_description(void **state) {
  (void)state;
  for (size_t i = 0; i < SYN_SHAPES; ++i) {
    const syn_shape_info *info = syn_shapes[i];
    assert_ptr_equal(syn_shape_named(info->name), info);
    assert_true(strlen(info->summary) > 5);
    for (size_t p = 0; p < info->parameter_count; ++p) {
      const syn_shape_parameter *parameter = &info->parameters[p];
      if (!(parameter->min <= parameter->standard && parameter->standard <= parameter->max))
        fail_msg("%s of %s: %g is not between %g and %g", parameter->name, info->name, parameter->standard,
                 parameter->min, parameter->max);
      if (parameter->whole) ASSERT_NEAR(parameter->standard, floor(parameter->standard), 0);
      assert_true(strlen(parameter->help) > 5);
      for (size_t q = 0; q < p; ++q) assert_string_not_equal(parameter->name, info->parameters[q].name);
    }
  }
  assert_null(syn_shape_named("teapot"));
}

static void tissues_have_the_names_of_joint_files(void **state) {
  (void)state;
  assert_string_equal(syn_tissue_name(SYN_TISSUE_BONE), "bone");
  assert_string_equal(syn_tissue_name(SYN_TISSUE_MUSCLE), "muscle");
}

static void the_standard_one_is_sound(void **state) {
  (void)state;
  for (size_t i = 0; i < SYN_SHAPES; ++i) assert_true(try_request(&(request){syn_shapes[i], {{0}}, 0}));
}

/* Counts at their least, so that everything is as coarse as it may be; an `along` of 0 would ask for many cells. */
static request coarsest(const syn_shape_info *info) {
  request r = {.info = info};
  for (size_t p = 0; p < info->parameter_count; ++p) {
    const syn_shape_parameter *parameter = &info->parameters[p];
    if (parameter->whole) set(&r, p, strcmp(parameter->name, "along") == 0 ? 1 : parameter->min);
  }
  return r;
}

static void the_coarsest_one_is_sound(void **state) {
  (void)state;
  for (size_t i = 0; i < SYN_SHAPES; ++i) {
    request r = coarsest(syn_shapes[i]);
    assert_true(try_request(&r));
  }
}

/* Each length or angle at either end of its range while the others are standard: sound or refused in words. */
static void extreme_values_are_sound_or_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < SYN_SHAPES; ++i)
    for (size_t p = 0; p < syn_shapes[i]->parameter_count; ++p) {
      const syn_shape_parameter *parameter = &syn_shapes[i]->parameters[p];
      if (parameter->whole) continue;
      for (int end = 0; end < 2; ++end) {
        request r = coarsest(syn_shapes[i]);
        set(&r, p, end ? parameter->max : parameter->min);
        try_request(&r);
      }
    }
}

static double random_value(test_random *random, const syn_shape_parameter *p) {
  /* few cells, and seldom a level of refinement: the checks are slow */
  if (p->whole) return p->min + (p->max > 9 ? random_below(random, 8) : random_below(random, 6) == 0);
  if (p->standard == 0) return random_between(random, p->min, fmin(p->max, 1));
  const double value = p->standard * exp(random_between(random, -1.5, 1.5));
  return fmin(p->max, fmax(p->min, value));
}

static void random_ones_are_sound(void **state) {
  (void)state;
  const int rounds = long_cases() ? 40 : 12;
  test_random random = {17};
  for (size_t i = 0; i < SYN_SHAPES; ++i) {
    const syn_shape_info *info = syn_shapes[i];
    int made = 0;
    for (int round = 0; round < rounds; ++round) {
      request r = coarsest(info);
      for (size_t p = 0; p < info->parameter_count; ++p)
        if (random_below(&random, 3) || info->parameters[p].whole)
          set(&r, p, random_value(&random, &info->parameters[p]));
      made += try_request(&r);
    }
    if (made < rounds / 3) fail_msg("only %d of %d random shapes '%s' were made", made, rounds, info->name);
  }
}

static void assert_same_surface(const syn_trimesh *a, const syn_trimesh *b) {
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_int_equal(a->triangle_count, b->triangle_count);
  assert_memory_equal(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices);
  assert_memory_equal(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
}

static void making_twice_gives_the_same_bits(void **state) {
  (void)state;
  syn_error error;
  for (size_t i = 0; i < SYN_SHAPES; ++i) {
    const request r = coarsest(syn_shapes[i]);
    syn_joint *first, *second;
    ASSERT_OK(syn_shape_create(NULL, r.info->name, r.values, r.count, &first, &error));
    ASSERT_OK(syn_shape_create(NULL, r.info->name, r.values, r.count, &second, &error));
    for (uint32_t b = 0; b < first->body_count; ++b)
      assert_same_surface(first->bodies[b].surface, second->bodies[b].surface);
    syn_joint_destroy(first);
    syn_joint_destroy(second);
  }
}

static void values_out_of_range_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  for (size_t i = 0; i < SYN_SHAPES; ++i)
    for (size_t p = 0; p < syn_shapes[i]->parameter_count; ++p) {
      const syn_shape_info *info = syn_shapes[i];
      const syn_shape_parameter *parameter = &info->parameters[p];
      const double bad[] = {parameter->min - 1, parameter->max * 2 + 1, NAN, INFINITY, -INFINITY};
      for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        const syn_shape_value value = {parameter->name, bad[k]};
        ASSERT_FAILS(syn_shape_create(NULL, info->name, &value, 1, &shape, &error), SYN_BAD_ARGUMENT, parameter->name);
      }
      const syn_shape_value half = {parameter->name, parameter->min + 0.5};
      if (parameter->whole)
        ASSERT_FAILS(syn_shape_create(NULL, info->name, &half, 1, &shape, &error), SYN_BAD_ARGUMENT, "whole number");
    }
  const syn_shape_value unknown = {"wheels", 4};
  ASSERT_FAILS(syn_shape_create(NULL, "cube", &unknown, 1, &shape, &error), SYN_BAD_ARGUMENT, "'wheels'");
  ASSERT_FAILS(syn_shape_create(NULL, "teapot", NULL, 0, &shape, &error), SYN_BAD_ARGUMENT, "'teapot'");
}

static syn_status make_request(const syn_context *context, void *user, syn_error *error) {
  const request *r = user;
  syn_joint *shape;
  syn_status status = syn_shape_create(context, r->info->name, r->values, r->count, &shape, error);
  syn_joint_destroy(shape);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  for (size_t i = 0; i < SYN_SHAPES; ++i) {
    request r = coarsest(syn_shapes[i]);
    check_every_allocation(make_request, &r);
  }
  request refined = {syn_shape_named("lever"), {{"level", 1}}, 1};
  check_every_allocation(make_request, &refined);
}

/* What moves is apart from what does not at rest; tissue that grows on a bone shares its surface with it, and a femur
 * lies snug in its muscle. */
static void moving_bodies_do_not_touch_fixed_ones_at_rest(void **state) {
  (void)state;
  syn_error error;
  for (size_t i = 0; i < SYN_SHAPES; ++i) {
    syn_joint *shape;
    ASSERT_OK(syn_shape_create(NULL, syn_shapes[i]->name, NULL, 0, &shape, &error));
    for (uint32_t a = 0; a < shape->body_count; ++a)
      for (uint32_t b = 0; b < a; ++b) {
        if (shape->bodies[a].volume || shape->bodies[b].volume || shape->bodies[a].moves == shape->bodies[b].moves)
          continue;
        if (surfaces_meet(shape->bodies[a].surface, shape->bodies[b].surface, NULL))
          fail_msg("%s: %s touches %s", syn_shapes[i]->name, shape->bodies[a].name, shape->bodies[b].name);
      }
    syn_joint_destroy(shape);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_has_a_sane_description),
      cmocka_unit_test(tissues_have_the_names_of_joint_files),
      cmocka_unit_test(the_standard_one_is_sound),
      cmocka_unit_test(the_coarsest_one_is_sound),
      cmocka_unit_test(extreme_values_are_sound_or_refused),
      cmocka_unit_test(random_ones_are_sound),
      cmocka_unit_test(making_twice_gives_the_same_bits),
      cmocka_unit_test(values_out_of_range_are_refused),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(moving_bodies_do_not_touch_fixed_ones_at_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
