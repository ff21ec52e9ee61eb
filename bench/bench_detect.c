/* Detection between two poses and between two shapes, on two surfaces that are named:
 *
 *   bench_detect FIXED MOBILE x,y,z [MM]
 *
 * turns the mobile one about the x axis through the centre. Prints the proximity structure against a search at every
 * pose (Maciel 2005, §4.3.3.3), the hash of spherical sliding by table size (§4.3.3.1), the split method against its
 * parts (Arbabi 2009, §3.6.3; the threshold is MM, 32 by default), and updates after deformations along rings and rays
 * (§3.2.3 and §3.3.4), and neighbouring cells instead of a new table (§3.2.3.1, §3.3.4.1) and for shifts (§3.6).
 * Contenders take turns, medians count. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "collide/published/sliding_hash.h"
#include "harness.h"

enum { POSES = 44, WARM = 4, REPEATS = 7, MOST_CONTACTS = 100000 };

typedef struct setup {
  syn_context context;
  syn_body fixed, mobile;
  syn_collide_options options;
} setup;

static void die(const char *message) {
  fprintf(stderr, "bench_detect: %s\n", message);
  exit(1);
}

static void *must(void *block) {
  if (!block) die("there is not enough memory");
  return block;
}

typedef struct contender {
  const char *method;
  syn_collider *collider;
  void *scratch;
  double *depth;
  bench_samples samples;
} contender;

static contender open_method(const setup *s, const char *method) {
  syn_error error;
  contender c = {.method = method};
  if (syn_collider_create(&s->context, method, &s->fixed, &s->mobile, &s->options, &c.collider, &error) != SYN_OK)
    die(error.message);
  c.scratch = must(calloc(1, syn_collider_scratch(c.collider) + 1));
  c.depth = must(calloc(s->mobile.surface->vertex_count, sizeof *c.depth));
  return c;
}

static void close_method(contender *c) {
  syn_collider_destroy(c->collider);
  free(c->scratch);
  free(c->depth);
}

static syn_pose pose_at(const setup *s, double degrees) {
  return syn_pose_about_axis(s->options.center, s->options.axis, degrees * SYN_PI / 180);
}

/* ---- from pose to pose ----------------------------------------------------------------------------------------------
 */

static void walk(const setup *s, contender *c, double step_deg, bool field) {
  static syn_contact contacts[MOST_CONTACTS];
  double sum = 0;
  for (int i = 0; i < POSES; ++i) {
    const syn_pose pose = pose_at(s, (i - WARM) * step_deg);
    syn_contacts found = {.contacts = contacts, .capacity = MOST_CONTACTS, .vertex_depth = field ? c->depth : NULL};
    const double start = bench_now_ms();
    syn_collider_query(c->collider, &pose, c->scratch, &found);
    if (i >= WARM) sum += bench_now_ms() - start;
  }
  c->samples.ms[c->samples.count++] = sum / (POSES - WARM);
}

/* The first one is the measure of the others. Contacts, and all depths where these are asked for. */
static void compare_steps(const setup *s, const char *const *methods, size_t count, bool depths) {
  static const double steps[] = {0, 0.01, 0.1, 1};
  contender c[4];
  for (size_t m = 0; m < count; ++m) c[m] = open_method(s, methods[m]);
  for (int field = 0; field < (depths ? 2 : 1); ++field)
    for (size_t k = 0; k < sizeof steps / sizeof *steps; ++k) {
      double worst = 0;
      for (size_t m = 0; m < count; ++m) c[m].samples.count = 0;
      for (int r = 0; r < REPEATS; ++r)
        for (size_t m = 0; m < count; ++m) walk(s, &c[m], steps[k], field);
      printf("%-9s %5g deg a step:", field ? "all depths" : "contacts", steps[k]);
      for (size_t m = 0; m < count; ++m) {
        const double ns = 1e6 * bench_median(&c[m].samples) / s->mobile.surface->vertex_count;
        printf("  %s %.0f ns a vertex", c[m].method, ns);
        for (uint32_t v = 0; field && m > 0 && v < s->mobile.surface->vertex_count; ++v)
          if (isfinite(c[0].depth[v])) worst = max2(worst, fabs(c[m].depth[v] - c[0].depth[v]));
      }
      printf(field ? "  worst error %g mm\n" : "\n", worst);
    }
  for (size_t m = 0; m < count; ++m) close_method(&c[m]);
}

/* ---- spherical sliding ----------------------------------------------------------------------------------------------
 */

static void compare_hashes(const setup *s) {
  static const uint32_t sides[] = {10, 20, 40, 100, 200, 400};
  contender exact = open_method(s, "radial");
  for (size_t k = 0; k < sizeof sides / sizeof *sides; ++k) {
    setup sized = *s;
    syn_sliding_counts counts;
    syn_error error;
    sized.options.table_size = sides[k] * sides[k];
    const double start = bench_now_ms();
    contender hash = open_method(&sized, "sliding-hash");
    const double build = bench_now_ms() - start;
    for (int r = 0; r < REPEATS; ++r) walk(s, &hash, 0.1, true);
    walk(s, &exact, 0.1, true);
    const syn_pose pose = pose_at(s, 0);
    if (syn_sliding_count(&s->context, s->fixed.surface, s->mobile.surface, &sized.options, &pose, &counts, &error) !=
        SYN_OK)
      die(error.message);
    double sum = 0;
    size_t both = 0;
    for (uint32_t v = 0; v < s->mobile.surface->vertex_count; ++v)
      if (isfinite(exact.depth[v]) && isfinite(hash.depth[v])) {
        sum += fabs(exact.depth[v] - hash.depth[v]);
        ++both;
      }
    printf("hash %3ux%-3u: built in %.2f ms, a pose %.3f ms, %zu tests, %zu cells empty, %zu overwritten, mean error "
           "%.3f mm\n",
           sides[k], sides[k], build, bench_median(&hash.samples), counts.tests, counts.empty, counts.overwritten,
           both ? sum / (double)both : (double)NAN);
    close_method(&hash);
  }
  close_method(&exact);
}

/* ---- updates --------------------------------------------------------------------------------------------------------
 */

enum { ALONG_RINGS, ALONG_RAYS, ANYWHERE, WAYS };

static void move_some(const setup *s, const syn_trimesh *mesh, int way, uint32_t count, syn_vec3 *places) {
  const syn_pose turn = pose_at(s, 0.1);
  memcpy(places, mesh->vertices, mesh->vertex_count * sizeof *places);
  for (uint32_t i = 0; i < count; ++i) {
    syn_vec3 *p = &places[(mesh->vertex_count - count) / 2 + i];
    if (way == ALONG_RINGS) *p = syn_pose_point(&turn, *p);
    if (way == ALONG_RAYS) *p = vec3_madd(*p, 0.004, vec3_sub(*p, s->options.center));
    if (way == ANYWHERE) p->x += 0.1;
  }
}

static void compare_updates(const setup *s, const char *method) {
  static const char *const ways[WAYS] = {"along rings", "along rays", "anywhere"};
  contender c = open_method(s, method);
  for (int body = 0; body < 2; ++body)
    for (int way = 0; way < WAYS; ++way)
      for (int share = 0; share < 3; ++share) {
        const syn_trimesh *mesh = body == 0 ? s->fixed.surface : s->mobile.surface;
        const uint32_t count = share == 0 ? 1 : share == 1 ? mesh->vertex_count / 100 : mesh->vertex_count;
        syn_vec3 *moved = must(malloc(mesh->vertex_count * sizeof *moved));
        move_some(s, mesh, way, count, moved);
        c.samples.count = 0;
        for (int r = 0; r < 2 * REPEATS; ++r) {
          const syn_vec3 *places = r % 2 ? mesh->vertices : moved;
          const double start = bench_now_ms();
          if (syn_collider_update(c.collider, body == 0 ? places : NULL, body == 1 ? places : NULL, NULL) != SYN_OK)
            die("an update failed");
          c.samples.ms[c.samples.count++] = bench_now_ms() - start;
        }
        printf("update %-11s %-6s %5u vertices %-11s %.3f ms\n", method, body == 0 ? "fixed" : "mobile", count,
               ways[way], bench_median(&c.samples));
        free(moved);
      }
  close_method(&c);
}

/* ---- neighbouring cells instead of a new table ---------------------------------------------------------------------
 */

/* Every fixed vertex by up to `mm`, in waves of 2 cm. */
static void wave(const syn_trimesh *mesh, double mm, syn_vec3 *moved) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const syn_vec3 at = vec3_scale(mesh->vertices[v], 1.0 / 3);
    moved[v] = vec3_madd(mesh->vertices[v], mm, vec3(sin(at.y), sin(at.z), sin(at.x)));
  }
}

/* Update and query together, there and back. */
static void measure_update(const setup *s, contender *c, const syn_vec3 *moved) {
  const syn_pose pose = pose_at(s, 0);
  for (int r = 0; r < 2 * REPEATS; ++r) {
    syn_contacts found = {.vertex_depth = c->depth};
    const double start = bench_now_ms();
    if (syn_collider_update(c->collider, r % 2 ? moved : s->fixed.surface->vertices, NULL, NULL) != SYN_OK ||
        syn_collider_query(c->collider, &pose, c->scratch, &found) != SYN_OK)
      die("an update failed");
    c->samples.ms[c->samples.count++] = bench_now_ms() - start;
  }
}

static void print_misses(const double *exact, const double *depth, uint32_t count) {
  double worst = 0;
  uint32_t wrong = 0;
  for (uint32_t v = 0; v < count; ++v) {
    if (exact[v] == depth[v] || fabs(exact[v] - depth[v]) <= 1e-9) continue;
    ++wrong;
    if (isfinite(exact[v]) && isfinite(depth[v])) worst = max2(worst, fabs(exact[v] - depth[v]));
  }
  printf(", %u of %u depths wrong, by up to %g mm\n", wrong, count, worst);
}

static void compare_neighbours(const setup *s, const char *method) {
  static const double moves[] = {0.05, 0.2, 1, 5};
  static const uint32_t neighbours[] = {1, 2, 4};
  syn_vec3 *moved = must(malloc(s->fixed.surface->vertex_count * sizeof *moved));
  contender exact = open_method(s, method);
  for (size_t k = 0; k < sizeof moves / sizeof *moves; ++k) {
    wave(s->fixed.surface, moves[k], moved);
    exact.samples.count = 0;
    measure_update(s, &exact, moved);
    printf("neighbours %-11s 0, moved by up to %4g mm: %.3f ms, exact\n", method, moves[k],
           bench_median(&exact.samples));
    for (size_t n = 0; n < sizeof neighbours / sizeof *neighbours; ++n) {
      setup near = *s;
      near.options.neighbours = neighbours[n];
      contender c = open_method(&near, method);
      measure_update(s, &c, moved);
      printf("neighbours %-11s %u, moved by up to %4g mm: %.3f ms", method, neighbours[n], moves[k],
             bench_median(&c.samples));
      print_misses(exact.depth, c.depth, s->mobile.surface->vertex_count);
      close_method(&c);
    }
  }
  close_method(&exact);
  free(moved);
}

/* A pose that also shifts: queries alone, the tables stay. */
static void measure_shift(const setup *s, contender *c, double mm) {
  syn_pose pose = pose_at(s, 0);
  pose.translation = vec3_madd(pose.translation, mm / sqrt(3.0), vec3(1, 1, 1));
  c->samples.count = 0;
  for (int r = 0; r < 2 * REPEATS; ++r) {
    syn_contacts found = {.vertex_depth = c->depth};
    const double start = bench_now_ms();
    if (syn_collider_query(c->collider, &pose, c->scratch, &found) != SYN_OK) die("a query failed");
    c->samples.ms[c->samples.count++] = bench_now_ms() - start;
  }
}

static void compare_shifts(const setup *s, const char *method) {
  static const double shifts[] = {0, 0.05, 0.2, 1, 5};
  static const uint32_t neighbours[] = {0, 1, 2, 4};
  contender exact = open_method(s, method);
  for (size_t n = 0; n < sizeof neighbours / sizeof *neighbours; ++n) {
    setup near = *s;
    near.options.neighbours = neighbours[n];
    contender c = open_method(&near, method);
    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; ++k) {
      measure_shift(s, &exact, shifts[k]);
      measure_shift(s, &c, shifts[k]);
      printf("neighbours %-11s %u, shifted by %4g mm: %.3f ms", method, neighbours[n], shifts[k],
             bench_median(&c.samples));
      print_misses(exact.depth, c.depth, s->mobile.surface->vertex_count);
    }
    close_method(&c);
  }
  close_method(&exact);
}

/* ---- all ------------------------------------------------------------------------------------------------------------
 */

int main(int count, char **words) {
  static const char *const distances[] = {"distance", "proximity", "proximity-walk"}, *const parts[] = {"split",
                                                                                                        "radial",
                                                                                                        "cylindrical"};
  syn_error error;
  syn_trimesh *fixed, *mobile;
  setup s = {.context = syn_default_context(), .options = syn_default_collide_options()};
  syn_vec3 *center = &s.options.center;
  const double threshold_mm = count > 4 ? atof(words[4]) : 32;
  if (count < 4 || sscanf(words[3], "%lf,%lf,%lf", &center->x, &center->y, &center->z) != 3)
    die("usage: bench_detect FIXED MOBILE x,y,z [THRESHOLD]");
  s.context.threads = 1;
  s.options.axis = vec3(1, 0, 0);
  s.options.sheets = true;
  s.options.thresholds_mm = &threshold_mm;
  s.options.threshold_count = 1;
  if (syn_trimesh_read(&s.context, words[1], NULL, &fixed, &error) != SYN_OK ||
      syn_trimesh_read(&s.context, words[2], NULL, &mobile, &error) != SYN_OK)
    die(error.message);
  s.fixed.surface = fixed;
  s.mobile.surface = mobile;
  printf("%u triangles, %u vertices\n", fixed->triangle_count, mobile->vertex_count);
  compare_steps(&s, distances, 3, true);
  setup near = s;
  near.options.reach_mm = 2;
  printf("within %g mm:\n", near.options.reach_mm);
  compare_steps(&near, distances, 2, false);
  compare_steps(&s, parts, 3, true);
  compare_hashes(&s);
  compare_updates(&s, "cylindrical");
  compare_updates(&s, "radial");
  compare_updates(&s, "aabb"); /* Sundaraj 2004, Fig. 5.7: by the number of moved vertices */
  compare_neighbours(&s, "cylindrical");
  compare_neighbours(&s, "radial");
  compare_shifts(&s, "cylindrical");
  compare_shifts(&s, "radial");
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
  return 0;
}
