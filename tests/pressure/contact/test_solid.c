/* Closed surfaces as bodies in contact: filled by gmsh, bent, bonded. */
#include "element_box.h"

#include <synovia/pressure.h>

#include "base/vec.h"
#include "pressure/contact/contact_solid.h"
#include "solve/block_matrix.h"

static void needs_gmsh(void) {
  if (system("command -v gmsh > /dev/null 2>&1") != 0) SKIP("gmsh is not installed");
}

static contact_solid fill(const syn_trimesh *surface, contact_solid_options options) {
  syn_error error;
  contact_solid solid;
  ASSERT_OK(syn_solid_create(NULL, surface, &options, &solid, &error));
  return solid;
}

/* ---- a patch test --------------------------------------------------------------------------------------------------
 */

static const double HEIGHT = 0.8;

/* The surface of a block of 1 x 1 x HEIGHT whose lowest corner is at height z. */
static syn_trimesh *block_surface(uint32_t across, double z) {
  syn_error error;
  element_box box = make_element_box(SYN_ELEMENT_TET4, across, across, 2, vec3(1, 1, HEIGHT));
  for (uint32_t i = 0; i < box.mesh.node_count; ++i) box.nodes[i].z += z;
  syn_tetmesh *volume;
  syn_trimesh *surface;
  ASSERT_OK(syn_tetmesh_create(NULL, box.nodes, box.mesh.node_count, (const syn_tet *)box.elements,
                               box.mesh.element_count, &volume, &error));
  ASSERT_OK(syn_tetmesh_surface(volume, &surface, NULL, &error));
  syn_tetmesh_destroy(volume);
  drop_element_box(&box);
  return surface;
}

/* Bonded at the height `bonded`; sides stay plane; only faces at `touching` are kept. */
static contact_solid make_block(uint32_t across, double z, double bonded, double touching, double young_mpa) {
  syn_trimesh *surface = block_surface(across, z);
  contact_solid_options options = syn_default_contact_solid_options();
  bool *glued = malloc(surface->vertex_count);
  for (uint32_t i = 0; i < surface->vertex_count; ++i) glued[i] = fabs(surface->vertices[i].z - bonded) < 1e-9;
  options.material = (syn_material){young_mpa, 0.3, 1000};
  options.law = SYN_LAW_LINEAR;
  options.bonded = glued;
  contact_solid solid = fill(surface, options);
  assert_int_equal(solid.bonded_faces, 2 * across * across);
  assert_int_equal(solid.straightened, 0);
  const syn_vec3 *x = syn_soft_rest(solid.soft);
  for (uint32_t i = 0; i < solid.node_count; ++i) {
    if (fabs(x[i].x * (1 - x[i].x)) < 1e-9) solid.held[i] |= SYN_X;
    if (fabs(x[i].y * (1 - x[i].y)) < 1e-9) solid.held[i] |= SYN_Y;
  }
  uint32_t kept = 0;
  for (uint32_t f = 0; f < solid.body.face_count; ++f) {
    bool touches = true;
    for (int a = 0; a < 6; ++a) touches = touches && fabs(x[solid.faces[6 * f + a]].z - touching) < 1e-9;
    if (touches) memmove(solid.faces + 6 * kept++, solid.faces + 6 * f, 6 * sizeof *solid.faces);
  }
  solid.body.face_count = kept;
  assert_int_equal(kept, 2 * across * across);
  free(glued);
  syn_trimesh_destroy(surface);
  return solid;
}

static void a_uniform_pressure_goes_through_closed_surfaces(void **state) {
  (void)state;
  needs_gmsh();
  contact_solid lower = make_block(3, 0, 0, HEIGHT, 10), upper = make_block(4, HEIGHT, 2 * HEIGHT, HEIGHT, 25);
  const double confined = (1 - 0.3) / ((1 + 0.3) * (1 - 2 * 0.3));
  const double down = 0.01, expected = down * confined / (HEIGHT / 10 + HEIGHT / 25);
  syn_contact_options options = syn_default_contact_options();
  options.tolerance = 1e-9;
  options.overlap = 1e-8;
  syn_error error;
  syn_contact_problem *problem;
  ASSERT_OK(syn_contact_problem_create(NULL, &lower.body, &upper.body, &options, &problem, &error));
  syn_load_step load = {.pose = syn_pose_identity(), .driven = 7};
  load.pose.translation.z = -down;
  ASSERT_OK(syn_contact_problem_solve(problem, &load, &error));
  double worst = 0;
  for (int k = 0; k < 2; ++k) {
    const contact_solid *solid = k ? &upper : &lower;
    const double *p = syn_contact_problem_solution(problem).pressure_mpa[k];
    for (uint32_t f = 0; f < solid->body.face_count; ++f)
      for (int a = 0; a < 3; ++a) worst = fmax(worst, fabs(p[solid->faces[6 * f + a]] / expected - 1));
  }
  print_message("%u and %u tetrahedra: pressure %.2e\n", lower.element_count, upper.element_count, worst);
  assert_true(worst < 1e-6);
  syn_contact_problem_destroy(problem);
  syn_solid_release(&lower);
  syn_solid_release(&upper);
}

/* ---- bends and bonds -----------------------------------------------------------------------------------------------
 */

static syn_trimesh *make_ball(double radius) {
  syn_error error;
  syn_joint *joint;
  syn_trimesh *surface;
  const syn_shape_value values[] = {{"radius", radius}, {"level", 3}};
  ASSERT_OK(syn_shape_create(NULL, "sphere", values, 2, &joint, &error));
  const syn_trimesh *from = joint->bodies[0].surface;
  ASSERT_OK(syn_trimesh_create(NULL, from->vertices, from->vertex_count, from->triangles, from->triangle_count,
                               &surface, &error));
  syn_joint_destroy(joint);
  return surface;
}

static double farthest_off(const contact_solid *solid, double radius) {
  const syn_vec3 *x = syn_soft_rest(solid->soft);
  double worst = 0;
  for (uint32_t f = 0; f < solid->body.face_count; ++f)
    for (int a = 0; a < 6; ++a) worst = fmax(worst, fabs(vec3_length(x[solid->faces[6 * f + a]]) - radius));
  return worst;
}

/* Nodes on the edges lie on the ball, not on the chords of its triangles. */
static void edges_follow_the_bends(void **state) {
  (void)state;
  needs_gmsh();
  syn_trimesh *surface = make_ball(10);
  contact_solid_options options = syn_default_contact_solid_options();
  options.material = (syn_material){10, 0.3, 1000};
  contact_solid bent = fill(surface, options);
  options.smooth = false;
  contact_solid straight = fill(surface, options);
  const double off = farthest_off(&bent, 10), chord = farthest_off(&straight, 10);
  print_message("%u elements, %u straight: off the ball by %.4f mm, chords by %.4f mm\n", bent.element_count,
                bent.straightened, off, chord);
  assert_true(chord > 0.05);
  assert_true(off < 0.1 * chord);
  syn_solid_release(&bent);
  syn_solid_release(&straight);
  syn_trimesh_destroy(surface);
}

/* A flat one, whose elements at the rim a bend would fold: they keep straight edges, and all elements are sound. */
static void bends_fold_no_element(void **state) {
  (void)state;
  needs_gmsh();
  syn_error error;
  syn_trimesh *ball = make_ball(10), *flat;
  syn_vec3 *places = malloc(ball->vertex_count * sizeof *places);
  for (uint32_t i = 0; i < ball->vertex_count; ++i)
    places[i] = vec3(ball->vertices[i].x, ball->vertices[i].y, 0.3 * ball->vertices[i].z);
  ASSERT_OK(syn_trimesh_create(NULL, places, ball->vertex_count, ball->triangles, ball->triangle_count, &flat, &error));
  contact_solid_options options = syn_default_contact_solid_options();
  options.material = (syn_material){10, 0.3, 1000};
  contact_solid solid = fill(flat, options);
  print_message("%u of %u elements are straight\n", solid.straightened, solid.element_count);
  assert_true(solid.straightened > 0 && solid.straightened < solid.element_count);
  syn_solid_release(&solid);
  free(places);
  syn_trimesh_destroy(ball);
  syn_trimesh_destroy(flat);
}

/* What lies on bone is bonded and cannot touch; sharp edges stay. */
static void what_lies_on_bone_is_bonded(void **state) {
  (void)state;
  needs_gmsh();
  syn_error error;
  syn_trimesh *surface = block_surface(3, 0.05), *bone;
  const syn_vec3 plane[4] = {{-1, -1, 0}, {2, -1, 0}, {2, 2, 0}, {-1, 2, 0}};
  const syn_triangle triangles[2] = {{{0, 1, 2}}, {{0, 2, 3}}};
  ASSERT_OK(syn_trimesh_create(NULL, plane, 4, triangles, 2, &bone, &error));
  contact_solid_options options = syn_default_contact_solid_options();
  options.material = (syn_material){10, 0.3, 1000};
  options.bone = bone;
  options.bonded_mm = 0.1;
  contact_solid solid = fill(surface, options);
  assert_int_equal(solid.bonded_faces, 2 * 3 * 3);
  assert_int_equal(solid.body.face_count, surface->triangle_count - 2 * 3 * 3);
  const syn_vec3 *x = syn_soft_rest(solid.soft);
  for (uint32_t i = 0; i < solid.node_count; ++i) {
    assert_int_equal(solid.held[i], fabs(x[i].z - 0.05) < 1e-9 ? SYN_XYZ : 0);
    assert_true(x[i].x > -1e-9 && x[i].x < 1 + 1e-9 && x[i].z > 0.05 - 1e-9);
  }
  syn_solid_release(&solid);
  options.bonded_mm = 5;
  ASSERT_FAILS(syn_solid_create(NULL, surface, &options, &solid, &error), SYN_BAD_MESH, "all of the surface");
  assert_null(solid.nodes);
  options.bonded_mm = -1;
  ASSERT_FAILS(syn_solid_create(NULL, surface, &options, &solid, &error), SYN_BAD_ARGUMENT, "bonded_mm");
  ASSERT_FAILS(syn_solid_create(NULL, surface, NULL, &solid, &error), SYN_BAD_ARGUMENT, "material");
  syn_trimesh_destroy(bone);
  syn_trimesh_destroy(surface);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_uniform_pressure_goes_through_closed_surfaces),
      cmocka_unit_test(edges_follow_the_bends),
      cmocka_unit_test(bends_fold_no_element),
      cmocka_unit_test(what_lies_on_bone_is_bonded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
