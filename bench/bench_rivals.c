/* How fast can a method be that keeps something from pose to pose (Maciel 2005, §4.3.1.3) and is exact? It has to look
 * at each triangle that can be the nearest to a vertex at the next pose, for all that the last one tells. Even the most
 * that can be kept is assumed: of every triangle its distance and its nearest point. A triangle is convex, so that it
 * lies beyond the plane through that point; at the next place of the vertex it is at least as far as that plane, and at
 * least as far as before less the way of the vertex.
 *
 *   bench_rivals FIXED MOBILE x,y,z [DEGREES]
 *
 * counts these rivals, from DEGREES (0 by default) on, and times an oracle: it is told the rivals of every vertex for
 * nothing and does only what no exact method can leave out, to move the vertices, measure their rivals, choose and
 * write the values, with the kernels of the product. A second one also keeps the product's table, from which a method
 * that is told nothing would have to find the rivals: it reads and checks the row of every vertex and stores the new
 * one. Both take turns with a search among all triangles; medians count. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "collide/published/proximity_walk.h"
#include "harness.h"

enum { STEPS = 3, TURNS = 41 };

static void die(const char *message) {
  fprintf(stderr, "bench_rivals: %s\n", message);
  exit(1);
}

static void *must(void *block) {
  if (!block) die("there is not enough memory");
  return block;
}

/* ---- rivals ---------------------------------------------------------------------------------------------------------
 */

/* Of vertex i: triangle[start[i]] up to before triangle[start[i + 1]]. */
typedef struct rivals {
  uint32_t *start, *triangle;
} rivals;

/* Lists triangles that what was known at `before` does not rule out at `after`. No place of a triangle is farther from
 * its first corner than the longest edge: most are ruled out by that. */
static uint32_t list_rivals(const syn_surface_tree *s, syn_vec3 before, syn_vec3 after, uint32_t *to) {
  syn_nearest nearest;
  uint32_t count = 0;
  s->search(s, after, INFINITY, &nearest);
  const double least = sqrt(nearest.at.distance2), way = vec3_distance(before, after),
               far = (least + way + s->longest) * (1 + 1e-6) + 1e-6;
  for (uint32_t t = 0; t < s->triangle_count; ++t) {
    syn_vec3 corners[3];
    if (vec3_length2(vec3_sub(before, s->vertices[s->triangles[t].v[0]])) > far * far) continue;
    surface_corners(s, t, corners);
    const syn_vec3 point = closest_on_triangle(before, corners), back = vec3_sub(before, point);
    const double distance = vec3_length(back);
    const double plane = distance > 0 ? vec3_dot(vec3_sub(after, point), back) / distance : 0;
    if (fmax(distance - way, plane) <= least + 1e-9) to[count++] = t;
  }
  return count;
}

static rivals find_rivals(const syn_distance_job *job, const syn_pose *before) {
  const uint32_t count = job->groups->point_count;
  uint32_t *found = must(malloc(job->surface->triangle_count * sizeof *found));
  rivals r = {must(calloc((size_t)count + 1, sizeof *r.start)), NULL};
  size_t capacity = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t more = list_rivals(job->surface, syn_pose_point(before, job->points[i]),
                                      syn_pose_point(job->pose, job->points[i]), found);
    r.start[i + 1] = r.start[i] + more;
    if (r.start[i + 1] > capacity) {
      capacity = 2 * (size_t)r.start[i + 1];
      r.triangle = must(realloc(r.triangle, capacity * sizeof *r.triangle));
    }
    memcpy(r.triangle + r.start[i], found, more * sizeof *found);
  }
  free(found);
  return r;
}

static int compare(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void print_counts(const rivals *r, uint32_t count, double step_deg) {
  uint32_t *each = must(malloc(count * sizeof *each));
  for (uint32_t i = 0; i < count; ++i) each[i] = r->start[i + 1] - r->start[i];
  qsort(each, count, sizeof *each, compare);
  printf("%5g deg a step: %.1f triangles in the mean, %u in the median, %u in nine of ten vertices\n", step_deg,
         (double)r->start[count] / count, each[count / 2], each[count - count / 10 - 1]);
  free(each);
}

/* ---- the oracle -----------------------------------------------------------------------------------------------------
 */

/* The table that a method keeps; NULL where the oracle keeps none. */
typedef struct table {
  uint64_t stamp;
  syn_proximity_row *rows;
} table;

/* Points of a group that wait for their rivals to be measured. */
typedef struct waiting {
  uint32_t count, who[SYN_POINT_GROUP];
  syn_vec3 at[SYN_POINT_GROUP];
  syn_pairs pairs;
} waiting;

static void settle(const syn_distance_job *job, syn_pairs_measure *measure, const table *kept, waiting *w) {
  syn_nearest nearest[SYN_POINT_GROUP];
  if (w->count == 0) return;
  measure(job->surface, w->at, &w->pairs);
  syn_pairs_nearest(&w->pairs, nearest);
  for (uint32_t i = 0; i < w->count; ++i)
    if (kept)
      syn_proximity_store(job, w->who[i], w->at[i], &nearest[i], kept->stamp, &kept->rows[w->who[i]]);
    else
      job->values[w->who[i]] = syn_distance_value_at(job->surface, job->sheet, w->at[i], &nearest[i]);
  w->count = w->pairs.count = 0;
}

/* Returns how many rows were trusted and how far they had moved: by these a method would find what the oracle is told.
 */
static double ask_oracle(const syn_distance_job *job, const rivals *r, const table *kept) {
  static waiting w;
  double known = 0;
  syn_pairs_measure *measure = syn_pairs_best_measure();
  w.count = w.pairs.count = 0;
  for (uint32_t k = 0; k < job->groups->point_count; ++k) {
    const uint32_t i = job->groups->order[k], count = r->start[i + 1] - r->start[i];
    if (w.count == SYN_POINT_GROUP || w.pairs.count + count > SYN_PAIRS - 4) settle(job, measure, kept, &w);
    if (count > SYN_PAIRS - 4) die("a vertex has too many rivals");
    w.at[w.count] = pose_point(job->pose, job->points[i]);
    w.who[w.count] = i;
    if (kept && syn_proximity_trusts(&kept->rows[i], &job->values[i], kept->stamp))
      known += 1 + vec3_distance(kept->rows[i].last, w.at[w.count]);
    for (uint32_t n = r->start[i]; n < r->start[i + 1]; ++n) pairs_add(&w.pairs, w.count, r->triangle[n]);
    ++w.count;
  }
  settle(job, measure, kept, &w);
  return known;
}

static void check_bits(const syn_distance_job *job, const syn_distance_value *told) {
  for (uint32_t i = 0; i < job->groups->point_count; ++i)
    if (told[i].triangle != job->values[i].triangle || told[i].distance != job->values[i].distance)
      die("the oracle is not exact");
}

enum { SEARCH, ORACLE, WITH_TABLE, CONTENDERS };

static void compare_oracles(const syn_distance_job *job, const rivals *r) {
  const uint32_t count = job->groups->point_count;
  const table kept = {syn_proximity_stamp(job->surface), must(calloc(count, sizeof *kept.rows))};
  syn_distance_job jobs[CONTENDERS] = {*job, *job, *job};
  bench_samples samples[CONTENDERS] = {{.count = 0}};
  double known = 0, ns[CONTENDERS];
  for (int c = ORACLE; c < CONTENDERS; ++c) jobs[c].values = must(calloc(count, sizeof *job->values));
  for (int turn = 0; turn < TURNS; ++turn)
    for (int c = 0; c < CONTENDERS; ++c) {
      const double start = bench_now_ms();
      if (c == SEARCH)
        syn_distance_field(job, INFINITY);
      else
        known = ask_oracle(&jobs[c], r, c == WITH_TABLE ? &kept : NULL);
      samples[c].ms[samples[c].count++] = bench_now_ms() - start;
    }
  if (known != count) die("the table is not kept");
  for (int c = 0; c < CONTENDERS; ++c) {
    check_bits(job, jobs[c].values);
    ns[c] = 1e6 * bench_median(&samples[c]) / count;
    if (c != SEARCH) free(jobs[c].values);
  }
  printf("      search %.0f ns a vertex; oracle %.0f, %.2f times as fast at best; with its table %.0f, %.2f times\n",
         ns[SEARCH], ns[ORACLE], ns[SEARCH] / ns[ORACLE], ns[WITH_TABLE], ns[SEARCH] / ns[WITH_TABLE]);
  free(kept.rows);
}

/* ---- all ------------------------------------------------------------------------------------------------------------
 */

static void compare_steps(const syn_context *context, const syn_surface_tree *s, const syn_trimesh *mobile,
                          syn_vec3 center, double from_deg) {
  static const double steps_deg[STEPS] = {0.01, 0.1, 1};
  syn_point_groups groups;
  syn_error error;
  if (syn_point_groups_create(context, mobile->vertices, mobile->vertex_count, &groups, &error) != SYN_OK)
    die(error.message);
  for (int k = 0; k < STEPS; ++k) {
    const syn_pose before = syn_pose_about_axis(center, vec3(1, 0, 0), from_deg * SYN_PI / 180),
                   after = syn_pose_about_axis(center, vec3(1, 0, 0), (from_deg + steps_deg[k]) * SYN_PI / 180);
    const syn_distance_job job = {context,
                                  s,
                                  !s->solid,
                                  mobile->vertices,
                                  &groups,
                                  &after,
                                  must(calloc(mobile->vertex_count, sizeof(syn_distance_value)))};
    rivals r = find_rivals(&job, &before);
    print_counts(&r, mobile->vertex_count, steps_deg[k]);
    compare_oracles(&job, &r);
    free(r.start);
    free(r.triangle);
    free(job.values);
  }
  syn_point_groups_release(context, &groups);
}

int main(int count, char **words) {
  syn_context context = syn_default_context();
  syn_error error;
  syn_trimesh *fixed, *mobile;
  syn_surface_tree *surface;
  syn_vec3 center;
  context.threads = 1;
  if (count < 4 || sscanf(words[3], "%lf,%lf,%lf", &center.x, &center.y, &center.z) != 3)
    die("usage: bench_rivals FIXED MOBILE x,y,z [DEGREES]");
  if (syn_trimesh_read(&context, words[1], NULL, &fixed, &error) != SYN_OK ||
      syn_trimesh_read(&context, words[2], NULL, &mobile, &error) != SYN_OK ||
      syn_surface_tree_create(&context, fixed, &surface, &error) != SYN_OK)
    die(error.message);
  compare_steps(&context, surface, mobile, center, count > 4 ? atof(words[4]) : 0);
  syn_surface_tree_destroy(surface);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
  return 0;
}
