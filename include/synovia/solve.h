/* Synovia: equations of tissue and pressure, solved by one process or by several that share the work.
 *
 * Experimental: may change in any release. */
#ifndef SYNOVIA_SOLVE_H
#define SYNOVIA_SOLVE_H

#include <synovia/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The ranks of a communicator: processes that mpirun started together and that work on one problem. Through PETSc,
 * where it is installed. */
typedef struct syn_ranks syn_ranks;
/* Starts MPI. Every process calls it, once in its life. SYN_NO_PROGRAM where PETSc is missing. Release with
 * syn_ranks_destroy, which ends MPI. */
SYN_API syn_status syn_ranks_create(const syn_context *context, syn_ranks **ranks, syn_error *error);
SYN_API void syn_ranks_destroy(syn_ranks *ranks); /* NULL is fine */
SYN_API uint32_t syn_ranks_size(const syn_ranks *ranks);
SYN_API uint32_t syn_ranks_rank(const syn_ranks *ranks); /* of this process, from 0 */

#ifdef __cplusplus
}
#endif
#endif
