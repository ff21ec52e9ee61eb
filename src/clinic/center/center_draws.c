#include "clinic/center/center_draws.h"

#include "base/vec.h"

enum { HEAD_POINTS = 1500, SOCKET_POINTS = 600 }; /* more change nothing but the time */

static syn_centring centring_of(const syn_center_draws *d, const syn_vec3 *points, const syn_joint_sphere *head,
                                double *buffer) {
  return syn_centring_find(&d->socket, points, head, buffer);
}

static syn_status add_socket(syn_center_draws *d, const syn_trimesh *pelvis, const syn_anatomy *anatomy,
                             syn_error *error) {
  double *buffer;
  SYN_TRY(syn_socket_patch(pelvis, anatomy, &d->arena, &d->socket, error));
  syn_patch_thin(&d->socket, SOCKET_POINTS);
  SYN_TRY(SYN_TAKE(&d->arena, &buffer, d->socket.count, error));
  d->shift = centring_of(d, d->socket.points, &d->fit, buffer).shift;
  return SYN_OK;
}

syn_status syn_center_draws_make(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                                 const syn_anatomy *anatomy, syn_vec3 center, syn_vec3 shift,
                                 const syn_band_options *options, syn_center_draws *draws, syn_error *error) {
  const double same_mm = 1e-6; /* a centre that was written and read */
  *draws = (syn_center_draws){.arena = {.context = context}, .root = syn_band_center_root(options)};
  if (!femur || !anatomy || !(anatomy->head.radius_mm > 0) || options->center_mm > 0) return SYN_OK;
  SYN_TRY(syn_head_sphere(femur, anatomy, &draws->fit, error));
  if (vec3_distance(draws->fit.sphere.center, center) > same_mm) return SYN_OK;
  draws->follows = true;
  draws->root = syn_covariance_root(&draws->fit.covariance);
  draws->reach_mm = syn_head_reach(anatomy);
  SYN_TRY(syn_head_patch(femur, anatomy, &draws->arena, &draws->head, error));
  syn_patch_thin(&draws->head, HEAD_POINTS);
  if (!syn_patch_sphere(&draws->head, draws->head.points, draws->reach_mm, &draws->fit)) draws->head.count = 0;
  return pelvis && vec3_length(shift) > 0 ? add_socket(draws, pelvis, anatomy, error) : SYN_OK;
}

/* Fits the same points of the moved surfaces, and takes the change. */
static syn_status follow_surfaces(const syn_center_draws *d, const syn_band_drawn *of, syn_arena *arena,
                                  syn_vec3 *center, syn_vec3 *shift, syn_error *error) {
  const syn_patch *head = &d->head, *socket = &d->socket;
  const double pelvis_voxel = of->scans[SYN_HIP_PELVIS].voxel_mm, femur_voxel = of->scans[SYN_HIP_FEMUR].voxel_mm;
  syn_joint_sphere fit = d->fit;
  syn_vec3 *moved;
  double *buffer;
  SYN_TRY(SYN_TAKE(arena, &moved, head->count + socket->count, error));
  SYN_TRY(SYN_TAKE(arena, &buffer, socket->count, error));
  SYN_TRY(syn_band_move_points(of->context, of->options, of->draw, SYN_HIP_FEMUR, femur_voxel, of->origin, head->points,
                               head->normals, head->count, moved, error));
  if (head->count && syn_patch_sphere(head, moved, d->reach_mm, &fit))
    *center = vec3_add(*center, vec3_sub(fit.sphere.center, d->fit.sphere.center));
  if (!socket->count) return SYN_OK;
  moved += head->count;
  SYN_TRY(syn_band_move_points(of->context, of->options, of->draw, SYN_HIP_PELVIS, pelvis_voxel, of->origin,
                               socket->points, socket->normals, socket->count, moved, error));
  *shift = vec3_add(*shift, vec3_sub(centring_of(d, moved, &fit, buffer).shift, d->shift));
  return SYN_OK;
}

syn_status syn_center_draws_find(const void *draws, const syn_band_drawn *drawn, syn_vec3 *center, syn_vec3 *shift,
                                 syn_error *error) {
  const syn_center_draws *d = draws;
  syn_arena arena = {.context = drawn->context};
  syn_status status = SYN_OK;
  if (drawn->surfaces && d->follows) status = follow_surfaces(d, drawn, &arena, center, shift, error);
  if (drawn->center) *center = vec3_add(*center, syn_band_center_offset(drawn->options, drawn->draw, &d->root));
  syn_arena_release(&arena);
  return status;
}
