/* A finite element run that can be resumed: the caller stores its steps and the state after each of them. */
#ifndef SYN_PRESSURE_FEM_LOOP_H
#define SYN_PRESSURE_FEM_LOOP_H

#include <synovia/pressure.h>

typedef struct pressure_resume {
  void *user;
  size_t done;                    /* instants that are already solved: they are not reported again */
  const syn_pressure_step *steps; /* steps of those */
  /* Restores the state of the contact problem after them; called only if there are any. */
  syn_status (*restore)(void *user, syn_contact_problem *bearing, syn_error *error);
  /* Called after each report. */
  syn_status (*keep)(void *user, const syn_contact_problem *bearing, syn_error *error);
} pressure_resume;

/* As syn_pressure_fem_run, with `resume` (NULL: from the first instant). */
syn_status syn_pressure_fem_resume(const syn_context *context, const syn_layer *socket, const syn_layer *head,
                                   syn_vec3 center, const syn_loaded_pose *poses, size_t count,
                                   const syn_pressure_fem_options *options, const pressure_resume *resume,
                                   syn_pressure_report *report, void *user, syn_error *error);

#endif
