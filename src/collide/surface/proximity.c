#include "collide/surface/proximity.h"

#include <string.h>

#include "base/parallel.h"

/* ---- check sums -----------------------------------------------------------------------------------------------------
 */

/* A checksum: sums of products of two words, each with a separate key added. Arbitrary memory content passes once in
 * 2^60 times. */
typedef struct summing {
  uint64_t sum, key;
} summing;

static const uint64_t key_step = 0x9e3779b97f4a7c15;

static inline void sum_words(summing *s, uint64_t a, uint64_t b) {
  s->sum += (a + s->key) * (b + (s->key ^ 0x5851f42d4c957f2d));
  s->sum = s->sum << 7 | s->sum >> 57;
  s->key += key_step;
}

static inline uint64_t word_of(double x) {
  uint64_t word;
  memcpy(&word, &x, sizeof word);
  return word;
}

static inline void sum_place(summing *s, syn_vec3 p, uint64_t with) {
  sum_words(s, word_of(p.x), word_of(p.y));
  sum_words(s, word_of(p.z), with);
}

uint64_t syn_proximity_stamp(const syn_surface_tree *surface) {
  summing s = {surface->vertex_count, key_step};
  for (uint32_t i = 0; i < surface->vertex_count; ++i) sum_place(&s, surface->vertices[i], i);
  for (uint32_t t = 0; t < surface->triangle_count; ++t) {
    const uint32_t *v = surface->triangles[t].v;
    sum_words(&s, v[0] | (uint64_t)v[1] << 32, v[2]);
  }
  return s.sum;
}

static inline uint64_t row_sum(const syn_proximity_row *row, const syn_distance_value *value, uint64_t stamp) {
  summing s = {stamp, key_step};
  sum_place(&s, row->last, value->triangle);
  sum_place(&s, value->point, word_of(value->distance));
  return s.sum ^ s.sum >> 32;
}

bool syn_proximity_trusts(const syn_proximity_row *row, const syn_distance_value *value, uint64_t stamp) {
  return row_sum(row, value, stamp) == row->sum;
}

void syn_proximity_store(const syn_distance_job *job, uint32_t point, syn_vec3 at, const syn_nearest *nearest,
                         uint64_t stamp, syn_proximity_row *row) {
  syn_distance_value *value = &job->values[point];
  *value = syn_distance_value_at(job->surface, job->sheet, at, nearest);
  row->last = at;
  row->sum = row_sum(row, value, stamp);
  row->lower = row->upper = value->distance;
}

/* ---- bounds ---------------------------------------------------------------------------------------------------------
 */

typedef struct field_job {
  const syn_distance_job *job;
  uint64_t stamp;
  syn_proximity_row *rows;
  double size, limit; /* size of all coordinates of the surface; lower bounds up to the limit must be improved */
} field_job;

enum { POINTS_AT_ONCE = 1024, GROUPS_AT_ONCE = 4, SEARCHED_ALONE = 5 };

/* Computes the bounds of points; if a point has not moved, both are its distance. */
static void find_bounds(void *user, size_t begin, size_t end) {
  const field_job *field = user;
  const syn_distance_job *job = field->job;
  for (size_t i = begin; i < end; ++i) {
    syn_proximity_row *row = &field->rows[i];
    const syn_vec3 at = pose_point(job->pose, job->points[i]);
    row->lower = -INFINITY;
    row->upper = INFINITY;
    if (!syn_proximity_trusts(row, &job->values[i], field->stamp)) continue;
    const double distance = job->values[i].distance;
    row->lower = row->upper = distance;
    if (vec3_equal(at, row->last)) continue;
    /* upper bound of the rounding of both */
    const double size = field->size + vec3_length(at);
    const double moved = vec3_distance(at, row->last) * (1 + 1e-9) + 1e-12 * size;
    row->upper = distance + moved;
    /* valid only if the motion crossed no surface, else there is no bound */
    const double away = (job->sheet ? fabs(distance) : distance) * (1 - 1e-9) - moved;
    row->lower = away > 0 ? away : (double)-INFINITY;
  }
}

static bool is_known(const syn_proximity_row *row) { return row->lower == row->upper; }

/* Returns the limit up to which distances must be exact. A point that crosses the border of a sheet is behind it at any
 * distance. */
static double limit_of(const field_job *field, syn_proximity_asked asked) {
  if (!asked.nearest || field->job->sheet) return asked.reach;
  double least = INFINITY;
  for (uint32_t i = 0; i < field->job->groups->point_count; ++i) least = min2(least, field->rows[i].upper);
  return max2(least, 0);
}

/* ---- searching ------------------------------------------------------------------------------------------------------
 */

/* Searches all triangles. Few points are faster one at a time. */
static void search(const syn_surface_tree *surface, const syn_vec3 *at, uint32_t count, syn_vec3 witness,
                   syn_nearest *nearest) {
  if (count > SEARCHED_ALONE) {
    surface->search_group(surface, at, count, witness, nearest);
    return;
  }
  for (uint32_t i = 0; i < count; ++i) surface->search(surface, at[i], INFINITY, &nearest[i]);
}

static void search_groups(void *user, size_t begin, size_t end) {
  const field_job *field = user;
  const syn_distance_job *job = field->job;
  syn_vec3 at[SYN_POINT_GROUP], witness = {INFINITY, 0, 0};
  syn_nearest nearest[SYN_POINT_GROUP];
  uint32_t who[SYN_POINT_GROUP];
  for (size_t group = begin; group < end; ++group) {
    const uint32_t *order = job->groups->order + group * SYN_POINT_GROUP;
    uint32_t count = 0;
    for (uint32_t i = 0; i < point_group_size(job->groups, group); ++i) {
      const syn_proximity_row *row = &field->rows[order[i]];
      if (is_known(row) || !(row->lower <= field->limit)) continue;
      at[count] = pose_point(job->pose, job->points[order[i]]);
      who[count++] = order[i];
    }
    search(job->surface, at, count, witness, nearest);
    for (uint32_t i = 0; i < count; ++i)
      syn_proximity_store(job, who[i], at[i], &nearest[i], field->stamp, &field->rows[who[i]]);
    if (count > 0) witness = nearest[count / 2].at.point;
  }
}

double syn_proximity_field(const syn_distance_job *job, uint64_t stamp, syn_proximity_asked asked,
                           syn_proximity_row *rows) {
  field_job field = {
      .job = job, .stamp = stamp, .rows = rows, .size = job->surface->reach + job->surface->origin_reach};
  syn_parallel_for(job->context, job->groups->point_count, POINTS_AT_ONCE, find_bounds, &field);
  field.limit = limit_of(&field, asked);
  syn_parallel_for(job->context, job->groups->count, GROUPS_AT_ONCE, search_groups, &field);
  return field.limit;
}
