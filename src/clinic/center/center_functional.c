/* Computes the functional centre: the femur follows a circumduction. At every pose it is shifted so that the joint
 * surfaces keep their distances. The centre is the point of the femur that moves least (Arbabi 2009, §4.4.2.2.2). */
#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "clinic/center/center.h"
#include "collide/surface/distance_method.h"
#include "geometry/small_matrix.h"

enum { POSES = 24, MOST_POINTS = 600, MOST_ROUNDS = 30 };
static const double elevation = 20 * SYN_PI / 180; /* of the circumduction (Kang et al. 2003) */

typedef struct functional {
  const syn_surface_tree *femur;
  const syn_vec3 *points; /* of the acetabulum */
  double *wanted;         /* distance of each to the femur */
  size_t count;
} functional;

/* Returns the distance of a point of the acetabulum from the femur in a pose, and the outward direction of the femur
 * there. */
static double gap_at(const syn_surface_tree *femur, const syn_pose *pose, syn_vec3 point, syn_vec3 *outward) {
  const syn_pose back = syn_pose_inverse(pose);
  const syn_vec3 there = syn_pose_point(&back, point);
  syn_nearest nearest;
  femur->search(femur, there, INFINITY, &nearest);
  const double side = femur->solid && syn_surface_tree_side(femur, there, &nearest) < 0 ? -1 : 1;
  *outward = vec3_scale(vec3_unit(syn_pose_direction(pose, vec3_sub(there, nearest.at.point))), side);
  return side * sqrt(nearest.at.distance2);
}

/* Shifts the pose to the wanted distances, in the least-squares sense (Gauss-Newton); returns the sum of squared
 * residuals. */
static double settle(const functional *f, syn_pose *pose) {
  double sum = 0;
  for (int round = 0; round < MOST_ROUNDS; ++round) {
    double a[9] = {0}, step[3] = {0};
    sum = 0;
    for (size_t i = 0; i < f->count; ++i) {
      syn_vec3 n;
      const double miss = gap_at(f->femur, pose, f->points[i], &n) - f->wanted[i];
      const double row[3] = {n.x, n.y, n.z}; /* a shift along n moves the femur nearer */
      for (int j = 0; j < 3; ++j) {
        step[j] += row[j] * miss;
        for (int k = 0; k < 3; ++k) a[j * 3 + k] += row[j] * row[k];
      }
      sum += miss * miss;
    }
    if (!syn_solve_symmetric(a, step, 3, 1e-9)) break;
    const syn_vec3 shift = vec3(step[0], step[1], step[2]);
    pose->translation = vec3_add(pose->translation, shift);
    if (vec3_length(shift) < 1e-7) break;
  }
  return sum;
}

/* Returns the pose in which the thigh leans 20 degrees towards direction `turn` of the circle. */
static syn_pose circumduction(const syn_hip_axes *axes, syn_vec3 center, double turn) {
  const syn_vec3 axis = vec3_madd(vec3_scale(axes->flexion, cos(turn)), sin(turn), axes->adduction);
  return syn_pose_about_axis(center, axis, elevation);
}

/* Finds the point x whose images M x scatter least over the poses: least squares of (R - mean R) x = -(t - mean t). */
static bool stillest_point(const syn_pose poses[POSES], syn_vec3 near, syn_vec3 *stillest) {
  double mean[3][4] = {{0}}, a[9] = {0}, x[3] = {0};
  for (int p = 0; p < POSES; ++p)
    for (int row = 0; row < 3; ++row) {
      const syn_vec3 r = poses[p].rotation.row[row];
      /* Relative to `near`, so that large coordinates lose no digits. */
      const double shifted = vec3_at(syn_pose_point(&poses[p], near), row);
      const double line[4] = {r.x, r.y, r.z, shifted};
      for (int j = 0; j < 4; ++j) mean[row][j] += line[j] / POSES;
    }
  for (int p = 0; p < POSES; ++p)
    for (int row = 0; row < 3; ++row) {
      const syn_vec3 r = poses[p].rotation.row[row];
      const double shifted = vec3_at(syn_pose_point(&poses[p], near), row) - mean[row][3];
      const double line[3] = {r.x - mean[row][0], r.y - mean[row][1], r.z - mean[row][2]};
      for (int j = 0; j < 3; ++j) {
        x[j] -= line[j] * shifted;
        for (int k = 0; k < 3; ++k) a[j * 3 + k] += line[j] * line[k];
      }
    }
  if (!syn_solve_symmetric(a, x, 3, 1e-9)) return false;
  *stillest = vec3_add(near, vec3(x[0], x[1], x[2]));
  return true;
}

/* The poses of the circumduction, each shifted independently. */
typedef struct circle {
  const functional *f;
  const syn_hip_axes *axes;
  syn_vec3 start;
  syn_pose poses[POSES];
  double sums[POSES];
} circle;

static void settle_poses(void *user, size_t begin, size_t end) {
  circle *c = user;
  for (size_t p = begin; p < end; ++p) {
    c->poses[p] = circumduction(c->axes, c->start, 2 * SYN_PI * (double)p / POSES);
    c->sums[p] = settle(c->f, &c->poses[p]);
  }
}

static syn_center run(const syn_context *context, const functional *f, const syn_hip_axes *axes, syn_vec3 start) {
  circle c = {.f = f, .axes = axes, .start = start};
  double sum = 0;
  syn_parallel_for(context, POSES, 1, settle_poses, &c);
  for (int p = 0; p < POSES; ++p) sum += c.sums[p];
  syn_vec3 center;
  if (!stillest_point(c.poses, start, &center)) return center_unknown("the circumduction does not determine a centre");
  return (syn_center){true, center, NAN, sqrt(sum / ((double)POSES * (double)f->count)), NULL};
}

/* Every n-th point is enough: distances change slowly along the surface. */
static syn_status prepare(const syn_context *context, const syn_joint_points *points, double gap_mm, functional *f,
                          syn_vec3 **kept, syn_error *error) {
  const size_t stride = points->lunate_count / MOST_POINTS + 1;
  SYN_TRY(SYN_NEW(context, kept, points->lunate_count / stride + 1, error));
  SYN_TRY(SYN_NEW(context, &f->wanted, points->lunate_count / stride + 1, error));
  const syn_pose as_it_lies = syn_pose_identity();
  for (size_t i = 0; i < points->lunate_count; i += stride) {
    syn_vec3 outward;
    (*kept)[f->count] = points->lunate[i];
    f->wanted[f->count++] = isnan(gap_mm) ? gap_at(f->femur, &as_it_lies, points->lunate[i], &outward) : gap_mm;
  }
  f->points = *kept;
  return SYN_OK;
}

syn_status syn_center_functional(const syn_context *context, const syn_trimesh *femur, const syn_joint_points *points,
                                 const syn_hip_axes *axes, syn_vec3 start, double gap_mm, syn_center *center,
                                 syn_error *error) {
  syn_derived *surface;
  SYN_TRY(syn_derive(femur, &syn_derive_surface, &surface, error));
  functional f = {.femur = derived_surface(surface)};
  syn_vec3 *kept = NULL;
  const syn_status status = prepare(context, points, gap_mm, &f, &kept, error);
  if (status == SYN_OK) *center = run(context, &f, axes, start);
  syn_free(context, kept);
  syn_free(context, f.wanted);
  syn_derived_release(surface);
  return status;
}
