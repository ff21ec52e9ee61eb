/* Computes contact pressure at a pose, for a viewer: an elastic foundation on the layers of the hip, created by the
 * first request. */
#ifndef SYN_VIEW_PRESSURE_H
#define SYN_VIEW_PRESSURE_H

#include <synovia/pressure.h>

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
