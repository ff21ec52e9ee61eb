// test: slow, early, processes, own-program
/* Several processes on one system: what they find is what one process finds with CHOLMOD. The program starts itself
 * under mpirun; each process then checks the whole solution. */
#include "element_box.h"
#include "program.h"
#include "support.h"

#include <unistd.h>

#include "base/vec.h"
#include "solve/block_matrix.h"
#include "solve/partition.h"
#include "solve/ranks.h"

static const char *self;

/* ---- who owns what -------------------------------------------------------------------------------------------------
 */

static void regions_are_compact_and_of_one_size(void **state) {
  (void)state;
  enum { SIDE = 12, NODES = SIDE * SIDE * SIDE };
  syn_vec3 *places = malloc(NODES * sizeof *places);
  uint32_t *owner = malloc(NODES * sizeof *owner);
  uint8_t *held = calloc(NODES, 1);
  syn_error error;
  for (int i = 0; i < NODES; ++i) {
    places[i] = vec3(i % SIDE, i / SIDE % SIDE, 3 * (i / SIDE / SIDE));
    if (i % SIDE == 0) held[i] = SYN_XYZ;
  }
  for (uint32_t size = 1; size <= 7; ++size) {
    uint32_t counts[7] = {0}, cut = 0;
    ASSERT_OK(syn_partition_boxes(NULL, size, places, held, NODES, owner, &error));
    for (uint32_t i = 0; i < NODES; ++i) {
      assert_true(owner[i] < size);
      if (!held[i]) ++counts[owner[i]];
    }
    for (uint32_t r = 0; r < size; ++r)
      assert_in_range(counts[r], NODES * 11 / 12 / size - 2, NODES * 11 / 12 / size + 2);
    for (uint32_t i = 0; i + SIDE * SIDE < NODES; ++i) cut += owner[i] != owner[i + SIDE * SIDE];
    assert_true(cut <= (size - 1) * SIDE * SIDE);
  }
  free(places);
  free(owner);
  free(held);
}

/* Two sheets, one above the other, that act on each other over a third of their length. One node
 * acts on all. */
static void regions_by_the_pattern_leave_few_nodes_between(void **state) {
  (void)state;
  enum { LONG = 60, WIDE = 20, SHEET = LONG * WIDE, NODES = 2 * SHEET + 1, WHOLE = NODES - 1, REACH = 2 };
  syn_block_pairs list = {0};
  syn_pattern *pattern;
  syn_error error;
  static uint32_t owner[NODES];
  static bool has_row[NODES], between[NODES];
  for (int i = 0; i < 2 * SHEET; ++i) {
    const int x = i % SHEET / WIDE, y = i % WIDE, other = (i + SHEET) % (2 * SHEET);
    has_row[i] = true;
    ASSERT_OK(syn_block_pairs_add(&list, (uint32_t)i, WHOLE, &error));
    if (y + 1 < WIDE) ASSERT_OK(syn_block_pairs_add(&list, (uint32_t)i, (uint32_t)i + 1, &error));
    if (x + 1 < LONG) ASSERT_OK(syn_block_pairs_add(&list, (uint32_t)i, (uint32_t)i + WIDE, &error));
    for (int far = -REACH; far <= REACH && x > REACH && x < LONG / 3; ++far)
      ASSERT_OK(syn_block_pairs_add(&list, (uint32_t)i, (uint32_t)(other + far * WIDE), &error));
  }
  ASSERT_OK(syn_pattern_create(NULL, NODES, (const uint32_t(*)[2])list.pairs, list.count, &pattern, &error));
  for (uint32_t size = 2; size <= 4; size *= 2) {
    uint32_t counts[4] = {0}, marked = 0;
    bool found;
    ASSERT_OK(syn_partition_graph(NULL, size, pattern, WHOLE, owner, &found, &error));
    if (!found) SKIP("METIS is not there, or counts by long");
    for (uint32_t i = 0; i < WHOLE; ++i) ++counts[owner[i]];
    for (uint32_t r = 0; r < size; ++r) assert_in_range(counts[r], WHOLE / size * 8 / 10, WHOLE / size * 12 / 10);
    assert_int_equal(owner[WHOLE], size - 1);
    ASSERT_OK(syn_separator_find(NULL, pattern, owner, has_row, between, &error));
    for (uint32_t i = 0; i < NODES; ++i) marked += between[i];
    assert_true(marked <=
                (size == 2 ? 2 : 8) * WIDE); /* a cut through both sheets has 2; where they act on each other, 4 */
  }
  bool found = true;
  ASSERT_OK(syn_partition_graph(NULL, 3, pattern, WHOLE, owner, &found, &error)); /* halves of halves only */
  assert_false(found);
  syn_pattern_destroy(pattern);
  free(list.pairs);
}

/* A ladder of two rails, one for each process, with rungs between neighbours, and one node of each that acts on many of
 * the other's. */
static void the_fewest_nodes_part_the_regions(void **state) {
  (void)state;
  enum { RAIL = 10, NODES = 2 * RAIL };
  uint32_t pairs[4 * NODES][2], owner[NODES];
  bool has_row[NODES], between[NODES];
  size_t count = 0;
  syn_error error;
  for (uint32_t i = 0; i + 1 < RAIL; ++i)
    for (uint32_t rail = 0; rail < 2; ++rail, ++count)
      pairs[count][0] = RAIL * rail + i, pairs[count][1] = RAIL * rail + i + 1;
  for (uint32_t j = 0; j < 5; ++j, ++count) pairs[count][0] = 2, pairs[count][1] = RAIL + j; /* one against five */
  for (uint32_t i = 4; i < 9; ++i, ++count) pairs[count][0] = i, pairs[count][1] = RAIL + 7; /* five against one */
  for (uint32_t i = 0; i < NODES; ++i) owner[i] = i / RAIL, has_row[i] = i != 3;
  pairs[count][0] = 3, pairs[count++][1] = RAIL + 9; /* of a node without a row */
  syn_pattern *pattern;
  ASSERT_OK(syn_pattern_create(NULL, NODES, (const uint32_t(*)[2])pairs, count, &pattern, &error));
  ASSERT_OK(syn_separator_find(NULL, pattern, owner, has_row, between, &error));
  for (uint32_t i = 0; i < NODES; ++i) assert_int_equal(between[i], i == 2 || i == RAIL + 7);
  /* Three processes in a row: the middle one is parted from both. */
  for (uint32_t i = 0; i < NODES; ++i) owner[i] = i % RAIL < 4 ? 0 : i % RAIL < 7 ? 1 : 2, has_row[i] = true;
  ASSERT_OK(syn_separator_find(NULL, pattern, owner, has_row, between, &error));
  uint32_t marked = 0;
  for (uint32_t i = 0; i < NODES; ++i) {
    marked += between[i];
    for (uint32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; ++k)
      assert_true(owner[i] == owner[pattern->columns[k]] || between[i] || between[pattern->columns[k]]);
  }
  assert_true(marked <= 6);
  syn_pattern_destroy(pattern);
}

/* ---- one system ----------------------------------------------------------------------------------------------------
 */

typedef struct problem {
  element_box box;
  syn_soft *soft;
  uint8_t *held;
  uint32_t *owner;
  syn_vec3 *loads, *known, *found;
  double (*blocks)[9];
} problem;

/* A block that is bonded below, with a plane of symmetry, and pressed and drawn at random. */
static problem make_problem(uint32_t cells, double poisson) {
  problem p = {.box = make_element_box(SYN_ELEMENT_HEX8, cells, cells, 4, vec3(20, 20, 2))};
  const uint32_t count = p.box.mesh.node_count;
  const syn_soft_options options = elastic_options(12, poisson, SYN_LAW_LINEAR);
  test_random random = {cells};
  syn_error error;
  ASSERT_OK(syn_soft_fem_create(NULL, &p.box.mesh, &options, &p.soft, &error));
  p.held = calloc(count, 1);
  p.owner = malloc(count * sizeof *p.owner);
  p.loads = malloc(count * sizeof *p.loads);
  p.known = malloc(count * sizeof *p.known);
  p.found = malloc(count * sizeof *p.found);
  p.blocks = calloc(syn_block_count(p.soft->pattern), sizeof *p.blocks);
  for (uint32_t i = 0; i < count; ++i) {
    if (p.box.nodes[i].z == 0)
      p.held[i] = SYN_XYZ;
    else if (p.box.nodes[i].x == 0)
      p.held[i] = SYN_X;
    p.loads[i] = random_vec3(&random, 1e-3);
  }
  p.soft->model->stiffness(p.soft->state, p.soft->rest, 0, false, p.blocks);
  return p;
}

static void drop_problem(problem *p) {
  syn_soft_destroy(p->soft);
  drop_element_box(&p->box);
  free(p->held);
  free(p->owner);
  free(p->loads);
  free(p->known);
  free(p->found);
  free(p->blocks);
}

static double largest_difference(const problem *p) {
  double most = 0, size = 0;
  for (uint32_t i = 0; i < p->soft->node_count; ++i) {
    most = fmax(most, vec3_distance(p->known[i], p->found[i]));
    size = fmax(size, vec3_length(p->known[i]));
  }
  return most / size;
}

/* Numbers that are not this process's business are noise: they must not be read. */
static void spoil_others(const problem *p, uint32_t rank) {
  const syn_pattern *pattern = p->soft->pattern;
  for (uint32_t i = 0; i < pattern->node_count; ++i) {
    if (p->owner[i] != rank) p->loads[i] = vec3(NAN, NAN, NAN);
    for (uint32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; ++k)
      for (int n = 0; n < 9 && p->owner[i] != rank && p->owner[pattern->columns[k]] != rank; ++n) p->blocks[k][n] = NAN;
  }
}

/* The largest difference from CHOLMOD's solution, after two updates, as part of the largest displacement. */
static double solve_both(syn_ranks *ranks, uint32_t cells, double poisson, bool has_wide, uint32_t *iterations) {
  problem p = make_problem(cells, poisson);
  const uint32_t count = p.soft->node_count, wide = has_wide ? count - 1 : SYN_NONE;
  syn_error error;
  syn_system *alone, *system;
  syn_system_options how = syn_default_system_options();
  how.prescribed = p.held;
  ASSERT_OK(syn_system_create(NULL, p.soft->pattern, &how, &alone, &error));
  ASSERT_OK(syn_system_update(alone, (const double(*)[9])p.blocks, NULL, &error));
  ASSERT_OK(syn_system_solve(alone, 1, p.loads, p.known, &error));
  syn_system_destroy(alone);
  ASSERT_OK(syn_partition_boxes(NULL, syn_ranks_size(ranks), p.box.nodes, p.held, count, p.owner, &error));
  spoil_others(&p, syn_ranks_rank(ranks));
  how.positions = p.box.nodes;
  how.coupled = wide;
  how.ranks = ranks;
  how.owner = p.owner;
  how.tolerance = 1e-11;
  ASSERT_OK(syn_system_create(NULL, p.soft->pattern, &how, &system, &error));
  for (int round = 0; round < 2; ++round) {
    ASSERT_OK(syn_system_update(system, (const double(*)[9])p.blocks, NULL, &error));
    ASSERT_OK(syn_system_solve(system, 1, p.loads, p.found, &error));
    if (round == 1) break;
    for (size_t k = 0; k < syn_block_count(p.soft->pattern); ++k)
      for (int n = 0; n < 9; ++n) p.blocks[k][n] *= 2;
  }
  for (uint32_t i = 0; i < count; ++i) p.found[i] = vec3_scale(p.found[i], 2);
  *iterations = syn_system_describe(system).iterations;
  const double difference = largest_difference(&p);
  syn_system_destroy(system);
  drop_problem(&p);
  return difference;
}

/* Each process gives what it owns. */
static bool gathers(syn_ranks *ranks) {
  enum { COUNT = 1000 };
  uint32_t owner[COUNT];
  syn_vec3 values[COUNT];
  syn_error error;
  bool right = true;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t i = 0; i < COUNT; ++i) {
      owner[i] = (i * 7 + 3) % syn_ranks_size(ranks);
      values[i] = owner[i] == syn_ranks_rank(ranks) ? vec3(i, round, -(double)i) : vec3(NAN, NAN, NAN);
    }
    ASSERT_OK(syn_ranks_gather(ranks, owner, COUNT, values, &error));
    for (uint32_t i = 0; i < COUNT; ++i) right &= values[i].x == i && values[i].y == round && values[i].z == -(double)i;
  }
  return right;
}

/* Bytes of other lengths in each process, twice: all have all of them in the same order. */
static bool exchanges(syn_ranks *ranks) {
  enum { MOST = 40 };
  char *all = NULL;
  size_t capacity = 0, start[MOST + 1];
  bool right = syn_ranks_size(ranks) <= MOST;
  syn_error error;
  for (int round = 1; round <= 2; ++round) {
    double mine[3 * MOST];
    const size_t count = (syn_ranks_rank(ranks) + 1) * (size_t)round;
    for (size_t i = 0; i < count; ++i) mine[i] = 1000.0 * syn_ranks_rank(ranks) + (double)i;
    ASSERT_OK(syn_ranks_exchange(ranks, mine, count * sizeof *mine, &all, &capacity, start, &error));
    for (uint32_t r = 0; r < syn_ranks_size(ranks); ++r) {
      right &= start[r + 1] - start[r] == (r + 1) * (size_t)round * sizeof *mine;
      for (size_t i = 0; i < (r + 1) * (size_t)round; ++i) {
        double value;
        memcpy(&value, all + start[r] + i * sizeof value, sizeof value);
        right &= value == 1000.0 * r + (double)i;
      }
    }
  }
  syn_free(NULL, all);
  return right;
}

/* What a made-up block's system ends with; no process may hang or crash. */
static syn_status how_it_ends(syn_ranks *ranks, uint32_t cells, double sign) {
  problem p = make_problem(cells, 0.3);
  syn_system *system;
  syn_system_options how = syn_default_system_options();
  syn_error error;
  ASSERT_OK(syn_partition_boxes(NULL, syn_ranks_size(ranks), p.box.nodes, NULL, p.soft->node_count, p.owner, &error));
  for (size_t k = 0; k < syn_block_count(p.soft->pattern); ++k)
    for (int n = 0; n < 9; ++n) p.blocks[k][n] *= sign;
  how.prescribed = sign > 0 ? p.held : NULL;
  how.positions = p.box.nodes;
  how.ranks = ranks;
  how.owner = p.owner;
  how.tolerance = 1e-9;
  ASSERT_OK(syn_system_create(NULL, p.soft->pattern, &how, &system, &error));
  syn_status status = syn_system_update(system, (const double(*)[9])p.blocks, NULL, &error);
  if (status == SYN_OK) status = syn_system_solve(system, 1, p.loads, p.found, &error);
  syn_system_destroy(system);
  drop_problem(&p);
  return status;
}

/* Under -syn_memory_mb 100: what both processes take together counts, and both say the same. */
static bool asks_for_room(syn_ranks *ranks) {
  static const struct {
    double first, second; /* MB */
    bool room;
  } cases[] = {{40, 40, true}, {60, 60, false}, {80, 5, true}, {95, 0, false}, {0, 95, false}};
  bool right = syn_ranks_size(ranks) == 2;
  syn_error error;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    bool room = !cases[k].room;
    ASSERT_OK(syn_memory_budget_fits(ranks, 1e6 * (syn_ranks_rank(ranks) == 0 ? cases[k].first : cases[k].second),
                                     &room, &error));
    right &= room == cases[k].room;
  }
  return right;
}

/* A factorisation takes one iteration. */
static bool is_method(const char *method, uint32_t iterations) {
  return strcmp(method, "factor") == 0 ? iterations == 1 : iterations > 1;
}

/* One rank: exit code 0 where all is right, and solved by that method, 77 without PETSc. */
static int be_member(const char *method) {
  syn_ranks *ranks;
  syn_error error;
  uint32_t direct = 0, iterations = 0;
  const syn_status status = syn_ranks_create(NULL, &ranks, &error);
  if (status == SYN_NO_PROGRAM) return 77;
  if (status != SYN_OK) return 2;
  if (strcmp(method, "room") == 0 || strcmp(method, "refusal") == 0) {
    const bool good = strcmp(method, "room") == 0 ? asks_for_room(ranks) : how_it_ends(ranks, 12, 1) == SYN_NO_MEMORY;
    syn_ranks_destroy(ranks);
    return good ? 0 : 1;
  }
  const double small = solve_both(ranks, 12, 0.45, false, &direct);
  const double large =
      fmax(solve_both(ranks, 11, 0.3, true, &iterations), solve_both(ranks, 20, 0.45, true, &iterations));
  const bool right = gathers(ranks) && exchanges(ranks) && how_it_ends(ranks, 6, -1) == SYN_NOT_CONVERGED;
  if (syn_ranks_rank(ranks) == 0)
    printf("member: %u processes, %.2g with %u and %.2g with %u iterations, %s\n", syn_ranks_size(ranks), small, direct,
           large, iterations, right ? "right" : "wrong");
  const bool good = small < 1e-8 && large < 1e-8 && direct < 200 && iterations < 200 && right &&
                    is_method(method, direct) && is_method(method, iterations);
  syn_ranks_destroy(ranks);
  return good ? 0 : 1;
}

/* `options` are PETSc's: they decide on the method, or make one give up, so that the next one is tried. */
static void run_members(int count, const char *options, const char *method) {
  char command[4200];
  if (system("command -v mpirun > /dev/null 2>&1") != 0) SKIP("mpirun is not installed");
  allow_mpirun();
  setenv("PETSC_OPTIONS", options, 1);
  snprintf(command, sizeof command, "mpirun -n %d '%s' member %s 2>&1", count, self, method);
  const int code = system(command);
  if (code == 77 << 8) SKIP("PETSc is not installed");
  assert_int_equal(code, 0);
}

static void one_process_finds_what_cholmod_finds(void **state) {
  (void)state;
  run_members(1, "", "factor");
}
static void three_processes_find_what_cholmod_finds(void **state) {
  (void)state;
  run_members(3, "", "factor");
}
/* More processes than most machines that test have processors. */
static void eight_processes_find_what_cholmod_finds(void **state) {
  (void)state;
  run_members(8, "", "factor");
}
static void multigrid_of_four_processes_finds_the_same(void **state) {
  (void)state;
  run_members(4, "-syn_direct_unknowns 0", "multigrid");
}
static void mumps_finds_the_same(void **state) {
  (void)state;
  run_members(2, "-syn_between_unknowns 0", "factor");
}
static void multigrid_finds_the_same(void **state) {
  (void)state;
  run_members(2, "-syn_direct_unknowns 0", "multigrid");
}
static void multigrid_comes_where_memory_is_short(void **state) {
  (void)state;
  run_members(2, "-syn_memory_mb 0", "multigrid");
}
static void without_memory_nothing_is_factorised(void **state) {
  (void)state;
  run_members(2, "-syn_memory_mb 0 -syn_gamg_ksp_max_it 3", "refusal");
}
static void a_user_may_ask_for_factors_all_the_same(void **state) {
  (void)state;
  run_members(1, "-syn_memory_mb 0 -syn_direct_unknowns 1000000", "factor");
}
static void processes_of_a_machine_share_its_memory(void **state) {
  (void)state;
  run_members(2, "-syn_memory_mb 100", "room");
}
static void a_factorisation_finds_it_where_multigrid_does_not(void **state) {
  (void)state;
  run_members(2, "-syn_direct_unknowns 0 -syn_gamg_ksp_max_it 3", "factor");
}

int main(int count, char **words) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(regions_are_compact_and_of_one_size),
                                     cmocka_unit_test(regions_by_the_pattern_leave_few_nodes_between),
                                     cmocka_unit_test(the_fewest_nodes_part_the_regions),
                                     cmocka_unit_test(one_process_finds_what_cholmod_finds),
                                     cmocka_unit_test(three_processes_find_what_cholmod_finds),
                                     cmocka_unit_test(eight_processes_find_what_cholmod_finds),
                                     cmocka_unit_test(multigrid_of_four_processes_finds_the_same),
                                     cmocka_unit_test(mumps_finds_the_same),
                                     cmocka_unit_test(multigrid_finds_the_same),
                                     cmocka_unit_test(multigrid_comes_where_memory_is_short),
                                     cmocka_unit_test(without_memory_nothing_is_factorised),
                                     cmocka_unit_test(a_user_may_ask_for_factors_all_the_same),
                                     cmocka_unit_test(processes_of_a_machine_share_its_memory),
                                     cmocka_unit_test(a_factorisation_finds_it_where_multigrid_does_not)};
  self = words[0];
  if (count > 2 && strcmp(words[1], "member") == 0) return be_member(words[2]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
