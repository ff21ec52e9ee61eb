/* The table of solvers behind a system: a row per solver, in its own file. A solver knows the system that it solves
 * and no other solver; system.c chooses. */
#ifndef SYN_SOLVE_SYSTEM_SOLVER_H
#define SYN_SOLVE_SYSTEM_SOLVER_H

#include "solve/block_matrix.h"
#include "solve/ranks.h"

typedef struct syn_system_solver {
  const char *name;
  bool direct;      /* else iterative: it may fail where a direct one succeeds */
  bool distributed; /* over ranks; else in one process, and for many loads at once */
  /* Creates system->state for the pattern. If the solver does not suit the system it sets `unsuitable` instead. */
  syn_status (*create)(syn_system *system, syn_error *error);
  /* As syn_system_update; *node is SYN_NONE already. */
  syn_status (*update)(syn_system *system, const double (*blocks)[9], uint32_t *node, syn_error *error);
  /* As syn_system_solve; of a distributed solver count is 1. */
  syn_status (*solve)(syn_system *system, uint32_t count, const syn_vec3 *loads, syn_vec3 *displacements,
                      syn_error *error);
  void (*destroy)(syn_system *system); /* state may be NULL */
  double (*bytes)(const syn_system *system);
} syn_system_solver;

/* Why a solver is not suitable for a system. */
typedef enum system_obstacle {
  SYSTEM_SUITABLE,
  SYSTEM_TOO_WIDE, /* too many unknowns between the regions of the ranks */
  SYSTEM_TOO_LARGE /* the factor does not fit into memory */
} system_obstacle;

struct syn_system {
  const syn_context *context;
  const syn_pattern *pattern;
  syn_arena arena;     /* of what follows */
  uint8_t *prescribed; /* of each node */
  syn_vec3 *positions; /* NULL: not given */
  uint32_t *owner;     /* rank of each node; NULL: one process */
  uint32_t coupled;
  syn_ranks *ranks;
  double tolerance;
  const syn_system_solver *solver;
  void *state;                /* the solver's; NULL before create */
  const double (*blocks)[9];  /* of the last update */
  size_t separator_unknowns;  /* maximum number of unknowns between regions in the divided factorisation */
  bool any_memory;            /* the user decides: do not check the memory */
  system_obstacle unsuitable; /* obstacle found by the last create */
  bool may_fall_back;         /* to a direct solver where an iterative one fails */
  bool indefinite;            /* found by the last update or solve */
  uint32_t iterations;        /* of the last solve */
};

extern const syn_system_solver syn_cholmod_solver;
#ifdef SYN_PETSC
extern const syn_system_solver syn_divided_solver, syn_mumps_solver, syn_gamg_solver;
#endif

/* Returns whether a node has an unknown. */
static inline bool system_is_free(const syn_system *s, uint32_t node) { return s->prescribed[node] != SYN_XYZ; }

#endif
