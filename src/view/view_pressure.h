/* Contact pressure at a pose, for a viewer: an elastic foundation on the layers of the hip, made when it is first asked
 * for. */
#ifndef SYN_VIEW_PRESSURE_H
#define SYN_VIEW_PRESSURE_H

#include <synovia/pressure_run.h>

typedef struct syn_view_pressure syn_view_pressure;

/* SYN_OK with *pressure NULL where the hip has no layers, such as one without a head or a socket. */
syn_status syn_view_pressure_create(const syn_context *context, const syn_hip_case *hip_case,
                                    syn_view_pressure **pressure, syn_error *error);
void syn_view_pressure_destroy(syn_view_pressure *pressure); /* NULL is fine */

/* Pressure on every vertex of each part, NAN where there is none; NULL for parts that are missing. Valid until the next
 * call. *step is the balance; false where there is none, and then nothing presses. */
bool syn_view_pressure_at(syn_view_pressure *pressure, const syn_pose *pose, syn_pressure_step *step);
const double *syn_view_pressure_on(const syn_view_pressure *pressure, syn_hip_part part);

#endif
