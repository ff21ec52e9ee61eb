/* Reports a pose to a viewer: depths on every body, clearances, contacts, and the free rotations from there. */
#ifndef SYN_VIEW_POSE_H
#define SYN_VIEW_POSE_H

#include <jansson.h>

#include <synovia/pressure.h>

#include "report/display.h"
#include "report/page_content.h"

typedef struct syn_view_poser syn_view_poser;

/* The fields that follow the pose, for the page: without values until a pose is queried. */
enum { SYN_VIEW_FIELDS = 3, SYN_VIEW_JOINT_FIELDS = 2 /* the first ones: of a joint that is not a hip */ };
void syn_view_field(size_t index, const double *unknown, syn_report_field *field);

/* Prepares all pose queries for the current hip. `analysis` and `displays` (by part) are borrowed. Release with
 * syn_view_poser_destroy. */
syn_status syn_view_poser_create(const syn_context *context, const syn_hip_analysis *analysis,
                                 const syn_display *displays, syn_view_poser **poser, syn_error *error);
/* Does the same for a joint that is not a hip; `displays` by body. */
syn_status syn_view_poser_create_joint(const syn_context *context, const syn_joint_analysis *joint,
                                       const syn_display *displays, syn_view_poser **poser, syn_error *error);
void syn_view_poser_destroy(syn_view_poser *poser); /* NULL is fine */

/* Answers {"matrix": 12 numbers, "field": name} as defined in web/src/live/protocol.ts; free() the bytes. */
syn_status syn_view_poser_answer(syn_view_poser *poser, const json_t *request, char **bytes, size_t *size,
                                 syn_error *error);

/* ---- view pressure --------------------------------------------------------------------------------------------- */
/* Computes contact pressure at a pose, for a viewer: an elastic foundation on the layers of the hip, created by the
 * first request. */

typedef struct syn_view_pressure syn_view_pressure;

/* Returns SYN_OK with *pressure NULL if the hip has no layers, for instance without a head or a socket. */
syn_status syn_view_pressure_create(const syn_context *context, const syn_hip_case *hip_case,
                                    syn_view_pressure **pressure, syn_error *error);
void syn_view_pressure_destroy(syn_view_pressure *pressure); /* NULL is fine */

/* Computes the pressure on every vertex of each part, NAN without pressure; NULL for missing parts. Valid until the
 * next call. *step is the equilibrium; returns false if there is none, and then no vertex has a pressure. */
bool syn_view_pressure_at(syn_view_pressure *pressure, const syn_pose *pose, syn_pressure_step *step);
const double *syn_view_pressure_on(const syn_view_pressure *pressure, syn_hip_part part);

#endif
