#pragma GCC diagnostic ignored "-Wframe-larger-than=" /* points in groups, up to 187 KB: a query may not allocate */
#include "collide/published/proximity_walk.h"

#include "base/parallel.h"

enum { GROUPS_AT_ONCE = 4, LONGEST_WALK = 16 };

void syn_pairs_measure_portable(const syn_surface_tree *surface, const syn_vec3 *points, syn_pairs *pairs) {
  for (uint32_t i = 0; i < pairs->count; ++i) {
    syn_vec3 v[3];
    surface_corners(surface, pairs->triangle[i], v);
    const closest_point at = closest_feature(points[pairs->who[i]], v);
    pairs->x[i] = at.point.x;
    pairs->y[i] = at.point.y;
    pairs->z[i] = at.point.z;
    pairs->distance2[i] = at.distance2;
    pairs->on[i] = at.on;
  }
}

/* Finds the nearest triangle of each point; the lowest number wins among equal distances. */
void syn_pairs_nearest(const syn_pairs *p, syn_nearest *nearest) {
  for (uint32_t i = 0, end; i < p->count; i = end) {
    uint32_t best = i;
    for (end = i + 1; end < p->count && p->who[end] == p->who[i];
         ++end) { /* branchless: the outcome cannot be predicted */
      const bool nearer = (p->distance2[end] < p->distance2[best]) |
                          ((p->distance2[end] == p->distance2[best]) & (p->triangle[end] < p->triangle[best]));
      best = nearer ? end : best;
    }
    nearest[p->who[i]] =
        (syn_nearest){{{p->x[best], p->y[best], p->z[best]}, p->distance2[best], (int)p->on[best]}, p->triangle[best]};
  }
}

typedef struct field_job {
  const syn_distance_job *job;
  uint64_t stamp;
  syn_proximity_row *rows;
  syn_pairs_measure *measure;
} field_job;

/* The points of a group that are still walking. */
typedef struct walkers {
  uint32_t count, who[SYN_POINT_GROUP], last[SYN_POINT_GROUP]; /* and the last triangle of each */
  syn_vec3 at[SYN_POINT_GROUP];
  syn_nearest nearest[SYN_POINT_GROUP];
  syn_pairs pairs;
} walkers;

/* Adds the triangles across the edge or around the vertex that carries the nearest point. If the nearest point is
 * inside the triangle, the query point is in its Voronoi region and nothing is added. */
static void add_neighbours(const syn_surface_tree *s, syn_pairs *pairs, uint32_t who, const syn_nearest *now) {
  const uint32_t *neighbours = s->topology->triangle_neighbours[now->triangle], most = pairs->count + SYN_PAIRS_EACH;
  const int on = now->at.on;
  pairs_add(pairs, who, now->triangle);
  if (on < SYN_ON_CORNER) {
    if (neighbours[on - SYN_ON_EDGE] != SYN_NONE) pairs_add(pairs, who, neighbours[on - SYN_ON_EDGE]);
    return;
  }
  const uint32_t *start = s->topology->vertex_triangle_start + s->triangles[now->triangle].v[on - SYN_ON_CORNER];
  for (uint32_t k = start[0]; k < start[1] && pairs->count < most; ++k)
    pairs_add(pairs, who, s->topology->vertex_triangles[k]);
}

/* Walks with all points of a group together until none finds a nearer triangle. */
static void walk(const field_job *field, walkers *w) {
  const syn_surface_tree *s = field->job->surface;
  for (int step = 0; step < LONGEST_WALK && w->pairs.count > 0; ++step) {
    field->measure(s, w->at, &w->pairs);
    syn_pairs_nearest(&w->pairs, w->nearest);
    uint32_t on = 0;
    w->pairs.count = 0;
    for (uint32_t i = 0; i < w->count; ++i) {
      const syn_nearest *now = &w->nearest[w->who[i]];
      if (now->triangle == w->last[i] || now->at.on == SYN_ON_FACE) continue;
      w->who[on] = w->who[i];
      w->last[on] = now->triangle;
      add_neighbours(s, &w->pairs, w->who[on++], now);
    }
    w->count = on;
  }
}

/* Starts a walk. False if the point has no previous triangle; a point that has not moved needs no walk. */
static bool start(const field_job *field, walkers *w, uint32_t who, uint32_t point) {
  const syn_distance_job *job = field->job;
  const syn_distance_value *value = &job->values[point];
  const syn_proximity_row *row = &field->rows[point];
  if (!syn_proximity_trusts(row, value, field->stamp) || value->triangle >= job->surface->triangle_count) return false;
  if (vec3_equal(w->at[who], row->last)) return true;
  w->who[w->count] = who;
  w->last[w->count++] = SYN_NONE;
  pairs_add(&w->pairs, who, value->triangle);
  return true;
}

static void do_groups(void *user, size_t begin, size_t end) {
  const field_job *field = user;
  const syn_distance_job *job = field->job;
  walkers w;
  for (size_t group = begin; group < end; ++group) {
    const uint32_t *order = job->groups->order + group * SYN_POINT_GROUP, count = point_group_size(job->groups, group);
    bool still[SYN_POINT_GROUP];
    w.count = w.pairs.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t before = w.count;
      w.at[i] = pose_point(job->pose, job->points[order[i]]);
      const bool known = start(field, &w, i, order[i]);
      still[i] = known && w.count == before;
      if (!known) job->surface->search(job->surface, w.at[i], INFINITY, &w.nearest[i]);
    }
    walk(field, &w);
    for (uint32_t i = 0; i < count; ++i)
      if (!still[i]) syn_proximity_store(job, order[i], w.at[i], &w.nearest[i], field->stamp, &field->rows[order[i]]);
  }
}

double syn_proximity_walk(const syn_distance_job *job, uint64_t stamp, syn_proximity_asked asked,
                          syn_proximity_row *rows) {
  (void)asked;
  field_job field = {.job = job, .stamp = stamp, .rows = rows, .measure = syn_pairs_best_measure()};
  syn_parallel_for(job->context, job->groups->count, GROUPS_AT_ONCE, do_groups, &field);
  return INFINITY;
}
