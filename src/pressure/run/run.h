/* A run while it goes on: methods are rows of a table and keep their steps by the calls below. */
#ifndef SYN_PRESSURE_RUN_INSIDE_H
#define SYN_PRESSURE_RUN_INSIDE_H

#include <synovia/pressure_run.h>

#include "base/memory.h"
#include "base/vec.h"

typedef struct pressure_method {
  syn_pressure_method about;
  bool needs_layers, knows_stress;
  syn_status (*run)(syn_pressure *pressure, const syn_pressure_options *options, syn_error *error);
} pressure_method;
extern const pressure_method pressure_by_fem, pressure_by_foundation, pressure_by_estimate;

/* Triangles of the articular faces of the layers, and memory for `steps` of their fields. */
syn_status pressure_make_surface(const syn_context *context, const syn_layer *layer, size_t steps, bool with_stress,
                                 syn_pressure_surface *surface, syn_error *error);
void pressure_release_surface(const syn_context *context, syn_pressure_surface *surface);
/* Keeps values of all nodes of the layer as those of the surface at a step; NAN becomes 0 for pressures. */
void pressure_keep_field(const syn_pressure_surface *surface, const double *values, size_t step, double *kept);

/* Layers of the closed bodies of cartilage of a joint, with tetrahedra as large as the triangles of their surfaces. */
syn_status pressure_closed_layers(syn_pressure *pressure, syn_error *error);

/* Gives bare bone of a layer elements that do not deform, as finite elements need them. */
syn_status pressure_back_bone(syn_layer *layer, syn_error *error);

/* Reports progress after a step; SYN_CANCELLED: stop. */
syn_status pressure_tell(const syn_pressure *pressure, syn_error *error);

#endif
