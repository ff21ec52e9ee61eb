/* Repair: closing boundary loops with the triangulation of least area (Barequet and Sharir 1995). An edge that already
 * exists in the mesh is never used again, so that filling a manifold gives a manifold. */
#include <string.h>

#include "base/vec.h"
#include "mesh/repair/repair.h"

enum {
  MOST_AT_ONCE = 256, /* larger loops are cut in halves first: the triangulation is cubic */
  FORBIDDEN = UINT16_MAX,
  NO_APEX = UINT16_MAX - 1
};

typedef struct filler {
  syn_builder *mesh;
  const syn_topology *topology; /* of the mesh before filling */
  syn_error *error;
  uint32_t *place;       /* per vertex: its position in the current loop, else SYN_NONE */
  uint32_t *first_added; /* per vertex: list of corners of added triangles */
  uint32_t *next_added;
  size_t added_capacity;
  double *cost;   /* min area between positions i and j */
  uint16_t *apex; /* and the third corner of the triangle there */
} filler;

/* ---- what the mesh has already ---------------------------------------------------------------------------------- */

/* Iterates over the triangles around a vertex: those of the mesh, then the added ones. Start with {vertex}. */
typedef struct around {
  uint32_t vertex, index, added;
  bool started;
} around;

static const syn_triangle *next_around(const filler *f, around *a) {
  const uint32_t *start = f->topology->vertex_triangle_start;
  if (!a->started) {
    a->started = true;
    a->index = start[a->vertex];
    a->added = f->first_added[a->vertex];
  }
  if (a->index < start[a->vertex + 1]) return &f->mesh->triangles[f->topology->vertex_triangles[a->index++]];
  if (a->added == SYN_NONE) return NULL;
  const uint32_t corner = a->added;
  a->added = f->next_added[corner];
  return &f->mesh->triangles[f->topology->triangle_count + corner / 3];
}

static bool has_vertex(const syn_triangle *t, uint32_t v) { return t->v[0] == v || t->v[1] == v || t->v[2] == v; }

/* Returns whether there is a triangle with vertices a, b and c; with b == c: an edge from a to b. */
static bool exists(const filler *f, uint32_t a, uint32_t b, uint32_t c) {
  around walk = {.vertex = a};
  for (const syn_triangle *t; (t = next_around(f, &walk)) != NULL;)
    if (has_vertex(t, b) && has_vertex(t, c)) return true;
  return false;
}

static syn_status add_triangle(filler *f, uint32_t a, uint32_t b, uint32_t c) {
  const size_t count = f->mesh->triangle_count - f->topology->triangle_count;
  if (f->mesh->triangle_count >= SYN_NONE / 3)
    return syn_fail(f->error, SYN_TOO_LARGE, "filling holes gives too many triangles");
  SYN_TRY(SYN_RESERVE(f->mesh->context, &f->next_added, 3 * count, 3, &f->added_capacity, f->error));
  SYN_TRY(syn_builder_triangle(f->mesh, a, b, c, f->error));
  const uint32_t v[3] = {a, b, c};
  for (uint32_t k = 0; k < 3; ++k) {
    if (v[k] >= f->topology->vertex_count) continue; /* the middle of a fan: never asked for */
    f->next_added[3 * count + k] = f->first_added[v[k]];
    f->first_added[v[k]] = (uint32_t)(3 * count) + k;
  }
  return SYN_OK;
}

/* ---- one loop --------------------------------------------------------------------------------------------------- */

static double area2(const filler *f, uint32_t a, uint32_t b, uint32_t c) {
  const syn_vec3 *p = f->mesh->points;
  return vec3_length(vec3_cross(vec3_sub(p[b], p[a]), vec3_sub(p[c], p[a])));
}

/* Marks the chords of the loop that are already edges. Neighbours in the loop are joined by edges, not by chords. */
static void forbid_edges(filler *f, const uint32_t *loop, uint32_t n) {
  for (uint32_t i = 0; i < n * n; ++i) f->apex[i] = NO_APEX;
  for (uint32_t i = 0; i < n; ++i) f->place[loop[i]] = i;
  for (uint32_t i = 0; i < n; ++i) {
    around walk = {.vertex = loop[i]};
    for (const syn_triangle *t; (t = next_around(f, &walk)) != NULL;)
      for (int c = 0; c < 3; ++c) {
        if (t->v[c] >= f->topology->vertex_count) continue; /* the middle of a fan is in no loop */
        const uint32_t j = f->place[t->v[c]];
        if (j != SYN_NONE && j > i + 1 && !(i == 0 && j == n - 1)) f->apex[i * n + j] = FORBIDDEN;
      }
  }
  for (uint32_t i = 0; i < n; ++i) f->place[loop[i]] = SYN_NONE;
}

/* Fills the tables from short chords to long ones; returns whether the loop can be closed. */
static bool least_area(filler *f, const uint32_t *loop, uint32_t n) {
  forbid_edges(f, loop, n);
  for (uint32_t i = 0; i + 1 < n; ++i) f->cost[i * n + i + 1] = 0;
  for (uint32_t span = 2; span < n; ++span)
    for (uint32_t i = 0; i + span < n; ++i) {
      const uint32_t j = i + span;
      double best = INFINITY;
      if (f->apex[i * n + j] != FORBIDDEN)
        for (uint32_t m = i + 1; m < j; ++m) {
          const double rest = f->cost[i * n + m] + f->cost[m * n + j];
          if (!(rest < best)) continue;
          const double whole = rest + area2(f, loop[i], loop[m], loop[j]);
          if (!(whole < best)) continue;
          best = whole;
          f->apex[i * n + j] = (uint16_t)m;
        }
      f->cost[i * n + j] = best;
    }
  return isfinite(f->cost[n - 1]);
}

/* Adds triangles, directed against the loop, which has the direction of the existing triangles. */
static syn_status add_between(filler *f, const uint32_t *loop, uint32_t n, uint32_t i, uint32_t j) {
  while (j > i + 1) { /* one side by recursion, at most MOST_AT_ONCE deep, the other by iteration */
    const uint32_t m = f->apex[i * n + j];
    SYN_TRY(add_triangle(f, loop[j], loop[m], loop[i]));
    SYN_TRY(add_between(f, loop, n, i, m));
    i = m;
  }
  return SYN_OK;
}

/* Adds a new vertex in the middle if every triangulation needs an existing edge. */
static syn_status add_fan(filler *f, const uint32_t *loop, uint32_t n) {
  syn_vec3 middle = {0, 0, 0};
  for (uint32_t i = 0; i < n; ++i) middle = vec3_madd(middle, 1.0 / n, f->mesh->points[loop[i]]);
  const uint32_t center = (uint32_t)f->mesh->point_count;
  if (f->mesh->point_count >= SYN_NONE - 1)
    return syn_fail(f->error, SYN_TOO_LARGE, "filling holes gives more vertices than 32-bit indices count");
  SYN_TRY(syn_builder_point(f->mesh, middle, f->error));
  for (uint32_t i = 0; i < n; ++i) SYN_TRY(add_triangle(f, center, loop[(i + 1) % n], loop[i]));
  return SYN_OK;
}

/* Returns the shortest chord that halves the loop and is not an edge yet; without one SYN_NONE. */
static uint32_t halving_chord(const filler *f, const uint32_t *loop, uint32_t n) {
  uint32_t best = SYN_NONE;
  double shortest = INFINITY;
  for (uint32_t i = 0; i < n - n / 2; ++i) {
    const uint32_t a = loop[i], b = loop[i + n / 2];
    const double length = vec3_length2(vec3_sub(f->mesh->points[a], f->mesh->points[b]));
    if (!(length < shortest) || exists(f, a, b, b)) continue;
    shortest = length;
    best = i;
  }
  return best;
}

/* Fills a loop. Uses `loop` as scratch; the first and the last entry stay. */
static syn_status fill_loop(filler *f, uint32_t *loop, uint32_t n) {
  if (n <= MOST_AT_ONCE) return least_area(f, loop, n) ? add_between(f, loop, n, 0, n - 1) : add_fan(f, loop, n);
  const uint32_t i = halving_chord(f, loop, n), j = i + n / 2;
  if (i == SYN_NONE) return add_fan(f, loop, n);
  /* One half is a section of the loop; the other is the rest, without the inner vertices of the section. */
  SYN_TRY(fill_loop(f, loop + i, n / 2 + 1));
  memmove(loop + i + 1, loop + j, (n - j) * sizeof *loop);
  return fill_loop(f, loop, n - n / 2 + 1);
}

/* ---- all loops -------------------------------------------------------------------------------------------------- */

/* Loops that pass each vertex once. */
typedef struct simple_loops {
  uint32_t *vertices, *start; /* count + 1 offsets */
  uint32_t count;
} simple_loops;

static void end_loop(simple_loops *s, const uint32_t *vertices, uint32_t n) {
  const uint32_t begin = s->start[s->count];
  memcpy(s->vertices + begin, vertices, n * sizeof *vertices);
  s->start[++s->count] = begin + n;
}

/* Splits a loop at repeated vertices: holes that touch at a vertex are one loop that passes the vertex again. In a walk
 * with a stack, each return to a vertex closes one hole. */
static void cut_at_repeats(filler *f, const uint32_t *loop, uint32_t n, uint32_t *stack, simple_loops *s) {
  uint32_t depth = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t again = f->place[loop[i]];
    if (again == SYN_NONE) {
      f->place[loop[i]] = depth;
      stack[depth++] = loop[i];
      continue;
    }
    end_loop(s, stack + again, depth - again);
    while (depth > again + 1) f->place[stack[--depth]] = SYN_NONE;
  }
  end_loop(s, stack, depth);
  while (depth > 0) f->place[stack[--depth]] = SYN_NONE;
}

/* Returns whether a walk was completed; one that was not, as at triangles that repeat a vertex, is no loop. */
static bool is_closed(const filler *f, const uint32_t *loop, uint32_t n) {
  return n >= 3 && exists(f, loop[n - 1], loop[0], loop[0]);
}

/* Returns whether this is the border of an isolated triangle, which filling would only double. */
static bool is_lone_triangle(const filler *f, const uint32_t *loop, uint32_t n) {
  return n == 3 && exists(f, loop[0], loop[1], loop[2]);
}

static syn_status fill_all(filler *f, uint32_t most_edges, simple_loops *s, uint32_t *stack, uint32_t *filled,
                           uint32_t *left) {
  const syn_topology *topology = f->topology;
  for (uint32_t i = 0; i < topology->boundary_loop_count; ++i) {
    const uint32_t begin = topology->boundary_loop_start[i], n = topology->boundary_loop_start[i + 1] - begin;
    if (is_closed(f, topology->boundary_vertices + begin, n))
      cut_at_repeats(f, topology->boundary_vertices + begin, n, stack, s);
    else
      ++*left;
  }
  for (uint32_t i = 0; i < s->count; ++i) {
    uint32_t *loop = s->vertices + s->start[i];
    const uint32_t n = s->start[i + 1] - s->start[i];
    if (n < 3 || n > most_edges || is_lone_triangle(f, loop, n)) {
      ++*left;
      continue;
    }
    SYN_TRY(fill_loop(f, loop, n));
    ++*filled;
  }
  return SYN_OK;
}

static syn_status allocate_filler(filler *f, simple_loops *s, uint32_t **stack) {
  const syn_context *context = f->mesh->context;
  const size_t edges = f->topology->boundary_edge_count, vertices = f->topology->vertex_count;
  SYN_TRY(SYN_NEW(context, &f->place, vertices, f->error));
  SYN_TRY(SYN_NEW(context, &f->first_added, vertices, f->error));
  SYN_TRY(SYN_NEW(context, &f->cost, (size_t)MOST_AT_ONCE * MOST_AT_ONCE, f->error));
  SYN_TRY(SYN_NEW(context, &f->apex, (size_t)MOST_AT_ONCE * MOST_AT_ONCE, f->error));
  SYN_TRY(SYN_NEW(context, &s->vertices, edges, f->error));
  SYN_TRY(SYN_NEW(context, &s->start, edges + 1, f->error));
  SYN_TRY(SYN_NEW(context, stack, edges, f->error));
  memset(f->place, 0xff, vertices * sizeof *f->place);
  memset(f->first_added, 0xff, vertices * sizeof *f->first_added);
  s->start[0] = 0;
  return SYN_OK;
}

syn_status syn_repair_fill(syn_builder *mesh, uint32_t most_edges, uint32_t *filled, uint32_t *added, uint32_t *left,
                           syn_error *error) {
  const syn_trimesh view = syn_builder_view(mesh);
  syn_topology *topology;
  *filled = *added = *left = 0;
  SYN_TRY(syn_topology_create(&view, &topology, error));
  filler f = {.mesh = mesh, .topology = topology, .error = error};
  simple_loops loops = {0};
  uint32_t *stack = NULL;
  syn_status status = SYN_OK;
  if (topology->boundary_loop_count > 0) {
    status = allocate_filler(&f, &loops, &stack);
    if (status == SYN_OK) status = fill_all(&f, most_edges, &loops, stack, filled, left);
  }
  *added = (uint32_t)mesh->triangle_count - view.triangle_count;
  void *const blocks[] = {f.place, f.first_added, f.next_added, f.cost, f.apex, loops.vertices, loops.start, stack};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(mesh->context, blocks[i]);
  syn_topology_destroy(topology);
  return status;
}
