/* Computes a centre that follows the joint: the femur rotates about the centre of its head, which is moved to the
 * middle of its socket as far as that is shown to make the joint space more even (after Puls et al. 2010).
 *
 * Where a scan shows a head and a socket, the head is where it was. A sphere of the socket is less certain: its fossa,
 * its rim and steps of the segmentation draw it aside by millimetres. So the shift is multiplied by what is shown. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/statistics.h"
#include "base/vec.h"
#include "clinic/center/center.h"
#include "clinic/center/joint_sphere.h"
#include "geometry/small_matrix.h"

/* The socket is larger than its head by its cartilage, by at most this. */
static const double most_wider_mm = 5;
static const double socket_reach_mm = 1.5, first_reach_mm = 4; /* points of the socket further off do not count */
static const double least_share = 0.5;                         /* of the socket's surface, on its sphere */
/* What centring has to show: it takes away this part of the spread of the joint space, and leaves no more than this.
 * Between `none` and `all` the shift grows, so that it does not jump. In seven real hips it leaves 0.5 to 1.7 mm, and
 * shifts of the head under noise of 0.3 mm scatter by 2 mm: none is moved. */
static const double gain_none = 0.5, gain_all = 0.7;
static const double even_none_mm = 0.5, even_all_mm = 0.3;
/* A head that overlaps its socket as scanned was not there: this deep, the shift needs no other reason. */
static const double overlap_none_mm = 0.2, overlap_all_mm = 0.6;
static const double chance = 7.81; /* squared distances of 95 % of normal points in space, in deviations */

/* Computes the spread of the distances from a centre as a standard deviation, by the median. */
static double spread_about(const syn_vec3 *points, size_t count, syn_vec3 center, double *buffer) {
  const double deviation_per_median = 1.4826; /* of a normal variable */
  for (size_t i = 0; i < count; ++i) buffer[i] = vec3_distance(points[i], center);
  const double middle = syn_median(buffer, count);
  for (size_t i = 0; i < count; ++i) buffer[i] = fabs(buffer[i] - middle);
  return deviation_per_median * syn_median(buffer, count);
}

static int by_size(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

static double share_on(const syn_patch *patch, const syn_vec3 *points, const syn_sphere_fit *sphere) {
  double on = 0, all = 0;
  for (size_t i = 0; i < patch->count; ++i) {
    const double off = vec3_distance(points[i], sphere->center) - sphere->radius_mm;
    all += patch->weights[i];
    on += fabs(off) < socket_reach_mm ? patch->weights[i] : 0;
  }
  return on / all;
}

/* Starts from the head's centre with a wide reach, so that the start decides nothing. */
static bool fit_socket(const syn_patch *patch, const syn_vec3 *points, const syn_sphere_fit *head, double *buffer,
                       syn_joint_sphere *socket) {
  for (size_t i = 0; i < patch->count; ++i) buffer[i] = vec3_distance(points[i], head->center);
  *socket = (syn_joint_sphere){.sphere = {head->center, syn_median(buffer, patch->count), 0, 0}};
  for (double reach = first_reach_mm; reach > socket_reach_mm; reach -= 0.5)
    if (!syn_patch_sphere(patch, points, reach, socket)) return false;
  return syn_patch_sphere(patch, points, socket_reach_mm, socket);
}

/* Returns the squared length of a vector in standard deviations. */
static double squared_deviations(syn_vec3 v, const syn_mat3 *a, const syn_mat3 *b) {
  double m[9], x[3] = {v.x, v.y, v.z};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m[3 * i + j] = vec3_at(a->row[i], j) + vec3_at(b->row[i], j);
  if (!syn_solve_symmetric(m, x, 3, 1e-12)) return INFINITY;
  return v.x * x[0] + v.y * x[1] + v.z * x[2];
}

/* Returns how deep the socket reaches into the head, at the depth that a hundredth of its points exceeds. */
static double overlap_of(const syn_vec3 *points, size_t count, const syn_sphere_fit *head, double *buffer) {
  for (size_t i = 0; i < count; ++i) buffer[i] = head->radius_mm - vec3_distance(points[i], head->center);
  qsort(buffer, count, sizeof *buffer, by_size);
  return buffer[count - 1 - count / 100];
}

/* Rises from 0 at `none` to 1 at `all`. */
static double part_between(double none, double all, double value) {
  return min2(max2((value - none) / (all - none), 0), 1);
}

syn_centring syn_centring_find(const syn_patch *patch, const syn_vec3 *points, const syn_joint_sphere *head,
                               double *buffer) {
  enum { LEAST_POINTS = 40 };
  syn_centring found = {.why_not = "the surfaces of head and socket show no sphere of the socket"};
  syn_joint_sphere socket;
  if (patch->count < LEAST_POINTS || !fit_socket(patch, points, &head->sphere, buffer, &socket)) return found;
  found.socket_radius_mm = socket.sphere.radius_mm;
  const double wider = socket.sphere.radius_mm - head->sphere.radius_mm;
  found.why_not = "the spheres of head and socket do not fit into each other";
  if (!(wider > 0 && wider < most_wider_mm) || share_on(patch, points, &socket.sphere) < least_share) return found;
  const syn_vec3 shift = vec3_sub(socket.sphere.center, head->sphere.center);
  found.known = true;
  found.why_not = NULL;
  found.scanned_mm = spread_about(points, patch->count, head->sphere.center, buffer);
  found.centred_mm = spread_about(points, patch->count, socket.sphere.center, buffer);
  /* Shrink the shift by its uncertainty (James and Stein 1961), and by how little the space is more even. */
  const double deviations = squared_deviations(shift, &socket.covariance, &head->covariance);
  const double sure = deviations > chance ? 1 - chance / deviations : 0;
  const double gain = found.scanned_mm > 0 ? 1 - found.centred_mm / found.scanned_mm : 0;
  const double shown =
      part_between(gain_none, gain_all, gain) * part_between(even_none_mm, even_all_mm, found.centred_mm);
  const double overlap = overlap_of(points, patch->count, &head->sphere, buffer);
  const double impossible = part_between(overlap_none_mm, overlap_all_mm, overlap);
  found.shift = vec3_scale(shift, sure * max2(shown, impossible));
  return found;
}

syn_status syn_center_equidistant(const syn_trimesh *pelvis, const syn_trimesh *femur, const syn_anatomy *anatomy,
                                  syn_center *center, syn_vec3 *shift, syn_error *error) {
  syn_arena arena = {.context = femur->context};
  syn_patch socket;
  syn_joint_sphere head;
  double *buffer;
  *shift = vec3(0, 0, 0);
  *center = center_unknown(NULL);
  syn_status status = syn_head_sphere(femur, anatomy, &head, error);
  if (status == SYN_OK) status = syn_socket_patch(pelvis, anatomy, &arena, &socket, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &buffer, socket.count, error);
  if (status == SYN_OK) {
    const syn_centring found = syn_centring_find(&socket, socket.points, &head, buffer);
    *center = (syn_center){found.known, head.sphere.center, found.socket_radius_mm, found.centred_mm, found.why_not};
    if (!found.known) *center = center_unknown(found.why_not);
    *shift = found.shift;
  }
  syn_arena_release(&arena);
  return status;
}
