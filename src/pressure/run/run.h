/* Internal interface of a run: methods are rows of a table and store their steps by the calls below. */
#ifndef SYN_PRESSURE_RUN_INSIDE_H
#define SYN_PRESSURE_RUN_INSIDE_H

#include <synovia/pressure.h>

#include "base/memory.h"
#include "base/vec.h"

typedef struct pressure_method {
  syn_pressure_method about;
  bool needs_layers, knows_stress;
  syn_status (*run)(syn_pressure *pressure, const syn_pressure_options *options, syn_error *error);
} pressure_method;
extern const pressure_method syn_pressure_by_fem, syn_pressure_by_foundation, syn_pressure_by_estimate;

/* Makes triangles of the articular faces of a layer, and allocates `steps` fields on them. */
syn_status syn_pressure_make_surface(const syn_context *context, const syn_layer *layer, size_t steps, bool with_stress,
                                     syn_pressure_surface *surface, syn_error *error);
void syn_pressure_release_surface(const syn_context *context, syn_pressure_surface *surface);
/* Stores values of the layer's nodes as those of the surface at a step; NAN becomes 0 for pressures. */
void syn_pressure_keep_field(const syn_pressure_surface *surface, const double *values, size_t step, double *kept);

/* Makes layers of the closed bodies of cartilage of a joint, with tetrahedra as large as the triangles of their
 * surfaces. */
syn_status syn_pressure_closed_layers(syn_pressure *pressure, syn_error *error);

/* Gives bare bone of a layer elements that do not deform, as finite elements need them. */
syn_status syn_pressure_back_bone(syn_layer *layer, syn_error *error);

/* Returns the maximum compression of the loaded columns of a layer, relative to their thickness. `below` of each
 * node is the one under it in its column; SYN_NONE for the lowest. */
double syn_pressure_column_strain(const syn_layer *layer, const uint32_t *below, const syn_vec3 *positions,
                                  const double *pressure_mpa);
/* Sets strain and marks of all steps and the count of invalid ones, and warns of each mark. */
syn_status syn_pressure_check_validity(syn_pressure *pressure, const syn_pressure_options *options, syn_error *error);

/* Computes peaks with other thicknesses if that of the cartilage is assumed, and warns with them. */
syn_status syn_pressure_vary_assumed(syn_pressure *pressure, const syn_pressure_options *options, syn_error *error);

/* Reports progress after a step; SYN_CANCELLED: stop. */
syn_status syn_pressure_tell(const syn_pressure *pressure, syn_error *error);

#endif
