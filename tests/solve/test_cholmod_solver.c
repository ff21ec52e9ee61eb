// test: early
/* CHOLMOD with one of its allocations refused: the factorisation fails, or it answers as ever. By itself it would take
 * another order of unknowns, whose answer has other digits. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>

#include "base/vec.h"
#include "solve/block_matrix.h"
#include "solve/cholmod_library.h"
#include "support.h"

/* ---- refusing -----------------------------------------------------------------------------------------------------
 */

/* The first members of SuiteSparse's configuration up to version 5, which is a variable; from version 6 on functions
 * set them. Headers know one or the other. */
typedef struct allocators {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
} allocators;

/* The METIS inside SuiteSparse 7 leaves by a jump where memory is refused, and what it had with it is lost: other
 * people's memory. The sanitizer asks this function. */
const char *__lsan_default_suppressions(void) __attribute__((visibility("default")));
const char *__lsan_default_suppressions(void) { return "leak:SuiteSparse_metis_"; }

static struct {
  void *library;
  allocators before;
  bool replaced; /* by those that refuse */
  size_t count, at;
  bool further;
} memory;

static bool refused(void) {
  ++memory.count;
  return memory.count == memory.at || (memory.further && memory.count > memory.at);
}

static void *refusing_malloc(size_t size) { return refused() ? NULL : memory.before.malloc(size); }
static void *refusing_calloc(size_t count, size_t size) { return refused() ? NULL : memory.before.calloc(count, size); }
static void *refusing_realloc(void *block, size_t size) {
  return refused() ? NULL : memory.before.realloc(block, size);
}

static void *find_function(const char *name) { return memory.library ? dlsym(memory.library, name) : NULL; }

/* false: this SuiteSparse has neither the variable nor the functions. */
static bool exchange_allocators(allocators new, allocators *old) {
  allocators *variable = find_function("SuiteSparse_config");
  if (variable) {
    *old = *variable;
    *variable = new;
    return true;
  }
  static const char *const getters[] = {"SuiteSparse_config_malloc_func_get", "SuiteSparse_config_calloc_func_get",
                                        "SuiteSparse_config_realloc_func_get"};
  static const char *const setters[] = {"SuiteSparse_config_malloc_func_set", "SuiteSparse_config_calloc_func_set",
                                        "SuiteSparse_config_realloc_func_set"};
  void *(*get[3])(void), *functions[3];
  void (*set[3])(void *);
  for (int i = 0; i < 3; ++i) {
    *(void **)&get[i] = find_function(getters[i]);
    *(void **)&set[i] = find_function(setters[i]);
    if (!get[i] || !set[i]) return false;
  }
  for (int i = 0; i < 3; ++i) functions[i] = get[i]();
  memcpy(old, functions, sizeof *old);
  memcpy(functions, &new, sizeof new);
  for (int i = 0; i < 3; ++i) set[i](functions[i]);
  return true;
}

static int end_refusing(void **state) {
  (void)state;
  allocators refusing;
  if (memory.replaced) exchange_allocators(memory.before, &refusing);
  memory.replaced = false;
  return 0;
}

/* CHOLMOD asks for memory through functions that can be replaced. */
static void begin_refusing(void) {
  syn_cholmod cholmod;
  syn_error error;
  ASSERT_OK(syn_cholmod_load(&cholmod, &error));
  void *start;
  memcpy(&start, &cholmod.start, sizeof start);
  Dl_info info;
  assert_true(dladdr(start, &info) != 0);
  memory.library = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  const allocators refusing = {refusing_malloc, refusing_calloc, refusing_realloc};
  memory.at = memory.count = 0;
  memory.further = false;
  if (!exchange_allocators(refusing, &memory.before)) SKIP("this CHOLMOD does not let its memory be refused");
  memory.replaced = true;
}

/* ---- matrices -----------------------------------------------------------------------------------------------------
 */

enum { EDGE = 13, MOST_NODES = EDGE * EDGE * EDGE, NEIGHBOURS = 7 };

/* The nodes of a block of cells, each with those of the cell above it. */
static syn_pattern *make_pattern(uint32_t edge) {
  static uint32_t pairs[NEIGHBOURS * MOST_NODES][2];
  size_t count = 0;
  for (uint32_t i = 0; i < edge * edge * edge; ++i)
    for (uint32_t k = 1; k <= NEIGHBOURS; ++k) {
      const uint32_t x = i % edge + (k & 1), y = i / edge % edge + (k >> 1 & 1), z = i / edge / edge + (k >> 2);
      if (x == edge || y == edge || z == edge) continue;
      pairs[count][0] = i;
      pairs[count++][1] = x + edge * (y + edge * z);
    }
  syn_pattern *pattern;
  syn_error error;
  ASSERT_OK(syn_pattern_create(NULL, edge * edge * edge, (const uint32_t(*)[2])pairs, count, &pattern, &error));
  return pattern;
}

/* Definite where `diagonal` is large. */
static double (*make_blocks(const syn_pattern *pattern, double diagonal))[9] {
  double(*blocks)[9] = calloc(syn_block_count(pattern), sizeof *blocks);
  for (size_t k = 0; k < syn_block_count(pattern); ++k)
    for (int e = 0; e < 9; ++e) blocks[k][e] = e % 4 ? 0.1 : -1;
  for (uint32_t i = 0; i < pattern->node_count; ++i)
    for (int c = 0; c < 3; ++c) blocks[pattern->row_start[i]][4 * c] = diagonal;
  return blocks;
}

typedef struct question {
  const syn_pattern *pattern;
  double (*indefinite)[9], (*definite)[9]; /* NULL: the order of unknowns alone */
} question;

typedef struct answer {
  double bytes;
  syn_vec3 x[MOST_NODES];
} answer;

static syn_status solve(const question *q, syn_system *system, answer *a, syn_error *error) {
  const syn_status unstable = syn_system_update(system, (const double(*)[9])q->indefinite, NULL, error);
  if (unstable != SYN_NOT_CONVERGED) return unstable;
  SYN_TRY(syn_system_update(system, (const double(*)[9])q->definite, NULL, error));
  for (uint32_t i = 0; i < q->pattern->node_count; ++i) a->x[i] = vec3(i, 1, -2);
  return syn_system_solve(system, 1, a->x, a->x, error);
}

static syn_status ask(const question *q, answer *a, syn_error *error) {
  syn_system *system;
  memset(a, 0, sizeof *a);
  SYN_TRY(syn_system_create(NULL, q->pattern, NULL, &system, error));
  a->bytes = syn_system_describe(system).bytes;
  const syn_status status = q->definite ? solve(q, system, a, error) : SYN_OK;
  syn_system_destroy(system);
  return status;
}

/* CHOLMOD itself asks for memory some sixty times. The METIS inside SuiteSparse 7 asks thousands of times more, in
 * loops: of those that come late some stand for their neighbours, and `make verify` refuses each. */
static size_t next_refusal(size_t at, size_t made) {
  enum { EACH = 100, FURTHER = 100 };
  return at < EACH || long_cases() ? at + 1 : at + 1 + made / FURTHER;
}

static void check_every_refusal(const question *q) {
  static answer expected, got;
  syn_error error;
  begin_refusing();
  memory.at = memory.count = 0;
  memory.further = false;
  ASSERT_OK(ask(q, &expected, &error));
  const size_t made = memory.count;
  assert_true(made > 20);
  for (int further = 0; further < 2; ++further)
    for (memory.at = 1; memory.at <= made; memory.at = next_refusal(memory.at, made)) {
      memory.count = 0;
      memory.further = further;
      const syn_status status = ask(q, &got, &error);
      if (status != SYN_OK && status != SYN_NO_MEMORY)
        fail_msg("allocation %zu of %zu refused: %s", memory.at, made, error.message);
      if (status == SYN_OK && memcmp(&got, &expected, sizeof got) != 0)
        fail_msg("allocation %zu of %zu refused: another answer", memory.at, made);
    }
  end_refusing(NULL);
}

static void refused_memory_is_an_error_or_changes_no_bit(void **state) {
  (void)state;
  static const uint32_t edges[] = {2, 4}; /* simplicial and supernodal */
  for (int i = 0; i < 2; ++i) {
    syn_pattern *pattern = make_pattern(edges[i]);
    const question q = {pattern, make_blocks(pattern, 0.5), make_blocks(pattern, 40)};
    check_every_refusal(&q);
    free(q.definite);
    free(q.indefinite);
    syn_pattern_destroy(pattern);
  }
}

/* Much is filled in: nested dissection is tried after minimum degree. */
static void the_second_order_is_not_given_up_where_memory_is_refused(void **state) {
  (void)state;
  syn_pattern *pattern = make_pattern(EDGE);
  const question q = {.pattern = pattern};
  check_every_refusal(&q);
  syn_pattern_destroy(pattern);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(refused_memory_is_an_error_or_changes_no_bit, end_refusing),
      cmocka_unit_test_teardown(the_second_order_is_not_given_up_where_memory_is_refused, end_refusing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
