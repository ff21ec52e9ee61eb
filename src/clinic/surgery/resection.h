/* What a resection is made of: a tool, which knows what has to go, and a cut, which moves the surface of the bone. */
#ifndef SYN_CLINIC_RESECTION_H
#define SYN_CLINIC_RESECTION_H

#include <synovia/surgery.h>

#include "base/vec.h"
#include "clinic/measure/measure_contour.h"

/* ---- tools --------------------------------------------------------------------------------------------------------
 */

/* A point about an axis. */
typedef struct syn_cut_point {
  double along, away, clock; /* mm, mm, radians from 12 o'clock towards the front: 0 to 2 pi */
} syn_cut_point;

/* Works in half planes about an axis: each keeps its points. */
typedef struct syn_cut_tool {
  syn_resection_kind kind;
  syn_clock_face face;
  double from, span; /* radians of the clock; a span of 2 pi or more is all round */
  double width_mm;   /* of the level part of a rim */
  /* A cam: the shape aimed at. */
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

/* How far the point stands out beyond what a cut of this depth leaves; 0 or less: it stays. Only its sign and its
 * zeros are exact. */
double syn_cut_height(const syn_cut_tool *tool, syn_vec3 point, double depth_mm);
/* Where the surface moves to from here: a point inside the bone, in the same half plane. Lines of different points do
 * not cross. */
syn_vec3 syn_cut_focus(const syn_cut_tool *tool, syn_vec3 point);

/* Is the point where the tool begins: before the isthmus of the neck, or on the rim? */
bool syn_cut_works_at(const syn_cut_tool *tool, syn_vec3 point);

/* Lies this hour, in radians, within those of the cut and so far from its ends? */
bool syn_cut_has_clock(const syn_cut_tool *tool, double clock, double margin);

/* Values at equal angles of the clock, between them. */
double syn_round_clock(const double *values, int count, double clock);
/* Each becomes the mean of itself and its neighbours, `rounds` times. */
void syn_even_clock(double *values, int count, int rounds);

/* ---- the cut ------------------------------------------------------------------------------------------------------
 */

/* The vertices of a bone that a tool moves, each along a line. */
typedef struct syn_cut {
  const syn_context *context;
  const syn_cut_tool *tool;
  const syn_trimesh *bone;    /* fine enough where it is cut; not owned */
  const syn_surface *surface; /* of the bone as it was; not owned */
  uint32_t count;
  uint32_t *vertex;           /* numbers of those that move */
  syn_vec3 *direction;        /* units */
  double *target;             /* how far the tool wants each at the depth of the last cut, mm along its line */
  double *reached;            /* how far it went */
  double *below;              /* its distance from the old surface there */
  double *longest;            /* how far it may go */
  syn_surface_point *nearest; /* of the vertices that still move, and where they are: work space */
  syn_vec3 *place;
  uint32_t *active;
} syn_cut;

/* `depth_mm` is the deepest cut that will be made. Release in any case. */
syn_status syn_cut_begin(const syn_context *context, const syn_cut_tool *tool, const syn_trimesh *bone,
                         const syn_surface *surface, double depth_mm, syn_cut *cut, syn_error *error);
void syn_cut_release(syn_cut *cut);
/* Moves every vertex to where the tool wants it, but no further below the old surface than `depth_mm`. Depths must not
 * decrease from call to call. */
syn_status syn_cut_to(syn_cut *cut, double depth_mm, syn_error *error);
/* How deep a cut must be so that nothing of a cam stands out; only before the first cut. */
syn_status syn_cut_full(syn_cut *cut, double *depth_mm, syn_error *error);
/* The bone after the last cut. */
syn_status syn_cut_bone(const syn_cut *cut, syn_trimesh **bone, syn_error *error);

/* ---- the plan -----------------------------------------------------------------------------------------------------
 */

/* A plan while it is made. */
typedef struct syn_resecting {
  syn_context quiet; /* warns nobody */
  syn_resection *made;
  const syn_trimesh *old; /* the bone as it was */
  syn_trimesh *fine;      /* the same with smaller triangles where it is cut */
  syn_surface *surface;   /* of the old one */
  double volume_mm3;      /* of the fine one */
  uint64_t crossings;     /* of its own triangles */
  syn_cut_tool tool;
  syn_cut cut;
  syn_rom **roms; /* one for each step; NULL before they are made */
  double voxel_mm[SYN_HIP_PARTS];
  double *angles; /* of the draws, while bands are found: [(after * draws + draw) * motion_count + motion] */
} syn_resecting;

/* The clock hour, on the face that the cut is on, of a contact on bone that such a cut removes; else NAN. */
double syn_resection_contact_hour(syn_resection_kind kind, const syn_contact_place *place);
/* Fills in the hours where the caller left both open: the contacts that stop the motions with an hour on each side, and
 * the usual sector where these meet it; the usual one alone where no such contact stops them. */
syn_status syn_resection_choose_sector(const syn_hip_case *hip_case, const syn_motion *const *motions,
                                       size_t motion_count, syn_resection_options *options, syn_error *error);
/* Warns of motions that end within an hour of the cut, outside it. */
void syn_resection_warn_beside(const syn_resection *resection);

/* SYN_CANCELLED where the caller's progress says so. */
syn_status syn_resection_go_on(const syn_resection *resection, const char *what, size_t done, size_t of,
                               syn_error *error);
/* Turns the hip with the bone of every step: limits, gains, and the bands of the last. */
syn_status syn_resection_turn(syn_resecting *p, syn_error *error);

#endif
