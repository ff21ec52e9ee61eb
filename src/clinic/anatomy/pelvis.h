/* The steps of finding a pelvis. They work on a copy of the bone in its own coordinates: principal axes whose
 * directions follow from the shape, even if that makes a left-handed triple. So a rotated or mirrored bone has the same
 * coordinates, and no result depends on the orientation of the scene. */
#ifndef SYN_CLINIC_PELVIS_H
#define SYN_CLINIC_PELVIS_H

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/anatomy/anatomy.h"

/* ---- the bone in its own coordinates ----------------------------------------------------------------------------- */

/* Points of a bone in its own coordinates. */
typedef struct syn_bone_points {
  uint32_t count;
  const syn_vec3 *points;
  const double *areas;       /* area of the surface that each represents; 0: not part of it */
  const uint32_t *component; /* SYN_NONE: of a small component */
} syn_bone_points;

typedef struct syn_bone {
  syn_arena arena; /* owns the arrays */
  uint32_t vertex_count, triangle_count;
  syn_triangle *triangles;    /* counter-clockwise in own coordinates, too */
  syn_vec3 *points, *normals; /* per vertex; normals point out of the bone */
  double *areas;              /* a third of the triangles around the vertex */
  uint32_t *component;        /* per vertex: the lowest vertex connected with it by triangles */
  syn_vec3 origin, axes[3];   /* own coordinates are products with the axes, from the origin */
  syn_vec3 extent;            /* largest minus smallest coordinate */
  syn_bone_points all;        /* its vertices */
  syn_bone_points coarse;     /* the surface by some 1500 points that follow from the shape, not from its numbering */
  double child;               /* 1, or the size of the femoral head relative to an adult's */
} syn_bone;

/* Fails with SYN_BAD_MESH if the bone is too small, too large or too flat to be a pelvis in mm. */
syn_status syn_bone_create(const syn_context *context, const syn_trimesh *mesh, syn_bone *bone, syn_error *error);
void syn_bone_release(syn_bone *bone);
syn_vec3 syn_bone_inward(const syn_bone *bone, syn_vec3 scene_point); /* scene to own coordinates */
syn_vec3 syn_bone_direction_outward(const syn_bone *bone, syn_vec3 own);
syn_vec3 syn_bone_outward(const syn_bone *bone, syn_vec3 own);

/* ---- profiles: a bone seen from the centre of its cup ------------------------------------------------------------ */

/* A half plane through `center`: angles run from `start` towards `toward` (unit, at right angles), 0 to pi. */
typedef struct syn_profile {
  syn_vec3 center, start, toward;
  double from;     /* angle at which the walk begins */
  double farthest; /* max distance at which bone counts */
} syn_profile;

/* Walks along the bone that faces the centre to the last angle at which it is seen without a gap: the silhouette edge
 * seen from the centre. `only` (may be NULL) leaves just triangles whose three vertices it marks. False where there is
 * no bone at `from`. */
bool syn_profile_edge(const syn_vec3 *points, const syn_triangle *triangles, size_t triangle_count, const uint8_t *only,
                      const syn_profile *profile, syn_vec3 *edge, double *angle);

/* ---- the cup ----------------------------------------------------------------------------------------------------- */

typedef struct syn_cup {
  syn_sphere_fit sphere;
  syn_vec3 normal;     /* opening direction of the cup; normal of the rim's plane once that is known */
  double solid_angle;  /* of the joint surface, seen from the centre */
  syn_vec3 rim_center; /* of the plane fitted to the rim */
  double start;        /* polar angle of the middle of the joint surface */
} syn_cup;

enum { SYN_CUP_CANDIDATES = 8 };

/* Finds the cups of the bone, best first. With `head` (own coordinates) the first is the one around it. */
syn_status syn_cups_find(syn_bone *bone, const syn_sphere_fit *head, syn_cup cups[SYN_CUP_CANDIDATES], size_t *count,
                         syn_error *error);
/* Returns whether a vertex is on the joint surface: near the sphere and facing its centre. */
bool syn_cup_has_vertex(const syn_cup *cup, const syn_bone *bone, uint32_t vertex);

/* Finds the rim at equal angles about the cup's normal through the sphere's centre, from the projection of `up`, then
 * towards `front`; across the notch it is interpolated. Rotates the normal until the rim's plane agrees with it.
 * Returns false if the cup has no rim. `on_clock`: up and front are those of the pelvis, so that the notch is between
 * 4:30 and 7:30; otherwise any deep drop counts as the notch. */
syn_status syn_rim_find(syn_bone *bone, syn_cup *cup, syn_vec3 up, syn_vec3 front, bool on_clock,
                        syn_vec3 rim[SYN_RIM_POINTS], bool *found, syn_error *error);

/* ---- landmarks --------------------------------------------------------------------------------------------------- */

typedef enum syn_spine {
  SYN_SPINE_ASIS,
  SYN_SPINE_PSIS,
  SYN_SPINE_AIIS,
  SYN_SPINE_PUBIC_TUBERCLE,
  SYN_SPINE_ISCHIAL_SPINE,
  SYN_SPINE_ISCHIAL_TUBEROSITY,
  SYN_SPINE_SYMPHYSIS, /* most medial point of the pubis */
  SYN_SPINES
} syn_spine;

/* Right-handed in a right hip, left-handed in a left one, so that one description serves both. */
typedef struct syn_side_frame {
  syn_vec3 lateral, front, up;
} syn_side_frame;

/* One hip bone. */
typedef struct syn_half {
  syn_cup cup;
  uint32_t component;          /* of its vertices; SYN_NONE: all components */
  syn_vec3 beyond, middle;     /* and those p with dot(p - middle, beyond) >= 0 */
  syn_side_frame frame;        /* of a typical hip bone fitted to this one */
  double scale;                /* of the typical bone */
  syn_vec3 origin;             /* its hip centre */
  syn_side_frame view;         /* in which landmarks protrude: that of the pelvis, once known */
  uint32_t vertex[SYN_SPINES]; /* SYN_NONE if not found */
  double misfit;               /* rms distance of the landmarks from the typical ones, scaled to its size: mm */
} syn_half;

/* Fits a typical hip bone to the half, starting from its cup. `handed`: +1 or -1 for a frame of that handedness in the
 * bone's own coordinates, 0 to find out; *rival gets the misfit of the other one (INFINITY if not tried). */
void syn_spines_find(const syn_bone *bone, int handed, syn_half *half, double *rival);
/* Picks the landmarks again, seen in half->view, from all vertices; returns true if they stay the same. */
bool syn_spines_pick(const syn_bone *bone, syn_half *half);
/* Returns 1 in the typical position, a half at 20 mm from it, for a bone of typical size. */
double syn_spine_confidence(const syn_bone *bone, const syn_half *half, syn_spine spine);

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* Estimates the lateral axis of a pelvis from a single half. */
syn_vec3 syn_half_lateral(const syn_bone *bone, const syn_half *half);
/* ISB: lateral as given, front from PSIS to ASIS at right angles to it. Returns false if both are parallel. */
bool syn_side_frame_make(syn_vec3 lateral, syn_vec3 asis, syn_vec3 psis, bool mirrored, syn_side_frame *frame);
bool syn_side_frame_mirrored(const syn_side_frame *frame); /* Returns whether the frame is left-handed. */
/* Convert a frame in the scene to the sense of clinic.h, and back. */
syn_hip_axes syn_hip_axes_of(const syn_side_frame *frame, syn_side side);
syn_side_frame syn_side_frame_of(const syn_hip_axes *axes, syn_side side);

#endif
