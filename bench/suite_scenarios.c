/* The fifteen scenarios of Arbabi's thesis with every method of the table: pre-processing, main and total time, beside
 * the published ones (Tables 4 to 6, Figures 31 to 36). With --peers also today's rivals on the same bodies. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "ours.h"
#include "published.h"
#include "scenario.h"

enum { MAX_METHODS = 24 };

/* Our methods under their labels, and what came of them in each scenario. */
typedef struct line_up {
  size_t count;
  char labels[MAX_METHODS][48];
  bench_contender contenders[MAX_METHODS];
  double triangles[BENCH_SCENARIOS + 1];
  bench_times times[MAX_METHODS][BENCH_SCENARIOS + 1];
} line_up;

/* The name of a method's row: its label and what of its time it has. */
static void name_row(const char *label, const char *part, char name[64]) { snprintf(name, 64, "%s/%s", label, part); }

static bool wants_method(const bench_run *run, const char *label) {
  char main[64], total[64];
  name_row(label, "main", main);
  name_row(label, "total", total);
  return bench_wants(run, main) || bench_wants(run, total);
}

static bool add_method(const bench_run *run, line_up *all, const syn_method_info *info, int mapping) {
  if (all->count == MAX_METHODS) return false;
  char *label = all->labels[all->count];
  if (mapping)
    snprintf(label, sizeof all->labels[0], "%s %d", info->name, mapping);
  else
    snprintf(label, sizeof all->labels[0], "%s", info->name);
  if (!wants_method(run, label)) return false;
  all->contenders[all->count++] =
      bench_collider(info->name, "scenario", (info->tells_field ? BENCH_FIELD : BENCH_PAIRS) | BENCH_MAPPING(mapping));
  return true;
}

/* Every wanted method once, the radial one with each of its three mappings. Returns whether some need volumes. */
static bool gather_methods(const bench_run *run, line_up *all) {
  bool volumes = false;
  for (size_t i = 0; i < syn_method_count(); ++i) {
    const syn_method_info info = syn_method_at(i);
    if (strcmp(info.name, "radial") != 0)
      volumes |= add_method(run, all, &info, 0) && info.needs_volume;
    else
      for (int mapping = SYN_MAPPING_SPHERICAL; mapping <= SYN_MAPPING_UNIFORM; ++mapping)
        add_method(run, all, &info, mapping);
  }
  return volumes;
}

/* ---- one scenario -------------------------------------------------------------------------------------------------
 */

static bool needs_volume(const char *label) {
  syn_method_info info;
  return syn_method_find(label, &info, NULL) == SYN_OK && info.needs_volume;
}

static void add_rows(bench_run *run, const bench_scenario *s, const char *label, const bench_entry *entry,
                     const bench_times *ours, const bench_times *theirs) {
  char query[64];
  name_row(label, "main", query);
  bench_row row = bench_empty_row(s->name, query);
  snprintf(row.ours, sizeof row.ours, "%s", label);
  snprintf(row.peer, sizeof row.peer, "%s", isnan(theirs->main) ? "" : "published");
  row.ours_ms = ours->main, row.ours_build_ms = ours->pre;
  row.peer_ms = theirs->main, row.peer_build_ms = theirs->pre;
  row.ours_answer = entry->answer;
  if (needs_volume(label)) row.tetrahedra = (size_t)s->fixed_volume->tet_count + s->mobile_volume->tet_count;
  if (bench_wants(run, query)) bench_add_row(run, &row);
  name_row(label, "total", query);
  snprintf(row.query, sizeof row.query, "%s", query);
  snprintf(row.peer, sizeof row.peer, "%s", isnan(theirs->total) ? "" : "published");
  row.ours_ms = ours->total, row.ours_build_ms = NAN;
  row.peer_ms = theirs->total, row.peer_build_ms = NAN;
  if (bench_wants(run, query)) bench_add_row(run, &row);
}

static void race_methods(bench_run *run, const bench_scenario *s, int number, line_up *all) {
  bench_entry entries[MAX_METHODS];
  for (size_t i = 0; i < all->count; ++i) entries[i].contender = &all->contenders[i];
  bench_race(&s->scene, &run->pace, entries, all->count);
  for (size_t i = 0; i < all->count; ++i) {
    bench_times *ours = &all->times[i][number];
    *ours = (bench_times){bench_median(&entries[i].build), bench_median(&entries[i].ask), NAN};
    ours->total = ours->pre + ours->main;
    const bench_times theirs = bench_published(all->labels[i], number);
    if (entries[i].took_part)
      add_rows(run, s, all->labels[i], &entries[i], ours, &theirs);
    else
      syn_warn(run->context, "case %s: left out %s: %s", s->name, all->labels[i], entries[i].error.message);
  }
}

/* The rivals that say the same as the radial method and as the trees of boxes. */
static void race_rivals(bench_run *run, const bench_scenario *s) {
  const bench_contender radial = bench_collider("radial", "radial-field", BENCH_FIELD);
  const bench_contender boxes[] = {bench_collider("aabb", "all-pairs", BENCH_PAIRS),
                                   bench_collider("obb", "all-pairs", BENCH_PAIRS)};
  if (bench_has_method("radial")) bench_compare(run, &s->scene, &radial, 1);
  if (bench_has_method("aabb") && bench_has_method("obb")) bench_compare(run, &s->scene, boxes, 2);
}

/* ---- plots --------------------------------------------------------------------------------------------------------
 */

/* Total time over triangles for one group of scenarios: solid ours, dashed published. */
static syn_status draw_group(const bench_run *run, const line_up *all, int first, int last, const char *name,
                             const char *title, syn_error *error) {
  bench_series series[2 * MAX_METHODS];
  double ours[MAX_METHODS][BENCH_SCENARIOS + 1], theirs[MAX_METHODS][BENCH_SCENARIOS + 1];
  char labels[MAX_METHODS][80];
  size_t count = 0;
  const size_t points = (size_t)(last - first + 1);
  for (size_t i = 0; i < all->count; ++i) {
    for (int n = first; n <= last; ++n) {
      ours[i][n - first] = all->times[i][n].total;
      theirs[i][n - first] = bench_published(all->labels[i], n).total;
    }
    series[count++] = (bench_series){all->labels[i], all->triangles + first, ours[i], points, false, i};
    if (isnan(theirs[i][0])) continue;
    snprintf(labels[i], sizeof labels[i], "%s, published", all->labels[i]);
    series[count++] = (bench_series){labels[i], all->triangles + first, theirs[i], points, true, i};
  }
  const bench_plot plot = {title, "triangles of both bodies", "ms", series, count, false};
  return bench_draw(run, &plot, name, error);
}

static syn_status draw_all(const bench_run *run, const line_up *all, syn_error *error) {
  SYN_TRY(draw_group(run, all, 1, 4, "scenarios-hip", "Scenarios 1 to 4: total time, hip", error));
  SYN_TRY(
      draw_group(run, all, 5, 11, "scenarios-sphere-cube", "Scenarios 5 to 11: total time, sphere and cube", error));
  return draw_group(run, all, 12, 15, "scenarios-cartilage", "Scenarios 12 to 15: total time, cartilage", error);
}

/* ---- the suite ----------------------------------------------------------------------------------------------------
 */

static syn_status run_suite(bench_run *run, syn_error *error) {
  line_up all = {0};
  const bool volumes = gather_methods(run, &all);
  if (all.count == 0 && !run->peers) {
    syn_warn(run->context, "nothing is measured: no method has a row named '%s'; rows are METHOD/main and METHOD/total",
             run->query);
    return SYN_OK;
  }
  run->pace.repeats = 5;
  run->pace.budget_ms = 1500;
  for (int number = 1; number <= BENCH_SCENARIOS; ++number) {
    bench_scenario scenario;
    SYN_TRY(bench_scenario_make(run, number, volumes, &scenario, error));
    all.triangles[number] = (double)(scenario.fixed->triangle_count + scenario.mobile->triangle_count);
    race_methods(run, &scenario, number, &all);
    if (run->peers) race_rivals(run, &scenario);
    bench_scenario_release(&scenario);
  }
  return draw_all(run, &all, error);
}

const bench_suite bench_scenarios = {"scenarios", run_suite};
