/* Checkpoint of a finite element run on disk: an interrupted run resumes after its last step. */
#ifndef SYN_PRESSURE_CHECKPOINT_H
#define SYN_PRESSURE_CHECKPOINT_H

#include "pressure/run/fem_loop.h"
#include "pressure/run/run.h"

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
