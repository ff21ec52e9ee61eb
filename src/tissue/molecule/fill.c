/* Fills a closed surface with balls (Maciel 2005, §3.4.4): those of a grid inside, others on the surface; springs of
 * one nominal length move them until they are evenly spaced; balls near each other are connected.
 *
 * Maciel takes the points where the grid meets the surface, at any distance from each other, and keeps them there.
 * Here points of the grid near the surface move to their nearest points on it, those too near to others are removed,
 * and the rest slide on the surface, as he proposes. */
#include <string.h>

#include <synovia/collide.h>

#include "base/order.h"
#include "collide/volume/ball_grid.h"
#include "tissue/molecule/molecule.h"

/* All in multiples of the spacing. */
static const double NEAR_SURFACE = 1.8; /* points of the grid up to this distance outside become balls on the surface */
static const double INSIDE = 0.6;       /* points deeper than this become balls inside */
static const double CLOSEST = 0.7;      /* minimum distance of balls on the surface at the start */
static const double SPRINGS = 1.35;     /* balls nearer than this push or pull each other during relaxation */
static const double PULL = 0.2;         /* relative to pushing: otherwise balls form clusters */
static const double CONNECTED = 1.65;   /* balls nearer than this are connected: second neighbours, not third */
static const double GAP = 0.2;          /* a connection may leave a concave surface by up to this */
static const double RADIUS = 0.6203504908994; /* a ball of this radius has the volume of a cube of one spacing */

enum { ROUNDS = 80, MOST_MOLECULES = 20000000 };

typedef struct filler {
  const syn_context *context;
  const syn_trimesh *mesh;
  const char *name;
  syn_surface *surface;
  double spacing, volume;
  syn_box box;
  uint32_t count, inner; /* balls 0 … inner - 1 are inside, the others on the surface */
  syn_vec3 *balls;
  size_t capacity;
  ball_grid grid;
} filler;

/* ---- places to start from -------------------------------------------------------------------------------------------
 */

/* A point of the grid near the surface, with the point of the surface. */
typedef struct candidate {
  syn_vec3 place;
  double distance; /* outside or near */
  uint32_t sharpness, number;
} candidate;

/* Orders sharp corners and edges first, where points outside gather; then the nearest. */
static bool after_candidate(const void *a, const void *b) {
  const candidate *p = a, *q = b;
  if (p->sharpness != q->sharpness) return p->sharpness > q->sharpness;
  if (p->distance != q->distance) return p->distance > q->distance;
  return p->number > q->number;
}

static syn_status add_ball(filler *f, syn_vec3 place, syn_error *error) {
  if (f->count == MOST_MOLECULES)
    return syn_fail(error, SYN_TOO_LARGE, "%s holds more than %d molecules of %g mm: take a wider spacing (spacing_mm)",
                    f->name, MOST_MOLECULES, f->spacing);
  SYN_TRY(SYN_RESERVE(f->context, &f->balls, f->count, 1, &f->capacity, error));
  f->balls[f->count++] = place;
  return SYN_OK;
}

/* Sorts one row of the grid into inside, near and neither. */
static syn_status file_row(filler *f, const syn_vec3 *row, const syn_surface_point *feet, const syn_location *sides,
                           size_t count, candidate **near, size_t *near_count, size_t *near_capacity,
                           syn_error *error) {
  for (size_t i = 0; i < count; ++i) {
    const double distance = feet[i].distance_mm / f->spacing;
    if (sides[i] == SYN_LOCATION_INSIDE && distance > INSIDE) SYN_TRY(add_ball(f, row[i], error));
    if (distance > (sides[i] == SYN_LOCATION_INSIDE ? 1 : NEAR_SURFACE)) continue;
    SYN_TRY(SYN_RESERVE(f->context, near, *near_count, 1, near_capacity, error));
    const uint32_t sharpness = feet[i].feature == SYN_FEATURE_VERTEX ? 0 : feet[i].feature == SYN_FEATURE_EDGE ? 1 : 2;
    (*near)[*near_count] = (candidate){feet[i].point, distance, sharpness, (uint32_t)*near_count};
    ++*near_count;
  }
  return SYN_OK;
}

/* The grid has planes in the sides of the box, so that it fits bodies with flat sides, and extends beyond them. */
static syn_status scan(filler *f, candidate **near, size_t *near_count, syn_error *error) {
  size_t size[3], near_capacity = 0;
  double first[3], step[3];
  for (int k = 0; k < 3; ++k) {
    const double width = vec3_at(f->box.max, k) - vec3_at(f->box.min, k), cells = max2(round(width / f->spacing), 1);
    step[k] = width / cells;
    size[k] = (size_t)cells + 5;
    first[k] = vec3_at(f->box.min, k) - 2 * step[k];
  }
  syn_arena work = {f->context, NULL, false};
  syn_vec3 *row;
  syn_surface_point *feet;
  syn_location *sides;
  syn_status status = SYN_TAKE(&work, &row, size[0], error);
  if (!status) status = SYN_TAKE(&work, &feet, size[0], error);
  if (!status) status = SYN_TAKE(&work, &sides, size[0], error);
  for (size_t z = 0; !status && z < size[2]; ++z)
    for (size_t y = 0; !status && y < size[1]; ++y) {
      for (size_t x = 0; x < size[0]; ++x)
        row[x] = vec3(first[0] + (double)x * step[0], first[1] + (double)y * step[1], first[2] + (double)z * step[2]);
      syn_surface_nearest(f->surface, row, size[0], feet);
      syn_surface_side(f->surface, row, size[0], sides);
      status = file_row(f, row, feet, sides, size[0], near, near_count, &near_capacity, error);
    }
  syn_arena_release(&work);
  return status;
}

static bool stop_at_first(void *user, const grid_ball *ball, double distance) {
  (void)user, (void)ball, (void)distance;
  return false;
}

/* Takes the candidates that are not too near to one taken before. These are in a grid that is rebuilt as their
 * number doubles; the newest ones are tested one by one. */
static syn_status take_candidates(filler *f, const candidate *near, size_t near_count, syn_error *error) {
  const double least = CLOSEST * f->spacing;
  uint32_t filed = f->inner;
  syn_status status = SYN_OK;
  for (size_t c = 0; !status && c < near_count; ++c) {
    bool free = filed == f->inner || syn_ball_grid_overlaps(&f->grid, near[c].place, 0, stop_at_first, NULL);
    for (uint32_t i = filed; free && i < f->count; ++i) free = vec3_distance(f->balls[i], near[c].place) >= least;
    if (!free) continue;
    status = add_ball(f, near[c].place, error);
    if (status || f->count - filed < 64 + (filed - f->inner) / 8) continue;
    filed = f->count;
    syn_ball_grid_release(&f->grid);
    status = syn_ball_grid_create(f->context, filed - f->inner, &f->grid, error);
    if (!status) status = syn_ball_grid_fill(&f->grid, f->balls + f->inner, NULL, least, error);
  }
  syn_ball_grid_release(&f->grid);
  return status;
}

static syn_status start(filler *f, syn_error *error) {
  candidate *near = NULL;
  size_t near_count = 0;
  syn_status status = scan(f, &near, &near_count, error);
  f->inner = f->count;
  if (!status) {
    heap_sort(near, near_count, sizeof *near, after_candidate);
    status = take_candidates(f, near, near_count, error);
  }
  syn_free(f->context, near);
  return status;
}

/* ---- settling -------------------------------------------------------------------------------------------------------
 */

typedef struct mover {
  const filler *f;
  uint32_t ball;
  syn_vec3 push;
} mover;

/* A spring of the nominal length between two balls (Maciel 2005, §3.4.4). */
static bool push_from(void *user, const grid_ball *ball, double distance) {
  mover *m = user;
  if (ball->number == m->ball || !(distance > 0)) return true;
  const double spacing = m->f->spacing;
  const syn_vec3 away = vec3_sub(m->f->balls[m->ball], ball->middle);
  const double strength = distance < spacing ? 1 : PULL;
  m->push = vec3_madd(m->push, strength * (spacing - distance) / distance, away);
  return true;
}

/* One iteration of the relaxation: all balls move a small step towards equilibrium, and those of the surface are
 * projected onto it. */
static syn_status settle_once(filler *f, syn_vec3 *moved, syn_surface_point *feet, syn_error *error) {
  const double reach = SPRINGS * f->spacing / 2;
  SYN_TRY(syn_ball_grid_fill(&f->grid, f->balls, NULL, reach, error));
  for (uint32_t i = 0; i < f->count; ++i) {
    mover m = {.f = f, .ball = i};
    syn_ball_grid_overlaps(&f->grid, f->balls[i], reach, push_from, &m);
    const double far = vec3_length(m.push), most = 0.8 * f->spacing;
    moved[i] = vec3_madd(f->balls[i], 0.12 * (far > most ? most / far : 1), m.push);
  }
  syn_surface_nearest(f->surface, moved + f->inner, f->count - f->inner, feet);
  for (uint32_t i = f->inner; i < f->count; ++i) moved[i] = feet[i - f->inner].point;
  memcpy(f->balls, moved, f->count * sizeof *moved);
  return SYN_OK;
}

/* Relaxes the balls. Balls that were pushed out are projected onto the surface. */
static syn_status settle(filler *f, syn_error *error) {
  syn_arena work = {f->context, NULL, false};
  syn_vec3 *moved;
  syn_surface_point *feet;
  syn_location *sides;
  syn_status status = SYN_TAKE(&work, &moved, f->count, error);
  if (!status) status = SYN_TAKE(&work, &feet, f->count, error);
  if (!status) status = SYN_TAKE(&work, &sides, f->count, error);
  if (!status) status = syn_ball_grid_create(f->context, f->count, &f->grid, error);
  for (int round = 0; !status && round < ROUNDS; ++round) {
    status = settle_once(f, moved, feet, error);
    if (!status && !syn_progress(f->context, "molecules settle", (double)(round + 1) / ROUNDS))
      status = syn_fail(error, SYN_CANCELLED, "filling %s was cancelled", f->name);
  }
  if (!status) {
    syn_surface_side(f->surface, f->balls, f->inner, sides);
    syn_surface_nearest(f->surface, f->balls, f->inner, feet);
    for (uint32_t i = 0; i < f->inner; ++i)
      if (sides[i] == SYN_LOCATION_OUTSIDE) f->balls[i] = feet[i].point;
  }
  syn_ball_grid_release(&f->grid);
  syn_arena_release(&work);
  return status;
}

/* ---- order ----------------------------------------------------------------------------------------------------------
 */

typedef struct numbered {
  uint64_t key;
  uint32_t number;
} numbered;

static bool after_number(const void *a, const void *b) {
  const numbered *p = a, *q = b;
  return p->key != q->key ? p->key > q->key : p->number > q->number;
}

/* Spreads 21 bits, with two zeros between any two. */
static uint64_t spread(uint64_t v) {
  v = (v | v << 32) & 0x001f00000000ffffu;
  v = (v | v << 16) & 0x001f0000ff0000ffu;
  v = (v | v << 8) & 0x100f00f00f00f00fu;
  v = (v | v << 4) & 0x10c30c30c30c30c3u;
  return (v | v << 2) & 0x1249249249249249u;
}

/* Sorts balls along Morton's curve through cells of one spacing, so that neighbours in space are neighbours in
 * memory. */
static syn_status sort_balls(filler *f, syn_error *error) {
  syn_arena work = {f->context, NULL, false};
  numbered *order;
  syn_vec3 *old;
  syn_status status = SYN_TAKE(&work, &order, f->count, error);
  if (!status) status = SYN_TAKE(&work, &old, f->count, error);
  if (!status) {
    memcpy(old, f->balls, f->count * sizeof *old);
    for (uint32_t i = 0; i < f->count; ++i) {
      const syn_vec3 p = vec3_scale(vec3_sub(old[i], f->box.min), 1 / f->spacing);
      order[i] = (numbered){spread((uint64_t)max2(p.x, 0) & 0x1fffff) | spread((uint64_t)max2(p.y, 0) & 0x1fffff) << 1 |
                                spread((uint64_t)max2(p.z, 0) & 0x1fffff) << 2,
                            i};
    }
    heap_sort(order, f->count, sizeof *order, after_number);
    for (uint32_t i = 0; i < f->count; ++i) f->balls[i] = old[order[i].number];
  }
  syn_arena_release(&work);
  return status;
}

/* ---- connections ----------------------------------------------------------------------------------------------------
 */

typedef struct connector {
  const filler *f;
  molecule_filling *to;
  size_t capacity;
  uint32_t ball;
  syn_status status;
  syn_error *error;
} connector;

static bool connect_balls(void *user, const grid_ball *ball, double distance) {
  connector *c = user;
  if (ball->number <= c->ball || !(distance > 1e-6 * c->f->spacing)) return true;
  c->status = SYN_RESERVE(c->f->context, &c->to->connections, c->to->connection_count, 1, &c->capacity, c->error);
  if (c->status) return false;
  c->to->connections[c->to->connection_count][0] = c->ball;
  c->to->connections[c->to->connection_count++][1] = ball->number;
  return true;
}

enum { SAMPLES = 7 }; /* along a connection */

/* Returns whether the connection is nowhere far outside, as it would be between the two sides of a cleft. */
static bool stays_inside(const filler *f, const uint32_t ends[2]) {
  syn_vec3 points[SAMPLES];
  syn_location sides[SAMPLES];
  syn_surface_point feet[SAMPLES];
  for (int k = 0; k < SAMPLES; ++k)
    points[k] = vec3_lerp(f->balls[ends[0]], f->balls[ends[1]], (k + 1.0) / (SAMPLES + 1));
  syn_surface_side(f->surface, points, SAMPLES, sides);
  syn_surface_nearest(f->surface, points, SAMPLES, feet);
  for (int k = 0; k < SAMPLES; ++k)
    if (sides[k] == SYN_LOCATION_OUTSIDE && feet[k].distance_mm > GAP * f->spacing) return false;
  return true;
}

/* Removes connections through the outside. Those whose middle is far inside need no test. */
static syn_status keep_inner(const filler *f, molecule_filling *to, syn_error *error) {
  syn_arena work = {f->context, NULL, false};
  syn_vec3 *middles;
  syn_surface_point *feet;
  const size_t count = to->connection_count;
  syn_status status = SYN_TAKE(&work, &middles, count, error);
  if (!status) status = SYN_TAKE(&work, &feet, count, error);
  if (!status) {
    for (size_t c = 0; c < count; ++c)
      middles[c] = vec3_lerp(f->balls[to->connections[c][0]], f->balls[to->connections[c][1]], 0.5);
    syn_surface_nearest(f->surface, middles, count, feet);
    to->connection_count = 0;
    for (size_t c = 0; c < count; ++c)
      if (feet[c].distance_mm > CONNECTED * f->spacing / 2 || stays_inside(f, to->connections[c]))
        memmove(to->connections[to->connection_count++], to->connections[c], sizeof *to->connections);
  }
  syn_arena_release(&work);
  return status;
}

static uint32_t root_of(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Returns the root of the component with the most molecules. */
static uint32_t largest_part(uint32_t *parent, uint32_t *sizes, uint32_t count) {
  uint32_t best = 0;
  memset(sizes, 0, count * sizeof *sizes);
  for (uint32_t i = 0; i < count; ++i) ++sizes[root_of(parent, i)];
  for (uint32_t i = 1; i < count; ++i)
    if (sizes[i] > sizes[best]) best = i;
  return best;
}

/* Removes molecules outside the component `kept`. `sizes` becomes their new numbers. */
static void keep_part(filler *f, molecule_filling *to, uint32_t *parent, uint32_t *sizes, uint32_t kept) {
  uint32_t count = 0;
  size_t connections = 0;
  for (uint32_t i = 0; i < f->count; ++i) {
    sizes[i] = SYN_NONE;
    if (root_of(parent, i) != kept) continue;
    sizes[i] = count;
    f->balls[count++] = f->balls[i];
  }
  for (size_t c = 0; c < to->connection_count; ++c) {
    const uint32_t first = sizes[to->connections[c][0]], second = sizes[to->connections[c][1]];
    if (first == SYN_NONE) continue;
    to->connections[connections][0] = first;
    to->connections[connections++][1] = second;
  }
  f->count = count;
  to->connection_count = connections;
}

/* Checks that all molecules are connected. A few in thin edges without a connection to the others are removed. */
static syn_status check_whole(filler *f, molecule_filling *to, syn_error *error) {
  syn_arena work = {f->context, NULL, false};
  uint32_t *parent, *sizes, parts = f->count;
  syn_status status = SYN_TAKE(&work, &parent, f->count, error);
  if (!status) status = SYN_TAKE(&work, &sizes, f->count, error);
  if (!status) {
    for (uint32_t i = 0; i < f->count; ++i) parent[i] = i;
    for (size_t c = 0; c < to->connection_count; ++c) {
      const uint32_t a = root_of(parent, to->connections[c][0]), b = root_of(parent, to->connections[c][1]);
      parts -= a != b;
      parent[a < b ? b : a] = a < b ? a : b;
    }
    const uint32_t before = f->count, kept = largest_part(parent, sizes, f->count), strays = before - sizes[kept];
    if (strays * 50 > before)
      status = syn_fail(error, SYN_BAD_MESH,
                        "the molecules in %s fall into %u parts: take a narrower spacing than %g mm (spacing_mm), or "
                        "one body for each part of the surface",
                        f->name, parts, f->spacing);
    else if (strays) {
      keep_part(f, to, parent, sizes, kept);
      syn_warn(f->context, "%u of %u molecules in %s are left out: nothing connects them to the others", strays, before,
               f->name);
    }
  }
  syn_arena_release(&work);
  return status;
}

static syn_status connect_all(filler *f, molecule_filling *to, syn_error *error) {
  const double reach = CONNECTED * f->spacing / 2;
  connector c = {.f = f, .to = to, .error = error};
  SYN_TRY(syn_ball_grid_create(f->context, f->count, &f->grid, error));
  syn_status status = syn_ball_grid_fill(&f->grid, f->balls, NULL, reach, error);
  for (c.ball = 0; !status && c.ball < f->count; ++c.ball) {
    syn_ball_grid_overlaps(&f->grid, f->balls[c.ball], reach, connect_balls, &c);
    status = c.status;
  }
  if (!status) status = keep_inner(f, to, error);
  if (!status) status = check_whole(f, to, error);
  if (status || f->count == f->grid.ball_count) return status;
  syn_ball_grid_release(&f->grid);
  SYN_TRY(syn_ball_grid_create(f->context, f->count, &f->grid, error));
  return syn_ball_grid_fill(&f->grid, f->balls, NULL, reach, error);
}

/* ---- volumes --------------------------------------------------------------------------------------------------------
 */

typedef struct owner {
  uint32_t ball;
  double distance;
} owner;

static bool own(void *user, const grid_ball *ball, double distance) {
  owner *o = user;
  if (distance < o->distance || (distance == o->distance && ball->number < o->ball))
    *o = (owner){ball->number, distance};
  return true;
}

/* One row of samples: each sample inside is added to the nearest ball. */
static void own_row(const filler *f, const syn_vec3 *row, const syn_location *sides, size_t count, double *volumes) {
  for (size_t i = 0; i < count; ++i) {
    owner o = {SYN_NONE, INFINITY};
    if (sides[i] == SYN_LOCATION_OUTSIDE) continue;
    syn_ball_grid_overlaps(&f->grid, row[i], 0.5 * f->spacing, own, &o);
    if (o.ball != SYN_NONE) volumes[o.ball] += 1;
  }
}

/* Computes the volume nearest to each ball, by points of a finer grid. The sum is the surface's volume. */
static syn_status measure_volumes(filler *f, double *volumes, syn_error *error) {
  const double step = f->spacing / 4;
  size_t size[3];
  for (int k = 0; k < 3; ++k) size[k] = (size_t)ceil((vec3_at(f->box.max, k) - vec3_at(f->box.min, k)) / step) + 1;
  syn_arena work = {f->context, NULL, false};
  syn_vec3 *row;
  syn_location *sides;
  syn_status status = SYN_TAKE(&work, &row, size[0], error);
  if (!status) status = SYN_TAKE(&work, &sides, size[0], error);
  for (uint32_t i = 0; i < f->count; ++i) volumes[i] = 0.5; /* no ball has a volume of 0 */
  for (size_t z = 0; !status && z < size[2]; ++z)
    for (size_t y = 0; y < size[1]; ++y) {
      for (size_t x = 0; x < size[0]; ++x)
        row[x] = vec3_madd(f->box.min, step, vec3((double)x + 0.5, (double)y + 0.5, (double)z + 0.5));
      syn_surface_side(f->surface, row, size[0], sides);
      own_row(f, row, sides, size[0], volumes);
    }
  syn_arena_release(&work);
  double sum = 0;
  for (uint32_t i = 0; i < f->count; ++i) sum += volumes[i];
  for (uint32_t i = 0; i < f->count; ++i) volumes[i] *= f->volume / sum;
  return status;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------
 */

void syn_molecule_filling_release(molecule_filling *filling) {
  syn_free(filling->context, filling->centers);
  syn_free(filling->context, filling->radii);
  syn_free(filling->context, filling->volumes);
  syn_free(filling->context, filling->connections);
  *filling = (molecule_filling){0};
}

static syn_status open_filler(filler *f, double spacing_mm, syn_error *error) {
  SYN_TRY(syn_surface_create(f->mesh, &f->surface, error));
  f->volume = syn_trimesh_mass(f->mesh).volume_mm3;
  f->box = syn_trimesh_bounds(f->mesh);
  if (!syn_surface_is_solid(f->surface) || !(f->volume > 0))
    return syn_fail(error, SYN_BAD_MESH,
                    "the surface of %s is not closed with its faces outward: molecules cannot fill it (synovia mesh "
                    "repair closes small holes and turns faces)",
                    f->name);
  f->spacing = spacing_mm > 0 ? spacing_mm : cbrt(f->volume / 2000);
  const syn_vec3 size = vec3_sub(f->box.max, f->box.min);
  const double cells = (size.x / f->spacing + 4) * (size.y / f->spacing + 4) * (size.z / f->spacing + 4);
  if (!(cells < 100.0 * MOST_MOLECULES) || f->volume / (f->spacing * f->spacing * f->spacing) > MOST_MOLECULES)
    return syn_fail(error, SYN_TOO_LARGE, "%s holds more than %d molecules of %g mm: take a wider spacing (spacing_mm)",
                    f->name, MOST_MOLECULES, f->spacing);
  return SYN_OK;
}

static syn_status fill(filler *f, double spacing_mm, molecule_filling *to, syn_error *error) {
  SYN_TRY(open_filler(f, spacing_mm, error));
  SYN_TRY(start(f, error));
  if (f->count < 4)
    return syn_fail(error, SYN_BAD_MESH, "only %u molecules of %g mm fit into %s: take a narrower spacing (spacing_mm)",
                    f->count, f->spacing, f->name);
  SYN_TRY(settle(f, error));
  SYN_TRY(sort_balls(f, error));
  SYN_TRY(connect_all(f, to, error));
  SYN_TRY(SYN_NEW(f->context, &to->radii, f->count, error));
  SYN_TRY(SYN_NEW(f->context, &to->volumes, f->count, error));
  SYN_TRY(measure_volumes(f, to->volumes, error));
  for (uint32_t i = 0; i < f->count; ++i) to->radii[i] = RADIUS * f->spacing;
  to->count = f->count;
  to->centers = f->balls;
  f->balls = NULL;
  return SYN_OK;
}

syn_status syn_molecule_fill(const syn_context *context, const syn_trimesh *surface, double spacing_mm,
                             const char *name, molecule_filling *filling, syn_error *error) {
  filler f = {.context = context, .mesh = surface, .name = name};
  *filling = (molecule_filling){.context = f.context};
  const syn_status status = fill(&f, spacing_mm, filling, error);
  syn_surface_destroy(f.surface);
  syn_ball_grid_release(&f.grid);
  syn_free(f.context, f.balls);
  if (status) syn_molecule_filling_release(filling);
  return status;
}
