/* A run by finite elements on disk while it goes on: killed and started again, it continues after its last step. */
#ifndef SYN_PRESSURE_CHECKPOINT_H
#define SYN_PRESSURE_CHECKPOINT_H

#include "pressure/run/fem_loop.h"
#include "pressure/run/run.h"

typedef struct pressure_checkpoint {
  syn_pressure *pressure;
  const char *path;
  syn_ranks *ranks; /* NULL: one process; else the first one writes, and all read */
  char digits[65];  /* of everything that the answers depend on */
  char *state;      /* of contact after the steps that were read; NULL: none */
  size_t state_size;
} pressure_checkpoint;

/* Reads the steps that an earlier run of the same problem kept into `pressure`; none where there is no such file, or
 * with `restart`. A file of another problem is reported and not used. Release in any case. */
syn_status syn_pressure_checkpoint_open(pressure_checkpoint *checkpoint, const syn_pressure_options *options,
                                        bool restart, syn_error *error);
void syn_pressure_checkpoint_release(pressure_checkpoint *checkpoint);
/* For syn_pressure_fem_resume. */
pressure_resume syn_pressure_checkpoint_resume(pressure_checkpoint *checkpoint);

#endif
