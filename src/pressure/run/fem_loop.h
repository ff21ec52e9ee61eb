/* The loop of finite elements over the instants of a motion. A run can be resumed: the caller stores its steps and the
 * state after each of them. */
#ifndef SYN_PRESSURE_FEM_LOOP_H
#define SYN_PRESSURE_FEM_LOOP_H

#include <synovia/pressure.h>

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
  const syn_loaded_pose *poses;
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

#endif
