/* Starts and ends MPI; gathers, exchanges and sums over ranks; checks memory budgets. */
#include "solve/ranks_mpi.h"

#ifdef SYN_PETSC
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Loads the functions of PETSc by name, as with CHOLMOD. The library stays loaded: MPI cannot be started twice. Its
 * symbols are global, since the plugins of Open MPI need them. */
static syn_status load_petsc(syn_petsc *petsc, syn_error *error) {
  *petsc = (syn_petsc){0};
  void *library = dlopen(SYN_PETSC, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  if (!library)
    return syn_fail(error, SYN_NO_PROGRAM, "PETSc, which solves for several processes, cannot be loaded: %s",
                    dlerror());
  const struct {
    const char *name;
    void *to;
  } functions[] = {
#define SYN_PETSC_ROW(name) {#name, &petsc->name},
      SYN_PETSC_FUNCTIONS(SYN_PETSC_ROW)
#undef SYN_PETSC_ROW
#ifdef OPEN_MPI
          {"ompi_mpi_double", &petsc->type_double},
      {"ompi_mpi_op_sum", &petsc->op_sum},
#endif
      {"dpotrf_", &petsc->blas.potrf},
      {"dtrsm_", &petsc->blas.trsm},
      {"dgemm_", &petsc->blas.gemm},
      {"dgemv_", &petsc->blas.gemv},
      {"dtrsv_", &petsc->blas.trsv},
      {"PETSC_COMM_WORLD", &petsc->world},
      {"PETSC_STDOUT", &petsc->out}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    void *found = dlsym(library, functions[i].name);
    memcpy(functions[i].to, &found, sizeof found);
    if (!found) return syn_fail(error, SYN_NO_PROGRAM, "%s has no %s", SYN_PETSC, functions[i].name);
  }
  /* A process has the core that mpirun gave it. */
  void (*set_threads)(int);
  *(void **)&set_threads = dlsym(library, "openblas_set_num_threads");
  if (set_threads) set_threads(1);
  return SYN_OK;
}

syn_status syn_petsc_check(PetscErrorCode code, const char *what, syn_error *error) {
  if (code == 0) return SYN_OK;
  if (code == PETSC_ERR_MEM) return syn_fail(error, SYN_NO_MEMORY, "PETSc has not enough memory for %s", what);
  return syn_fail(error, SYN_NO_PROGRAM, "PETSc's %s failed with error %d", what, (int)code);
}

/* ---- life ----------------------------------------------------------------------------------------------------------
 */

/* PETSc by default prints its errors, catches signals and ends the process: these options make it return codes only.
 * PETSc 3.22 also lists unused options, such as ours for a method that was not needed. Other output that the user
 * requests from it (PETSC_OPTIONS) goes to standard error: standard output belongs to the caller. */
static syn_status start_mpi(syn_ranks *ranks, syn_error *error) {
  const syn_petsc *p = &ranks->petsc;
  int rank, size;
  SYN_TRY(load_petsc(&ranks->petsc, error));
  SYN_PETSC_TRY(p, PetscOptionsSetValue, NULL, "-no_signal_handler", "true");
  SYN_PETSC_TRY(p, PetscOptionsSetValue, NULL, "-options_left", "false");
  SYN_TRY(syn_petsc_check(p->PetscInitializeNoArguments(), "PetscInitialize", error));
  *p->out = stderr;
  SYN_PETSC_TRY(p, PetscPushErrorHandler, p->PetscReturnErrorHandler, NULL);
  ranks->world = *p->world;
  SYN_PETSC_TRY(p, MPI_Comm_rank, ranks->world, &rank);
  SYN_PETSC_TRY(p, MPI_Comm_size, ranks->world, &size);
  ranks->rank = (uint32_t)rank;
  ranks->size = (uint32_t)size;
  return SYN_OK;
}

syn_status syn_ranks_create(const syn_context *context, syn_ranks **ranks, syn_error *error) {
  *ranks = NULL;
  syn_ranks *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  const syn_status status = start_mpi(made, error);
  if (status == SYN_OK)
    *ranks = made;
  else
    syn_free(context, made);
  return status;
}

void syn_ranks_forget_gathering(const syn_ranks *ranks, rank_gathering *g) {
  const syn_petsc *p = &ranks->petsc;
  p->VecScatterDestroy(&g->scatter);
  p->VecDestroy(&g->whole);
  p->VecDestroy(&g->spread);
}

void syn_ranks_forget_owners(syn_ranks *ranks) {
  for (int k = 0; k < 2; ++k) syn_ranks_forget_gathering(ranks, &ranks->gatherings[k]);
}

void syn_ranks_destroy(syn_ranks *ranks) {
  if (!ranks) return;
  syn_ranks_forget_owners(ranks);
  ranks->petsc.PetscFinalize();
  syn_free(ranks->context, ranks);
}

uint32_t syn_ranks_size(const syn_ranks *ranks) { return ranks->size; }
uint32_t syn_ranks_rank(const syn_ranks *ranks) { return ranks->rank; }

syn_status syn_ranks_option(const syn_ranks *ranks, const char *name, int64_t *value, bool *given, syn_error *error) {
  const syn_petsc *p = &ranks->petsc;
  PetscInt number = 0;
  PetscBool found = PETSC_FALSE;
  SYN_PETSC_TRY(p, PetscOptionsGetInt, NULL, NULL, name, &number, &found);
  *given = found;
  if (found) *value = number;
  return SYN_OK;
}

bool syn_ranks_should_warn(syn_ranks *ranks) {
  const bool should = ranks->rank == 0 && !ranks->warned;
  ranks->warned = true;
  return should;
}

/* ---- gathering -----------------------------------------------------------------------------------------------------
 */

static syn_status prepare_gathering(const syn_ranks *ranks, uint32_t mine, uint32_t count, rank_gathering *g,
                                    syn_error *error) {
  const syn_petsc *p = &ranks->petsc;
  if (g->scatter && g->count == count && g->mine == mine) return SYN_OK;
  syn_ranks_forget_gathering(ranks, g);
  g->count = count;
  g->mine = mine;
  SYN_PETSC_TRY(p, VecCreateMPI, ranks->world, 3 * (PetscInt)mine, 3 * (PetscInt)count, &g->spread);
  SYN_PETSC_TRY(p, VecScatterCreateToAll, g->spread, &g->scatter, &g->whole);
  return SYN_OK;
}

/* Nodes in the order of their owners: those of rank 0 first. */
static void copy_in_order(const syn_ranks *ranks, const uint32_t *owner, uint32_t node_count, syn_vec3 *values,
                          double *whole) {
  size_t next = 0;
  for (uint32_t rank = 0; rank < ranks->size; ++rank)
    for (uint32_t i = 0; i < node_count; ++i) {
      if (owner[i] != rank) continue;
      values[i] = (syn_vec3){whole[next], whole[next + 1], whole[next + 2]};
      next += 3;
    }
}

static uint32_t count_given(const syn_ranks *ranks, const uint32_t *owner, uint32_t node_count) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < node_count; ++i) all += owner[i] < ranks->size;
  return all;
}

syn_status syn_ranks_gather(syn_ranks *ranks, const uint32_t *owner, uint32_t node_count, syn_vec3 *values,
                            syn_error *error) {
  if (ranks->size == 1) return SYN_OK;
  const bool one_each = count_given(ranks, owner, node_count) == ranks->size;
  return syn_ranks_gather_again(ranks, &ranks->gatherings[!one_each], owner, node_count, values, error);
}

syn_status syn_ranks_gather_again(const syn_ranks *ranks, rank_gathering *g, const uint32_t *owner, uint32_t node_count,
                                  syn_vec3 *values, syn_error *error) {
  const syn_petsc *p = &ranks->petsc;
  double *array;
  uint32_t mine = 0;
  const uint32_t all = count_given(ranks, owner, node_count);
  if (ranks->size == 1) return SYN_OK;
  for (uint32_t i = 0; i < node_count; ++i) mine += owner[i] == ranks->rank;
  SYN_TRY(prepare_gathering(ranks, mine, all, g, error));
  SYN_PETSC_TRY(p, VecGetArray, g->spread, &array);
  for (uint32_t i = 0, n = 0; i < node_count; ++i) {
    if (owner[i] != ranks->rank) continue;
    array[n++] = values[i].x;
    array[n++] = values[i].y;
    array[n++] = values[i].z;
  }
  SYN_PETSC_TRY(p, VecRestoreArray, g->spread, &array);
  SYN_PETSC_TRY(p, VecScatterBegin, g->scatter, g->spread, g->whole, INSERT_VALUES, SCATTER_FORWARD);
  SYN_PETSC_TRY(p, VecScatterEnd, g->scatter, g->spread, g->whole, INSERT_VALUES, SCATTER_FORWARD);
  SYN_PETSC_TRY(p, VecGetArray, g->whole, &array);
  copy_in_order(ranks, owner, node_count, values, array);
  SYN_PETSC_TRY(p, VecRestoreArray, g->whole, &array);
  return SYN_OK;
}

static syn_status exchange(const syn_ranks *ranks, const void *mine, size_t size, char **all, size_t *capacity,
                           size_t *start, double *sizes, syn_error *error) {
  const syn_petsc *p = &ranks->petsc;
  enum { MOST = 1 << 24 }; /* maximum count in one message */
  for (uint32_t r = 0; r < ranks->size; ++r) sizes[r] = r == ranks->rank ? (double)size : 0;
  SYN_PETSC_TRY(p, MPI_Allreduce, MPI_IN_PLACE, sizes, (int)ranks->size, syn_petsc_double(p), syn_petsc_sum(p),
                ranks->world);
  start[0] = 0;
  for (uint32_t r = 0; r < ranks->size; ++r) start[r + 1] = start[r] + (size_t)sizes[r];
  SYN_TRY(SYN_RESERVE(ranks->context, all, 0, start[ranks->size], capacity, error));
  memcpy(*all + start[ranks->rank], mine, size);
  for (uint32_t r = 0; r < ranks->size; ++r)
    for (size_t done = start[r]; done < start[r + 1]; done += MOST * sizeof(double)) {
      const size_t left = (start[r + 1] - done) / sizeof(double), now = left < MOST ? left : MOST;
      SYN_PETSC_TRY(p, MPI_Bcast, *all + done, (int)now, syn_petsc_double(p), (int)r, ranks->world);
    }
  return SYN_OK;
}

syn_status syn_ranks_exchange(syn_ranks *ranks, const void *mine, size_t size, char **all, size_t *capacity,
                              size_t *start, syn_error *error) {
  double *sizes;
  SYN_TRY(SYN_NEW(ranks->context, &sizes, ranks->size, error));
  const syn_status status = exchange(ranks, mine, size, all, capacity, start, sizes, error);
  syn_free(ranks->context, sizes);
  return status;
}

/* Gathers one value per rank; all ranks add them in the same order. */
syn_status syn_ranks_sum(syn_ranks *ranks, double *value, syn_error *error) {
  syn_vec3 *values;
  uint32_t *owner;
  if (ranks->size == 1) return SYN_OK;
  syn_arena arena = {.context = ranks->context};
  syn_status status = SYN_TAKE(&arena, &values, ranks->size, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &owner, ranks->size, error);
  for (uint32_t i = 0; status == SYN_OK && i < ranks->size; ++i) {
    owner[i] = i;
    values[i] = (syn_vec3){*value, 0, 0};
  }
  if (status == SYN_OK) status = syn_ranks_gather(ranks, owner, ranks->size, values, error);
  if (status == SYN_OK) *value = 0;
  for (uint32_t i = 0; status == SYN_OK && i < ranks->size; ++i) *value += values[i].x;
  syn_arena_release(&arena);
  return status;
}

/* ---- memory budget -------------------------------------------------------------------------------------------------
 */

/* Values that a rank sends to the others. */
typedef struct memory_note {
  char machine[64];
  double bytes;
} memory_note;

/* As Linux counts it: including caches that it would release. Infinite if unknown. */
static double available_bytes(void) {
  double kilobytes = INFINITY;
  char line[256];
  FILE *file = fopen("/proc/meminfo", "r");
  if (!file) return kilobytes;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1) break;
  fclose(file);
  return 1024 * kilobytes;
}

/* All ranks of a machine read the available memory before any of them allocates. */
static syn_status compare_with_machine(syn_ranks *ranks, const memory_note *mine, double left, bool *fits,
                                       syn_error *error) {
  char *all = NULL;
  size_t capacity = 0, *start;
  double here = 0, lacking;
  SYN_TRY(SYN_NEW(ranks->context, &start, ranks->size + 1, error));
  syn_status status = syn_ranks_exchange(ranks, mine, sizeof *mine, &all, &capacity, start, error);
  for (uint32_t r = 0; status == SYN_OK && r < ranks->size; ++r) {
    memory_note note;
    memcpy(&note, all + start[r], sizeof note);
    if (strcmp(note.machine, mine->machine) == 0) here += note.bytes;
  }
  lacking = 1.1 * here <= left ? 0 : 1;
  if (status == SYN_OK) status = syn_ranks_sum(ranks, &lacking, error);
  *fits = lacking == 0;
  syn_free(ranks->context, all);
  syn_free(ranks->context, start);
  return status;
}

syn_status syn_memory_budget_fits(syn_ranks *ranks, double bytes, bool *fits, syn_error *error) {
  memory_note mine = {.bytes = bytes};
  int64_t megabytes = 0;
  bool given;
  gethostname(mine.machine, sizeof mine.machine - 1);
  SYN_TRY(syn_ranks_option(ranks, "-syn_memory_mb", &megabytes, &given, error));
  return compare_with_machine(ranks, &mine, given ? 1e6 * (double)megabytes : available_bytes(), fits, error);
}

#else

syn_status syn_ranks_create(const syn_context *context, syn_ranks **ranks, syn_error *error) {
  (void)context;
  *ranks = NULL;
  return syn_fail(error, SYN_NO_PROGRAM,
                  "this build has no PETSc, which several processes need to solve one problem: start one process, or "
                  "install libpetsc-real-dev and build again");
}
/* Built without ranks. */
void syn_ranks_destroy(syn_ranks *ranks) { (void)ranks; }
void syn_ranks_forget_owners(syn_ranks *ranks) { (void)ranks; }
uint32_t syn_ranks_size(const syn_ranks *ranks) { return ranks ? 1 : 0; }
uint32_t syn_ranks_rank(const syn_ranks *ranks) { return ranks ? 1 : 0; }
syn_status syn_ranks_gather(syn_ranks *ranks, const uint32_t *owner, uint32_t node_count, syn_vec3 *values,
                            syn_error *error) {
  (void)ranks, (void)owner, (void)node_count, (void)values, (void)error;
  return SYN_OK;
}
syn_status syn_ranks_exchange(syn_ranks *ranks, const void *mine, size_t size, char **all, size_t *capacity,
                              size_t *start, syn_error *error) {
  (void)ranks, (void)mine, (void)size, (void)all, (void)capacity, (void)start, (void)error;
  return SYN_OK;
}
syn_status syn_ranks_sum(syn_ranks *ranks, double *value, syn_error *error) {
  (void)ranks, (void)value, (void)error;
  return SYN_OK;
}
syn_status syn_ranks_option(const syn_ranks *ranks, const char *name, int64_t *value, bool *given, syn_error *error) {
  (void)ranks, (void)name, (void)value, (void)error;
  *given = false;
  return SYN_OK;
}
bool syn_ranks_should_warn(syn_ranks *ranks) { return ranks != NULL; }
syn_status syn_memory_budget_fits(syn_ranks *ranks, double bytes, bool *fits, syn_error *error) {
  (void)ranks, (void)bytes, (void)error;
  *fits = true;
  return SYN_OK;
}

#endif
