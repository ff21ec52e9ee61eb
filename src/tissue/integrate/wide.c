#include "tissue/integrate/wide.h"

#include <string.h>

#include "base/vec.h"

static bool has_part(const syn_sim_body *body) { return body->soft && body->soft->model->wide; }

static syn_status allocate(const syn_simulation *s, syn_wides *wides, syn_error *error) {
  size_t count = 0;
  for (size_t b = 0; b < s->body_count; ++b) count += has_part(&s->bodies[b]);
  if (count == wides->count) return SYN_OK;
  SYN_TRY(SYN_NEW_ZEROED(s->context, &wides->parts, count, error));
  wides->count = count;
  for (size_t i = 0; i < count; ++i) {
    SYN_TRY(SYN_NEW_ZEROED(s->context, &wides->parts[i].row, s->node_count, error));
    SYN_TRY(SYN_NEW(s->context, &wides->parts[i].column, s->node_count, error));
  }
  return SYN_OK;
}

void syn_wides_release(const syn_context *context, syn_wides *wides) {
  for (size_t i = 0; i < wides->count; ++i) {
    syn_free(context, wides->parts[i].row);
    syn_free(context, wides->parts[i].column);
  }
  syn_free(context, wides->parts);
  *wides = (syn_wides){0};
}

syn_status syn_wides_fill(const syn_simulation *s, const syn_vec3 *x, syn_wides *wides, syn_error *error) {
  SYN_TRY(allocate(s, wides, error));
  syn_wide *part = wides->parts;
  for (size_t b = 0; b < s->body_count; ++b) {
    const syn_sim_body *body = &s->bodies[b];
    if (!has_part(body)) continue;
    part->factor = body->soft->model->wide(body->soft->state, x + body->first_node, part->row + body->first_node);
    ++part;
  }
  return SYN_OK;
}

static double product(const syn_vec3 *a, const syn_vec3 *b, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += vec3_dot(a[i], b[i]);
  return sum;
}

static void add(double factor, const syn_vec3 *a, uint32_t count, syn_vec3 *sum) {
  for (uint32_t i = 0; i < count; ++i) sum[i] = vec3_madd(sum[i], factor, a[i]);
}

void syn_wides_multiply(const syn_wides *wides, uint32_t count, const syn_vec3 *way, syn_vec3 *sum) {
  for (size_t i = 0; i < wides->count; ++i)
    add(wides->parts[i].factor * product(wides->parts[i].row, way, count), wides->parts[i].row, count, sum);
}

static void correct_by(const syn_wide *part, uint32_t count, syn_vec3 *d) {
  const double below = 1 + part->factor * product(part->row, part->column, count);
  add(-part->factor * product(part->row, d, count) / below, part->column, count, d);
}

syn_status syn_wides_correct(const syn_wides *wides, uint32_t count, syn_system *system, syn_vec3 *d,
                             syn_error *error) {
  for (size_t i = 0; i < wides->count; ++i) {
    SYN_TRY(syn_system_solve(system, 1, wides->parts[i].row, wides->parts[i].column, error));
    for (size_t j = 0; j < i; ++j) correct_by(&wides->parts[j], count, wides->parts[i].column);
    correct_by(&wides->parts[i], count, d);
  }
  return SYN_OK;
}
