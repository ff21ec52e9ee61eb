/* Solves with MUMPS and GAMG through PETSc. Each rank has the rows of its nodes in PETSc's block matrix. MUMPS
 * factorises it; conjugate gradients with algebraic multigrid (GAMG), given the rigid motions of the body, need less
 * memory. The coupled node has no row, since its columns would fill the matrix: it is eliminated first. */
#include "solve/system_solver.h"

#ifdef SYN_PETSC
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/ranks_mpi.h"

typedef struct petsc_method {
  const char *prefix, *options;
  bool scalar; /* needs a matrix without blocks */
} petsc_method;

static const petsc_method multigrid = {"syn_gamg_",
                                       "-syn_gamg_ksp_type cg -syn_gamg_ksp_max_it 400 -syn_gamg_pc_type gamg", true};
static const petsc_method factorisation = {
    "syn_direct_",
    "-syn_direct_ksp_type preonly -syn_direct_pc_type cholesky -syn_direct_pc_factor_mat_solver_type mumps", false};

typedef struct petsc_state {
  syn_system *system;
  const petsc_method *method;
  syn_ranks *ranks;
  const syn_pattern *pattern;
  const uint8_t *prescribed;
  uint32_t coupled;
  PetscInt *number; /* block row of each node: those of rank 0 first, …; -1: wholly prescribed, or coupled */
  PetscInt first, mine, rows;
  Mat matrix, scalar;
  Vec load, solution, whole, places;
  Vec border[3], along[3]; /* columns of the coupled node, and the solutions for them as loads */
  double inverse[3][3];    /* of its block's Schur complement when all others are eliminated */
  VecScatter scatter;
  KSP solver;
  bool fresh; /* the solver has the present numbers */
  bool filled;
} petsc_state;

/* ---- which rows ----------------------------------------------------------------------------------------------------
 */

static bool has_no_row(const petsc_state *s, uint32_t node) {
  return s->prescribed[node] == SYN_XYZ || node == s->coupled;
}

static void number_rows(petsc_state *s) {
  const uint32_t *owner = s->system->owner;
  const uint32_t count = s->pattern->node_count;
  for (uint32_t rank = 0; rank < s->ranks->size; ++rank) {
    if (rank == s->ranks->rank) s->first = s->rows;
    for (uint32_t i = 0; i < count; ++i)
      if (owner[i] == rank) s->number[i] = has_no_row(s, i) ? -1 : s->rows++;
    if (rank == s->ranks->rank) s->mine = s->rows - s->first;
  }
}

static bool is_mine(const petsc_state *s, PetscInt row) { return row >= s->first && row < s->first + s->mine; }

/* The block of the upper triangle of a pair of nodes in this numbering. */
typedef struct entry {
  PetscInt row, column; /* row -1: unused */
  bool transposed;
} entry;

static entry entry_of(const petsc_state *s, uint32_t node, uint32_t other) {
  const PetscInt a = s->number[node], b = s->number[other];
  if (a < 0 || b < 0) return (entry){-1, -1, false};
  return a <= b ? (entry){a, b, false} : (entry){b, a, true};
}

static syn_status make_matrix(petsc_state *s, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  const syn_pattern *pattern = s->pattern;
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

static void take_rows(const petsc_state *s, const syn_vec3 *values, double *array) {
  for (uint32_t i = 0; i < s->pattern->node_count; ++i) {
    if (!is_mine(s, s->number[i])) continue;
    double *to = array + 3 * (s->number[i] - s->first);
    to[0] = values[i].x;
    to[1] = values[i].y;
    to[2] = values[i].z;
  }
}

static syn_status make_vectors(petsc_state *s, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  double *array;
  SYN_PETSC_TRY(p, VecCreateMPI, s->ranks->world, 3 * s->mine, 3 * s->rows, &s->load);
  SYN_PETSC_TRY(p, VecSetBlockSize, s->load, 3);
  SYN_PETSC_TRY(p, VecDuplicate, s->load, &s->solution);
  for (int c = 0; c < 3 && s->coupled != SYN_NONE; ++c) {
    SYN_PETSC_TRY(p, VecDuplicate, s->load, &s->border[c]);
    SYN_PETSC_TRY(p, VecDuplicate, s->load, &s->along[c]);
  }
  SYN_PETSC_TRY(p, VecScatterCreateToAll, s->solution, &s->scatter, &s->whole);
  if (!s->system->positions) return SYN_OK;
  SYN_PETSC_TRY(p, VecDuplicate, s->load, &s->places);
  SYN_PETSC_TRY(p, VecGetArray, s->places, &array);
  take_rows(s, s->system->positions, array);
  SYN_PETSC_TRY(p, VecRestoreArray, s->places, &array);
  return SYN_OK;
}

/* Sets options by their text, the user's last. */
static syn_status set_options(const petsc_state *s, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  char text[512];
  snprintf(text, sizeof text, "%s -%sksp_rtol %.3e", s->method->options, s->method->prefix, s->system->tolerance);
  SYN_PETSC_TRY(p, PetscOptionsInsertString, NULL, text);
  const char *users = getenv("PETSC_OPTIONS");
  if (users) SYN_PETSC_TRY(p, PetscOptionsInsertString, NULL, users);
  return SYN_OK;
}

static void destroy_petsc(syn_system *system) {
  petsc_state *s = system->state;
  if (!s) return;
  const syn_petsc *p = &s->ranks->petsc;
  p->KSPDestroy(&s->solver);
  Vec *vectors[] = {&s->load, &s->solution, &s->whole, &s->places};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) p->VecDestroy(vectors[i]);
  for (int c = 0; c < 3; ++c) {
    p->VecDestroy(&s->border[c]);
    p->VecDestroy(&s->along[c]);
  }
  p->VecScatterDestroy(&s->scatter);
  p->MatDestroy(&s->matrix);
  p->MatDestroy(&s->scalar);
  syn_free(system->context, s->number);
  syn_free(system->context, s);
  system->state = NULL;
}

static syn_status create_petsc(syn_system *system, const petsc_method *method, syn_error *error) {
  petsc_state *s;
  SYN_TRY(SYN_NEW_ZEROED(system->context, &s, 1, error));
  *s = (petsc_state){.system = system,
                     .method = method,
                     .ranks = system->ranks,
                     .pattern = system->pattern,
                     .prescribed = system->prescribed,
                     .coupled = system->coupled};
  system->state = s;
  SYN_TRY(SYN_NEW(system->context, &s->number, s->pattern->node_count, error));
  number_rows(s);
  SYN_TRY(set_options(s, error));
  SYN_TRY(make_matrix(s, error));
  return make_vectors(s, error);
}

static syn_status create_multigrid(syn_system *system, syn_error *error) {
  return create_petsc(system, &multigrid, error);
}
static syn_status create_mumps(syn_system *system, syn_error *error) {
  return create_petsc(system, &factorisation, error);
}

/* ---- numbers -------------------------------------------------------------------------------------------------------
 */

static syn_status fill_matrix(petsc_state *s, const double (*blocks)[9], syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  const syn_pattern *pattern = s->pattern;
  double block[9];
  if (s->filled) SYN_PETSC_TRY(p, MatZeroEntries, s->matrix);
  for (uint32_t i = 0; i < pattern->node_count; ++i)
    for (uint32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; ++k) {
      const uint32_t j = pattern->columns[k];
      const entry e = entry_of(s, i, j);
      if (e.row < 0 || !is_mine(s, e.row)) continue;
      syn_block_copy_prescribed(s->prescribed, blocks[k], e.transposed ? j : i, e.transposed ? i : j, e.transposed,
                                block);
      SYN_PETSC_TRY(p, MatSetValuesBlocked, s->matrix, 1, &e.row, 1, &e.column, block, INSERT_VALUES);
    }
  SYN_PETSC_TRY(p, MatAssemblyBegin, s->matrix, MAT_FINAL_ASSEMBLY);
  SYN_PETSC_TRY(p, MatAssemblyEnd, s->matrix, MAT_FINAL_ASSEMBLY);
  s->filled = true;
  p->MatDestroy(&s->scalar);
  s->fresh = false;
  return SYN_OK;
}

/* ---- solutions -----------------------------------------------------------------------------------------------------
 */

/* The rigid motions, without which multigrid converges slowly in elasticity. */
static syn_status make_scalar(petsc_state *s, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  MatNullSpace rigid;
  SYN_PETSC_TRY(p, MatConvert, s->matrix, MATAIJ, MAT_INITIAL_MATRIX, &s->scalar);
  SYN_PETSC_TRY(p, MatSetOption, s->scalar, MAT_SPD, PETSC_TRUE);
  if (!s->places) return SYN_OK;
  SYN_PETSC_TRY(p, MatNullSpaceCreateRigidBody, s->places, &rigid);
  SYN_PETSC_TRY(p, MatSetNearNullSpace, s->scalar, rigid);
  SYN_PETSC_TRY(p, MatNullSpaceDestroy, &rigid);
  return SYN_OK;
}

static syn_status prepare_solver(petsc_state *s, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  if (s->fresh) return SYN_OK;
  if (s->method->scalar && !s->scalar) SYN_TRY(make_scalar(s, error));
  if (!s->solver) {
    SYN_PETSC_TRY(p, KSPCreate, s->ranks->world, &s->solver);
    SYN_PETSC_TRY(p, KSPSetOptionsPrefix, s->solver, s->method->prefix);
    SYN_PETSC_TRY(p, KSPSetFromOptions, s->solver);
  }
  const Mat matrix = s->method->scalar ? s->scalar : s->matrix;
  SYN_PETSC_TRY(p, KSPSetOperators, s->solver, matrix, matrix);
  s->fresh = true;
  return SYN_OK;
}

/* MUMPS continues with a matrix that is not definite, and counts negative pivots. */
static syn_status count_negative(petsc_state *s, PetscInt *count, syn_error *error) {
  enum { NEGATIVE_PIVOTS = 12 };
  const syn_petsc *p = &s->ranks->petsc;
  PC pc;
  Mat factor;
  SYN_PETSC_TRY(p, KSPGetPC, s->solver, &pc);
  SYN_PETSC_TRY(p, PCFactorGetMatrix, pc, &factor);
  SYN_PETSC_TRY(p, MatMumpsGetInfog, factor, NEGATIVE_PIVOTS, count);
  return SYN_OK;
}

static syn_status no_solution(const petsc_state *s, syn_error *error) {
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "the stiffness of %d unknowns has no solution: the body is not held, or it is unstable",
                  3 * (int)s->rows);
}

static syn_status solve_rows(petsc_state *s, Vec load, Vec solution, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  KSPConvergedReason reason = KSP_DIVERGED_NULL;
  PetscInt negative = 0, iterations = 0;
  SYN_TRY(prepare_solver(s, error));
  const PetscErrorCode code = p->KSPSolve(s->solver, load, solution);
  if (code == PETSC_ERR_MEM) return syn_petsc_check(code, "KSPSolve", error);
  if (code) return no_solution(s, error);
  SYN_PETSC_TRY(p, KSPGetConvergedReason, s->solver, &reason);
  SYN_PETSC_TRY(p, KSPGetIterationNumber, s->solver, &iterations);
  s->system->iterations = (uint32_t)iterations;
  if (s->method == &factorisation && reason > 0) SYN_TRY(count_negative(s, &negative, error));
  s->system->indefinite = reason == KSP_DIVERGED_INDEFINITE_MAT || negative > 0;
  return reason > 0 && !s->system->indefinite ? SYN_OK : no_solution(s, error);
}

/* ---- the coupled node
 * -------------------------------------------------------------------------------------------------
 */

/* Fills the coupled node's columns, in the rows of this rank. */
static syn_status fill_border(petsc_state *s, const double (*blocks)[9], syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  const syn_pattern *pattern = s->pattern;
  double *columns[3], block[9];
  for (int c = 0; c < 3; ++c) {
    SYN_PETSC_TRY(p, VecGetArray, s->border[c], &columns[c]);
    memset(columns[c], 0, 3 * (size_t)s->mine * sizeof *columns[c]);
  }
  for (uint32_t i = 0; i < pattern->node_count; ++i) {
    const uint32_t low = i < s->coupled ? i : s->coupled, high = i < s->coupled ? s->coupled : i;
    if (!is_mine(s, s->number[i])) continue;
    const uint32_t slot = syn_pattern_find(pattern, low, high);
    if (slot == SYN_NONE) continue;
    syn_block_copy_prescribed(s->prescribed, blocks[slot], i, s->coupled, i > s->coupled, block);
    for (int k = 0; k < 9; ++k) columns[k % 3][3 * (s->number[i] - s->first) + k / 3] = block[k];
  }
  for (int c = 0; c < 3; ++c) SYN_PETSC_TRY(p, VecRestoreArray, s->border[c], &columns[c]);
  return SYN_OK;
}

/* Broadcasts values of the coupled node from its owner. */
static syn_status from_owner(const petsc_state *s, syn_vec3 *values, uint32_t count, syn_error *error) {
  const uint32_t owner[3] = {s->system->owner[s->coupled], s->system->owner[s->coupled], s->system->owner[s->coupled]};
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

/* Solves for the coupled node's columns, and computes the Schur complement of its block. */
static syn_status eliminate_coupled(petsc_state *s, const double (*blocks)[9], syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  double own[9], left[3][3];
  SYN_TRY(fill_border(s, blocks, error));
  syn_block_copy_prescribed(s->prescribed, blocks[s->pattern->row_start[s->coupled]], s->coupled, s->coupled, false,
                            own);
  syn_vec3 rows[3] = {{own[0], own[1], own[2]}, {own[3], own[4], own[5]}, {own[6], own[7], own[8]}};
  SYN_TRY(from_owner(s, rows, 3, error));
  for (int c = 0; c < 3; ++c) SYN_TRY(solve_rows(s, s->border[c], s->along[c], error));
  for (int r = 0; r < 3; ++r) {
    const double row[3] = {rows[r].x, rows[r].y, rows[r].z};
    for (int c = 0; c < 3; ++c) {
      SYN_PETSC_TRY(p, VecDot, s->border[r], s->along[c], &left[r][c]);
      left[r][c] = row[c] - left[r][c];
    }
  }
  return invert(left, s->inverse, error);
}

/* Adds the displacement of the coupled node, and that of the others due to it. */
static syn_status add_coupled(petsc_state *s, syn_vec3 load, syn_vec3 *shift, syn_error *error) {
  const syn_petsc *p = &s->ranks->petsc;
  double left[3] = {load.x, load.y, load.z}, by[3] = {0};
  for (int c = 0; c < 3; ++c) {
    double borne;
    SYN_PETSC_TRY(p, VecDot, s->border[c], s->solution, &borne);
    left[c] = s->prescribed[s->coupled] >> c & 1 ? 0 : left[c] - borne;
  }
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) by[r] += s->inverse[r][c] * left[c];
  for (int c = 0; c < 3; ++c) SYN_PETSC_TRY(p, VecAXPY, s->solution, -by[c], s->along[c]);
  *shift = (syn_vec3){by[0], by[1], by[2]};
  return SYN_OK;
}

/* ---- the solvers ---------------------------------------------------------------------------------------------------
 */

static syn_status update_petsc(syn_system *system, const double (*blocks)[9], uint32_t *node, syn_error *error) {
  petsc_state *s = system->state;
  (void)node;
  SYN_TRY(fill_matrix(s, blocks, error));
  return s->coupled == SYN_NONE ? SYN_OK : eliminate_coupled(s, blocks, error);
}

static syn_status give_solution(petsc_state *s, syn_vec3 *x, syn_error *error) {
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

static void clear_prescribed(const petsc_state *s, double *array) {
  for (uint32_t i = 0; i < s->pattern->node_count; ++i)
    for (int c = 0; is_mine(s, s->number[i]) && c < 3; ++c)
      if (s->prescribed[i] >> c & 1) array[3 * (s->number[i] - s->first) + c] = 0;
}

static syn_status solve_petsc(syn_system *system, uint32_t count, const syn_vec3 *b, syn_vec3 *x, syn_error *error) {
  petsc_state *s = system->state;
  const syn_petsc *p = &s->ranks->petsc;
  double *array;
  syn_vec3 load = {0, 0, 0}, shift = {0, 0, 0};
  (void)count;
  SYN_PETSC_TRY(p, VecGetArray, s->load, &array);
  take_rows(s, b, array);
  clear_prescribed(s, array);
  SYN_PETSC_TRY(p, VecRestoreArray, s->load, &array);
  if (s->coupled != SYN_NONE) {
    load = b[s->coupled];
    SYN_TRY(from_owner(s, &load, 1, error));
  }
  SYN_TRY(solve_rows(s, s->load, s->solution, error));
  if (s->coupled != SYN_NONE) SYN_TRY(add_coupled(s, load, &shift, error));
  SYN_TRY(give_solution(s, x, error));
  if (s->coupled != SYN_NONE) x[s->coupled] = shift;
  return SYN_OK;
}

/* Counts the blocks in the rows of this rank, and once more as a scalar matrix for multigrid. */
static double count_petsc_bytes(const syn_system *system) {
  const petsc_state *s = system->state;
  double blocks = 0;
  for (uint32_t i = 0; i < s->pattern->node_count; ++i)
    for (uint32_t k = s->pattern->row_start[i]; k < s->pattern->row_start[i + 1]; ++k) {
      const entry e = entry_of(s, i, s->pattern->columns[k]);
      blocks += e.row >= 0 && is_mine(s, e.row);
    }
  return blocks * (9 * sizeof(double) + sizeof(PetscInt)) * (s->method->scalar ? 3 : 1);
}

const syn_system_solver syn_mumps_solver = {.name = "mumps",
                                            .direct = true,
                                            .distributed = true,
                                            .create = create_mumps,
                                            .update = update_petsc,
                                            .solve = solve_petsc,
                                            .destroy = destroy_petsc,
                                            .bytes = count_petsc_bytes};
const syn_system_solver syn_gamg_solver = {.name = "gamg",
                                           .distributed = true,
                                           .create = create_multigrid,
                                           .update = update_petsc,
                                           .solve = solve_petsc,
                                           .destroy = destroy_petsc,
                                           .bytes = count_petsc_bytes};
#else
typedef int syn_no_petsc_solver; /* an empty file is not valid C */
#endif
