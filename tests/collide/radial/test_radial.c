// test: slow
#include "support.h"

#include "base/status.h"
#include "base/vec.h"
#include "collide/radial/radial_field.h"
#include "collide/radial/radial_wall.h"
#include "radial_twin.h"

/* ---- asking ------------------------------------------------------------------------------------------------------ */

typedef struct answer {
  syn_contacts result;
  double *depth;
  syn_contact *contacts;
} answer;

static void release(answer *a) {
  free(a->depth);
  free(a->contacts);
}

static answer ask(const syn_collider *collider, uint32_t vertices, const syn_pose *pose) {
  const size_t room = 4 * (size_t)vertices + 4096;
  answer a = {.depth = calloc(vertices + 1, sizeof(double)), .contacts = calloc(room, sizeof(syn_contact))};
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  a.result = (syn_contacts){.contacts = a.contacts, .capacity = room, .vertex_depth = a.depth};
  syn_collider_query(collider, pose, scratch, &a.result);
  free(scratch);
  return a;
}

static syn_collider *make(const char *method, const syn_context *context, const syn_trimesh *fixed,
                          const syn_trimesh *mobile, const syn_collide_options *options) {
  syn_error error;
  syn_collider *collider;
  ASSERT_OK(syn_collider_create(context, method, &(syn_body){.surface = fixed}, &(syn_body){.surface = mobile}, options,
                                &collider, &error));
  return collider;
}

/* ---- against the twin -------------------------------------------------------------------------------------------- */

static void check_depth(const syn_trimesh *fixed, const syn_collide_options *options, syn_vec3 place, double depth) {
  const twin_depth twin = twin_radial_depth(fixed, options, place);
  if (twin.doubtful) return;
  if (twin.depth == -HUGE_VAL)
    assert_true(depth == -HUGE_VAL);
  else
    ASSERT_NEAR(depth, twin.depth, 1e-9 * (1 + fabs(twin.depth) + vec3_length(place)));
  if (fabs(twin.depth) > 1e-9 * (1 + vec3_length(place))) assert_int_equal(depth > 0, twin.depth > 0);
}

/* A contact must lie on a triangle that the vertex's ray really hits, at the depth that it states. */
static void check_contact(const syn_trimesh *fixed, const syn_collide_options *options, const syn_contact *contact,
                          syn_vec3 place, double depth) {
  const double sign = options->fixed_outside ? 1 : -1;
  syn_vec3 corners[3];
  for (int c = 0; c < 3; ++c)
    corners[c] = vec3_sub(fixed->vertices[fixed->triangles[contact->fixed_element].v[c]], options->center);
  assert_int_equal(contact->of, SYN_OF_VERTEX_TRIANGLE);
  assert_true(contact->depth_mm == depth && depth > 0);
  assert_true(syn_radial_sees(corners, place));
  const syn_vec3 unit = vec3_unit(place);
  ASSERT_NEAR(sign * (vec3_length(place) - 1 / syn_radial_toward(corners, unit)), depth,
              1e-9 * (1 + vec3_length(place)));
  ASSERT_NEAR(vec3_distance(contact->point, vec3_add(place, options->center)), 0, 1e-12 * (1 + vec3_length(place)));
  ASSERT_NEAR(vec3_distance(contact->direction, vec3_scale(unit, -sign)), 0, 1e-12);
}

static void check_against_twin(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_collide_options *options,
                               const syn_pose *pose) {
  syn_collider *collider = make("radial", NULL, fixed, mobile, options);
  answer a = ask(collider, mobile->vertex_count, pose);
  size_t positive = 0;
  double most = -INFINITY;
  for (uint32_t v = 0; v < mobile->vertex_count; ++v) {
    const syn_vec3 place = twin_place(options, pose, mobile->vertices[v]);
    check_depth(fixed, options, place, a.depth[v]);
    most = fmax(most, a.depth[v]);
    if (!(a.depth[v] > 0)) continue;
    assert_int_equal(a.contacts[positive].mobile_element, v);
    check_contact(fixed, options, &a.contacts[positive++], place, a.depth[v]);
  }
  assert_int_equal(a.result.count, positive);
  assert_int_equal(a.result.penetrating, positive > 0);
  assert_true(a.result.max_depth_mm == most);
  if (most > -HUGE_VAL)
    assert_true(a.depth[a.result.max_vertex] == most);
  else
    assert_int_equal(a.result.max_vertex, SYN_NONE);
  release(&a);
  syn_collider_destroy(collider);
}

static syn_collide_options random_options(test_random *random) {
  syn_collide_options options = syn_default_collide_options();
  options.mapping = (syn_mapping)(1 + random_below(random, 3));
  options.fixed_outside = random_below(random, 2);
  options.use_normals = random_below(random, 3) > 0;
  options.table_size = random_below(random, 2) ? 0 : 1 + random_below(random, 3000);
  return options;
}

/* Nasty fixed bodies: spiky, soup through the centre, thin, open, with degenerate triangles and a vertex at the centre.
 */
static syn_trimesh *random_fixed(test_random *random, syn_vec3 center) {
  syn_error error;
  syn_trimesh *mesh, *moved;
  const uint32_t kind = random_below(random, 5);
  if (kind == 0)
    mesh = make_soup(NULL, random, 30, 40);
  else if (kind == 1)
    mesh = make_cube(NULL, 1.5);
  else
    mesh = make_blob(NULL, random, 4 + random_below(random, 4), 5 + random_below(random, 5), kind == 2 ? 0 : 0.7);
  syn_pose pose = syn_pose_identity();
  pose.translation = kind == 1 ? vec3_add(center, random_vec3(random, 1)) : center;
  ASSERT_OK(syn_trimesh_transform(mesh, &pose, &moved, &error));
  syn_trimesh_destroy(mesh);
  if (kind != 4) return moved;
  /* open it, and add what has no business in a mesh */
  syn_triangle *triangles = malloc((moved->triangle_count + 2) * sizeof *triangles);
  uint32_t count = 0;
  for (uint32_t t = 0; t < moved->triangle_count; ++t)
    if (random_below(random, 4)) triangles[count++] = moved->triangles[t];
  triangles[count++] = (syn_triangle){{0, 1, 1}};
  triangles[count++] = (syn_triangle){{0, moved->vertex_count / 2, moved->vertex_count - 1}};
  ASSERT_OK(syn_trimesh_create(NULL, moved->vertices, moved->vertex_count, triangles, count, &mesh, &error));
  free(triangles);
  syn_trimesh_destroy(moved);
  return mesh;
}

static void test_every_vertex_has_the_depth_of_the_twin(void **state) {
  (void)state;
  test_random random = {11};
  for (int round = 0; round < 250; ++round) {
    syn_collide_options options = random_options(&random);
    if (round % 3) options.center = random_vec3(&random, 100);
    syn_trimesh *fixed = random_fixed(&random, options.center);
    syn_trimesh *ball = make_blob(NULL, &random, 5, 7, 0.4), *mobile;
    syn_error error;
    syn_pose place = syn_pose_identity();
    place.translation = options.center;
    ASSERT_OK(syn_trimesh_transform(ball, &place, &mobile, &error));
    for (int turn = 0; turn < 4; ++turn) {
      syn_pose pose =
          syn_pose_about_axis(options.center, random_vec3(&random, 1), turn ? random_between(&random, -4, 4) : 0);
      if (turn == 3) pose.translation = vec3_add(pose.translation, random_vec3(&random, 0.3)); /* as in a knee */
      check_against_twin(fixed, mobile, &options, &pose);
    }
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(ball);
    syn_trimesh_destroy(mobile);
  }
}

/* Rays through vertices and edges: the mobile vertices are the fixed ones, and midpoints of edges, farther out. */
static void test_rays_through_edges_and_vertices_never_slip_through(void **state) {
  (void)state;
  test_random random = {12};
  for (int round = 0; round < 60; ++round) {
    syn_error error;
    syn_collide_options options = random_options(&random);
    options.fixed_outside = true;
    options.use_normals = false;
    syn_trimesh *fixed = make_blob(NULL, &random, 7, 11, 0.5), *finer, *mobile;
    ASSERT_OK(syn_trimesh_subdivide(fixed, &finer, &error));
    syn_vec3 *far = malloc(finer->vertex_count * sizeof *far);
    const double factor = random_below(&random, 2) ? 2 : random_between(&random, 1.1, 3);
    for (uint32_t v = 0; v < finer->vertex_count; ++v) far[v] = vec3_scale(finer->vertices[v], factor);
    ASSERT_OK(syn_trimesh_create(NULL, far, finer->vertex_count, NULL, 0, &mobile, &error));
    syn_collider *collider = make("radial", NULL, fixed, mobile, &options);
    answer a = ask(collider, mobile->vertex_count, NULL);
    for (uint32_t v = 0; v < mobile->vertex_count; ++v)
      ASSERT_NEAR(a.depth[v], vec3_length(finer->vertices[v]) * (factor - 1), 1e-9);
    assert_int_equal(a.result.count, mobile->vertex_count);
    for (uint32_t v = 0; v < mobile->vertex_count; ++v) /* each is reported with a triangle that the ray hits */
      check_contact(fixed, &options, &a.contacts[v], far[v], a.depth[v]);
    release(&a);
    syn_collider_destroy(collider);
    free(far);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(finer);
    syn_trimesh_destroy(mobile);
  }
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

/* Arbabi 2009, Fig. 40: between two layers of the fixed body a vertex is free, and only the normals show it. */
static void test_normals_tell_a_vertex_between_two_layers_from_one_inside(void **state) {
  (void)state;
  syn_error error;
  syn_joint *inner, *outer;
  const syn_shape_value small[] = {{"inner", 10}, {"outer", 12}, {"resolution", 8}},
                        large[] = {{"inner", 20}, {"outer", 25}, {"resolution", 8}};
  ASSERT_OK(syn_shape_create(NULL, "cup", small, 3, &inner, &error));
  ASSERT_OK(syn_shape_create(NULL, "cup", large, 3, &outer, &error));
  const syn_trimesh *both[] = {inner->bodies[0].surface, outer->bodies[0].surface};
  syn_trimesh *fixed, *mobile;
  ASSERT_OK(syn_trimesh_merge(NULL, both, 2, &fixed, &error));
  const syn_vec3 points[] = {{0.1, 0.2, -5},  {0.1, 0.2, -11}, {0.1, 0.2, -15},
                             {0.1, 0.2, -22}, {0.1, 0.2, -30}, {0, 0, 5}};
  ASSERT_OK(syn_trimesh_create(NULL, points, 6, NULL, 0, &mobile, &error));
  syn_collide_options options = syn_default_collide_options();
  const double with[] = {-5, 1, -5, 2, -INFINITY, -INFINITY}, without[] = {-5, 1, 5, 12, 20, -INFINITY};
  for (int use = 0; use < 2; ++use) {
    options.use_normals = use;
    syn_collider *collider = make("radial", NULL, fixed, mobile, &options);
    answer a = ask(collider, 6, NULL);
    for (int v = 0; v < 6; ++v) {
      const double expected = use ? with[v] : without[v];
      if (isfinite(expected))
        ASSERT_NEAR(a.depth[v], expected, 0.5);
      else
        assert_true(a.depth[v] == expected);
    }
    release(&a);
    syn_collider_destroy(collider);
  }
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
  syn_joint_destroy(inner);
  syn_joint_destroy(outer);
}

/* ---- same bits --------------------------------------------------------------------------------------------------- */

static void test_kernels_and_thread_counts_give_the_same_bits(void **state) {
  (void)state;
  test_random random = {13};
  syn_context context = syn_default_context();
  for (int round = 0; round < 40; ++round) {
    const syn_collide_options options = random_options(&random);
    syn_trimesh *fixed = random_fixed(&random, vec3(0, 0, 0)), *mobile = make_blob(NULL, &random, 40, 61, 0.5);
    const syn_pose pose = random_pose(&random, round % 2 ? 0.2 : 0);
    syn_error error;
    radial_table table;
    radial_points points;
    ASSERT_OK(syn_radial_table_create(&context, fixed, &options, options.fixed_outside, &table, &error));
    ASSERT_OK(
        syn_radial_points_create(&context, mobile->vertices, mobile->vertex_count, options.center, &points, &error));
    radial_field field = syn_radial_field_at(&table, &points, &pose);
    const size_t n = mobile->vertex_count, packets = (n + RADIAL_PACKET - 1) / RADIAL_PACKET;
    double *depths = calloc(4 * n, sizeof *depths);
    uint32_t *triangles = calloc(4 * n, sizeof *triangles);
    radial_deepest all = radial_none_deep();
    for (int way = 0; way < 4; ++way) {
      field.depth = depths + (size_t)way * n;
      field.triangle = triangles + (size_t)way * n;
      context.threads = way;
      if (way == 0) {
        syn_radial_kernel_portable(&field, 0, packets, &all);
      } else {
        const radial_deepest most = syn_radial_field_compute(&field);
        assert_true(most.depth == all.depth);
        assert_int_equal(most.vertex, all.vertex);
        assert_int_equal(most.positive, all.positive);
      }
      assert_memory_equal(field.depth, depths, n * sizeof *depths);
      assert_memory_equal(field.triangle, triangles, n * sizeof *triangles);
    }
    free(depths);
    free(triangles);
    syn_radial_table_release(&table);
    syn_radial_points_release(&points);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
}

/* ---- update ------------------------------------------------------------------------------------------------------ */

static void same_answers(const syn_collider *a, const syn_collider *b, uint32_t vertices, const syn_pose *pose) {
  answer first = ask(a, vertices, pose), second = ask(b, vertices, pose);
  assert_memory_equal(first.depth, second.depth, vertices * sizeof(double));
  assert_int_equal(first.result.count, second.result.count);
  for (size_t i = 0; i < first.result.count && i < first.result.capacity; ++i) {
    assert_int_equal(first.contacts[i].fixed_element, second.contacts[i].fixed_element);
    assert_int_equal(first.contacts[i].mobile_element, second.contacts[i].mobile_element);
    assert_true(first.contacts[i].depth_mm == second.contacts[i].depth_mm);
  }
  release(&first);
  release(&second);
}

static syn_trimesh *deformed(const syn_trimesh *mesh, test_random *random, int how) {
  syn_error error;
  syn_trimesh *result;
  syn_vec3 *places = malloc(mesh->vertex_count * sizeof *places);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    places[v] = mesh->vertices[v];
    if (how == 0) places[v] = vec3_scale(places[v], random_between(random, 0.8, 1.2));
    if (how == 1 && v % 7 == 0) places[v] = vec3_add(places[v], random_vec3(random, 0.05));
    if (how == 2) places[v] = vec3_add(vec3_scale(places[v], 1.5), vec3(0.4, 0.3, -0.2));
  }
  ASSERT_OK(
      syn_trimesh_create(NULL, places, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &result, &error));
  free(places);
  return result;
}

static void test_an_updated_collider_answers_as_a_fresh_one(void **state) {
  (void)state;
  test_random random = {14};
  for (int round = 0; round < 90; ++round) {
    syn_error error;
    syn_collide_options options = random_options(&random);
    options.both_roles = round % 2;
    const char *method = round % 5 == 4 ? "ray-table" : "radial";
    syn_trimesh *fixed = make_blob(NULL, &random, 8, 9, 0.4), *mobile = make_blob(NULL, &random, 7, 8, 0.4);
    if (round % 4 == 3) { /* a body that covers only some directions, so that the grid may have to grow */
      syn_trimesh *part;
      ASSERT_OK(syn_trimesh_create(NULL, fixed->vertices, fixed->vertex_count, fixed->triangles, 20, &part, &error));
      syn_trimesh_destroy(fixed);
      fixed = part;
    }
    syn_trimesh *new_fixed = deformed(fixed, &random, round % 3), *new_mobile = deformed(mobile, &random, 1);
    syn_collider *kept = make(method, NULL, fixed, mobile, &options);
    if (strcmp(method, "ray-table") == 0 && options.table_size == 0) options.table_size = 5000; /* sampled alike */
    if (strcmp(method, "ray-table") == 0) {
      syn_collider_destroy(kept);
      kept = make(method, NULL, fixed, mobile, &options);
      options.mapping = SYN_MAPPING_UNIFORM;
    }
    ASSERT_OK(syn_collider_update(kept, new_fixed->vertices, new_mobile->vertices, &error));
    if (strcmp(method, "radial") == 0) {
      syn_collider *fresh = make(method, NULL, new_fixed, new_mobile, &options);
      for (int turn = 0; turn < 3; ++turn) {
        const syn_pose pose = syn_pose_about_axis(options.center, random_vec3(&random, 1), turn);
        same_answers(kept, fresh, mobile->vertex_count, &pose);
      }
      syn_collider_destroy(fresh);
    }
    ASSERT_OK(syn_collider_update(kept, fixed->vertices, mobile->vertices, &error)); /* and back */
    ASSERT_OK(syn_collider_update(kept, NULL, NULL, &error));
    syn_collider *first = make(method, NULL, fixed, mobile, &options);
    if (strcmp(method, "radial") == 0) same_answers(kept, first, mobile->vertex_count, NULL);
    syn_collider_destroy(first);
    syn_collider_destroy(kept);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
    syn_trimesh_destroy(new_fixed);
    syn_trimesh_destroy(new_mobile);
  }
}

/* Moves some vertices of the fixed body. */
typedef void move_vertices(test_random *random, const syn_trimesh *fixed, syn_vec3 center, int step, syn_vec3 *places);

/* A dozen deformations of one body, one after the other; after each the updated collider answers as a new one. */
static void check_deformations(test_random *random, const syn_collide_options *options, int round,
                               move_vertices *move) {
  syn_error error;
  syn_trimesh *fixed = make_blob(NULL, random, 14, 18, round % 4 ? 0.1 : 0.7);
  syn_trimesh *mobile = make_blob(NULL, random, 14, 18, 0.4), *moved;
  syn_vec3 *places = malloc(fixed->vertex_count * sizeof *places);
  memcpy(places, fixed->vertices, fixed->vertex_count * sizeof *places);
  syn_collider *kept = make("radial", NULL, fixed, mobile, options);
  for (int step = 0; step < 12; ++step) {
    move(random, fixed, options->center, step, places);
    ASSERT_OK(syn_collider_update(kept, places, NULL, &error));
    ASSERT_OK(
        syn_trimesh_create(NULL, places, fixed->vertex_count, fixed->triangles, fixed->triangle_count, &moved, &error));
    syn_collider *fresh = make("radial", NULL, moved, mobile, options);
    const syn_pose pose = random_pose(random, step % 2 ? 0.1 : 0);
    same_answers(kept, fresh, mobile->vertex_count, &pose);
    syn_collider_destroy(fresh);
    syn_trimesh_destroy(moved);
  }
  syn_collider_destroy(kept);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
  free(places);
}

/* One vertex after the other, far enough to turn triangles over; the cells elsewhere stay from one step to the next. */
static void dent(test_random *random, const syn_trimesh *fixed, syn_vec3 center, int step, syn_vec3 *places) {
  const uint32_t v = random_below(random, fixed->vertex_count);
  const syn_vec3 home = fixed->vertices[v];
  (void)center;
  places[v] = step % 4 == 3 ? home : vec3_add(home, random_vec3(random, step % 4 == 2 ? 1.5 : 0.1));
  if (step == 9) places[v] = vec3(0, 0, 0); /* at the centre: its triangles are never hit */
}

static void test_dents_one_after_the_other_answer_as_a_fresh_collider(void **state) {
  (void)state;
  test_random random = {19};
  for (int round = 0; round < 20; ++round) {
    syn_collide_options options = random_options(&random);
    options.table_size = round % 2 ? 0 : 40000; /* coarse and fine, few and many tiles */
    options.both_roles = round % 3 == 0;
    check_deformations(&random, &options, round, dent);
  }
}

/* A few vertices at a time along their rays: the cells stay, whatever ridges become valleys. */
static void slide_along_rays(test_random *random, const syn_trimesh *fixed, syn_vec3 center, int step,
                             syn_vec3 *places) {
  for (uint32_t k = random_below(random, 6); k-- > 0;) {
    const uint32_t v = random_below(random, fixed->vertex_count);
    const syn_vec3 ray = vec3_sub(fixed->vertices[v], center);
    places[v] = vec3_madd(center, random_between(random, step % 5 == 4 ? 0.1 : 0.8, 1.2), ray);
  }
}

static void test_vertices_that_slide_along_their_rays_answer_as_a_fresh_collider(void **state) {
  (void)state;
  test_random random = {20};
  for (int round = 0; round < 40; ++round) {
    syn_collide_options options = random_options(&random);
    options.table_size = round % 2 ? 0 : 40000;
    check_deformations(&random, &options, round, slide_along_rays);
  }
}

/* Some vertices of one patch off their rays and others along them, in one update: most cells stay. */
static void dent_and_slide(test_random *random, const syn_trimesh *fixed, syn_vec3 center, int step, syn_vec3 *places) {
  dent(random, fixed, center, step, places);
  slide_along_rays(random, fixed, center, step, places);
}

static void test_dents_with_slides_answer_as_a_fresh_collider(void **state) {
  (void)state;
  test_random random = {21};
  for (int round = 0; round < 20; ++round) {
    syn_collide_options options = random_options(&random);
    options.table_size = round % 2 ? 0 : 40000;
    check_deformations(&random, &options, round, dent_and_slide);
  }
}

/* Whichever allocation of an update is refused, the collider answers as before, and the next update succeeds. */
static void test_a_refused_update_changes_nothing(void **state) {
  (void)state;
  test_random random = {22};
  syn_error error;
  syn_trimesh *fixed = make_blob(NULL, &random, 14, 18, 0.3), *mobile = make_blob(NULL, &random, 14, 18, 0.4);
  syn_vec3 *places = malloc(fixed->vertex_count * sizeof *places);
  memcpy(places, fixed->vertices, fixed->vertex_count * sizeof *places);
  for (uint32_t v = 40; v < 46; ++v) places[v] = vec3_add(places[v], random_vec3(&random, 0.3));
  syn_collide_options options = random_options(&random);
  options.table_size = 4000;
  const syn_pose pose = random_pose(&random, 0.1); /* no ray goes exactly through a border */
  syn_collider *before = make("radial", NULL, fixed, mobile, &options);
  size_t refused = 0;
  for (bool done = false; !done; ++refused) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_collider *collider = make("radial", &context, fixed, mobile, &options);
    memory.refuse_at = memory.allocations + 1 + refused;
    done = syn_collider_update(collider, places, NULL, &error) == SYN_OK;
    memory.refuse_at = 0;
    if (!done) {
      same_answers(collider, before, mobile->vertex_count, &pose);
      ASSERT_OK(syn_collider_update(collider, places, NULL, &error));
    }
    syn_trimesh *moved;
    ASSERT_OK(
        syn_trimesh_create(NULL, places, fixed->vertex_count, fixed->triangles, fixed->triangle_count, &moved, &error));
    syn_collider *fresh = make("radial", NULL, moved, mobile, &options);
    same_answers(collider, fresh, mobile->vertex_count, &pose);
    syn_collider_destroy(fresh);
    syn_collider_destroy(collider);
    syn_trimesh_destroy(moved);
  }
  assert_true(refused > 8);
  syn_collider_destroy(before);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
  free(places);
}

/* ---- both roles and between vertices ----------------------------------------------------------------------------- */

/* The twin of both roles: the exchanged question, asked at the inverse pose about the place of the centre. */
static void test_fixed_vertices_in_the_mobile_body_are_found_at_any_pose(void **state) {
  (void)state;
  test_random random = {15};
  for (int round = 0; round < 60; ++round) {
    syn_collide_options options = syn_default_collide_options();
    options.both_roles = true;
    options.fixed_outside = round % 2;
    options.use_normals = round % 3;
    options.mapping = (syn_mapping)(1 + random_below(&random, 3));
    syn_trimesh *fixed = make_blob(NULL, &random, 9, 10, 0.3), *mobile = make_blob(NULL, &random, 8, 11, 0.3), *moved;
    const syn_pose pose = random_pose(&random, round % 4 < 2 ? 0 : 0.2);
    syn_error error;
    ASSERT_OK(syn_trimesh_transform(mobile, &pose, &moved, &error));
    syn_collide_options exchanged = options;
    exchanged.fixed_outside = !options.fixed_outside;
    syn_collider *collider = make("radial", NULL, fixed, mobile, &options);
    answer a = ask(collider, mobile->vertex_count, &pose);
    uint32_t found = 0, expected = 0;
    for (size_t i = 0; i < a.result.count; ++i) {
      const syn_contact *contact = &a.contacts[i];
      if (i > 0) assert_true(contact[-1].mobile_element <= contact->mobile_element);
      if (contact->of != SYN_OF_TRIANGLE_VERTEX) continue;
      const twin_depth twin = twin_radial_depth(moved, &exchanged, fixed->vertices[contact->fixed_element]);
      ++found;
      if (twin.doubtful) continue;
      ASSERT_NEAR(contact->depth_mm, twin.depth, 1e-9);
    }
    for (uint32_t v = 0; v < fixed->vertex_count; ++v) {
      const twin_depth twin = twin_radial_depth(moved, &exchanged, fixed->vertices[v]);
      expected += twin.depth > 0;
    }
    assert_int_equal(found, expected);
    release(&a);
    syn_collider_destroy(collider);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
    syn_trimesh_destroy(moved);
  }
}

/* However finely the mobile body is cut, the deepest point between its vertices was known from the start. */
static void test_depth_between_vertices_is_what_refinement_converges_to(void **state) {
  (void)state;
  test_random random = {16};
  for (int round = 0; round < 24; ++round) {
    syn_error error;
    syn_collide_options options = syn_default_collide_options();
    options.fixed_outside = round % 2;
    options.use_normals = false;
    options.mapping = (syn_mapping)(1 + random_below(&random, 3));
    syn_trimesh *fixed = make_blob(NULL, &random, 6, 7, 0.3), *mobile = make_blob(NULL, &random, 5, 6, 0.3);
    const syn_pose pose = random_pose(&random, round % 3 ? 0 : 0.1);
    options.between_vertices = true;
    syn_collider *collider = make("radial", NULL, fixed, mobile, &options);
    answer exact = ask(collider, mobile->vertex_count, &pose);
    syn_collider_destroy(collider);
    const double depth = exact.result.max_depth_mm;
    options.between_vertices = false;
    ASSERT_NEAR(twin_radial_depth(fixed, &options, exact.result.max_point).depth, depth, 1e-7);
    double last = -INFINITY;
    for (int level = 0; level < 4; ++level) {
      collider = make("radial", NULL, fixed, mobile, &options);
      answer a = ask(collider, mobile->vertex_count, &pose);
      assert_true(a.result.max_depth_mm <= depth + 1e-9);
      assert_true(a.result.max_depth_mm >= last - 1e-12);
      last = a.result.max_depth_mm;
      release(&a);
      syn_collider_destroy(collider);
      syn_trimesh *finer;
      ASSERT_OK(syn_trimesh_subdivide(mobile, &finer, &error));
      syn_trimesh_destroy(mobile);
      mobile = finer;
    }
    ASSERT_NEAR(last, depth, 0.06);
    release(&exact);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
}

/* ---- the scenes of the design ------------------------------------------------------------------------------------ */

static answer ball_in_cup(double radius, double cam, double degrees) {
  syn_error error;
  syn_joint *cup, *ball;
  const syn_shape_value values[] = {{"radius", radius}, {"cam-height", cam}};
  ASSERT_OK(syn_shape_create(NULL, "cup", NULL, 0, &cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "ball", values, 2, &ball, &error));
  syn_collide_options options = syn_default_collide_options();
  options.table_size = 100000; /* quicker to build */
  syn_collider *collider = make("radial", NULL, cup->bodies[0].surface, ball->bodies[0].surface, &options);
  const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 1, 0), degrees * SYN_PI / 180);
  answer a = ask(collider, ball->bodies[0].surface->vertex_count, &pose);
  syn_collider_destroy(collider);
  syn_joint_destroy(cup);
  syn_joint_destroy(ball);
  return a;
}

static void test_ball_in_cup_has_the_known_depths(void **state) {
  (void)state;
  answer overlap = ball_in_cup(24.5, 0, 0), clear = ball_in_cup(23.8, 0, 0), cam = ball_in_cup(23.8, 1.5, 60);
  ASSERT_NEAR(overlap.result.max_depth_mm, 0.5023, 5e-5);
  /* 32 644 vertices lie below the rim's plane, 324 in it: a ray in the rim's plane still touches the socket's edge */
  assert_int_equal(overlap.result.count, 32644 + 324);
  ASSERT_NEAR(clear.result.max_depth_mm, -0.1977, 5e-5);
  assert_int_equal(clear.result.count, 0);
  ASSERT_NEAR(cam.result.max_depth_mm, 1.30, 2e-3);
  release(&overlap);
  release(&clear);
  release(&cam);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static void test_senseless_options_and_meshes_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_collider *collider;
  syn_trimesh *cube = make_cube(NULL, 1), *huge;
  const syn_vec3 far[3] = {{1e80, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const syn_triangle one = {{0, 1, 2}};
  ASSERT_OK(syn_trimesh_create(NULL, far, 3, &one, 1, &huge, &error));
  syn_body body = {.surface = cube}, wrong = {.surface = huge};
  syn_collide_options options = syn_default_collide_options();
  ASSERT_FAILS(syn_collider_create(NULL, "radial", &wrong, &body, NULL, &collider, &error), SYN_BAD_MESH, "vertex 0");
  options.mapping = (syn_mapping)7;
  ASSERT_FAILS(syn_collider_create(NULL, "radial", &body, &body, &options, &collider, &error), SYN_BAD_ARGUMENT,
               "mapping");
  options = syn_default_collide_options();
  options.center.y = NAN;
  ASSERT_FAILS(syn_collider_create(NULL, "ray-table", &body, &body, &options, &collider, &error), SYN_BAD_ARGUMENT,
               "centre");
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(huge);
}

static void test_empty_meshes_and_points_at_the_centre_meet_nothing(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1), *empty, *points;
  const syn_vec3 at_center[] = {{0, 0, 0}, {1e-200, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &empty, &error));
  ASSERT_OK(syn_trimesh_create(NULL, at_center, 5, NULL, 0, &points, &error));
  const syn_trimesh *const pairs[][2] = {{empty, cube}, {cube, empty}, {empty, empty}, {cube, points}, {points, cube}};
  syn_collide_options options = syn_default_collide_options();
  options.both_roles = options.between_vertices = true;
  for (int mapping = 1; mapping <= 3; ++mapping)
    for (int pair = 0; pair < 5; ++pair) {
      options.mapping = (syn_mapping)mapping;
      syn_collider *collider = make("radial", NULL, pairs[pair][0], pairs[pair][1], &options);
      answer a = ask(collider, pairs[pair][1]->vertex_count, NULL);
      assert_int_equal(a.result.count, 0);
      assert_true(a.result.max_depth_mm == -HUGE_VAL || pair == 3);
      for (uint32_t v = 0; v < pairs[pair][1]->vertex_count; ++v) assert_true(a.depth[v] == -HUGE_VAL);
      release(&a);
      syn_collider_destroy(collider);
    }
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(empty);
  syn_trimesh_destroy(points);
}

static syn_status live_once(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh *mesh = user;
  syn_collide_options options = syn_default_collide_options();
  options.both_roles = options.between_vertices = true;
  for (int method = 0; method < 2; ++method) {
    syn_collider *collider;
    SYN_TRY(syn_collider_create(context, method ? "ray-table" : "radial", &(syn_body){.surface = mesh},
                                &(syn_body){.surface = mesh}, &options, &collider, error));
    syn_vec3 moved[500];
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) moved[v] = vec3_add(mesh->vertices[v], vec3(0.01 * v, 0, 0.1));
    syn_status status = syn_collider_update(collider, moved, moved, error);
    moved[0] = mesh->vertices[0]; /* most cells stay */
    if (status == SYN_OK) status = syn_collider_update(collider, moved, NULL, error);
    syn_collider_destroy(collider);
    if (status != SYN_OK) return status;
  }
  return SYN_OK;
}

static void test_every_refused_allocation_is_survived(void **state) {
  (void)state;
  test_random random = {17};
  syn_trimesh *mesh = make_blob(NULL, &random, 6, 7, 0.3);
  check_every_allocation(live_once, mesh);
  syn_trimesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_vertex_has_the_depth_of_the_twin),
      cmocka_unit_test(test_rays_through_edges_and_vertices_never_slip_through),
      cmocka_unit_test(test_normals_tell_a_vertex_between_two_layers_from_one_inside),
      cmocka_unit_test(test_kernels_and_thread_counts_give_the_same_bits),
      cmocka_unit_test(test_an_updated_collider_answers_as_a_fresh_one),
      cmocka_unit_test(test_dents_one_after_the_other_answer_as_a_fresh_collider),
      cmocka_unit_test(test_vertices_that_slide_along_their_rays_answer_as_a_fresh_collider),
      cmocka_unit_test(test_dents_with_slides_answer_as_a_fresh_collider),
      cmocka_unit_test(test_a_refused_update_changes_nothing),
      cmocka_unit_test(test_fixed_vertices_in_the_mobile_body_are_found_at_any_pose),
      cmocka_unit_test(test_depth_between_vertices_is_what_refinement_converges_to),
      cmocka_unit_test(test_ball_in_cup_has_the_known_depths),
      cmocka_unit_test(test_senseless_options_and_meshes_are_refused),
      cmocka_unit_test(test_empty_meshes_and_points_at_the_centre_meet_nothing),
      cmocka_unit_test(test_every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
