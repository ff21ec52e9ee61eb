/* A system distributed over ranks, solved by one of three methods. A factorisation of our own, divided into regions
 * (divided_factor.h), where few unknowns lie between them, as in the thin layers of a joint, and there is memory for
 * it; with more between them MUMPS, up to some size, on PETSc's block matrix, of which each process has the rows of its
 * nodes. Else conjugate gradients with algebraic multigrid (GAMG) that knows the rigid motions of the body, which need
 * less memory, and MUMPS where they do not converge. docs/decisions.md has the times. */
#include "solve/divided_factor.h"

#ifdef SYN_PETSC
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/block_factor.h"

enum { MULTIGRID, DIRECT, METHODS, MUMPS_UNKNOWNS = 1000000, BETWEEN_UNKNOWNS = 12000 };

typedef struct method {
  const char *prefix, *options;
  bool scalar; /* needs a matrix without blocks */
} method;

static const method methods[METHODS] = {
    [MULTIGRID] = {"syn_gamg_", "-syn_gamg_ksp_type cg -syn_gamg_ksp_max_it 400 -syn_gamg_pc_type gamg", true},
    [DIRECT] = {"syn_direct_",
                "-syn_direct_ksp_type preonly -syn_direct_pc_type cholesky -syn_direct_pc_factor_mat_solver_type mumps",
                false}};

struct syn_distributed_system {
  syn_ranks *ranks;
  const syn_block_pattern *pattern;
  uint8_t *held;
  uint32_t wide, wide_owner; /* node; SYN_NONE: none */
  PetscInt *number;          /* block row of each node: those of process 0 first, …; -1: held, or wide */
  PetscInt first, mine, rows;
  Mat matrix, scalar;
  Vec load, solution, whole, places;
  Vec border[3], along[3]; /* columns of the wide node, and the solutions for them as loads */
  double inverse[3][3];    /* of what is left of the wide node's block when all others are eliminated */
  VecScatter scatter;
  KSP solvers[METHODS];
  bool fresh[METHODS]; /* has seen the numbers */
  bool filled;
  uint32_t *owner;
  syn_divided_factor *divide; /* NULL: another method */
  bool divide_definite;
  int begin; /* the method to try first */
  bool short_of_memory;
  PetscInt iterations;
};

/* ---- which rows ----------------------------------------------------------------------------------------------------
 */

static bool has_no_row(const syn_distributed_system *s, uint32_t node) {
  return s->held[node] == SYN_HELD || node == s->wide;
}

static void number_rows(syn_distributed_system *s, const uint32_t *owner) {
  const uint32_t count = s->pattern->node_count;
  for (uint32_t rank = 0; rank < s->ranks->size; ++rank) {
    if (rank == s->ranks->rank) s->first = s->rows;
    for (uint32_t i = 0; i < count; ++i)
      if (owner[i] == rank) s->number[i] = has_no_row(s, i) ? -1 : s->rows++;
    if (rank == s->ranks->rank) s->mine = s->rows - s->first;
  }
}

static bool is_mine(const syn_distributed_system *s, PetscInt row) {
  return row >= s->first && row < s->first + s->mine;
}

/* The block of the upper triangle that a pair of nodes has in this numbering. */
typedef struct entry {
  PetscInt row, column; /* row -1: none */
  bool transposed;
} entry;

static entry entry_of(const syn_distributed_system *s, uint32_t node, uint32_t other) {
  const PetscInt a = s->number[node], b = s->number[other];
  if (a < 0 || b < 0) return (entry){-1, -1, false};
  return a <= b ? (entry){a, b, false} : (entry){b, a, true};
}

static syn_status make_matrix(syn_distributed_system *s, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  const syn_block_pattern *pattern = s->pattern;
  PetscInt *own, *others;
  SYN_TRY(SYN_NEW_ZEROED(s->ranks->context, &own, 2 * (size_t)s->mine, error));
  others = own + s->mine;
  for (uint32_t i = 0; i < pattern->node_count; ++i)
    for (uint32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; ++k) {
      const entry e = entry_of(s, i, pattern->columns[k]);
      if (e.row >= 0 && is_mine(s, e.row)) ++(is_mine(s, e.column) ? own : others)[e.row - s->first];
    }
  PetscErrorCode code = p->MatCreate(s->ranks->world, &s->matrix);
  if (!code) code = p->MatSetSizes(s->matrix, 3 * s->mine, 3 * s->mine, 3 * s->rows, 3 * s->rows);
  if (!code) code = p->MatSetType(s->matrix, MATSBAIJ);
  if (!code) code = p->MatSetBlockSize(s->matrix, 3);
  if (!code) code = p->MatXAIJSetPreallocation(s->matrix, 3, own, others, own, others);
  if (!code) code = p->MatSetOption(s->matrix, MAT_SPD, PETSC_TRUE);
  syn_free(s->ranks->context, own);
  return syn_petsc_check(code, "MatCreate", error);
}

/* ---- life ----------------------------------------------------------------------------------------------------------
 */

static void take_rows(const syn_distributed_system *s, const syn_vec3 *values, double *array) {
  for (uint32_t i = 0; i < s->pattern->node_count; ++i) {
    if (!is_mine(s, s->number[i])) continue;
    double *to = array + 3 * (s->number[i] - s->first);
    to[0] = values[i].x;
    to[1] = values[i].y;
    to[2] = values[i].z;
  }
}

static syn_status make_vectors(syn_distributed_system *s, const syn_vec3 *places, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  double *array;
  SYN_PETSC_TRY(p, VecCreateMPI, s->ranks->world, 3 * s->mine, 3 * s->rows, &s->load);
  SYN_PETSC_TRY(p, VecSetBlockSize, s->load, 3);
  SYN_PETSC_TRY(p, VecDuplicate, s->load, &s->solution);
  SYN_PETSC_TRY(p, VecDuplicate, s->load, &s->places);
  for (int c = 0; c < 3 && s->wide != SYN_NONE && !s->divide; ++c) {
    SYN_PETSC_TRY(p, VecDuplicate, s->load, &s->border[c]);
    SYN_PETSC_TRY(p, VecDuplicate, s->load, &s->along[c]);
  }
  SYN_PETSC_TRY(p, VecScatterCreateToAll, s->solution, &s->scatter, &s->whole);
  SYN_PETSC_TRY(p, VecGetArray, s->places, &array);
  take_rows(s, places, array);
  SYN_PETSC_TRY(p, VecRestoreArray, s->places, &array);
  return SYN_OK;
}

/* Options by their text, the user's last. */
static syn_status set_options(syn_distributed_system *s, double tolerance, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  for (int m = 0; m < METHODS; ++m) {
    char text[512];
    snprintf(text, sizeof text, "%s -%sksp_rtol %.3e", methods[m].options, methods[m].prefix, tolerance);
    SYN_PETSC_TRY(p, PetscOptionsInsertString, NULL, text);
  }
  const char *users = getenv("PETSC_OPTIONS");
  if (users) SYN_PETSC_TRY(p, PetscOptionsInsertString, NULL, users);
  return SYN_OK;
}

/* Once for all systems of these ranks. */
static void say_so(const syn_distributed_system *s) {
  if (s->ranks->rank > 0 || s->ranks->warned) return;
  s->ranks->warned = true;
  syn_warn(s->ranks->context,
           "the memory left is not enough for a factor of %d unknowns: iterations take its place, and longer",
           3 * (int)s->rows);
}

/* The analysis of our own factorisation knows what it needs before it takes it; MUMPS goes by the number of unknowns. A
 * user who says up to how many there are factors decides for both. */
static syn_status choose_method(syn_distributed_system *s, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  PetscInt most = MUMPS_UNKNOWNS, between = BETWEEN_UNKNOWNS;
  PetscBool given = PETSC_FALSE;
  divided_verdict verdict = DIVIDED_TOO_WIDE;
  SYN_PETSC_TRY(p, PetscOptionsGetInt, NULL, NULL, "-syn_direct_unknowns", &most, &given);
  SYN_PETSC_TRY(p, PetscOptionsGetInt, NULL, NULL, "-syn_between_unknowns", &between, NULL);
  const bool few = 3 * s->rows <= most;
  if (between > 0 && (few || !given)) {
    const divided_limits limits = {.between = between, .any_memory = given};
    SYN_TRY(syn_divided_factor_create(s->ranks, s->pattern, s->held, s->owner, s->number, s->first, s->wide, limits,
                                      &s->divide, &verdict, error));
  }
  s->begin = verdict == DIVIDED_FITS || (verdict == DIVIDED_TOO_WIDE && few) ? DIRECT : MULTIGRID;
  s->short_of_memory = verdict == DIVIDED_TOO_LARGE;
  if (s->short_of_memory) say_so(s);
  return SYN_OK;
}

static syn_status fill(syn_distributed_system *s, const uint8_t *held, const syn_vec3 *places, const uint32_t *owner,
                       double tolerance, syn_error *error) {
  const uint32_t count = s->pattern->node_count;
  SYN_TRY(SYN_NEW_ZEROED(s->ranks->context, &s->held, count, error));
  SYN_TRY(SYN_NEW(s->ranks->context, &s->number, count, error));
  SYN_TRY(SYN_NEW(s->ranks->context, &s->owner, count, error));
  memcpy(s->owner, owner, count * sizeof *owner);
  if (held) memcpy(s->held, held, count);
  number_rows(s, owner);
  SYN_TRY(set_options(s, tolerance, error));
  SYN_TRY(choose_method(s, error));
  if (!s->divide) SYN_TRY(make_matrix(s, error));
  return make_vectors(s, places, error);
}

syn_status syn_distributed_system_create(syn_ranks *ranks, const syn_block_pattern *pattern, const uint8_t *held,
                                         const syn_vec3 *places, const uint32_t *owner, uint32_t wide, double tolerance,
                                         syn_distributed_system **spread, syn_error *error) {
  *spread = NULL;
  syn_distributed_system *made;
  SYN_TRY(SYN_NEW_ZEROED(ranks->context, &made, 1, error));
  made->ranks = ranks;
  made->pattern = pattern;
  made->wide = wide;
  made->wide_owner = wide == SYN_NONE ? 0 : owner[wide];
  const syn_status status = fill(made, held, places, owner, tolerance, error);
  if (status == SYN_OK)
    *spread = made;
  else
    syn_distributed_system_destroy(made);
  return status;
}

void syn_distributed_system_destroy(syn_distributed_system *s) {
  if (!s) return;
  const syn_petsc *p = &s->ranks->petsc;
  const syn_context *context = s->ranks->context;
  for (int m = 0; m < METHODS; ++m) p->KSPDestroy(&s->solvers[m]);
  Vec *vectors[] = {&s->load, &s->solution, &s->whole, &s->places};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) p->VecDestroy(vectors[i]);
  for (int c = 0; c < 3; ++c) {
    p->VecDestroy(&s->border[c]);
    p->VecDestroy(&s->along[c]);
  }
  p->VecScatterDestroy(&s->scatter);
  p->MatDestroy(&s->matrix);
  p->MatDestroy(&s->scalar);
  syn_divided_factor_destroy(s->divide);
  syn_free(context, s->owner);
  syn_free(context, s->held);
  syn_free(context, s->number);
  syn_free(context, s);
}

/* ---- numbers -------------------------------------------------------------------------------------------------------
 */

void syn_block_copy_prescribed(const uint8_t *held, const double from[9], uint32_t row_node, uint32_t column_node,
                               bool transposed, double to[9]) {
  const uint8_t row_held = held[row_node], column_held = held[column_node];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      const bool gone = row_held >> r & 1 || column_held >> c & 1;
      const double one = row_node == column_node && r == c ? 1 : 0;
      to[3 * r + c] = gone ? one : transposed ? from[3 * c + r] : from[3 * r + c];
    }
}

static syn_status fill_matrix(syn_distributed_system *s, const double (*blocks)[9], syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  const syn_block_pattern *pattern = s->pattern;
  double block[9];
  if (s->filled) SYN_PETSC_TRY(p, MatZeroEntries, s->matrix);
  for (uint32_t i = 0; i < pattern->node_count; ++i)
    for (uint32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; ++k) {
      const uint32_t j = pattern->columns[k];
      const entry e = entry_of(s, i, j);
      if (e.row < 0 || !is_mine(s, e.row)) continue;
      syn_block_copy_prescribed(s->held, blocks[k], e.transposed ? j : i, e.transposed ? i : j, e.transposed, block);
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
static syn_status make_scalar(syn_distributed_system *s, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  MatNullSpace rigid;
  SYN_PETSC_TRY(p, MatConvert, s->matrix, MATAIJ, MAT_INITIAL_MATRIX, &s->scalar);
  SYN_PETSC_TRY(p, MatSetOption, s->scalar, MAT_SPD, PETSC_TRUE);
  SYN_PETSC_TRY(p, MatNullSpaceCreateRigidBody, s->places, &rigid);
  SYN_PETSC_TRY(p, MatSetNearNullSpace, s->scalar, rigid);
  SYN_PETSC_TRY(p, MatNullSpaceDestroy, &rigid);
  return SYN_OK;
}

static syn_status prepare(syn_distributed_system *s, int m, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  if (s->fresh[m]) return SYN_OK;
  if (methods[m].scalar && !s->scalar) SYN_TRY(make_scalar(s, error));
  if (!s->solvers[m]) {
    SYN_PETSC_TRY(p, KSPCreate, s->ranks->world, &s->solvers[m]);
    SYN_PETSC_TRY(p, KSPSetOptionsPrefix, s->solvers[m], methods[m].prefix);
    SYN_PETSC_TRY(p, KSPSetFromOptions, s->solvers[m]);
  }
  const Mat matrix = methods[m].scalar ? s->scalar : s->matrix;
  SYN_PETSC_TRY(p, KSPSetOperators, s->solvers[m], matrix, matrix);
  s->fresh[m] = true;
  return SYN_OK;
}

/* A factorisation goes on where a matrix is not definite, and counts. */
static syn_status count_negative(syn_distributed_system *s, int m, PetscInt *count, syn_error *error) {
  enum { NEGATIVE_PIVOTS = 12 };
  const syn_petsc *p = &s->ranks->petsc;
  PC pc;
  Mat factor;
  SYN_PETSC_TRY(p, KSPGetPC, s->solvers[m], &pc);
  SYN_PETSC_TRY(p, PCFactorGetMatrix, pc, &factor);
  SYN_PETSC_TRY(p, MatMumpsGetInfog, factor, NEGATIVE_PIVOTS, count);
  return SYN_OK;
}

static syn_status no_solution(const syn_distributed_system *s, syn_error *error) {
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "the stiffness of %d unknowns has no solution: the body is not held, or it is unstable",
                  3 * (int)s->rows);
}

/* Solved exactly, or known not to be definite. The wide node is one of those between the regions. */
static syn_status solve_divided(syn_distributed_system *s, const syn_vec3 *wide_load, syn_vec3 *shift,
                                syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  const double given[3] = {wide_load->x, wide_load->y, wide_load->z};
  double *from, *to, moved[3] = {0};
  if (!s->divide_definite) return no_solution(s, error);
  s->iterations = 1;
  SYN_PETSC_TRY(p, VecGetArray, s->load, &from);
  SYN_PETSC_TRY(p, VecGetArray, s->solution, &to);
  const syn_status status = syn_divided_factor_solve(s->divide, from, given, to, moved, error);
  SYN_PETSC_TRY(p, VecRestoreArray, s->load, &from);
  SYN_PETSC_TRY(p, VecRestoreArray, s->solution, &to);
  *shift = (syn_vec3){moved[0], moved[1], moved[2]};
  return status;
}

/* *indefinite where that was seen: no method would do better. */
static syn_status try_method(syn_distributed_system *s, int m, Vec load, Vec solution, bool *found, bool *indefinite,
                             syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  KSPConvergedReason reason = KSP_DIVERGED_NULL;
  PetscInt negative = 0;
  SYN_TRY(prepare(s, m, error));
  const PetscErrorCode code = p->KSPSolve(s->solvers[m], load, solution);
  if (code == PETSC_ERR_MEM) return syn_petsc_check(code, "KSPSolve", error);
  if (code) return SYN_OK;
  SYN_PETSC_TRY(p, KSPGetConvergedReason, s->solvers[m], &reason);
  SYN_PETSC_TRY(p, KSPGetIterationNumber, s->solvers[m], &s->iterations);
  if (m == DIRECT && reason > 0) SYN_TRY(count_negative(s, m, &negative, error));
  *indefinite = reason == KSP_DIVERGED_INDEFINITE_MAT || negative > 0;
  *found = reason > 0 && !*indefinite;
  return SYN_OK;
}

/* MUMPS would need as much memory as our own factor, and end the process. */
static syn_status no_memory(const syn_distributed_system *s, syn_error *error) {
  return syn_fail(error, SYN_NO_MEMORY,
                  "iterations do not converge, and the memory left is not enough for a factor of %d unknowns",
                  3 * (int)s->rows);
}

static syn_status solve(syn_distributed_system *s, Vec load, Vec solution, syn_error *error) {
  bool found = false, indefinite = false;
  for (int m = s->begin; m < METHODS && !found && !indefinite; ++m) {
    if (m == DIRECT && s->short_of_memory) return no_memory(s, error);
    SYN_TRY(try_method(s, m, load, solution, &found, &indefinite, error));
    if (found) s->begin = m; /* what failed once would fail again */
  }
  return found ? SYN_OK : no_solution(s, error);
}

/* ---- the wide node -------------------------------------------------------------------------------------------------
 */

/* Its columns, in the rows of this process. */
static syn_status fill_border(syn_distributed_system *s, const double (*blocks)[9], syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  const syn_block_pattern *pattern = s->pattern;
  double *columns[3], block[9];
  for (int c = 0; c < 3; ++c) {
    SYN_PETSC_TRY(p, VecGetArray, s->border[c], &columns[c]);
    memset(columns[c], 0, 3 * (size_t)s->mine * sizeof *columns[c]);
  }
  for (uint32_t i = 0; i < pattern->node_count; ++i) {
    const uint32_t low = i < s->wide ? i : s->wide, high = i < s->wide ? s->wide : i;
    if (!is_mine(s, s->number[i])) continue;
    const uint32_t slot = syn_block_find(pattern, low, high);
    if (slot == SYN_NONE) continue;
    syn_block_copy_prescribed(s->held, blocks[slot], i, s->wide, i > s->wide, block);
    for (int k = 0; k < 9; ++k) columns[k % 3][3 * (s->number[i] - s->first) + k / 3] = block[k];
  }
  for (int c = 0; c < 3; ++c) SYN_PETSC_TRY(p, VecRestoreArray, s->border[c], &columns[c]);
  return SYN_OK;
}

/* What its owner knows of it, for all. */
static syn_status from_owner(const syn_distributed_system *s, syn_vec3 *values, uint32_t count, syn_error *error) {
  const uint32_t owner[3] = {s->wide_owner, s->wide_owner, s->wide_owner};
  return syn_ranks_gather(s->ranks, owner, count, values, error);
}

static syn_status invert(double m[3][3], double inverse[3][3], syn_error *error) {
  const double minor = m[0][0] * m[1][1] - m[0][1] * m[1][0];
  double det = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
    }
  for (int j = 0; j < 3; ++j) det += m[0][j] * inverse[j][0];
  if (!(m[0][0] > 0 && minor > 0 && det > 0))
    return syn_fail(error, SYN_NOT_CONVERGED,
                    "the stiffness is not positive definite: nothing holds the body that moves, or it is unstable");
  for (int i = 0; i < 9; ++i) inverse[i / 3][i % 3] /= det;
  return SYN_OK;
}

/* Solves for its columns, and takes from its own block what the others bear. */
static syn_status eliminate_wide(syn_distributed_system *s, const double (*blocks)[9], syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  double own[9], left[3][3];
  SYN_TRY(fill_border(s, blocks, error));
  syn_block_copy_prescribed(s->held, blocks[s->pattern->row_start[s->wide]], s->wide, s->wide, false, own);
  syn_vec3 rows[3] = {{own[0], own[1], own[2]}, {own[3], own[4], own[5]}, {own[6], own[7], own[8]}};
  SYN_TRY(from_owner(s, rows, 3, error));
  for (int c = 0; c < 3; ++c) SYN_TRY(solve(s, s->border[c], s->along[c], error));
  for (int r = 0; r < 3; ++r) {
    const double row[3] = {rows[r].x, rows[r].y, rows[r].z};
    for (int c = 0; c < 3; ++c) {
      SYN_PETSC_TRY(p, VecDot, s->border[r], s->along[c], &left[r][c]);
      left[r][c] = row[c] - left[r][c];
    }
  }
  return invert(left, s->inverse, error);
}

/* The wide node's own displacement; the others go with it. */
static syn_status add_wide(syn_distributed_system *s, syn_vec3 load, syn_vec3 *shift, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  double left[3] = {load.x, load.y, load.z}, by[3] = {0};
  for (int c = 0; c < 3; ++c) {
    double borne;
    SYN_PETSC_TRY(p, VecDot, s->border[c], s->solution, &borne);
    left[c] = s->held[s->wide] >> c & 1 ? 0 : left[c] - borne;
  }
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) by[r] += s->inverse[r][c] * left[c];
  for (int c = 0; c < 3; ++c) SYN_PETSC_TRY(p, VecAXPY, s->solution, -by[c], s->along[c]);
  *shift = (syn_vec3){by[0], by[1], by[2]};
  return SYN_OK;
}

/* ---- what callers see ----------------------------------------------------------------------------------------------
 */

syn_status syn_distributed_system_update(syn_distributed_system *s, const double (*blocks)[9], syn_error *error) {
  if (s->divide) return syn_divided_factor_update(s->divide, blocks, &s->divide_definite, error);
  SYN_TRY(fill_matrix(s, blocks, error));
  return s->wide == SYN_NONE ? SYN_OK : eliminate_wide(s, blocks, error);
}

static syn_status give_solution(syn_distributed_system *s, syn_vec3 *x, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  double *array;
  SYN_PETSC_TRY(p, VecScatterBegin, s->scatter, s->solution, s->whole, INSERT_VALUES, SCATTER_FORWARD);
  SYN_PETSC_TRY(p, VecScatterEnd, s->scatter, s->solution, s->whole, INSERT_VALUES, SCATTER_FORWARD);
  SYN_PETSC_TRY(p, VecGetArray, s->whole, &array);
  for (uint32_t i = 0; i < s->pattern->node_count; ++i) {
    const double *from = array + 3 * (s->number[i] < 0 ? 0 : s->number[i]);
    x[i] = s->number[i] < 0 ? (syn_vec3){0, 0, 0} : (syn_vec3){from[0], from[1], from[2]};
  }
  SYN_PETSC_TRY(p, VecRestoreArray, s->whole, &array);
  return SYN_OK;
}

static void hold_loads(const syn_distributed_system *s, double *array) {
  for (uint32_t i = 0; i < s->pattern->node_count; ++i)
    for (int c = 0; is_mine(s, s->number[i]) && c < 3; ++c)
      if (s->held[i] >> c & 1) array[3 * (s->number[i] - s->first) + c] = 0;
}

syn_status syn_distributed_system_solve(syn_distributed_system *s, const syn_vec3 *b, syn_vec3 *x, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  double *array;
  syn_vec3 load = {0, 0, 0}, shift = {0, 0, 0};
  SYN_PETSC_TRY(p, VecGetArray, s->load, &array);
  take_rows(s, b, array);
  hold_loads(s, array);
  SYN_PETSC_TRY(p, VecRestoreArray, s->load, &array);
  if (s->wide != SYN_NONE) {
    load = b[s->wide];
    SYN_TRY(from_owner(s, &load, 1, error));
  }
  if (s->divide) {
    SYN_TRY(solve_divided(s, &load, &shift, error));
  } else {
    SYN_TRY(solve(s, s->load, s->solution, error));
    if (s->wide != SYN_NONE) SYN_TRY(add_wide(s, load, &shift, error));
  }
  SYN_TRY(give_solution(s, x, error));
  if (s->wide != SYN_NONE) x[s->wide] = shift;
  return SYN_OK;
}

uint32_t syn_distributed_system_iterations(const syn_distributed_system *s) { return (uint32_t)s->iterations; }

#else

/* There are no ranks, so none of these is ever called. */
syn_status syn_distributed_system_create(syn_ranks *ranks, const syn_block_pattern *pattern, const uint8_t *held,
                                         const syn_vec3 *places, const uint32_t *owner, uint32_t wide, double tolerance,
                                         syn_distributed_system **spread, syn_error *error) {
  (void)pattern, (void)held, (void)places, (void)owner, (void)wide, (void)tolerance, (void)spread;
  return syn_ranks_create(NULL, &ranks, error);
}
void syn_distributed_system_destroy(syn_distributed_system *s) { (void)s; }
syn_status syn_distributed_system_update(syn_distributed_system *s, const double (*blocks)[9], syn_error *error) {
  (void)s, (void)blocks;
  return syn_fail(error, SYN_NO_PROGRAM, "this build has no PETSc");
}
syn_status syn_distributed_system_solve(syn_distributed_system *s, const syn_vec3 *b, syn_vec3 *x, syn_error *error) {
  (void)b, (void)x;
  return syn_distributed_system_update(s, NULL, error);
}
uint32_t syn_distributed_system_iterations(const syn_distributed_system *s) { return s ? 1 : 0; }

#endif
