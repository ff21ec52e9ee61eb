#include "clinic/center/joint_sphere.h"

#include <math.h>

#include "base/vec.h"
#include "geometry/fit.h"
#include "geometry/small_matrix.h"
#include "mesh/derived.h"
#include "mesh/topology.h"

/* Deviations of a scanned bone from its sphere are alike within some millimetres: covariance exp(-d² / 5² mm²). So a
 * surface has one independent value per this area, the integral of the covariance. */
static const double independent_mm2 = SYN_PI * 5 * 5;
/* The head beyond this angle from the neck counts in part, from `whole` on in full. Nothing is known of the angles'
 * effect but that centres under noise scatter least with them; 0 to 60 degrees change them by up to 0.1 mm. */
static const double neck_degrees = 50, head_degrees = 60;
static const double head_facing = 0.6, socket_facing = 0.75; /* cosine of normal and direction */
static const double head_reach = 0.07;                       /* of the radius */
static const double typical_radius = 24, rim_mm = 5;         /* distance from the rim, for that radius */

/* ---- fit --------------------------------------------------------------------------------------------------------- */

static sphere_equations normal_equations(const syn_patch *patch, const syn_vec3 *points, double reach_mm,
                                         const syn_sphere_fit *sphere, double *square, double *weight) {
  sphere_equations e = {.radii = 1};
  *square = *weight = 0;
  for (size_t i = 0; i < patch->count; ++i) {
    const syn_vec3 off = vec3_sub(points[i], sphere->center);
    const double distance = vec3_length(off), miss = distance - sphere->radius_mm, far = miss / reach_mm;
    if (!(far * far < 1) || !(distance > 0)) continue;
    const double w = patch->weights[i] * (1 - far * far) * (1 - far * far);
    sphere_equations_add(&e, 0, vec3_scale(off, 1 / distance), miss, w);
    *square += w * miss * miss;
    *weight += w;
  }
  return e;
}

/* The covariance of the centre for independent values of this variance, one per independent_mm2. */
static bool covariance_of(const sphere_equations *e, double variance, syn_mat3 *covariance) {
  for (int k = 0; k < 3; ++k) {
    sphere_equations one = *e;
    for (int j = 0; j < 4; ++j) one.b[j] = j == k;
    if (!syn_solve_symmetric(one.a, one.b, 4, 1e-12)) return false;
    covariance->row[k] = vec3_scale(vec3(one.b[0], one.b[1], one.b[2]), variance * independent_mm2);
  }
  return true;
}

bool syn_patch_sphere(const syn_patch *patch, const syn_vec3 *points, double reach_mm, syn_joint_sphere *fit) {
  enum { STEPS = 200 };
  syn_joint_sphere found = *fit;
  syn_sphere_fit *sphere = &found.sphere;
  const double radius = sphere->radius_mm;
  double square, weight;
  for (int step = 0; step < STEPS; ++step) {
    sphere_equations e = normal_equations(patch, points, reach_mm, sphere, &square, &weight);
    if (!(weight > 0) || !syn_solve_symmetric(e.a, e.b, 4, 1e-9)) return false;
    sphere->center = vec3_add(sphere->center, vec3(e.b[0], e.b[1], e.b[2]));
    sphere->radius_mm += e.b[3];
    if (!(sphere->radius_mm > 0.5 * radius && sphere->radius_mm < 2 * radius)) return false;
    if (fabs(e.b[0]) + fabs(e.b[1]) + fabs(e.b[2]) + fabs(e.b[3]) < 1e-11 * radius) break;
  }
  const sphere_equations e = normal_equations(patch, points, reach_mm, sphere, &square, &weight);
  sphere->residual_mm = sqrt(square / weight);
  sphere->points = patch->count;
  if (!covariance_of(&e, square / weight, &found.covariance)) return false;
  *fit = found;
  return true;
}

syn_mat3 syn_covariance_root(const syn_mat3 *c) {
  const double xx = sqrt(max2(c->row[0].x, 0)), yx = xx > 0 ? c->row[1].x / xx : 0, zx = xx > 0 ? c->row[2].x / xx : 0;
  const double yy = sqrt(max2(c->row[1].y - yx * yx, 0)), zy = yy > 0 ? (c->row[2].y - zx * yx) / yy : 0;
  const double zz = sqrt(max2(c->row[2].z - zx * zx - zy * zy, 0));
  return (syn_mat3){{{xx, 0, 0}, {yx, yy, 0}, {zx, zy, zz}}};
}

/* ---- patches ----------------------------------------------------------------------------------------------------- */

static syn_status take_patch(const syn_trimesh *mesh, syn_arena *arena, syn_patch *patch, syn_error *error) {
  *patch = (syn_patch){.count = 0};
  SYN_TRY(SYN_TAKE(arena, &patch->points, mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &patch->normals, mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &patch->weights, mesh->vertex_count, error));
  syn_trimesh_vertex_normals(mesh, patch->normals);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) patch->weights[v] = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 a = vec3_sub(mesh->vertices[v[1]], mesh->vertices[v[0]]),
                   b = vec3_sub(mesh->vertices[v[2]], mesh->vertices[v[0]]);
    const double third = vec3_length(vec3_cross(a, b)) / 6;
    for (int c = 0; c < 3; ++c) patch->weights[v[c]] += third;
  }
  return SYN_OK;
}

/* Keeps the points of positive weight. */
static void keep_weighted(const syn_trimesh *mesh, syn_patch *patch) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (!(patch->weights[v] > 0)) continue;
    patch->points[patch->count] = mesh->vertices[v];
    patch->normals[patch->count] = patch->normals[v];
    patch->weights[patch->count++] = patch->weights[v];
  }
}

void syn_patch_thin(syn_patch *patch, size_t most) {
  const size_t step = (patch->count + most - 1) / most;
  size_t kept = 0;
  if (step < 2) return;
  for (size_t i = 0; i < patch->count; i += step, ++kept) {
    patch->points[kept] = patch->points[i];
    patch->normals[kept] = patch->normals[i];
    patch->weights[kept] = (double)step * patch->weights[i];
  }
  patch->count = kept;
}

double syn_head_reach(const syn_anatomy *anatomy) { return head_reach * anatomy->head.radius_mm; }

/* Returns how much surface in this direction from the centre (unit) belongs to the head and not to the neck. */
static double share_of_head(const syn_anatomy *anatomy, syn_vec3 way) {
  const double full = -cos(head_degrees * SYN_DEGREE), none = -cos(neck_degrees * SYN_DEGREE);
  if (!anatomy->has_neck) return 1;
  return min2(max2((vec3_dot(way, anatomy->neck_axis) - none) / (full - none), 0), 1);
}

syn_status syn_head_patch(const syn_trimesh *femur, const syn_anatomy *anatomy, syn_arena *arena, syn_patch *patch,
                          syn_error *error) {
  const syn_sphere_fit *head = &anatomy->head;
  const double reach = 3 * syn_head_reach(anatomy);
  SYN_TRY(take_patch(femur, arena, patch, error));
  for (uint32_t v = 0; v < femur->vertex_count; ++v) {
    const syn_vec3 off = vec3_sub(femur->vertices[v], head->center);
    const double distance = vec3_length(off);
    if (fabs(distance - head->radius_mm) < reach && vec3_dot(off, patch->normals[v]) > head_facing * distance)
      patch->weights[v] *= share_of_head(anatomy, vec3_scale(off, 1 / distance));
    else
      patch->weights[v] = 0;
  }
  keep_weighted(femur, patch);
  return SYN_OK;
}

static syn_status leave_out_free_edges(const syn_trimesh *mesh, double *weights, syn_error *error) {
  syn_derived *derived;
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &derived, error));
  const syn_topology *topology = derived_topology(derived);
  for (uint32_t e = 0; e < topology->edge_count; ++e)
    if (topology->edge_triangle_start[e + 1] - topology->edge_triangle_start[e] == 1)
      for (int k = 0; k < 2; ++k) weights[topology->edge_vertices[e][k]] = 0;
  syn_derived_release(derived);
  return SYN_OK;
}

/* Returns whether a point is in the cup and away from its rim. */
static bool within_rim(const syn_anatomy *anatomy, syn_vec3 point) {
  const double least = rim_mm * anatomy->head.radius_mm / typical_radius;
  if (!anatomy->has_rim) return true;
  if (vec3_dot(vec3_sub(point, anatomy->rim_center), anatomy->rim_normal) > 0) return false;
  for (int i = 0; i < SYN_RIM_POINTS; ++i)
    if (vec3_distance(anatomy->rim[i], point) < least) return false;
  return true;
}

syn_status syn_socket_patch(const syn_trimesh *pelvis, const syn_anatomy *anatomy, syn_arena *arena, syn_patch *patch,
                            syn_error *error) {
  const syn_sphere_fit *head = &anatomy->head;
  const double nearest = -2, farthest = 10; /* mm outside the head: overlap, and a wide joint with its fossa */
  SYN_TRY(take_patch(pelvis, arena, patch, error));
  SYN_TRY(leave_out_free_edges(pelvis, patch->weights, error));
  for (uint32_t v = 0; v < pelvis->vertex_count; ++v) {
    const syn_vec3 off = vec3_sub(head->center, pelvis->vertices[v]);
    const double distance = vec3_length(off), gap = distance - head->radius_mm;
    if (!(gap > nearest && gap < farthest) || vec3_dot(off, patch->normals[v]) < socket_facing * distance ||
        !within_rim(anatomy, pelvis->vertices[v]))
      patch->weights[v] = 0;
  }
  keep_weighted(pelvis, patch);
  return SYN_OK;
}

/* ---- head -------------------------------------------------------------------------------------------------------- */

syn_status syn_head_sphere(const syn_trimesh *femur, const syn_anatomy *anatomy, syn_joint_sphere *head,
                           syn_error *error) {
  syn_arena arena = {.context = femur->context};
  syn_patch patch;
  const double variance = anatomy->head.residual_mm * anatomy->head.residual_mm; /* without a better fit */
  const double each = variance * independent_mm2 / (SYN_PI * anatomy->head.radius_mm * anatomy->head.radius_mm);
  *head = (syn_joint_sphere){anatomy->head, {{{each, 0, 0}, {0, each, 0}, {0, 0, each}}}};
  const syn_status status = syn_head_patch(femur, anatomy, &arena, &patch, error);
  syn_joint_sphere fit = *head;
  /* A head that is no sphere stays where the anatomy has it. */
  if (status == SYN_OK && syn_patch_sphere(&patch, patch.points, syn_head_reach(anatomy), &fit) &&
      vec3_distance(fit.sphere.center, anatomy->head.center) < syn_head_reach(anatomy))
    *head = fit;
  syn_arena_release(&arena);
  return status;
}
