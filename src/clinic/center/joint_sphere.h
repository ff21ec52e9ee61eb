/* Robust spheres of head and socket, with the uncertainty of their centres, and the shift that centres the head. */
#ifndef SYN_CLINIC_JOINT_SPHERE_H
#define SYN_CLINIC_JOINT_SPHERE_H

#include <synovia/clinic.h>

#include "base/memory.h"

/* Part of a surface: points, unit normals, and weights in mm². */
typedef struct syn_patch {
  syn_vec3 *points, *normals;
  double *weights;
  size_t count;
} syn_patch;

typedef struct syn_joint_sphere {
  syn_sphere_fit sphere;
  syn_mat3 covariance; /* of the centre, mm² */
} syn_joint_sphere;

/* Finds the vertices that the sphere of the femoral head is fitted to: of its surface beyond the neck. */
syn_status syn_head_patch(const syn_trimesh *femur, const syn_anatomy *anatomy, syn_arena *arena, syn_patch *patch,
                          syn_error *error);
/* Finds the vertices of the pelvis that face the head in its socket, away from the rim and from free edges. */
syn_status syn_socket_patch(const syn_trimesh *pelvis, const syn_anatomy *anatomy, syn_arena *arena, syn_patch *patch,
                            syn_error *error);
/* Keeps every n-th point, so that at most `most` remain. */
void syn_patch_thin(syn_patch *patch, size_t most);

/* Fits a sphere to the patch with its points at `points` by iteratively reweighted least squares (Tukey's biweight),
 * starting from fit->sphere: points further off the sphere than `reach_mm` do not count. False, with *fit as it was, if
 * the points determine none. */
bool syn_patch_sphere(const syn_patch *patch, const syn_vec3 *points, double reach_mm, syn_joint_sphere *fit);

/* Returns the distance from the head's sphere at which a point no longer belongs to it. */
double syn_head_reach(const syn_anatomy *anatomy);
/* Fits the sphere of the head that the femur rotates about: that of the anatomy, refined. */
syn_status syn_head_sphere(const syn_trimesh *femur, const syn_anatomy *anatomy, syn_joint_sphere *head,
                           syn_error *error);
/* Returns a root L of the covariance, lower triangular: L z has that covariance for three independent normal z. */
syn_mat3 syn_covariance_root(const syn_mat3 *covariance);

/* ---- centring ---------------------------------------------------------------------------------------------------- */

/* How head and socket fit into each other. */
typedef struct syn_centring {
  bool known;                    /* there is a sphere of the socket that the head fits into */
  const char *why_not;           /* NULL where known */
  double scanned_mm, centred_mm; /* spread of the joint space, as scanned and with the head in the middle */
  double socket_radius_mm;
  syn_vec3 shift; /* of the head, as far as it is shown to be better; 0: as scanned */
} syn_centring;

/* Compares the joint space of the socket's patch, at `points`, about the head as scanned and in the middle of the
 * socket. */
syn_centring syn_centring_find(const syn_patch *socket, const syn_vec3 *points, const syn_joint_sphere *head,
                               double *buffer);

#endif
