/* The skin of molecules (Maciel 2005, §3.4.5): a vertex is anchored to the n nearest ones, with weights 1 / d^2 (4.35).
 *
 * Maciel keeps the vertex in a frame of each anchor, whose axes are the three most perpendicular directions to its
 * neighbours. Here the axes are those directions without normalisation or orthogonalisation: a position is then a
 * weighted sum of molecules, exact under rotation and stretch, and forces are distributed with the same weights.
 * Stress and strain on the skin (5.1, 5.2) use the weights of the anchors alone. */
#include <string.h>

#include "collide/volume/ball_grid.h"
#include "tissue/molecule/molecule.h"

enum { MOST_ANCHORS = 16, FRAME = 3 };

/* ---- frames ---------------------------------------------------------------------------------------------------------
 */

static double triple(syn_vec3 a, syn_vec3 b, syn_vec3 c) { return vec3_dot(vec3_cross(a, b), c); }

static syn_vec3 to_neighbour(const molecules *m, uint32_t i, uint32_t s) {
  return vec3_sub(m->rest[m->other[s]], m->rest[i]);
}

/* Finds the three slots whose directions are most perpendicular to each other; returns false if all are nearly
 * coplanar. */
static bool find_frame(const molecules *m, uint32_t i, uint32_t frame[FRAME]) {
  const uint32_t begin = m->row[i], end = begin + m->degree[i];
  double best = 0.1;
  bool found = false;
  for (uint32_t a = begin; a < end; ++a)
    for (uint32_t b = a + 1; b < end; ++b) {
      const syn_vec3 normal = vec3_cross(vec3_unit(to_neighbour(m, i, a)), vec3_unit(to_neighbour(m, i, b)));
      if (!(vec3_length(normal) > best)) continue;
      for (uint32_t c = b + 1; c < end; ++c) {
        const double volume = fabs(vec3_dot(normal, to_neighbour(m, i, c))) / m->length[c];
        if (volume <= best * (1 + 1e-9)) continue;
        best = volume;
        found = true;
        frame[0] = a;
        frame[1] = b;
        frame[2] = c;
      }
    }
  return found;
}

/* ---- the nearest molecules ------------------------------------------------------------------------------------------
 */

typedef struct anchor {
  uint32_t molecule;
  double distance;
} anchor;

typedef struct nearest {
  anchor list[MOST_ANCHORS];
  uint32_t count, wanted;
} nearest;

static bool comes_before(double distance, uint32_t molecule, const anchor *b) {
  return distance < b->distance || (distance == b->distance && molecule < b->molecule);
}

/* Keeps the nearest; of equal distances that of lower number. */
static bool keep_nearest(void *user, const grid_ball *ball, double distance) {
  nearest *n = user;
  if (n->count == n->wanted && !comes_before(distance, ball->number, &n->list[n->count - 1])) return true;
  uint32_t at = n->count < n->wanted ? n->count++ : n->count - 1;
  for (; at > 0 && comes_before(distance, ball->number, &n->list[at - 1]); --at) n->list[at] = n->list[at - 1];
  n->list[at] = (anchor){ball->number, distance};
  return true;
}

/* Doubles the reach until enough molecules are within it: then no other one is nearer. */
static void find_nearest(const ball_grid *grid, syn_vec3 p, uint32_t wanted, nearest *found) {
  const double own = grid->largest;
  for (double reach = 2 * own;; reach *= 2) {
    *found = (nearest){.wanted = wanted};
    syn_ball_grid_overlaps(grid, p, reach - own, keep_nearest, found);
    if (found->count == wanted) return;
  }
}

/* Eq. 4.35. */
static void weigh(nearest *found, double weights[MOST_ANCHORS]) {
  double sum = 0;
  if (found->list[0].distance < 1e-150) found->count = 1;
  for (uint32_t k = 0; k < found->count; ++k) {
    const double ratio = found->count == 1 ? 1 : found->list[0].distance / found->list[k].distance;
    sum += weights[k] = ratio * ratio;
  }
  for (uint32_t k = 0; k < found->count; ++k) weights[k] /= sum;
}

/* ---- weights --------------------------------------------------------------------------------------------------------
 */

typedef struct entry {
  uint32_t node;
  double weight, value;
} entry;

typedef struct entries {
  entry list[MOST_ANCHORS * (FRAME + 1)];
  uint32_t count;
} entries;

static void add_entry(entries *e, uint32_t node, double weight, double value) {
  uint32_t k = 0;
  while (k < e->count && e->list[k].node != node) ++k;
  if (k == e->count) e->list[e->count++] = (entry){.node = node};
  e->list[k].weight += weight;
  e->list[k].value += value;
}

/* Adds the weights of p in the frame of one anchor. */
static void add_anchor(const molecules *m, syn_vec3 p, uint32_t i, double weight, entries *e) {
  uint32_t frame[FRAME];
  add_entry(e, i, weight, weight);
  if (!find_frame(m, i, frame)) return;
  const syn_vec3 r = vec3_sub(p, m->rest[i]);
  syn_vec3 axes[FRAME];
  for (int k = 0; k < FRAME; ++k) axes[k] = to_neighbour(m, i, frame[k]);
  const double volume = triple(axes[0], axes[1], axes[2]);
  const double along[FRAME] = {triple(r, axes[1], axes[2]) / volume, triple(axes[0], r, axes[2]) / volume,
                               triple(axes[0], axes[1], r) / volume};
  for (int k = 0; k < FRAME; ++k) {
    add_entry(e, m->other[frame[k]], weight * along[k], 0);
    add_entry(e, i, -weight * along[k], 0);
  }
}

static syn_status store(syn_soft *soft, uint32_t vertex, const entries *e, size_t capacity[3], syn_error *error) {
  const uint32_t at = soft->skin_start[vertex];
  if (e->count > UINT32_MAX - at) return syn_fail(error, SYN_TOO_LARGE, "the skin has too many vertices");
  SYN_TRY(SYN_RESERVE(soft->context, &soft->skin_nodes, at, e->count, &capacity[0], error));
  SYN_TRY(SYN_RESERVE(soft->context, &soft->skin_weights, at, e->count, &capacity[1], error));
  SYN_TRY(SYN_RESERVE(soft->context, &soft->skin_value_weights, at, e->count, &capacity[2], error));
  for (uint32_t k = 0; k < e->count; ++k) {
    soft->skin_nodes[at + k] = e->list[k].node;
    soft->skin_weights[at + k] = e->list[k].weight;
    soft->skin_value_weights[at + k] = e->list[k].value;
  }
  soft->skin_start[vertex + 1] = at + e->count;
  return SYN_OK;
}

static syn_status anchor_all(syn_soft *soft, const ball_grid *grid, syn_error *error) {
  const molecules *m = soft->state;
  const uint32_t wanted = soft->options.anchors < m->count ? soft->options.anchors : m->count;
  size_t capacity[3] = {0};
  for (uint32_t v = 0; v < soft->skin->vertex_count; ++v) {
    nearest found;
    double weights[MOST_ANCHORS];
    entries e = {.count = 0};
    find_nearest(grid, soft->skin->vertices[v], wanted, &found);
    weigh(&found, weights);
    for (uint32_t k = 0; k < found.count; ++k)
      add_anchor(m, soft->skin->vertices[v], found.list[k].molecule, weights[k], &e);
    SYN_TRY(store(soft, v, &e, capacity, error));
  }
  return SYN_OK;
}

syn_status syn_molecule_anchor_skin(syn_soft *soft, syn_trimesh *skin, syn_error *error) {
  const molecules *m = soft->state;
  soft->skin = skin;
  ball_grid grid = {0};
  double largest = 0;
  for (uint32_t i = 0; i < m->count; ++i) largest = max2(largest, m->radius[i]);
  SYN_TRY(SYN_NEW_ZEROED(soft->context, &soft->skin_start, (size_t)skin->vertex_count + 1, error));
  syn_status status = syn_ball_grid_create(soft->context, m->count, &grid, error);
  if (!status) status = syn_ball_grid_fill(&grid, m->rest, NULL, largest, error);
  if (!status) status = anchor_all(soft, &grid, error);
  syn_ball_grid_release(&grid);
  return status;
}
