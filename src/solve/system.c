/* Creates a system and chooses its solver. */
#include "solve/partition.h"
#include "solve/system_solver.h"

#include <string.h>

syn_system_options syn_default_system_options(void) {
  return (syn_system_options){.method = "auto", .coupled = SYN_NONE, .tolerance = 1e-8, .cookie = SYN_COOKIE};
}

static const syn_system_solver *const solvers[] = {
    &syn_cholmod_solver,
#ifdef SYN_PETSC
    &syn_divided_solver,
    &syn_mumps_solver,
    &syn_gamg_solver,
#endif
};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

/* Returns NULL for an unknown name. */
static const syn_system_solver *find_solver(const char *name) {
  for (int i = 0; i < SOLVERS; ++i)
    if (strcmp(solvers[i]->name, name) == 0) return solvers[i];
  return NULL;
}

/* Counts the unknowns of the matrix that is solved: the coupled node is eliminated. */
static size_t count_unknowns(const syn_system *s) {
  size_t count = 0;
  for (uint32_t i = 0; i < s->pattern->node_count; ++i) count += system_is_free(s, i) && i != s->coupled;
  return 3 * count;
}

/* ---- the choice ----------------------------------------------------------------------------------------------------
 */

static syn_status use_solver(syn_system *s, const char *name, syn_error *error) {
  s->solver = find_solver(name);
  s->unsuitable = SYSTEM_SUITABLE;
  if (!s->solver) return syn_fail(error, SYN_BAD_ARGUMENT, "there is no solver '%s' in this build", name);
  return s->solver->create(s, error);
}

/* Limits measured on layers of cartilage on two to four ranks (docs/decisions.md): with more unknowns between the
 * regions MUMPS takes less time than the divided factorisation, whose dense part grows with the cube of their
 * number; with more unknowns in total multigrid fits into memory where MUMPS does not. Any choice gives the same
 * answers to the tolerance. Options of PETSc of these names replace them. */
typedef struct choice_limits {
  int64_t separator_unknowns, direct_unknowns;
  bool direct_given; /* the user decides: the memory is not checked */
} choice_limits;

static syn_status find_limits(const syn_system *s, choice_limits *limits, syn_error *error) {
  *limits = (choice_limits){.separator_unknowns = 12000, .direct_unknowns = 1000000};
  bool given;
  SYN_TRY(syn_ranks_option(s->ranks, "-syn_direct_unknowns", &limits->direct_unknowns, &limits->direct_given, error));
  return syn_ranks_option(s->ranks, "-syn_between_unknowns", &limits->separator_unknowns, &given, error);
}

/* Chooses by size and measured memory:
 *   one process                                                                        cholmod
 *   ranks, up to 12,000 unknowns between the regions, and the factor fits into memory  divided
 *   ranks, more between the regions, up to 1,000,000 unknowns                          mumps
 *   ranks, else                                                                        gamg, then mumps if it fails
 * Where memory is too short for the divided factorisation it is for MUMPS as well: gamg stands alone. */
static syn_status choose_solver(syn_system *s, syn_error *error) {
  choice_limits limits;
  if (!s->ranks) return use_solver(s, "cholmod", error);
  SYN_TRY(find_limits(s, &limits, error));
  const size_t unknowns = count_unknowns(s);
  const bool few = (int64_t)unknowns <= limits.direct_unknowns;
  s->any_memory = limits.direct_given;
  s->may_fall_back = true;
  /* Divided factorisation, if it fits */
  if (limits.separator_unknowns > 0 && (few || !limits.direct_given)) {
    s->separator_unknowns = (size_t)limits.separator_unknowns;
    SYN_TRY(use_solver(s, "divided", error));
    if (s->unsuitable == SYSTEM_SUITABLE) return SYN_OK;
    if (s->unsuitable == SYSTEM_TOO_LARGE) {
      s->may_fall_back = false;
      if (syn_ranks_should_warn(s->ranks))
        syn_warn(s->context,
                 "the memory left is not enough for a factor of %zu unknowns: iterations take its place, and longer",
                 unknowns);
      return use_solver(s, "gamg", error);
    }
  }
  return use_solver(s, few ? "mumps" : "gamg", error);
}

static syn_status use_named(syn_system *s, const char *name, syn_error *error) {
  const syn_system_solver *solver = find_solver(name);
  if (solver && solver->distributed != (s->ranks != NULL))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    solver->distributed ? "the solver '%s' needs ranks" : "the solver '%s' runs in one process", name);
  s->separator_unknowns = SIZE_MAX;
  s->any_memory = true;
  return use_solver(s, name, error);
}

/* ---- life ----------------------------------------------------------------------------------------------------------
 */

static syn_status copy_array(syn_arena *arena, const void *from, size_t size, void *to, syn_error *error) {
  void *copy;
  SYN_TRY(syn_arena_take(arena, size, 1, &copy, error));
  memcpy(copy, from, size);
  memcpy(to, &copy, sizeof copy);
  return SYN_OK;
}

/* Sets the rank of each node: as given, else by the pattern if METIS is available, else by bisection of boxes. */
static syn_status take_owners(syn_system *s, const uint32_t *owner, syn_error *error) {
  const uint32_t count = s->pattern->node_count, size = syn_ranks_size(s->ranks);
  bool found;
  if (owner) return copy_array(&s->arena, owner, count * sizeof *owner, &s->owner, error);
  SYN_TRY(SYN_TAKE(&s->arena, &s->owner, count, error));
  memset(s->owner, 0, count * sizeof *s->owner);
  SYN_TRY(syn_partition_graph(s->context, size, s->pattern, s->coupled, s->owner, &found, error));
  if (found || size == 1) return SYN_OK;
  if (!s->positions)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%u ranks need the positions of the nodes, or their owners", size);
  SYN_TRY(syn_partition_boxes(s->context, size, s->positions, s->prescribed, count, s->owner, error));
  if (s->coupled != SYN_NONE) s->owner[s->coupled] = size - 1;
  return SYN_OK;
}

static syn_status fill_system(syn_system *s, const syn_system_options *options, syn_error *error) {
  const uint32_t count = s->pattern->node_count;
  SYN_TRY(SYN_TAKE(&s->arena, &s->prescribed, count, error));
  memset(s->prescribed, 0, count);
  if (options->prescribed) memcpy(s->prescribed, options->prescribed, count);
  if (options->positions)
    SYN_TRY(copy_array(&s->arena, options->positions, count * sizeof *options->positions, &s->positions, error));
  if (s->ranks) SYN_TRY(take_owners(s, options->owner, error));
  return strcmp(options->method, "auto") == 0 ? choose_solver(s, error) : use_named(s, options->method, error);
}

syn_status syn_system_create(const syn_context *context, const syn_pattern *pattern, const syn_system_options *options,
                             syn_system **system, syn_error *error) {
  const syn_system_options defaults = syn_default_system_options();
  syn_system *made;
  *system = NULL;
  if (!options) options = &defaults;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_system_options, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  *made = (syn_system){.context = context,
                       .pattern = pattern,
                       .arena = {.context = context},
                       .coupled = options->ranks ? options->coupled : SYN_NONE,
                       .ranks = options->ranks,
                       .tolerance = options->tolerance};
  const syn_status status = fill_system(made, options, error);
  if (status)
    syn_system_destroy(made);
  else
    *system = made;
  return status;
}

void syn_system_destroy(syn_system *s) {
  if (!s) return;
  if (s->solver) s->solver->destroy(s);
  syn_arena_release(&s->arena);
  syn_free(s->context, s);
}

/* ---- numbers and solutions -----------------------------------------------------------------------------------------
 */

/* Switches from an iterative solver that failed to a direct one, permanently: what failed once would fail again. A
 * matrix known not to be definite has no solution by any method. */
static syn_status fall_back(syn_system *s, syn_status failed, uint32_t *node, syn_error *error) {
  if (failed != SYN_NOT_CONVERGED || s->solver->direct || s->indefinite) return failed;
  if (!s->may_fall_back)
    return syn_fail(error, SYN_NO_MEMORY,
                    "iterations do not converge, and the memory left is not enough for a factor of %zu unknowns",
                    count_unknowns(s));
  s->solver->destroy(s);
  SYN_TRY(use_solver(s, "mumps", error));
  return s->solver->update(s, s->blocks, node, error);
}

syn_status syn_system_update(syn_system *s, const double (*blocks)[9], uint32_t *node, syn_error *error) {
  uint32_t unused;
  if (!node) node = &unused;
  *node = SYN_NONE;
  s->blocks = blocks;
  s->indefinite = false;
  const syn_status status = s->solver->update(s, blocks, node, error);
  return status ? fall_back(s, status, node, error) : SYN_OK;
}

syn_status syn_system_solve(syn_system *s, uint32_t count, const syn_vec3 *loads, syn_vec3 *displacements,
                            syn_error *error) {
  const uint32_t nodes = s->pattern->node_count;
  if (count == 0) return SYN_OK;
  if (!s->solver->distributed) return s->solver->solve(s, count, loads, displacements, error);
  for (uint32_t i = 0; i < count; ++i) {
    const syn_vec3 *load = loads + (size_t)i * nodes;
    syn_vec3 *to = displacements + (size_t)i * nodes;
    uint32_t node;
    const syn_status status = s->solver->solve(s, 1, load, to, error);
    if (status == SYN_OK) continue;
    SYN_TRY(fall_back(s, status, &node, error));
    SYN_TRY(s->solver->solve(s, 1, load, to, error));
  }
  return SYN_OK;
}

const uint32_t *syn_system_owned(const syn_system *s) { return s->owner; }

syn_system_report syn_system_describe(const syn_system *s) {
  return (syn_system_report){.method = s->solver->name,
                             .unknowns = count_unknowns(s),
                             .bytes = s->solver->bytes(s),
                             .iterations = s->iterations};
}
