/* Internal interface of a run: methods are rows of a table and store their steps by the calls below. */
#ifndef SYN_PRESSURE_RUN_INSIDE_H
#define SYN_PRESSURE_RUN_INSIDE_H

#include <synovia/pressure.h>

#include "base/memory.h"
#include "base/vec.h"

static inline bool is_valid_step(const syn_pressure_step *step) { return !(step->marks & SYN_PRESSURE_INVALID); }

typedef struct pressure_method {
  const char *name;
  bool needs_layers, knows_stress;
  syn_status (*run)(syn_pressure *pressure, const syn_pressure_options *options, syn_error *error);
} pressure_method;
extern const pressure_method syn_pressure_by_fem, syn_pressure_by_foundation, syn_pressure_by_estimate;

/* Stores values of the layer's nodes as those of the surface at a step; NAN becomes 0 for pressures. */
void syn_pressure_keep_field(const syn_pressure_surface *surface, const double *values, size_t step, double *kept);

/* Makes layers of the closed bodies of cartilage of a joint, with tetrahedra as large as the triangles of their
 * surfaces. */
syn_status syn_pressure_closed_layers(syn_pressure *pressure, syn_error *error);

/* Returns the maximum compression of the loaded columns of a layer, relative to their thickness. `below` of each
 * node is the one under it in its column; SYN_NONE for the lowest. */
double syn_pressure_column_strain(const syn_layer *layer, const uint32_t *below, const syn_vec3 *positions,
                                  const double *pressure_mpa);
/* Sets strain and marks of all steps and the count of invalid ones, and warns of each mark. */
syn_status syn_pressure_check_validity(syn_pressure *pressure, const syn_pressure_options *options, syn_error *error);

/* Computes peaks with other thicknesses if that of the cartilage is assumed, and warns with them. */
syn_status syn_pressure_vary_assumed(syn_pressure *pressure, const syn_pressure_options *options, syn_error *error);

/* Reports progress after a step; SYN_CANCELLED: stop. */
syn_status syn_pressure_report_progress(const syn_pressure *pressure, syn_error *error);

/* ---- finite elements, instant by instant --------------------------------------------------------------------------
 */

/* Fields of one instant, with numbers for each node of a layer, socket first. Borrowed, until the callback returns. */
typedef struct pressure_fields {
  syn_contact_solution solution;
  const syn_sym3 *stress[2];                /* NULL for a layer without elements */
  const syn_contact_comparison *comparison; /* of the first instant, with `results`; else NULL */
} pressure_fields;

typedef struct pressure_resume {
  void *user;
  size_t done;                    /* instants that are already solved: they are not reported again */
  const syn_pressure_step *steps; /* steps of those */
  /* Restores the state of the contact problem after them; called only if there are any. */
  syn_status (*restore)(void *user, syn_contact_problem *problem, syn_error *error);
  /* Called after each report. */
  syn_status (*keep)(void *user, const syn_contact_problem *problem, syn_error *error);
} pressure_resume;

/* Two layers through a motion under load; one of them may have faces and no elements: a rigid surface. */
typedef struct fem_loop {
  const syn_context *context;
  const syn_layer *layers[2]; /* socket, on the proximal bone, and head */
  syn_vec3 center;            /* of rotation between two instants */
  const syn_load_step *poses;
  size_t count;
  const syn_pressure_fem_options *options; /* NULL: defaults */
  const pressure_resume *resume;           /* NULL: from the first instant */
  /* Called for each solved instant, in order (NULL: never); a status other than SYN_OK stops the run and becomes its
   * status. */
  syn_status (*report)(void *user, const syn_pressure_step *step, const pressure_fields *fields, syn_error *error);
  void *user;
} fem_loop;

/* Solves for the contact at each pose. */
syn_status syn_pressure_fem_run(const fem_loop *loop, syn_error *error);

/* ---- checkpoint of such a run on disk: an interrupted run resumes after its last step -----------------------------
 */

typedef struct pressure_checkpoint {
  syn_pressure *pressure;
  const char *path;
  syn_ranks *ranks; /* NULL: one process; else rank 0 writes, and all ranks read */
  char digits[65];  /* hash of everything that the answers depend on */
  char *state;      /* state of the contact problem after the steps that were read; NULL: no steps */
  size_t state_size;
} pressure_checkpoint;

/* Reads the steps of an earlier run of the same problem into `pressure`; no steps if there is no such file, or with
 * `restart`. A file of another problem is reported and not used. Release in any case. */
syn_status syn_pressure_checkpoint_open(pressure_checkpoint *checkpoint, const syn_pressure_options *options,
                                        bool restart, syn_error *error);
void syn_pressure_checkpoint_release(pressure_checkpoint *checkpoint);
/* Returns the resume of a fem_loop. */
pressure_resume syn_pressure_checkpoint_resume(pressure_checkpoint *checkpoint);

#endif
