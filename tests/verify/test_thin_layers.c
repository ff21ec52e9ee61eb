/* Layers bonded to a rigid bone: finite elements approach the elastic foundation as the layer becomes thin beside the
 * contact. K = (1 - nu) E / ((1 + nu) (1 - 2 nu)), p = K d / h. */
#include "hertz_mesh.h"
#include "shell_layer.h"

#include "base/vec.h"
#include "element_box.h"
#include "pressure/run/pressure_run.h"
#include "solve/block_matrix.h"

static const double E = 12, NU = 0.3;

static double confined(double nu) { return (1 - nu) * E / ((1 + nu) * (1 - 2 * nu)); }

/* ---- a rigid ball on a flat layer: a quarter -----------------------------------------------------------------------
 */

static element_box make_layer(double width, double h, uint32_t across, uint32_t deep, uint8_t **held,
                              uint32_t **faces) {
  element_box box = make_element_box(SYN_ELEMENT_HEX8, across, across, deep, vec3(width, width, h));
  const uint32_t n = across + 1;
  *held = malloc(box.mesh.node_count);
  *faces = malloc((size_t)4 * across * across * sizeof **faces);
  for (uint32_t i = 0; i < box.mesh.node_count; ++i) {
    const syn_vec3 p = box.nodes[i];
    (*held)[i] = p.z == 0 ? SYN_XYZ : (uint8_t)((p.x == 0 ? SYN_X : 0) | (p.y == 0 ? SYN_Y : 0));
    box.nodes[i].z -= h;
  }
  for (uint32_t j = 0, f = 0; j < across; ++j)
    for (uint32_t i = 0; i < across; ++i, ++f) {
      const uint32_t a = (deep * n + j) * n + i, face[4] = {a, a + 1, a + n + 1, a + n};
      memcpy(&(*faces)[4 * (size_t)f], face, sizeof face);
    }
  return box;
}

/* How far the highest pressure is from that of the foundation, as a part of it. */
static double ball_on_layer(double radius, double h, double force) {
  const double depth = sqrt(force * h / (SYN_PI * confined(NU) * radius)), a = sqrt(2 * radius * depth),
               p0 = confined(NU) * depth / h;
  uint8_t *held;
  uint32_t *faces;
  element_box box = make_layer(1.6 * a, h, 24, 3, &held, &faces);
  hertz_mesh ball = make_hertz_ball(radius, 48, 40, 2 * a, 1);
  const syn_soft_options options = elastic_options(E, NU, SYN_LAW_LINEAR);
  syn_contact_options how = syn_default_contact_options();
  how.small = true;
  syn_error error;
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &box.mesh, &options, &soft, &error));
  const syn_contact_body layer = {.soft = soft, .held = held, .face_count = 24 * 24, .face_nodes = 4, .faces = faces};
  const syn_contact_body rigid = {.nodes = ball.nodes,
                                  .node_count = ball.mesh.node_count,
                                  .face_count = ball.face_count,
                                  .face_nodes = 4,
                                  .faces = ball.faces};
  const syn_load_step load = {.pose = syn_pose_identity(), .driven = SYN_X | SYN_Y, .force = {0, 0, -force / 4}};
  syn_contact_problem *problem;
  ASSERT_OK(syn_contact_problem_create(NULL, &layer, &rigid, &how, &problem, &error));
  ASSERT_OK(syn_contact_problem_solve(problem, &load, &error));
  double peak = 0;
  for (uint32_t i = 0; i < box.mesh.node_count; ++i)
    peak = fmax(peak, syn_contact_problem_solution(problem).pressure_mpa[0][i]);
  print_message(
      "ball on a layer, radius of contact / thickness %5.2f: peak %.4f MPa (foundation %.4f, %+.1f %%), depth "
      "%.5f mm (%+.1f %%)\n",
      a / h, peak, p0, 100 * (peak / p0 - 1), -syn_contact_problem_solution(problem).shift.z,
      100 * (-syn_contact_problem_solution(problem).shift.z / depth - 1));
  syn_contact_problem_destroy(problem);
  syn_soft_destroy(soft);
  drop_hertz_mesh(&ball);
  drop_element_box(&box);
  free(held), free(faces);
  return fabs(peak / p0 - 1);
}

static void a_ball_on_a_thin_layer_is_on_a_foundation(void **state) {
  (void)state;
  double before = 1;
  for (double h = 1; h >= 0.12; h /= 2) {
    const double error = ball_on_layer(100, h, 10);
    assert_true(error < before);
    before = error;
  }
  assert_true(before < 0.03);
}

/* ---- a ball in a socket --------------------------------------------------------------------------------------------
 * The closed form takes areas at the radius of the socket, and depths d cos - c: it neglects c / R and d / R as well as
 * h / R. So the clearance falls with the thickness here, and the closed form has one peak and one angle for all. */

static const double RADIUS = 25, FORCE = 800;

typedef struct socket_case {
  double poisson, thickness, clearance;
  uint32_t across, head_across; /* faces of a quarter, along one side; as many: faces of ball and socket are parallel */
} socket_case;

typedef struct socket_answer {
  double peak, sunk; /* MPa; how far the ball is beyond its first touch, mm */
} socket_answer;

/* As the foundation has it: with F = (K / h) 2 pi R^2 [ d (1 - cos^3) / 3 - c (1 - cos^2) / 2 ], cos = c / d. */
static socket_answer foundation_in_socket(const socket_case *t) {
  const double k = confined(t->poisson) / t->thickness, c = t->clearance;
  double low = c, high = c + 10;
  for (int i = 0; i < 200; ++i) {
    const double d = (low + high) / 2, cosine = c / d;
    const double f =
        k * 2 * SYN_PI * RADIUS * RADIUS * (d * (1 - cosine * cosine * cosine) / 3 - c * (1 - cosine * cosine) / 2);
    *(f < FORCE ? &low : &high) = d;
  }
  return (socket_answer){k * (low - c), low - c};
}

static uint8_t *hold_planes(const syn_layer *layer) {
  uint8_t *held = malloc(layer->node_count);
  for (uint32_t i = 0; i < layer->node_count; ++i) {
    const syn_vec3 p = layer->nodes[i];
    const int planes = (fabs(p.x) < 1e-9 ? SYN_X : 0) | (fabs(p.y) < 1e-9 ? SYN_Y : 0);
    held[i] = (uint8_t)(layer->on_bone[i] ? SYN_XYZ : planes);
  }
  return held;
}

static socket_answer solve_quarter(const socket_case *t, syn_layer *socket, syn_layer *ball) {
  const syn_fem_mesh mesh = {.element = SYN_ELEMENT_HEX8,
                             .node_count = socket->node_count,
                             .element_count = socket->element_count,
                             .nodes = socket->nodes,
                             .elements = socket->elements};
  const syn_soft_options options = elastic_options(E, t->poisson, SYN_LAW_LINEAR);
  syn_contact_options how = syn_default_contact_options();
  how.small = true, how.tolerance = 1e-6, how.overlap = 1e-5;
  syn_error error;
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &mesh, &options, &soft, &error));
  uint8_t *held = hold_planes(socket);
  const syn_contact_body layer = {
      .soft = soft, .held = held, .face_count = socket->face_count, .face_nodes = 4, .faces = socket->faces[0]};
  const syn_contact_body rigid = {.nodes = ball->nodes,
                                  .node_count = ball->node_count,
                                  .face_count = ball->face_count,
                                  .face_nodes = 4,
                                  .faces = ball->faces[0]};
  const syn_load_step load = {.pose = syn_pose_identity(), .driven = SYN_X | SYN_Y, .force = {0, 0, FORCE / 4}};
  syn_contact_problem *problem;
  ASSERT_OK(syn_contact_problem_create(NULL, &layer, &rigid, &how, &problem, &error));
  ASSERT_OK(syn_contact_problem_solve(problem, &load, &error));
  ASSERT_NEAR(syn_contact_problem_solution(problem).force.z, -FORCE / 4, 1e-3 * FORCE / 4);
  socket_answer found = {0, syn_contact_problem_solution(problem).shift.z - t->clearance};
  for (uint32_t i = 0; i < socket->node_count; ++i)
    found.peak = fmax(found.peak, syn_contact_problem_solution(problem).pressure_mpa[0][i]);
  syn_contact_problem_destroy(problem);
  syn_soft_destroy(soft);
  free(held);
  return found;
}

static socket_answer ball_in_socket(const socket_case *t) {
  const shell socket = {RADIUS, t->thickness, 1.45, t->across, 3, false, true};
  const shell head = {
      RADIUS - t->clearance, 0, t->head_across == t->across ? 1.45 : 1.5, t->head_across, 1, true, true};
  const syn_material material = {E, t->poisson, 1000};
  syn_layer layers[2] = {make_shell_layer(&socket, material, material, 9),
                         make_shell_layer(&head, material, material, 9)};
  const socket_answer found = solve_quarter(t, &layers[0], &layers[1]);
  for (int k = 0; k < 2; ++k) syn_layer_release(&layers[k]);
  return found;
}

/* Three meshes, each twice as fine, and what they lead to: the error falls with the square of the faces' width. */
static socket_answer refine(double poisson, double h, double clearance, uint32_t finer, socket_answer found[3]) {
  for (uint32_t i = 0; i < 3; ++i) {
    const uint32_t across = 10U << i;
    const socket_case t = {poisson, h, clearance, across, finer * across};
    const socket_answer closed = foundation_in_socket(&t);
    found[i] = ball_in_socket(&t);
    print_message("ball in a socket, nu %.2f, thickness / radius %.3f, clearance %.4f mm, faces %.2f mm wide%s: peak "
                  "%.5f MPa (foundation %.5f, %+.2f %%), sinks %.5f mm (%.5f)\n",
                  poisson, h / RADIUS, clearance, RADIUS * 1.45 / across, finer == 1 ? " and parallel" : "",
                  found[i].peak, closed.peak, 100 * (found[i].peak / closed.peak - 1), found[i].sunk, closed.sunk);
  }
  const socket_answer limit = {found[2].peak + (found[2].peak - found[1].peak) / 3,
                               found[2].sunk + (found[2].sunk - found[1].sunk) / 3};
  assert_true(fabs(found[2].peak - found[1].peak) < fabs(found[1].peak - found[0].peak) / 3);
  return limit;
}

static void approaches_the_foundation(double poisson, double last) {
  double before = 1;
  for (double h = 4; h >= 0.4; h /= 2) {
    socket_answer found[3];
    const socket_answer limit = refine(poisson, h, h / 16, 1, found);
    const socket_answer closed = foundation_in_socket(&(socket_case){poisson, h, h / 16, 0, 0});
    const double error = limit.peak / closed.peak - 1;
    print_message("  faces of no width: peak %.5f MPa (%+.2f %%), sinks %+.2f %%\n", limit.peak, 100 * error,
                  100 * (limit.sunk / closed.sunk - 1));
    assert_true(fabs(error) < 0.55 * before);
    before = fabs(error);
  }
  assert_true(before < last);
}

static void a_ball_in_a_thin_socket_is_on_a_foundation(void **state) {
  (void)state;
  approaches_the_foundation(0.3, 0.003);
  approaches_the_foundation(0.45, 0.007); /* squeezed sideward further than it is thick: slower */
}

/* Faces across each other are flat: the socket's lie inside of its sphere, so that the ball touches sooner by the sixth
 * of their width squared over the radius, less what the ball's own take back. Without width both ways are one. */
static void flat_faces_touch_sooner(void **state) {
  (void)state;
  const double h = 1, clearance = 0.25;
  socket_answer across[3], parallel[3];
  const socket_answer a = refine(NU, h, clearance, 2, across), b = refine(NU, h, clearance, 1, parallel);
  ASSERT_NEAR(a.peak, b.peak, 1e-3 * b.peak);
  ASSERT_NEAR(a.sunk, b.sunk, 5e-3 * b.sunk);
  for (int i = 0; i < 3; ++i) {
    const double sooner = parallel[i].sunk - across[i].sunk;
    print_message("  %.4f mm sooner\n", sooner);
    if (i > 0) ASSERT_NEAR(sooner, (parallel[i - 1].sunk - across[i - 1].sunk) / 4, 0.1 * sooner);
  }
}

static syn_status keep(void *user, const syn_pressure_step *step, const pressure_fields *fields, syn_error *error) {
  (void)fields, (void)error;
  *(syn_pressure_step *)user = *step;
  return SYN_OK;
}

/* The whole of it, as joints are run. */
static void ball_in_whole_socket(double h) {
  const double clearance = 0.25;
  const shell socket = {RADIUS, h, 1.45, 40, 3, false, false}, head = {RADIUS - clearance, 0, 1.5, 80, 1, true, false};
  const syn_material material = {E, NU, 1000};
  syn_layer layers[2] = {make_shell_layer(&socket, material, material, 9),
                         make_shell_layer(&head, material, material, 9)};
  const syn_load_step pose = {.pose = syn_pose_identity(), .force = {0, 0, FORCE}};
  syn_pressure_fem_options options = syn_default_pressure_fem_options();
  options.law = SYN_LAW_LINEAR;
  options.contact.small = true;
  syn_pressure_step step;
  syn_error error;
  const fem_loop loop = {.layers = {&layers[0], &layers[1]},
                         .poses = &pose,
                         .count = 1,
                         .options = &options,
                         .report = keep,
                         .user = &step};
  ASSERT_OK(syn_pressure_fem_run(&loop, &error));
  const socket_case quarter = {NU, h, clearance, 20, 40};
  const socket_answer closed = foundation_in_socket(&quarter), found = ball_in_socket(&quarter);
  print_message("ball in a whole socket, thickness / radius %.3f: peak %.4f MPa (foundation %.4f, %+.1f %%), area %.0f "
                "mm2 (%.0f)\n",
                h / RADIUS, step.total.peak_mpa, closed.peak, 100 * (step.total.peak_mpa / closed.peak - 1),
                step.total.area_mm2, 2 * SYN_PI * RADIUS * RADIUS * (1 - clearance / (clearance + closed.sunk)));
  ASSERT_NEAR(step.contact_force.z, -FORCE, 1e-3 * FORCE);
  ASSERT_NEAR(step.total.peak_mpa, found.peak, 3e-3 * found.peak);
  assert_true(fabs(step.total.peak_mpa / closed.peak - 1) < 0.03);
  for (int k = 0; k < 2; ++k) syn_layer_release(&layers[k]);
}

static void a_whole_socket_is_four_quarters(void **state) {
  (void)state;
  for (double h = 4; h >= 0.9; h /= 2) ball_in_whole_socket(h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_on_a_thin_layer_is_on_a_foundation),
      cmocka_unit_test(a_ball_in_a_thin_socket_is_on_a_foundation),
      cmocka_unit_test(flat_faces_touch_sooner),
      cmocka_unit_test(a_whole_socket_is_four_quarters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
