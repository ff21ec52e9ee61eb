/* Finds the femoral head: the convex end of a bone that covers most of a sphere.
 *
 * On a piece of a sphere, points and normals satisfy p = c + R n. Fitting that line to patches all over the bone gives
 * candidates in closed form. Each candidate grows over the surface that agrees with it and is fitted again. The one
 * that covers most of its sphere wins; condyles and trochanters cover far less. */
#include <stdlib.h>

#include "base/order.h"
#include "clinic/anatomy/bone_mesh.h"
#include "geometry/fit.h"

enum { SEEDS = 96, TRIED = 16, GROWING = 4, POLISHING = 40 };
static const double PATCH = 0.06;      /* radius of a patch over the root of the bone's area */
static const double LEAST_COVER = 0.3; /* share of the sphere, of a candidate */
static const double EVEN = 0.01;       /* length over which normals are averaged, over the root of the bone's area */
/* A smaller sphere is no head: femora have 0.08 to 0.15 of the root of their area, condyles of whole ones below 0.06.
 */
static const double SMALLEST = 0.062;

/* ---- sums over the surface --------------------------------------------------------------------------------------- */

typedef struct ball {
  syn_vec3 center;
  double radius;
  double match; /* of points and normals: 1 on a sphere */
} ball;

/* Returns whether the vertex is accepted. */
typedef bool (*accept)(const syn_bone_mesh *bone, uint32_t vertex, const void *user);

/* Flood fill: puts all vertices connected with `seed` through accepted ones into the queue. */
static uint32_t spread(syn_bone_mesh *bone, uint32_t seed, accept accepts, const void *user) {
  const syn_topology *topology = bone->topology;
  uint32_t count = 0;
  ++bone->mark;
  bone->reached[seed] = bone->mark;
  bone->queue[count++] = seed;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t v = bone->queue[i];
    for (uint32_t k = topology->vertex_triangle_start[v]; k < topology->vertex_triangle_start[v + 1]; ++k)
      for (int c = 0; c < 3; ++c) {
        const uint32_t next = bone->mesh->triangles[topology->vertex_triangles[k]].v[c];
        if (bone->reached[next] == bone->mark || !accepts(bone, next, user)) continue;
        bone->reached[next] = bone->mark;
        bone->queue[count++] = next;
      }
  }
  return count;
}

/* Fits the line p = c + R n to the points and normals of the queue. */
static ball fit_normals(const syn_bone_mesh *bone, uint32_t count) {
  syn_vec3 p = {0}, n = {0};
  double weight = 0, pp = 0, nn = 0, pn = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t v = bone->queue[i];
    weight += bone->areas[v];
    p = vec3_madd(p, bone->areas[v], bone->mesh->vertices[v]);
    n = vec3_madd(n, bone->areas[v], bone->normals[v]);
  }
  p = vec3_scale(p, 1 / weight);
  n = vec3_scale(n, 1 / weight);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t v = bone->queue[i];
    const syn_vec3 dp = vec3_sub(bone->mesh->vertices[v], p), dn = vec3_sub(bone->normals[v], n);
    pp += bone->areas[v] * vec3_length2(dp);
    nn += bone->areas[v] * vec3_length2(dn);
    pn += bone->areas[v] * vec3_dot(dp, dn);
  }
  if (!(nn > 0) || !(pp > 0)) return (ball){0};
  const double radius = pn / nn;
  return (ball){vec3_madd(p, -radius, n), radius, pn * fabs(pn) / (pp * nn)};
}

typedef struct seed {
  uint32_t vertex, number; /* `number` in the order of their choice */
  ball sphere;
} seed;

/* ---- growing ----------------------------------------------------------------------------------------------------- */

typedef struct shell {
  ball sphere;
  double tolerance; /* of the distance */
} shell;

static bool on_shell(const syn_bone_mesh *bone, uint32_t v, const void *user) {
  const shell *near = user;
  const syn_vec3 off = vec3_sub(bone->points[v], near->sphere.center);
  const double distance = vec3_length(off);
  return fabs(distance - near->sphere.radius) <= near->tolerance && vec3_dot(off, bone->normals[v]) >= 0.85 * distance;
}

typedef struct patch {
  syn_vec3 middle;
  double radius;
} patch;

static bool on_patch(const syn_bone_mesh *bone, uint32_t v, const void *user) {
  const patch *near = user;
  return vec3_distance(bone->mesh->vertices[v], near->middle) <= near->radius;
}

static uint32_t component_of(const syn_bone_mesh *bone, uint32_t v) {
  return bone->topology->triangle_component[bone->topology->vertex_triangles[bone->topology->vertex_triangle_start[v]]];
}

/* Collects every vertex of the component on the shell, connected or not: a fovea or a hole may divide the head. */
static uint32_t collect(syn_bone_mesh *bone, uint32_t component, const shell *near) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < bone->mesh->vertex_count; ++v)
    if (bone->areas[v] > 0 && on_shell(bone, v, near) && component_of(bone, v) == component) bone->queue[count++] = v;
  return count;
}

static double value_of(const void *value, int which) {
  (void)which;
  return *(const double *)value;
}

/* Returns the median; reorders `values`. */
static double median(double *values, uint32_t count) {
  select_nth(values, count, sizeof *values, count / 2, value_of, 0);
  return values[count / 2];
}

/* Computes the robust spread of the queue about the sphere: 1.4826 times the median distance. Uses bone->height as
 * scratch. */
static double spread_about(syn_bone_mesh *bone, uint32_t count, const ball *sphere) {
  for (uint32_t i = 0; i < count; ++i)
    bone->height[i] = fabs(vec3_distance(bone->points[bone->queue[i]], sphere->center) - sphere->radius);
  return 1.4826 * median(bone->height, count);
}

static void summarise(const syn_bone_mesh *bone, uint32_t count, const ball *sphere, syn_head *head) {
  double area = 0, squares = 0;
  syn_vec3 away = {0};
  for (uint32_t i = 0; i < count; ++i) {
    const syn_vec3 off = vec3_sub(bone->mesh->vertices[bone->queue[i]], sphere->center);
    const double w = bone->areas[bone->queue[i]], miss = vec3_length(off) - sphere->radius;
    area += w;
    squares += w * miss * miss;
    away = vec3_madd(away, w, vec3_unit(off));
  }
  head->sphere = (syn_sphere_fit){sphere->center, sphere->radius, sqrt(squares / area), count};
  head->coverage = min2(1, area / (4 * SYN_PI * sphere->radius * sphere->radius));
  head->away = vec3_unit(away);
}

/* Computes the next shell from the vertices on this one: three times their spread, but at least half the old width. */
static bool settle(syn_bone_mesh *bone, uint32_t count, shell *near, syn_head *head) {
  if (count < 12) return false;
  for (int step = 0; step < 3; ++step)
    if (!syn_sphere_improve(bone->mesh->vertices, bone->areas, bone->queue, count, &near->sphere.center,
                            &near->sphere.radius))
      return false;
  const double wide = max2(3 * spread_about(bone, count, &near->sphere), 0.5 * near->tolerance);
  near->tolerance = max2(min2(wide, 0.1 * near->sphere.radius), 1e-6 * near->sphere.radius);
  summarise(bone, count, &near->sphere, head);
  return true;
}

/* Refines a rough sphere until it fits locally; returns false if it covers too little. */
static bool grow(syn_bone_mesh *bone, const seed *from, syn_head *head) {
  shell near = {from->sphere, 0.1 * from->sphere.radius};
  for (int round = 0; round < GROWING; ++round)
    if (!settle(bone, spread(bone, from->vertex, on_shell, &near), &near, head)) return false;
  head->component = component_of(bone, from->vertex);
  return head->coverage >= LEAST_COVER && head->sphere.radius_mm >= SMALLEST * sqrt(bone->area);
}

/* Iterates to convergence. */
static bool polish(syn_bone_mesh *bone, syn_head *head) {
  const double radius = head->sphere.radius_mm;
  shell near = {{head->sphere.center, radius, 1}, 0.1 * radius};
  for (int round = 0; round < POLISHING; ++round) {
    const shell last = near;
    if (!settle(bone, collect(bone, head->component, &near), &near, head)) return false;
    if (vec3_distance(near.sphere.center, last.sphere.center) < 1e-9 * radius &&
        fabs(near.tolerance - last.tolerance) < 1e-9 * radius)
      break;
  }
  return true;
}

/* ---- seeds ------------------------------------------------------------------------------------------------------- */

/* Chooses distant vertices: each is the furthest from all before it, the first from the bone's middle. */
static uint32_t choose_seeds(syn_bone_mesh *bone, seed *seeds) {
  const syn_trimesh *mesh = bone->mesh;
  /* Compute the middle of the surface. */
  syn_vec3 middle = {0};
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) middle = vec3_madd(middle, bone->areas[v], mesh->vertices[v]);
  middle = vec3_scale(middle, 1 / bone->area);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) bone->height[v] = INFINITY;
  /* Choose the vertex farthest from all before it; the first is farthest from the middle. */
  uint32_t chosen = 0;
  for (; chosen < SEEDS; ++chosen) {
    const syn_vec3 last = chosen ? mesh->vertices[seeds[chosen - 1].vertex] : middle;
    uint32_t best = SYN_NONE;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
      if (!(bone->areas[v] > 0)) continue;
      const double distance = vec3_length2(vec3_sub(mesh->vertices[v], last));
      bone->height[v] = min2(bone->height[v], distance);
      if (bone->height[v] > (best == SYN_NONE ? 0 : bone->height[best])) best = v;
    }
    if (chosen == 0)
      for (uint32_t v = 0; v < mesh->vertex_count; ++v) bone->height[v] = INFINITY;
    if (best == SYN_NONE) break;
    seeds[chosen].vertex = best;
  }
  return chosen;
}

static int by_match(const void *a, const void *b) {
  const seed *s = a, *t = b;
  if (s->sphere.match != t->sphere.match) return s->sphere.match > t->sphere.match ? -1 : 1;
  return (s->number > t->number) - (s->number < t->number);
}

static bool concentric(syn_vec3 center, const syn_head *head) {
  return head->coverage > 0 && vec3_distance(center, head->sphere.center) < 0.25 * head->sphere.radius_mm;
}

/* Returns whether the sphere has already been grown. */
static bool known(const syn_bone_mesh *bone, const seed *from, const syn_head *head) {
  return concentric(from->sphere.center, head) && component_of(bone, from->vertex) == head->component;
}

/* Scores a head by the coverage of its sphere and by its smoothness. */
static double score(const syn_head *head) {
  return head->coverage * (1 - min2(1, 10 * head->sphere.residual_mm / head->sphere.radius_mm));
}

static bool better(const syn_head *a, const syn_head *b, const syn_vec3 *toward) {
  if (!(b->coverage > 0)) return true;
  /* Cartilage on its bone: the head in the socket is the smooth outer surface. */
  if (a->component != b->component && concentric(a->sphere.center, b)) {
    if (syn_is_head(a) != syn_is_head(b)) return syn_is_head(a);
    return a->sphere.radius_mm > b->sphere.radius_mm;
  }
  if (!toward) return score(a) > score(b);
  if (syn_is_rough_head(a) != syn_is_rough_head(b)) return syn_is_rough_head(a);
  return vec3_distance(a->sphere.center, *toward) < vec3_distance(b->sphere.center, *toward);
}

/* If the mesh is too coarse for the patch, use a larger one. */
static ball fit_patch(syn_bone_mesh *bone, uint32_t vertex, double radius) {
  patch near = {bone->mesh->vertices[vertex], radius};
  uint32_t count = spread(bone, vertex, on_patch, &near);
  for (int wider = 0; count < 12 && wider < 3; ++wider) {
    near.radius *= 1.4;
    count = spread(bone, vertex, on_patch, &near);
  }
  return fit_normals(bone, count);
}

syn_head syn_bone_head(syn_bone_mesh *bone, const syn_vec3 *toward) {
  seed seeds[SEEDS];
  const double size = sqrt(bone->area), radius = PATCH * size;
  const uint32_t chosen = choose_seeds(bone, seeds);
  for (uint32_t i = 0; i < chosen; ++i) {
    seeds[i].number = i;
    seeds[i].sphere = fit_patch(bone, seeds[i].vertex, radius);
    /* Skip spheres far too flat or too sharp for the end of a bone of this size. */
    if (!(seeds[i].sphere.radius > 0.04 * size && seeds[i].sphere.radius < 0.6 * size)) seeds[i].sphere.match = -1;
  }
  qsort(seeds, chosen, sizeof *seeds, by_match);
  syn_head best = {0};
  uint32_t tried = 0;
  for (uint32_t i = 0; i < chosen && tried < TRIED && seeds[i].sphere.match > 0.5; ++i) {
    syn_head head = {0};
    if (known(bone, &seeds[i], &best)) continue;
    ++tried;
    if (grow(bone, &seeds[i], &head) && better(&head, &best, toward)) best = head;
  }
  if (best.coverage > 0 && !polish(bone, &best)) best.coverage = 0;
  return best;
}

syn_status syn_bone_rough_head(syn_bone_mesh *bone, const syn_vec3 *toward, syn_head *head, syn_error *error) {
  SYN_TRY(syn_bone_mesh_even(bone, EVEN * sqrt(bone->area), error));
  *head = syn_bone_head(bone, toward);
  return SYN_OK;
}

/* ---- a head that is no sphere, about a known centre -------------------------------------------------------------- */

/* Returns the most common distance from the centre of surface that faces away from it, weighted by the share of the
 * sphere that it covers there; 0 if there is none up to `furthest`. */
static double common_distance(const syn_bone_mesh *bone, syn_vec3 center, double furthest) {
  enum { BINS = 80, REACH = 3 };
  double share[BINS] = {0}, most = 0;
  int best = 0;
  for (uint32_t v = 0; v < bone->mesh->vertex_count; ++v) {
    const syn_vec3 off = vec3_sub(bone->mesh->vertices[v], center);
    const double distance = vec3_length(off), facing = vec3_dot(off, bone->normals[v]);
    if (!(bone->areas[v] > 0) || distance >= furthest || facing < 0.7 * distance || !(distance > 0)) continue;
    share[(int)(distance / furthest * BINS)] += bone->areas[v] / (distance * distance);
  }
  for (int i = 0; i < BINS; ++i) {
    double sum = 0;
    for (int j = i - REACH; j <= i + REACH; ++j) sum += j >= 0 && j < BINS ? share[j] : 0;
    if (sum > most) most = sum, best = i;
  }
  return most > 0 ? (best + 0.5) * furthest / BINS : 0;
}

syn_head syn_bone_head_about(syn_bone_mesh *bone, syn_vec3 center) {
  const double radius = common_distance(bone, center, 40);
  const shell near = {{center, radius, 1}, 0.15 * radius};
  syn_head head = {0};
  uint32_t count = 0, nearest = SYN_NONE;
  for (uint32_t v = 0; v < bone->mesh->vertex_count && radius > 0; ++v) {
    if (!(bone->areas[v] > 0) || !on_shell(bone, v, &near)) continue;
    const double off = fabs(vec3_distance(bone->mesh->vertices[v], center) - radius);
    if (nearest == SYN_NONE || off < fabs(vec3_distance(bone->mesh->vertices[nearest], center) - radius)) nearest = v;
    bone->queue[count++] = v;
  }
  if (!count) return head;
  summarise(bone, count, &near.sphere, &head);
  head.component = component_of(bone, nearest);
  return head;
}

void syn_bone_on_head(syn_bone_mesh *bone, const syn_head *head, uint8_t *on_head) {
  const ball sphere = {head->sphere.center, head->sphere.radius_mm, 1};
  const shell near = {sphere, max2(3 * head->sphere.residual_mm, 1e-6 * sphere.radius)};
  for (uint32_t v = 0; v < bone->mesh->vertex_count; ++v)
    on_head[v] = bone->areas[v] > 0 && on_shell(bone, v, &near) && component_of(bone, v) == head->component;
}
