/* Sundaraj's tables: the distance between two copies of a mesh (Table 5.1), also while one deforms (Fig. 5.4), and
 * bringing a collider up to date after every vertex of the fixed body has moved (Table 5.2), beside the published times
 * (Pentium 4, 1.2 GHz). */
#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "ours.h"
#include "scenes.h"

typedef struct table_row {
  const char *name, *file;
  uint32_t triangles;
  double distance_ms, deforming_ms, update_ms;
} table_row;

static const table_row table[] = {
    {"teapot 1024", NULL, 1024, 6.430, NAN, 7.867},
    {"liver 800", "deformable/liver-smooth.obj", 800, 6.012, 30, 9.917},
    {"liver 3366", "deformable/liver-smooth.obj", 3366, 11.625, NAN, 27.858},
    {"femur 3992", "vsd_NC/z013/Femur_R.ply", 3992, 20.426, NAN, 28.762},
};

/* ---- updating -----------------------------------------------------------------------------------------------------
 */

enum { SHAPES = 5 }; /* more than the two that a mesh keeps structures of */

typedef struct update_state {
  syn_collider *collider;
  syn_vec3 *places[SHAPES]; /* of the vertices, by turns; the first at rest */
  unsigned turn;
} update_state;

/* The same on every machine: a small linear congruential generator is random enough to shake a mesh. */
static double shake(uint32_t *seed, double most) {
  *seed = *seed * 1664525u + 1013904223u;
  return most * ((double)*seed / 2147483648.0 - 1);
}

static void place_vertices(update_state *s, const syn_trimesh *mesh) {
  const syn_box box = syn_trimesh_bounds(mesh);
  const double most = 0.01 * vec3_distance(box.min, box.max);
  uint32_t seed = 1;
  for (int k = 0; k < SHAPES; ++k) {
    if (!(s->places[k] = malloc(((size_t)mesh->vertex_count + 1) * sizeof(syn_vec3)))) abort();
    for (size_t i = 0; i < mesh->vertex_count; ++i) {
      const syn_vec3 p = mesh->vertices[i];
      s->places[k][i] = k ? vec3(p.x + shake(&seed, most), p.y + shake(&seed, most), p.z + shake(&seed, most)) : p;
    }
  }
}

static void *open_update(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  syn_collider *collider;
  if (syn_collider_create(scene->context, self->detail, &scene->fixed, &scene->mobile, NULL, &collider, error) !=
      SYN_OK)
    return NULL;
  update_state *s = calloc(1, sizeof *s);
  if (!s) abort();
  s->collider = collider;
  place_vertices(s, scene->fixed.surface);
  return s;
}

static void ask_update(void *state, const syn_pose *pose, bench_answer *answer) {
  update_state *s = state;
  (void)pose, (void)answer;
  if (syn_collider_update(s->collider, s->places[s->turn++ % SHAPES], NULL, NULL) != SYN_OK) abort();
}

static void close_update(void *state) {
  update_state *s = state;
  syn_collider_destroy(s->collider);
  for (int k = 0; k < SHAPES; ++k) free(s->places[k]);
  free(s);
}

/* ---- the distance of bodies that deform -----------------------------------------------------------------------------
 */

typedef struct deforming_state {
  update_state shapes;
  syn_distance *distance;
  void *scratch;
} deforming_state;

static void *open_deforming(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)self;
  syn_distance *distance;
  if (syn_distance_create(scene->fixed.surface, scene->mobile.surface, NULL, &distance, error) != SYN_OK) return NULL;
  deforming_state *s = calloc(1, sizeof *s);
  void *scratch = malloc(syn_distance_scratch(distance) + 1);
  if (!s || !scratch) abort();
  *s = (deforming_state){.distance = distance, .scratch = scratch};
  place_vertices(&s->shapes, scene->fixed.surface);
  return s;
}

static void ask_deforming(void *state, const syn_pose *pose, bench_answer *answer) {
  deforming_state *s = state;
  syn_clearance clearance;
  if (syn_distance_update(s->distance, s->shapes.places[s->shapes.turn++ % SHAPES], NULL, NULL) != SYN_OK) abort();
  syn_distance_query(s->distance, pose, NULL, s->scratch, &clearance);
  answer->depth_mm = -clearance.distance_mm;
}

static void close_deforming(void *state) {
  deforming_state *s = state;
  syn_distance_destroy(s->distance);
  free(s->scratch);
  for (int k = 0; k < SHAPES; ++k) free(s->shapes.places[k]);
  free(s);
}

static const bench_contender deforming = {.name = "synovia",
                                          .detail = "clearance",
                                          .query = "clearance, deforming",
                                          .open = open_deforming,
                                          .ask = ask_deforming,
                                          .close = close_deforming};

/* ---- the suite ----------------------------------------------------------------------------------------------------
 */

/* Measures; then the published time takes the place of the rival in the last row, or has a row of its own beside a
 * rival's. */
static void compare_published(bench_run *run, const bench_scene *scene, const bench_contender *contender, double ms) {
  const bench_row *last = bench_compare(run, scene, contender, 1);
  if (!last || isnan(last->ours_ms) || isnan(ms)) return;
  bench_row row = *last;
  if (!row.peer[0]) --run->row_count;
  row.peer_answer = bench_empty_row("", "").peer_answer;
  row.peer_build_ms = NAN;
  row.peer_ms = ms;
  row.peer_detail[0] = 0;
  snprintf(row.peer, sizeof row.peer, "published");
  bench_add_row(run, &row);
}

static void run_updates(bench_run *run, const bench_scene *scene, double published_ms) {
  for (size_t i = 0; i < syn_method_count(); ++i) {
    const syn_method_info info = syn_method_at(i);
    if (info.needs_volume) continue;
    char query[64];
    snprintf(query, sizeof query, "update %s", info.name);
    const bench_contender contender = {.name = "synovia",
                                       .detail = info.name,
                                       .query = query,
                                       .open = open_update,
                                       .ask = ask_update,
                                       .close = close_update};
    compare_published(run, scene, &contender, published_ms);
  }
}

static syn_status run_row(bench_run *run, const table_row *t, syn_error *error) {
  syn_trimesh *mesh;
  SYN_TRY(bench_table_body(run, t->name, t->file, t->triangles, &mesh, error));
  if (!mesh) return SYN_OK;
  /* side by side with a gap, the second one turned */
  const syn_box box = syn_trimesh_bounds(mesh);
  const syn_vec3 middle = vec3_lerp(box.min, box.max, 0.5), size = vec3_sub(box.max, box.min);
  syn_pose pose = syn_pose_about_axis(middle, vec3(1, 2, 3), 1);
  pose.translation.x += 1.2 * vec3_length(size);
  const bench_scene scene = {.name = t->name,
                             .context = run->context,
                             .fixed = {.surface = mesh},
                             .mobile = {.surface = mesh},
                             .center = middle,
                             .axis = {0, 0, 1},
                             .poses = &pose,
                             .pose_count = 1};
  compare_published(run, &scene, &bench_clearance, t->distance_ms);
  compare_published(run, &scene, &deforming, t->deforming_ms);
  run_updates(run, &scene, t->update_ms);
  syn_trimesh_destroy(mesh);
  return SYN_OK;
}

static syn_status run_suite(bench_run *run, syn_error *error) {
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) SYN_TRY(run_row(run, &table[i], error));
  return SYN_OK;
}

const bench_suite bench_coldetect = {"coldetect", run_suite};
