#include "figures/figures.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "scenes.h"

/* ---- asking -------------------------------------------------------------------------------------------------------
 */

/* What a method finds at a pose; `contacts` brings its arrays. */
static syn_status ask_all(const bench_run *run, const char *method, const syn_trimesh *fixed, const syn_trimesh *mobile,
                          const syn_collide_options *options, const syn_pose *pose, syn_contacts *contacts,
                          syn_error *error) {
  const syn_body f = {.surface = fixed}, m = {.surface = mobile};
  syn_collider *collider;
  SYN_TRY(syn_collider_create(run->context, method, &f, &m, options, &collider, error));
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  if (!scratch) abort();
  const syn_status status = syn_collider_query(collider, pose, scratch, contacts);
  free(scratch);
  syn_collider_destroy(collider);
  return status;
}

/* The deepest alone. */
static syn_status ask(const bench_run *run, const char *method, const syn_trimesh *fixed, const syn_trimesh *mobile,
                      const syn_collide_options *options, const syn_pose *pose, double *deepest, syn_error *error) {
  syn_contacts contacts = {0};
  SYN_TRY(ask_all(run, method, fixed, mobile, options, pose, &contacts, error));
  *deepest = contacts.max_depth_mm;
  return SYN_OK;
}

/* ---- rough surfaces -----------------------------------------------------------------------------------------------
 */

enum { ROUGH_LEVEL = 5 };
static const double socket_mm = 24, ball_mm = 24.5, roughness_mm = 0.4;

/* A hollow sphere whose inner wall has bumps of this height: the same on every machine. */
static syn_status make_socket(const bench_run *run, double bump_mm, syn_trimesh **mesh, syn_error *error) {
  const syn_shape_value inner[] = {{"radius", socket_mm}, {"level", ROUGH_LEVEL}};
  syn_trimesh *sphere;
  SYN_TRY(bench_shape_surface(run, "sphere", inner, 2, &sphere, error));
  syn_vec3 *vertices = malloc(sphere->vertex_count * sizeof *vertices);
  syn_triangle *triangles = malloc(sphere->triangle_count * sizeof *triangles);
  if (!vertices || !triangles) abort();
  uint32_t seed = 7;
  for (uint32_t i = 0; i < sphere->vertex_count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const double bump = bump_mm * ((double)seed / 4294967296.0 - 0.5);
    vertices[i] = vec3_scale(sphere->vertices[i], 1 + bump / socket_mm);
  }
  for (uint32_t t = 0; t < sphere->triangle_count; ++t) /* it is seen from inside */
    triangles[t] = (syn_triangle){{sphere->triangles[t].v[0], sphere->triangles[t].v[2], sphere->triangles[t].v[1]}};
  syn_trimesh *wall, *shell = NULL;
  syn_status status =
      syn_trimesh_create(run->context, vertices, sphere->vertex_count, triangles, sphere->triangle_count, &wall, error);
  const syn_shape_value outer[] = {{"radius", socket_mm + 6}, {"level", 3}};
  if (status == SYN_OK) status = bench_shape_surface(run, "sphere", outer, 2, &shell, error);
  if (status == SYN_OK)
    status = syn_trimesh_merge(run->context, (const syn_trimesh *const[]){wall, shell}, 2, mesh, error);
  syn_trimesh_destroy(shell);
  syn_trimesh_destroy(wall);
  syn_trimesh_destroy(sphere);
  free(vertices);
  free(triangles);
  return status;
}

/* How much the depth differs along the edges of the mobile surface, on average. */
static double unevenness(const syn_trimesh *mesh, const double *depths) {
  double sum = 0;
  size_t count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const double a = depths[mesh->triangles[t].v[c]], b = depths[mesh->triangles[t].v[(c + 1) % 3]];
      if (!(a > 0) || !(b > 0)) continue;
      sum += fabs(a - b);
      ++count;
    }
  return count ? sum / (double)count : 0;
}

/* How far the ways out of the contacts turn away from the radius, in degrees on average. */
static double mean_turn(const syn_contacts *contacts) {
  double sum = 0;
  for (size_t i = 0; i < contacts->count; ++i) {
    const syn_contact *c = &contacts->contacts[i];
    sum += acos(min2(fabs(vec3_dot(c->direction, vec3_unit(c->point))), 1)) * 180 / SYN_PI;
  }
  return contacts->count ? sum / (double)contacts->count : 0;
}

static double mean_depth(const syn_trimesh *mesh, const double *depths) {
  double sum = 0;
  size_t count = 0;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    if (depths[i] > 0) {
      sum += depths[i];
      ++count;
    }
  return count ? sum / (double)count : 0;
}

enum { DEPTH_METHODS = 2, QUARTER = (1 << ROUGH_LEVEL) + 1 };
static const char *const depth_methods[DEPTH_METHODS] = {"radial", "distance"};

/* Both depths side by side along a quarter of the ball's equator, where its vertices are a quarter of a circle apart by
 * 2^ROUGH_LEVEL. */
static syn_status draw_quarter(const bench_run *run, const syn_trimesh *ball, double *const depths[DEPTH_METHODS],
                               syn_error *error) {
  double angles[QUARTER] = {0}, values[DEPTH_METHODS][QUARTER] = {{0}};
  for (uint32_t v = 0; v < ball->vertex_count; ++v) {
    const syn_vec3 p = ball->vertices[v];
    const double part = atan2(p.y, p.x) / (SYN_PI / 2) * (QUARTER - 1);
    if (fabs(p.z) > 1e-9 || part < -1e-6 || part > QUARTER - 1 + 1e-6) continue;
    const int i = (int)(part + 0.5);
    angles[i] = part * 90 / (QUARTER - 1);
    for (int k = 0; k < DEPTH_METHODS; ++k) values[k][i] = depths[k][v];
  }
  const bench_series series[DEPTH_METHODS] = {{"along the radius", angles, values[0], QUARTER, false, 0},
                                              {"to the nearest point", angles, values[1], QUARTER, false, 1}};
  const bench_plot plot = {
      "Depths of a ball in a rough socket", "degrees round the ball", "mm", series, DEPTH_METHODS, true};
  return bench_draw(run, &plot, "depth-rough", error);
}

static void add_depth_row(bench_run *run, const char *name, const char *method, const syn_trimesh *ball,
                          const syn_contacts *found) {
  bench_row row = bench_empty_row(name, "depth by direction");
  snprintf(row.ours, sizeof row.ours, "%s", method);
  snprintf(row.peer_detail, sizeof row.peer_detail, "mean %.4f mm, edges %.4f, way %.2f deg off",
           mean_depth(ball, found->vertex_depth), unevenness(ball, found->vertex_depth), mean_turn(found));
  row.ours_answer.depth_mm = found->max_depth_mm;
  bench_add_row(run, &row);
}

static syn_status compare_depths(bench_run *run, bool rough, const syn_trimesh *socket, const syn_trimesh *ball,
                                 syn_error *error) {
  const syn_collide_options options = syn_default_collide_options();
  syn_contact *list = calloc(ball->vertex_count, sizeof *list);
  double *depths[DEPTH_METHODS];
  syn_status status = SYN_OK;
  if (!list) abort();
  for (int i = 0; i < DEPTH_METHODS; ++i) {
    depths[i] = calloc(ball->vertex_count + 1, sizeof *depths[i]);
    if (!depths[i]) abort();
    syn_contacts found = {.vertex_depth = depths[i], .contacts = list, .capacity = ball->vertex_count};
    if (status == SYN_OK) status = ask_all(run, depth_methods[i], socket, ball, &options, NULL, &found, error);
    if (status == SYN_OK) add_depth_row(run, rough ? "rough" : "smooth", depth_methods[i], ball, &found);
  }
  if (status == SYN_OK && rough) status = draw_quarter(run, ball, depths, error);
  for (int i = 0; i < DEPTH_METHODS; ++i) free(depths[i]);
  free(list);
  return status;
}

syn_status bench_rough_surfaces(bench_run *run, syn_error *error) {
  const syn_shape_value values[] = {{"radius", ball_mm}, {"level", ROUGH_LEVEL}};
  syn_trimesh *ball, *socket;
  if (!bench_wants(run, "depth by direction")) return SYN_OK;
  SYN_TRY(bench_shape_surface(run, "sphere", values, 2, &ball, error));
  syn_status status = SYN_OK;
  for (int rough = 0; rough < 2 && status == SYN_OK; ++rough) {
    status = make_socket(run, rough ? roughness_mm : 0, &socket, error);
    if (status != SYN_OK) break;
    status = compare_depths(run, rough != 0, socket, ball, error);
    syn_trimesh_destroy(socket);
  }
  syn_trimesh_destroy(ball);
  return status;
}

/* ---- curves over a motion -----------------------------------------------------------------------------------------
 */

enum { ANGLES = 19 };

typedef struct curve {
  const syn_trimesh *fixed, *mobile;
  const char *method;
  syn_collide_options options;
  double angles[ANGLES], depths[ANGLES];
} curve;

/* Where the pose leaves the bodies apart, there is no depth. */
static syn_status add_point(bench_run *run, const char *name, curve *c, int i, double degrees, const syn_pose *pose,
                            syn_error *error) {
  double deepest;
  SYN_TRY(ask(run, c->method, c->fixed, c->mobile, &c->options, pose, &deepest, error));
  c->angles[i] = degrees;
  c->depths[i] = max2(deepest, 0);
  bench_row row = bench_empty_row(name, "depth over the motion");
  snprintf(row.ours, sizeof row.ours, "%s at %.1f deg", c->method, degrees);
  row.ours_answer.depth_mm = c->depths[i];
  bench_add_row(run, &row);
  return SYN_OK;
}

/* Abduction from 0 to its limit, then external rotation from there. */
static syn_status follow(bench_run *run, const syn_joint *hip, double limit, curve *sliding, curve *striking,
                         syn_error *error) {
  const syn_vec3 abduction = vec3_neg(hip->axes.adduction), external = vec3_neg(hip->axes.rotation);
  const syn_pose abducted = syn_pose_about_axis(hip->center, abduction, limit);
  striking->options.axis = syn_pose_direction(&abducted, external);
  for (int i = 0; i < ANGLES; ++i) {
    const double part = (double)i / (ANGLES - 1), turn = part * 70 * SYN_PI / 180, twist = part * 45 * SYN_PI / 180;
    const syn_pose slid = syn_pose_about_axis(hip->center, abduction, turn),
                   turned = syn_pose_about_axis(hip->center, external, twist),
                   both = syn_pose_compose(&abducted, &turned);
    SYN_TRY(add_point(run, "abduction", sliding, i, turn * 180 / SYN_PI, &slid, error));
    striking->options.angle = max2(twist, 1e-9);
    SYN_TRY(add_point(run, "external", striking, i, twist * 180 / SYN_PI, &both, error));
  }
  return SYN_OK;
}

static syn_status draw_curve(const bench_run *run, const curve *c, const char *title, const char *x_label,
                             const char *name, syn_error *error) {
  const bench_series series = {c->method, c->angles, c->depths, ANGLES, false, 0};
  const bench_plot plot = {title, x_label, "mm", &series, 1, true};
  return bench_draw(run, &plot, name, error);
}

static syn_status draw_curves(bench_run *run, const syn_joint *hip, const syn_trimesh *socket, syn_error *error) {
  const syn_body *femur = syn_joint_body_named(hip, "femur"), *labrum = syn_joint_body_named(hip, "labrum");
  syn_turn_range range; /* abduction ends where the femur touches the labrum: external rotation begins with depth 0 */
  SYN_TRY(
      syn_turn_range_find(labrum->surface, femur->surface, hip->center, vec3_neg(hip->axes.adduction), &range, error));
  curve sliding = {socket, femur->surface, "radial", syn_default_collide_options(), {0}, {0}};
  curve striking = {labrum->surface, femur->surface, "cylindrical", syn_default_collide_options(), {0}, {0}};
  sliding.options.center = striking.options.center = hip->center;
  SYN_TRY(follow(run, hip, range.positive.angle, &sliding, &striking, error));
  SYN_TRY(draw_curve(run, &sliding, "Femur in acetabular cartilage and labrum, radial depth", "abduction, degrees",
                     "depth-abduction", error));
  return draw_curve(run, &striking, "Femur in labrum, curvilinear depth",
                    "external rotation after abduction to its limit, degrees", "depth-external-rotation", error);
}

syn_status bench_depth_curves(bench_run *run, syn_error *error) {
  const syn_shape_value values[] = {{"resolution", 8}, {"alpha", 60}, {"ce", 30}};
  syn_joint *hip;
  syn_trimesh *socket = NULL;
  if (!bench_wants(run, "depth over the motion")) return SYN_OK;
  SYN_TRY(syn_shape_create(run->context, "hip", values, 3, &hip, error));
  const syn_trimesh *const parts[] = {syn_joint_body_named(hip, "acetabular_cartilage")->surface,
                                      syn_joint_body_named(hip, "labrum")->surface};
  syn_status status = syn_trimesh_merge(run->context, parts, 2, &socket, error);
  if (status == SYN_OK) status = draw_curves(run, hip, socket, error);
  syn_trimesh_destroy(socket);
  syn_joint_destroy(hip);
  return status;
}
