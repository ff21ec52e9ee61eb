/* Internal interface of a resection: a tool defines which bone to remove, and a cut moves the surface of the bone. */
#ifndef SYN_CLINIC_RESECTION_H
#define SYN_CLINIC_RESECTION_H

#include <synovia/surgery.h>

#include "base/vec.h"
#include "clinic/measure/measure_contour.h"

/* The bone that is cut. */
static inline syn_hip_part syn_resection_part(syn_resection_kind kind) {
  return kind == SYN_RESECTION_CAM ? SYN_HIP_FEMUR : SYN_HIP_PELVIS;
}

/* ---- tools ------------------------------------------------------------------------------------------------------- */

/* A point in cylindrical coordinates about an axis. */
typedef struct syn_cut_point {
  double along, away, clock; /* mm, mm, radians from 12 o'clock towards the front: 0 to 2 pi */
} syn_cut_point;

/* Works in half planes about an axis: points stay in theirs. */
typedef struct syn_cut_tool {
  syn_resection_kind kind;
  syn_clock_face face;
  double from, span; /* radians of the clock; a span of 2 pi or more is a full circle */
  double width_mm;   /* of the level part of a rim */
  /* A cam: the target shape. */
  double radius, alpha, isthmus, neck_end, fillet;
  double neck[SYN_CLOCK_STEPS]; /* distance of its surface from the axis */
  /* The rim. */
  double rim_along[SYN_RIM_POINTS], rim_away[SYN_RIM_POINTS];
  double focus_along[SYN_RIM_POINTS], focus_away[SYN_RIM_POINTS];
} syn_cut_tool;

syn_status syn_cut_tool_cam(const syn_hip_case *hip_case, const syn_resection_options *options, syn_cut_tool *tool,
                            syn_error *error);
syn_status syn_cut_tool_rim(const syn_hip_case *hip_case, const syn_resection_options *options,
                            const syn_surface *pelvis, syn_cut_tool *tool, syn_error *error);

/* Returns how far the point protrudes beyond the shape left by a cut of this depth; 0 or less: it stays. Only its sign
 * and its zeros are exact. */
double syn_cut_height(const syn_cut_tool *tool, syn_vec3 point, double depth_mm);

/* Returns whether this hour, in radians, is within those of the cut and this far from its ends. */
bool syn_cut_has_clock(const syn_cut_tool *tool, double clock, double margin);

/* ---- the cut ----------------------------------------------------------------------------------------------------- */

/* The vertices of a bone that a tool moves, each along a line. */
typedef struct syn_cut {
  const syn_context *context;
  const syn_cut_tool *tool;
  const syn_trimesh *bone;    /* fine enough where it is cut; not owned */
  const syn_surface *surface; /* of the original bone; not owned */
  uint32_t count;
  uint32_t *vertex;           /* indices of the moving vertices */
  syn_vec3 *direction;        /* unit vectors */
  double *target;             /* target of each at the depth of the last cut, mm along its line */
  double *reached;            /* current displacement */
  double *below;              /* its distance from the old surface there */
  double *longest;            /* max displacement */
  syn_surface_point *nearest; /* positions of the vertices that still move: work space */
  syn_vec3 *place;
  uint32_t *active;
} syn_cut;

/* Begins a cut; `depth_mm` is the deepest cut to be made. Release on success and on failure. */
syn_status syn_cut_begin(const syn_context *context, const syn_cut_tool *tool, const syn_trimesh *bone,
                         const syn_surface *surface, double depth_mm, syn_cut *cut, syn_error *error);
void syn_cut_release(syn_cut *cut);
/* Moves every vertex to its target, but no further below the old surface than `depth_mm`. Depths must not decrease from
 * call to call. */
syn_status syn_cut_to(syn_cut *cut, double depth_mm, syn_error *error);
/* Finds the depth at which nothing of a cam protrudes; only before the first cut. */
syn_status syn_cut_full(syn_cut *cut, double *depth_mm, syn_error *error);
/* Returns the bone after the last cut. */
syn_status syn_cut_bone(const syn_cut *cut, syn_trimesh **bone, syn_error *error);

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

/* A plan under construction. */
typedef struct syn_resecting {
  syn_context quiet; /* suppresses warnings */
  syn_resection *made;
  const syn_trimesh *old; /* the original bone */
  syn_trimesh *fine;      /* the same with smaller triangles where it is cut */
  syn_surface *surface;   /* of the old one */
  double volume_mm3;      /* of the fine one */
  uint64_t crossings;     /* intersections among the bone's triangles */
  syn_cut_tool tool;
  syn_cut cut;
  syn_rom **roms; /* one for each step; NULL before they are made */
  double voxel_mm[SYN_HIP_PARTS];
  double *angles; /* of the draws, while intervals are computed: [(after * draws + draw) * motion_count + motion] */
} syn_resecting;

/* Returns the clock hour, on the face of the cut, of a contact on bone that such a cut removes; else NAN. */
double syn_resection_contact_hour(syn_resection_kind kind, const syn_contact_place *place);
/* Fills in the hours if the caller left both open: the contacts that limit the motions with an hour on each side, and
 * the usual sector if both overlap; the usual one alone if no such contact limits them. */
syn_status syn_resection_choose_sector(const syn_hip_case *hip_case, const syn_motion *const *motions,
                                       size_t motion_count, syn_resection_options *options, syn_error *error);
/* Warns of motions whose contact is within an hour of the cut, outside it. */
void syn_resection_warn_beside(const syn_resection *resection);

/* Reports progress; SYN_CANCELLED if the caller cancels. */
syn_status syn_resection_go_on(const syn_resection *resection, const char *what, size_t done, size_t of,
                               syn_error *error);
/* Computes the range of motion with the bone of every step: limits, gains, and the 95 % intervals of the last. */
syn_status syn_resection_turn(syn_resecting *p, syn_error *error);

#endif
