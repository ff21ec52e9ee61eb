#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MAX_ENTRIES = 32 };

void bench_add_row(bench_run *run, const bench_row *row) {
  if (SYN_RESERVE(run->context, &run->rows, run->row_count, 1, &run->row_capacity, NULL) != SYN_OK) abort();
  run->rows[run->row_count++] = *row;
}

bool bench_wants(const bench_run *run, const char *query) { return !run->query || strcmp(run->query, query) == 0; }

/* ---- comparing ----------------------------------------------------------------------------------------------------
 */

static size_t enter(const bench_run *run, const bench_contender *given, size_t given_count, bench_entry *entries) {
  size_t count = 0;
  for (size_t i = 0; i < given_count && count < MAX_ENTRIES; ++i) entries[count++].contender = &given[i];
  for (size_t i = 0; run->peers && i < bench_rival_count() && count < MAX_ENTRIES; ++i)
    if (strcmp(bench_rival_at(i)->query, given->query) == 0) entries[count++].contender = bench_rival_at(i);
  return count;
}

/* The fastest variant of that name; NULL where none took part. */
static const bench_entry *best_of(const bench_entry *entries, size_t count, const char *name) {
  const bench_entry *best = NULL;
  for (size_t i = 0; i < count; ++i)
    if (entries[i].took_part && strcmp(entries[i].contender->name, name) == 0 &&
        (!best || bench_median(&entries[i].ask) < bench_median(&best->ask)))
      best = &entries[i];
  return best;
}

static void set_ours(bench_row *row, const bench_entry *entry) {
  snprintf(row->ours, sizeof row->ours, "%s", entry->contender->detail);
  row->ours_ms = bench_median(&entry->ask);
  row->ours_build_ms = bench_median(&entry->build);
  row->ours_answer = entry->answer;
}

static void set_peer(bench_row *row, const bench_entry *entry) {
  snprintf(row->peer, sizeof row->peer, "%s", entry->contender->name);
  snprintf(row->peer_detail, sizeof row->peer_detail, "%s", entry->contender->detail);
  row->peer_ms = bench_median(&entry->ask);
  row->peer_build_ms = bench_median(&entry->build);
  row->peer_answer = entry->answer;
}

static void tell_absent(const bench_run *run, const bench_scene *scene, const bench_entry *entries, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!entries[i].took_part)
      syn_warn(run->context, "case %s, %s: left out %s (%s): %s", scene->name, entries[i].contender->query,
               entries[i].contender->name, entries[i].contender->detail, entries[i].error.message);
}

/* A row for each rival, in their order; all variants of one rival stand together. */
static void add_peer_rows(bench_run *run, const bench_row *base, const bench_entry *entries, size_t count,
                          const char *ours) {
  const size_t before = run->row_count;
  for (size_t i = 0; i < count; ++i) {
    const char *name = entries[i].contender->name;
    if (strcmp(name, ours) == 0 || (i > 0 && strcmp(name, entries[i - 1].contender->name) == 0)) continue;
    const bench_entry *best = best_of(entries, count, name);
    if (!best) continue;
    bench_row row = *base;
    set_peer(&row, best);
    bench_add_row(run, &row);
  }
  if (run->row_count == before) bench_add_row(run, base);
}

bench_row *bench_compare(bench_run *run, const bench_scene *scene, const bench_contender *given, size_t given_count) {
  if (!bench_wants(run, given->query)) return NULL;
  bench_entry entries[MAX_ENTRIES];
  const size_t count = enter(run, given, given_count, entries);
  bench_race(scene, &run->pace, entries, count);
  tell_absent(run, scene, entries, count);
  const bench_entry *best = best_of(entries, count, given->name);
  bench_row row = bench_empty_row(scene->name, given->query);
  if (best) set_ours(&row, best);
  add_peer_rows(run, &row, entries, count, given->name);
  return &run->rows[run->row_count - 1];
}

/* ---- drawing ------------------------------------------------------------------------------------------------------
 */

syn_status bench_draw(const bench_run *run, const bench_plot *plot, const char *name, syn_error *error) {
  if (!run->folder) return SYN_OK;
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.svg", run->folder, name);
  const syn_status status = bench_plot_write(run->context, plot, path, error);
  if (status != SYN_BAD_ARGUMENT) return status;
  syn_warn(run->context, "%s.svg is not drawn: nothing was measured for it", name);
  return SYN_OK;
}
