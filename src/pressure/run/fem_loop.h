/* A run by finite elements that can be continued: whoever keeps its steps also keeps the state after each of them. */
#ifndef SYN_PRESSURE_FEM_LOOP_H
#define SYN_PRESSURE_FEM_LOOP_H

#include <synovia/pressure.h>

typedef struct pressure_resume {
  void *user;
  size_t done;                    /* instants that are known already: they are not reported again */
  const syn_pressure_step *steps; /* of those */
  /* Puts the contact problem into the state after them; only if there are any. */
  syn_status (*restore)(void *user, syn_contact_problem *bearing, syn_error *error);
  /* Called after each report. */
  syn_status (*keep)(void *user, const syn_contact_problem *bearing, syn_error *error);
} pressure_resume;

/* syn_pressure_fem_run, with `resume` (NULL: from the begin to the end). */
syn_status syn_pressure_fem_resume(const syn_context *context, const syn_layer *socket, const syn_layer *head,
                                   syn_vec3 center, const syn_loaded_pose *poses, size_t count,
                                   const syn_pressure_fem_options *options, const pressure_resume *resume,
                                   syn_pressure_report *report, void *user, syn_error *error);

#endif
