#include "rows.h"

#include <math.h>
#include <string.h>

bench_row bench_empty_row(const char *scene, const char *query) {
  const bench_answer none = {.depth_mm = NAN, .turn_deg = {NAN, NAN}};
  bench_row row = {.ours_ms = NAN,
                   .peer_ms = NAN,
                   .ours_build_ms = NAN,
                   .peer_build_ms = NAN,
                   .ours_answer = none,
                   .peer_answer = none,
                   .per_second = NAN,
                   .p999_us = NAN,
                   .memory_mb = NAN,
                   .error_percent = NAN,
                   .peer_error_percent = NAN};
  snprintf(row.scene, sizeof row.scene, "%s", scene);
  snprintf(row.query, sizeof row.query, "%s", query);
  return row;
}

double bench_ratio(const bench_row *row) {
  return row->ours_ms > 0 && row->peer_ms > 0 ? row->peer_ms / row->ours_ms : (double)NAN;
}

double bench_us_per_tetrahedron(const bench_row *row) {
  return row->tetrahedra ? 1e3 * (row->ours_build_ms + row->ours_ms) / (double)row->tetrahedra : (double)NAN;
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------
 */

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }
static json_t *text(const char *value) { return value[0] ? json_string(value) : json_null(); }

static json_t *answer_value(const bench_answer *answer) {
  json_t *value = json_object();
  json_object_set_new(value, "depth_mm", number(answer->depth_mm));
  json_object_set_new(value, "count", json_integer((json_int_t)answer->count));
  if (isfinite(answer->turn_deg[0]) && (answer->turn_deg[0] != 0 || answer->turn_deg[1] != 0)) {
    json_object_set_new(value, "positive_deg", number(answer->turn_deg[0]));
    json_object_set_new(value, "negative_deg", number(answer->turn_deg[1]));
  }
  return value;
}

json_t *bench_row_value(const bench_row *row) {
  json_t *value = json_object();
  json_object_set_new(value, "case", text(row->scene));
  json_object_set_new(value, "query", text(row->query));
  json_object_set_new(value, "method", text(row->ours));
  json_object_set_new(value, "ours_ms", number(row->ours_ms));
  json_object_set_new(value, "ours_build_ms", number(row->ours_build_ms));
  json_object_set_new(value, "ours_answer", answer_value(&row->ours_answer));
  json_object_set_new(value, "peer", text(row->peer));
  json_object_set_new(value, "peer_detail", text(row->peer_detail));
  json_object_set_new(value, "peer_ms", number(row->peer_ms));
  json_object_set_new(value, "peer_build_ms", number(row->peer_build_ms));
  json_object_set_new(value, "peer_answer", row->peer[0] ? answer_value(&row->peer_answer) : json_null());
  json_object_set_new(value, "ratio", number(bench_ratio(row)));
  if (row->tetrahedra) json_object_set_new(value, "us_per_tetrahedron", number(bench_us_per_tetrahedron(row)));
  if (isfinite(row->per_second)) json_object_set_new(value, "per_second", json_real(row->per_second));
  if (isfinite(row->error_percent)) json_object_set_new(value, "error_percent", json_real(row->error_percent));
  if (isfinite(row->peer_error_percent))
    json_object_set_new(value, "peer_error_percent", json_real(row->peer_error_percent));
  if (isfinite(row->memory_mb)) json_object_set_new(value, "memory_mb", json_real(row->memory_mb));
  if (isfinite(row->p999_us)) json_object_set_new(value, "p999_us", json_real(row->p999_us));
  return value;
}

/* ---- text ---------------------------------------------------------------------------------------------------------
 */

/* "12.3" with four digits that count, or "-". */
static const char *shown(double value, char room[24]) {
  if (!isfinite(value)) return "-";
  const int places = value >= 1000 || value <= 0 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : value >= 1 ? 3 : 4;
  snprintf(room, 24, "%.*f", places, value);
  return room;
}

/* "0.5023 mm, 32804", "29.7265/122.5867 deg" or "". */
static const char *shown_answer(const bench_answer *answer, char room[80]) {
  size_t used = 0;
  room[0] = 0;
  if (answer->turn_deg[0] > 0 || answer->turn_deg[1] > 0)
    used += (size_t)snprintf(room, 80, "%.5f/%.5f deg", answer->turn_deg[0], answer->turn_deg[1]);
  if (isfinite(answer->depth_mm)) used += (size_t)snprintf(room + used, 80 - used, "%.4f mm", answer->depth_mm);
  if (answer->count) snprintf(room + used, 80 - used, "%s%zu", used ? ", " : "", answer->count);
  return room;
}

static void print_row(FILE *to, const bench_row *row) {
  char ours[24], build[24], peer[24], peer_build[24], ratio[24], said[80], peer_said[80], who[100];
  snprintf(who, sizeof who, "%s%s%s", row->peer, row->peer_detail[0] ? ", " : "", row->peer_detail);
  fprintf(to, "%-10s %-22s %-14s %10s %9s  %-28s %10s %9s %8s  %s", row->scene, row->query, row->ours,
          shown(row->ours_ms, ours), shown(row->ours_build_ms, build), who, shown(row->peer_ms, peer),
          shown(row->peer_build_ms, peer_build), shown(bench_ratio(row), ratio), shown_answer(&row->ours_answer, said));
  if (shown_answer(&row->peer_answer, peer_said)[0]) fprintf(to, " | %s", peer_said);
  if (row->tetrahedra) fprintf(to, "; %.3f us per tetrahedron, build included", bench_us_per_tetrahedron(row));
  if (isfinite(row->per_second)) fprintf(to, "; %.4g per second", row->per_second);
  if (isfinite(row->memory_mb)) fprintf(to, "; %.0f MB", row->memory_mb);
  if (isfinite(row->p999_us)) fprintf(to, "; 999 of 1000 within %.1f us", row->p999_us);
  fputc('\n', to);
}

void bench_print_rows(FILE *to, const bench_row *rows, size_t count) {
  fprintf(to, "%-10s %-22s %-14s %10s %9s  %-28s %10s %9s %8s  %s\n", "case", "query", "method", "ms", "build", "rival",
          "ms", "build", "ratio", "ours | rival's answer");
  for (size_t i = 0; i < count; ++i) print_row(to, &rows[i]);
}
