/* A team's beginning and end, and what its members give one another. */
#include <string.h>

#include "tissue/team/inside.h"

#ifdef SYN_PETSC

/* PETSc would print its errors, catch signals and end the process: it is told to return codes alone. PETSc 3.22 also
 * lists options that nothing asked for, such as ours for a method that was not needed. What somebody else asks it to
 * print (PETSC_OPTIONS) goes where errors go: standard output belongs to the caller. */
static syn_status start(syn_team *team, syn_error *error) {
  const syn_petsc *p = &team->petsc;
  int rank, size;
  SYN_TRY(syn_petsc_load(&team->petsc, error));
  SYN_PETSC_TRY(p, PetscOptionsSetValue, NULL, "-no_signal_handler", "true");
  SYN_PETSC_TRY(p, PetscOptionsSetValue, NULL, "-options_left", "false");
  SYN_TRY(syn_petsc_check(p->PetscInitializeNoArguments(), "PetscInitialize", error));
  *p->out = stderr;
  SYN_PETSC_TRY(p, PetscPushErrorHandler, p->PetscReturnErrorHandler, NULL);
  team->world = *p->world;
  SYN_PETSC_TRY(p, MPI_Comm_rank, team->world, &rank);
  SYN_PETSC_TRY(p, MPI_Comm_size, team->world, &size);
  team->rank = (uint32_t)rank;
  team->size = (uint32_t)size;
  return SYN_OK;
}

syn_status syn_team_join(const syn_context *context, syn_team **team, syn_error *error) {
  *team = NULL;
  syn_team *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  const syn_status status = start(made, error);
  if (status == SYN_OK)
    *team = made;
  else
    syn_free(context, made);
  return status;
}

static void forget(const syn_team *team, team_gathering *g) {
  const syn_petsc *p = &team->petsc;
  p->VecScatterDestroy(&g->scatter);
  p->VecDestroy(&g->whole);
  p->VecDestroy(&g->spread);
}

void syn_team_forget_owners(syn_team *team) {
  for (int k = 0; k < 2; ++k) forget(team, &team->gatherings[k]);
}

void syn_team_leave(syn_team *team) {
  if (!team) return;
  syn_team_forget_owners(team);
  team->petsc.PetscFinalize();
  syn_free(team->context, team);
}

uint32_t syn_team_size(const syn_team *team) { return team->size; }
uint32_t syn_team_rank(const syn_team *team) { return team->rank; }

/* ---- gathering -----------------------------------------------------------------------------------------------------
 */

static syn_status prepare(const syn_team *team, uint32_t mine, uint32_t count, team_gathering *g, syn_error *error) {
  const syn_petsc *p = &team->petsc;
  if (g->scatter && g->count == count && g->mine == mine) return SYN_OK;
  forget(team, g);
  g->count = count;
  g->mine = mine;
  SYN_PETSC_TRY(p, VecCreateMPI, team->world, 3 * (PetscInt)mine, 3 * (PetscInt)count, &g->spread);
  SYN_PETSC_TRY(p, VecScatterCreateToAll, g->spread, &g->scatter, &g->whole);
  return SYN_OK;
}

/* The nodes of process 0 come first, then those of process 1 … */
static void copy_in_order(const syn_team *team, const uint32_t *owner, uint32_t node_count, syn_vec3 *values,
                          double *whole) {
  size_t next = 0;
  for (uint32_t rank = 0; rank < team->size; ++rank)
    for (uint32_t i = 0; i < node_count; ++i) {
      if (owner[i] != rank) continue;
      values[i] = (syn_vec3){whole[next], whole[next + 1], whole[next + 2]};
      next += 3;
    }
}

syn_status syn_team_gather(syn_team *team, const uint32_t *owner, uint32_t node_count, syn_vec3 *values,
                           syn_error *error) {
  const syn_petsc *p = &team->petsc;
  double *array;
  uint32_t mine = 0;
  uint32_t all = 0;
  if (team->size == 1) return SYN_OK;
  for (uint32_t i = 0; i < node_count; ++i) {
    mine += owner[i] == team->rank;
    all += owner[i] < team->size;
  }
  team_gathering *g = &team->gatherings[all != team->size];
  SYN_TRY(prepare(team, mine, all, g, error));
  SYN_PETSC_TRY(p, VecGetArray, g->spread, &array);
  for (uint32_t i = 0, n = 0; i < node_count; ++i) {
    if (owner[i] != team->rank) continue;
    array[n++] = values[i].x;
    array[n++] = values[i].y;
    array[n++] = values[i].z;
  }
  SYN_PETSC_TRY(p, VecRestoreArray, g->spread, &array);
  SYN_PETSC_TRY(p, VecScatterBegin, g->scatter, g->spread, g->whole, INSERT_VALUES, SCATTER_FORWARD);
  SYN_PETSC_TRY(p, VecScatterEnd, g->scatter, g->spread, g->whole, INSERT_VALUES, SCATTER_FORWARD);
  SYN_PETSC_TRY(p, VecGetArray, g->whole, &array);
  copy_in_order(team, owner, node_count, values, array);
  SYN_PETSC_TRY(p, VecRestoreArray, g->whole, &array);
  return SYN_OK;
}

static syn_status exchange(const syn_team *team, const void *mine, size_t size, char **all, size_t *capacity,
                           size_t *start, double *sizes, syn_error *error) {
  const syn_petsc *p = &team->petsc;
  enum { MOST = 1 << 24 }; /* numbers that are sent at once */
  for (uint32_t r = 0; r < team->size; ++r) sizes[r] = r == team->rank ? (double)size : 0;
  SYN_PETSC_TRY(p, MPI_Allreduce, MPI_IN_PLACE, sizes, (int)team->size, syn_petsc_double(p), syn_petsc_sum(p),
                team->world);
  start[0] = 0;
  for (uint32_t r = 0; r < team->size; ++r) start[r + 1] = start[r] + (size_t)sizes[r];
  SYN_TRY(SYN_RESERVE(team->context, all, 0, start[team->size], capacity, error));
  memcpy(*all + start[team->rank], mine, size);
  for (uint32_t r = 0; r < team->size; ++r)
    for (size_t done = start[r]; done < start[r + 1]; done += MOST * sizeof(double)) {
      const size_t left = (start[r + 1] - done) / sizeof(double), now = left < MOST ? left : MOST;
      SYN_PETSC_TRY(p, MPI_Bcast, *all + done, (int)now, syn_petsc_double(p), (int)r, team->world);
    }
  return SYN_OK;
}

syn_status syn_team_exchange(syn_team *team, const void *mine, size_t size, char **all, size_t *capacity, size_t *start,
                             syn_error *error) {
  double *sizes;
  SYN_TRY(SYN_NEW(team->context, &sizes, team->size, error));
  const syn_status status = exchange(team, mine, size, all, capacity, start, sizes, error);
  syn_free(team->context, sizes);
  return status;
}

/* As many values as processes, each with its own part; all add them in the same order. */
syn_status syn_team_sum(syn_team *team, double *value, syn_error *error) {
  syn_vec3 *values;
  uint32_t *owner;
  if (team->size == 1) return SYN_OK;
  syn_arena arena = {.context = team->context};
  syn_status status = SYN_TAKE(&arena, &values, team->size, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &owner, team->size, error);
  for (uint32_t i = 0; status == SYN_OK && i < team->size; ++i) {
    owner[i] = i;
    values[i] = (syn_vec3){*value, 0, 0};
  }
  if (status == SYN_OK) status = syn_team_gather(team, owner, team->size, values, error);
  if (status == SYN_OK) *value = 0;
  for (uint32_t i = 0; status == SYN_OK && i < team->size; ++i) *value += values[i].x;
  syn_arena_release(&arena);
  return status;
}

#else

syn_status syn_team_join(const syn_context *context, syn_team **team, syn_error *error) {
  (void)context;
  *team = NULL;
  return syn_fail(error, SYN_NO_PROGRAM,
                  "this build has no PETSc, which several processes need to solve one problem: start one process, or "
                  "install libpetsc-real-dev and build again");
}
/* No team exists. */
void syn_team_leave(syn_team *team) { (void)team; }
void syn_team_forget_owners(syn_team *team) { (void)team; }
uint32_t syn_team_size(const syn_team *team) { return team ? 1 : 0; }
uint32_t syn_team_rank(const syn_team *team) { return team ? 1 : 0; }
syn_status syn_team_gather(syn_team *team, const uint32_t *owner, uint32_t node_count, syn_vec3 *values,
                           syn_error *error) {
  (void)team, (void)owner, (void)node_count, (void)values, (void)error;
  return SYN_OK;
}
syn_status syn_team_exchange(syn_team *team, const void *mine, size_t size, char **all, size_t *capacity, size_t *start,
                             syn_error *error) {
  (void)team, (void)mine, (void)size, (void)all, (void)capacity, (void)start, (void)error;
  return SYN_OK;
}
syn_status syn_team_sum(syn_team *team, double *value, syn_error *error) {
  (void)team, (void)value, (void)error;
  return SYN_OK;
}

#endif
