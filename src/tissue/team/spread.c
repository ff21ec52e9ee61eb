/* A system spread over a team: PETSc's block matrix, of which each process has the rows of its nodes, and one of three
 * methods. Layers that are bonded to bone are far better conditioned than free bodies of their size: conjugate
 * gradients with incomplete factors of each process's part (ICC) need some tens of iterations at any size. Where they
 * need many, algebraic multigrid (GAMG) with the rigid motions of the body takes over, and where that fails a
 * factorisation (MUMPS), which is also what small systems begin with. docs/decisions.md has the times. */
#include "tissue/team/inside.h"

#ifdef SYN_PETSC
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tissue/factor.h"

enum { DIRECT_UNKNOWNS = 20000, DIRECT = 2, METHODS = 3 };

typedef struct method {
  const char *prefix, *options;
  bool scalar; /* needs a matrix without blocks */
} method;

static const method methods[METHODS] = {
    {"syn_icc_",
     "-syn_icc_ksp_type cg -syn_icc_ksp_max_it 400 -syn_icc_pc_type asm -syn_icc_pc_asm_type basic "
     "-syn_icc_pc_asm_overlap 2 -syn_icc_sub_pc_type icc -syn_icc_sub_pc_factor_shift_type positive_definite",
     false},
    {"syn_gamg_", "-syn_gamg_ksp_type cg -syn_gamg_ksp_max_it 400 -syn_gamg_pc_type gamg", true},
    {"syn_direct_",
     "-syn_direct_ksp_type preonly -syn_direct_pc_type cholesky -syn_direct_pc_factor_mat_solver_type mumps "
     "-syn_direct_mat_mumps_icntl_13 1 -syn_direct_mat_mumps_icntl_24 1",
     false}};

struct syn_spread {
  syn_team *team;
  const syn_block_pattern *pattern;
  uint8_t *held;
  PetscInt *number; /* block row of each node: those of process 0 first, …; -1: held */
  PetscInt first, mine, rows;
  Mat matrix, scalar;
  Vec load, solution, whole, places;
  VecScatter scatter;
  KSP solvers[METHODS];
  bool fresh[METHODS]; /* has seen the numbers */
  bool filled;
  int begin; /* the method to try first */
  PetscInt iterations;
};

/* ---- which rows ----------------------------------------------------------------------------------------------------
 */

static bool is_wholly_held(const syn_spread *s, uint32_t node) { return s->held[node] == SYN_HELD; }

static void number_rows(syn_spread *s, const uint32_t *owner) {
  const uint32_t count = s->pattern->node_count;
  for (uint32_t rank = 0; rank < s->team->size; ++rank) {
    if (rank == s->team->rank) s->first = s->rows;
    for (uint32_t i = 0; i < count; ++i)
      if (owner[i] == rank) s->number[i] = is_wholly_held(s, i) ? -1 : s->rows++;
    if (rank == s->team->rank) s->mine = s->rows - s->first;
  }
}

static bool is_mine(const syn_spread *s, PetscInt row) { return row >= s->first && row < s->first + s->mine; }

/* The block of the upper triangle that a pair of nodes has in this numbering. */
typedef struct entry {
  PetscInt row, column; /* row -1: none */
  bool transposed;
} entry;

static entry entry_of(const syn_spread *s, uint32_t node, uint32_t other) {
  const PetscInt a = s->number[node], b = s->number[other];
  if (a < 0 || b < 0) return (entry){-1, -1, false};
  return a <= b ? (entry){a, b, false} : (entry){b, a, true};
}

static syn_status make_matrix(syn_spread *s, syn_error *error) {
  const syn_petsc *p = &s->team->petsc;
  const syn_block_pattern *pattern = s->pattern;
  PetscInt *own, *others;
  SYN_TRY(SYN_NEW_ZEROED(s->team->context, &own, 2 * (size_t)s->mine, error));
  others = own + s->mine;
  for (uint32_t i = 0; i < pattern->node_count; ++i)
    for (uint32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; ++k) {
      const entry e = entry_of(s, i, pattern->columns[k]);
      if (e.row >= 0 && is_mine(s, e.row)) ++(is_mine(s, e.column) ? own : others)[e.row - s->first];
    }
  PetscErrorCode code = p->MatCreate(s->team->world, &s->matrix);
  if (!code) code = p->MatSetSizes(s->matrix, 3 * s->mine, 3 * s->mine, 3 * s->rows, 3 * s->rows);
  if (!code) code = p->MatSetType(s->matrix, MATSBAIJ);
  if (!code) code = p->MatSetBlockSize(s->matrix, 3);
  if (!code) code = p->MatXAIJSetPreallocation(s->matrix, 3, own, others, own, others);
  if (!code) code = p->MatSetOption(s->matrix, MAT_SYMMETRIC, PETSC_TRUE); /* MAT_SPD hides what is not definite */
  syn_free(s->team->context, own);
  return syn_petsc_check(code, "MatCreate", error);
}

/* ---- life ----------------------------------------------------------------------------------------------------------
 */

static void take_rows(const syn_spread *s, const syn_vec3 *values, double *array) {
  for (uint32_t i = 0; i < s->pattern->node_count; ++i) {
    if (!is_mine(s, s->number[i])) continue;
    double *to = array + 3 * (s->number[i] - s->first);
    to[0] = values[i].x;
    to[1] = values[i].y;
    to[2] = values[i].z;
  }
}

static syn_status make_vectors(syn_spread *s, const syn_vec3 *places, syn_error *error) {
  const syn_petsc *p = &s->team->petsc;
  double *array;
  SYN_PETSC_TRY(p, VecCreateMPI, s->team->world, 3 * s->mine, 3 * s->rows, &s->load);
  SYN_PETSC_TRY(p, VecSetBlockSize, s->load, 3);
  SYN_PETSC_TRY(p, VecDuplicate, s->load, &s->solution);
  SYN_PETSC_TRY(p, VecDuplicate, s->load, &s->places);
  SYN_PETSC_TRY(p, VecScatterCreateToAll, s->solution, &s->scatter, &s->whole);
  SYN_PETSC_TRY(p, VecGetArray, s->places, &array);
  take_rows(s, places, array);
  SYN_PETSC_TRY(p, VecRestoreArray, s->places, &array);
  return SYN_OK;
}

/* Options by their text, the user's last. */
static syn_status set_options(const syn_spread *s, double tolerance, syn_error *error) {
  const syn_petsc *p = &s->team->petsc;
  for (int m = 0; m < METHODS; ++m) {
    char text[512];
    snprintf(text, sizeof text, "%s -%sksp_rtol %.3e", methods[m].options, methods[m].prefix, tolerance);
    SYN_PETSC_TRY(p, PetscOptionsInsertString, NULL, text);
  }
  const char *users = getenv("PETSC_OPTIONS");
  if (users) SYN_PETSC_TRY(p, PetscOptionsInsertString, NULL, users);
  return SYN_OK;
}

static syn_status fill(syn_spread *s, const uint8_t *held, const syn_vec3 *places, const uint32_t *owner,
                       double tolerance, syn_error *error) {
  const uint32_t count = s->pattern->node_count;
  SYN_TRY(SYN_NEW_ZEROED(s->team->context, &s->held, count, error));
  SYN_TRY(SYN_NEW(s->team->context, &s->number, count, error));
  if (held) memcpy(s->held, held, count);
  number_rows(s, owner);
  s->begin = 3 * s->rows <= DIRECT_UNKNOWNS ? DIRECT : 0;
  SYN_TRY(set_options(s, tolerance, error));
  SYN_TRY(make_matrix(s, error));
  return make_vectors(s, places, error);
}

syn_status syn_spread_create(syn_team *team, const syn_block_pattern *pattern, const uint8_t *held,
                             const syn_vec3 *places, const uint32_t *owner, double tolerance, syn_spread **spread,
                             syn_error *error) {
  *spread = NULL;
  syn_spread *made;
  SYN_TRY(SYN_NEW_ZEROED(team->context, &made, 1, error));
  made->team = team;
  made->pattern = pattern;
  const syn_status status = fill(made, held, places, owner, tolerance, error);
  if (status == SYN_OK)
    *spread = made;
  else
    syn_spread_destroy(made);
  return status;
}

void syn_spread_destroy(syn_spread *s) {
  if (!s) return;
  const syn_petsc *p = &s->team->petsc;
  const syn_context *context = s->team->context;
  for (int m = 0; m < METHODS; ++m) p->KSPDestroy(&s->solvers[m]);
  Vec *vectors[] = {&s->load, &s->solution, &s->whole, &s->places};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) p->VecDestroy(vectors[i]);
  p->VecScatterDestroy(&s->scatter);
  p->MatDestroy(&s->matrix);
  p->MatDestroy(&s->scalar);
  syn_free(context, s->held);
  syn_free(context, s->number);
  syn_free(context, s);
}

/* ---- numbers -------------------------------------------------------------------------------------------------------
 */

/* As it stands in the row of `row_node`. Held unknowns keep a one on the diagonal and nothing else. */
static void copy_block(const syn_spread *s, const double from[9], uint32_t row_node, uint32_t column_node,
                       bool transposed, double to[9]) {
  const uint8_t row_held = s->held[row_node], column_held = s->held[column_node];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      const bool gone = row_held >> r & 1 || column_held >> c & 1;
      const double one = row_node == column_node && r == c ? 1 : 0;
      to[3 * r + c] = gone ? one : transposed ? from[3 * c + r] : from[3 * r + c];
    }
}

syn_status syn_spread_update(syn_spread *s, const double (*blocks)[9], syn_error *error) {
  const syn_petsc *p = &s->team->petsc;
  const syn_block_pattern *pattern = s->pattern;
  double block[9];
  if (s->filled) SYN_PETSC_TRY(p, MatZeroEntries, s->matrix);
  for (uint32_t i = 0; i < pattern->node_count; ++i)
    for (uint32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; ++k) {
      const uint32_t j = pattern->columns[k];
      const entry e = entry_of(s, i, j);
      if (e.row < 0 || !is_mine(s, e.row)) continue;
      copy_block(s, blocks[k], e.transposed ? j : i, e.transposed ? i : j, e.transposed, block);
      SYN_PETSC_TRY(p, MatSetValuesBlocked, s->matrix, 1, &e.row, 1, &e.column, block, INSERT_VALUES);
    }
  SYN_PETSC_TRY(p, MatAssemblyBegin, s->matrix, MAT_FINAL_ASSEMBLY);
  SYN_PETSC_TRY(p, MatAssemblyEnd, s->matrix, MAT_FINAL_ASSEMBLY);
  s->filled = true;
  p->MatDestroy(&s->scalar);
  memset(s->fresh, 0, sizeof s->fresh);
  return SYN_OK;
}

/* ---- solutions -----------------------------------------------------------------------------------------------------
 */

/* The motions that strain nothing, without which multigrid would not be good for elasticity. */
static syn_status make_scalar(syn_spread *s, syn_error *error) {
  const syn_petsc *p = &s->team->petsc;
  MatNullSpace rigid;
  SYN_PETSC_TRY(p, MatConvert, s->matrix, MATAIJ, MAT_INITIAL_MATRIX, &s->scalar);
  SYN_PETSC_TRY(p, MatSetOption, s->scalar, MAT_SPD, PETSC_TRUE);
  SYN_PETSC_TRY(p, MatNullSpaceCreateRigidBody, s->places, &rigid);
  SYN_PETSC_TRY(p, MatSetNearNullSpace, s->scalar, rigid);
  SYN_PETSC_TRY(p, MatNullSpaceDestroy, &rigid);
  return SYN_OK;
}

static syn_status prepare(syn_spread *s, int m, syn_error *error) {
  const syn_petsc *p = &s->team->petsc;
  if (s->fresh[m]) return SYN_OK;
  if (methods[m].scalar && !s->scalar) SYN_TRY(make_scalar(s, error));
  if (!s->solvers[m]) {
    SYN_PETSC_TRY(p, KSPCreate, s->team->world, &s->solvers[m]);
    SYN_PETSC_TRY(p, KSPSetOptionsPrefix, s->solvers[m], methods[m].prefix);
    SYN_PETSC_TRY(p, KSPSetFromOptions, s->solvers[m]);
  }
  const Mat matrix = methods[m].scalar ? s->scalar : s->matrix;
  SYN_PETSC_TRY(p, KSPSetOperators, s->solvers[m], matrix, matrix);
  s->fresh[m] = true;
  return SYN_OK;
}

/* A factorisation goes on where a matrix is not definite, and counts. */
static syn_status count_not_positive(syn_spread *s, int m, PetscInt *count, syn_error *error) {
  const syn_petsc *p = &s->team->petsc;
  PetscInt negative, zero, positive;
  PC pc;
  Mat factor;
  SYN_PETSC_TRY(p, KSPGetPC, s->solvers[m], &pc);
  SYN_PETSC_TRY(p, PCFactorGetMatrix, pc, &factor);
  SYN_PETSC_TRY(p, MatGetInertia, factor, &negative, &zero, &positive);
  *count = negative + zero;
  return SYN_OK;
}

/* *indefinite where that was seen: no method would do better. */
static syn_status try_method(syn_spread *s, int m, bool *found, bool *indefinite, syn_error *error) {
  const syn_petsc *p = &s->team->petsc;
  KSPConvergedReason reason = KSP_DIVERGED_NULL;
  PetscInt not_positive = 0;
  SYN_TRY(prepare(s, m, error));
  const PetscErrorCode code = p->KSPSolve(s->solvers[m], s->load, s->solution);
  if (code == PETSC_ERR_MEM) return syn_petsc_check(code, "KSPSolve", error);
  if (code) return SYN_OK;
  SYN_PETSC_TRY(p, KSPGetConvergedReason, s->solvers[m], &reason);
  SYN_PETSC_TRY(p, KSPGetIterationNumber, s->solvers[m], &s->iterations);
  if (m == DIRECT && reason > 0) SYN_TRY(count_not_positive(s, m, &not_positive, error));
  *indefinite = reason == KSP_DIVERGED_INDEFINITE_MAT || not_positive > 0;
  *found = reason > 0 && !*indefinite;
  return SYN_OK;
}

static syn_status give_solution(syn_spread *s, syn_vec3 *x, syn_error *error) {
  const syn_petsc *p = &s->team->petsc;
  double *array;
  SYN_PETSC_TRY(p, VecScatterBegin, s->scatter, s->solution, s->whole, INSERT_VALUES, SCATTER_FORWARD);
  SYN_PETSC_TRY(p, VecScatterEnd, s->scatter, s->solution, s->whole, INSERT_VALUES, SCATTER_FORWARD);
  SYN_PETSC_TRY(p, VecGetArray, s->whole, &array);
  for (uint32_t i = 0; i < s->pattern->node_count; ++i) {
    const double *from = array + 3 * s->number[i];
    x[i] = s->number[i] < 0 ? (syn_vec3){0, 0, 0} : (syn_vec3){from[0], from[1], from[2]};
  }
  SYN_PETSC_TRY(p, VecRestoreArray, s->whole, &array);
  return SYN_OK;
}

static void hold_loads(const syn_spread *s, double *array) {
  for (uint32_t i = 0; i < s->pattern->node_count; ++i)
    for (int c = 0; is_mine(s, s->number[i]) && c < 3; ++c)
      if (s->held[i] >> c & 1) array[3 * (s->number[i] - s->first) + c] = 0;
}

syn_status syn_spread_solve(syn_spread *s, const syn_vec3 *b, syn_vec3 *x, syn_error *error) {
  const syn_petsc *p = &s->team->petsc;
  double *array;
  bool found = false, indefinite = false;
  SYN_PETSC_TRY(p, VecGetArray, s->load, &array);
  take_rows(s, b, array);
  hold_loads(s, array);
  SYN_PETSC_TRY(p, VecRestoreArray, s->load, &array);
  for (int m = s->begin; m < METHODS && !found && !indefinite; ++m)
    SYN_TRY(try_method(s, m, &found, &indefinite, error));
  if (!found)
    return syn_fail(error, SYN_NOT_CONVERGED,
                    "the stiffness of %d unknowns has no solution: the body is not held, or it is unstable",
                    3 * (int)s->rows);
  return give_solution(s, x, error);
}

uint32_t syn_spread_iterations(const syn_spread *s) { return (uint32_t)s->iterations; }

#else

/* No team exists, so none of these is ever called. */
syn_status syn_spread_create(syn_team *team, const syn_block_pattern *pattern, const uint8_t *held,
                             const syn_vec3 *places, const uint32_t *owner, double tolerance, syn_spread **spread,
                             syn_error *error) {
  (void)pattern, (void)held, (void)places, (void)owner, (void)tolerance, (void)spread;
  return syn_team_join(NULL, &team, error);
}
void syn_spread_destroy(syn_spread *s) { (void)s; }
syn_status syn_spread_update(syn_spread *s, const double (*blocks)[9], syn_error *error) {
  (void)s, (void)blocks;
  return syn_fail(error, SYN_NO_PROGRAM, "this build has no PETSc");
}
syn_status syn_spread_solve(syn_spread *s, const syn_vec3 *b, syn_vec3 *x, syn_error *error) {
  (void)b, (void)x;
  return syn_spread_update(s, NULL, error);
}
uint32_t syn_spread_iterations(const syn_spread *s) { return s ? 1 : 0; }

#endif
