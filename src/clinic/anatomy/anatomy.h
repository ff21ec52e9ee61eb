/* Finds the anatomy bone by bone. Each finder fills the parts of `anatomy` that its bone determines and leaves the rest
 * unchanged; points given by the caller stay. */
#ifndef SYN_CLINIC_ANATOMY_H
#define SYN_CLINIC_ANATOMY_H

#include <synovia/clinic.h>

#include "base/status.h"

/* Fails with SYN_BAD_MESH if the size of a part called `name` cannot be computed, or exceeds that of any person: one
 * distant vertex makes every search slow. */
syn_status syn_check_part(const syn_trimesh *mesh, const char *name, syn_error *error);

/* Approximate position of the head, and its name in warnings and errors. */
typedef struct syn_toward {
  syn_vec3 place;
  const char *name;
  double socket_mm; /* radius of the socket about it; 0: unknown */
} syn_toward;

/* Finds side, head, neck, shaft, trochanters, condyles and head_vertices. Of two spherical ends the head is the one
 * nearer to `toward` (may be NULL); if none is spherical, it is the surface around that point. *below_head_mm is how
 * far the bone goes below its head's centre, along the shaft if there is one. */
syn_status syn_find_femur(const syn_context *context, const syn_trimesh *femur, const syn_anatomy_options *options,
                          const syn_toward *toward, syn_anatomy *anatomy, double *below_head_mm, syn_error *error);
/* Sets femur_axes, femur_frame and femur_frame_sd of a femur that was found: by its condyles; else by its shaft, its
 * neck and a pelvis whose frame is known; else by the axes of the scan. SYN_BAD_MESH if so little of the femur is there
 * that nothing shows how it is turned. */
syn_status syn_femur_frame(const syn_context *context, bool has_pelvis, double below_head_mm, syn_anatomy *anatomy,
                           syn_error *error);

/* Finds the acetabulum for a femur without a spherical head: of those in the pelvis the one nearest to the femur.
 * radius_mm 0: none. */
syn_status syn_find_socket(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                           syn_sphere_fit *socket, syn_error *error);

/* Finds acetabulum, rim, spines, tubercles, lunate_vertices and pelvis_axes with pelvis_frame; the side if no femur has
 * determined it (side_confidence still 0). `head` (may be NULL) is the femoral head in the cup. Axes that come with
 * pelvis_frame SYN_FRAME_GIVEN stay. The axes found are of the side that the shape of the pelvis gives, even if the
 * femur gives the other: its cup opens along the flexion axis in a right hip, against it in a left one. */
syn_status syn_find_pelvis(const syn_context *context, const syn_trimesh *pelvis, const syn_anatomy_options *options,
                           const syn_sphere_fit *head, syn_anatomy *anatomy, syn_error *error);

/* syn_anatomy.pelvis_frame_sd and femur_frame_sd of a frame of that source. `lateral_known`: of a partial pelvic frame,
 * both anterior spines are there, so that its flexion axis is not estimated. */
syn_vec3 syn_pelvis_frame_sd(syn_frame_source source, bool lateral_known);
syn_vec3 syn_femur_frame_sd(syn_frame_source source);

/* Warns if a given landmark is far from the detected one. */
void syn_doubt_landmark(const syn_context *context, syn_landmark which, const syn_found_point *given, syn_vec3 found);

/* Measure one bone each: set their entries of `measures`, value or reason. Those of the femur are about the head's own
 * centre, whatever the centre of rotation. */
syn_status syn_measure_femur(const syn_trimesh *femur, const syn_anatomy *anatomy, syn_measures *measures,
                             syn_error *error);
void syn_measure_pelvis(const syn_trimesh *pelvis, const syn_anatomy *anatomy, syn_vec3 center, syn_measures *measures);

#endif
