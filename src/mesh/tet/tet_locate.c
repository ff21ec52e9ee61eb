/* Finds the tetrahedron that contains a point.
 *
 * A pyramid of grids: level 0 has cells about as large as the average tet, each next level cells twice as wide, the
 * last a single cell. A tet is listed on the lowest level where it covers at most two cells along each axis, hence in
 * at most eight cells, however uneven the sizes are: memory is bounded by the number of tets. A query searches one cell
 * per level. Cell numbers are monotonic in the coordinates despite rounding, so that a tet is listed in the cells that
 * its points search. */
#include "base/memory.h"
#include "base/vec.h"
#include "geometry/predicates.h"
#include "mesh/tet/tet_topology.h"

enum { MAX_LEVELS = 32 };

typedef struct cell {
  uint32_t at[3];
} cell;

typedef struct level {
  uint32_t size[3]; /* cells along each axis */
  size_t first;     /* number of its cell (0, 0, 0) */
  bool used;        /* lists a tet at all */
} level;

/* Single precision rounded outward: a point outside is surely outside the tet. */
typedef struct outer_box {
  float min[3], max[3];
} outer_box;

struct syn_tet_locator {
  const syn_tetmesh *mesh;
  int8_t *sign;     /* of each tet's volume; flat ones are in no list */
  outer_box *boxes; /* of each tet */
  syn_box box;
  double cells_per_mm;
  uint32_t level_count;
  level levels[MAX_LEVELS];
  uint32_t *start; /* cell -> its tets, ascending: members[start[c]] … members[start[c+1]-1] */
  uint32_t *members;
};

static syn_box tet_box(const syn_tetmesh *mesh, uint32_t t) {
  const uint32_t *v = mesh->tets[t].v;
  syn_box box = {mesh->vertices[v[0]], mesh->vertices[v[0]]};
  for (int i = 1; i < 4; ++i) {
    box.min = vec3_min(box.min, mesh->vertices[v[i]]);
    box.max = vec3_max(box.max, mesh->vertices[v[i]]);
  }
  return box;
}

static outer_box round_outward(syn_box box) {
  outer_box outer;
  for (int axis = 0; axis < 3; ++axis) {
    outer.min[axis] = nextafterf((float)vec3_at(box.min, axis), -INFINITY);
    outer.max[axis] = nextafterf((float)vec3_at(box.max, axis), INFINITY);
  }
  return outer;
}

static bool may_contain(const outer_box *box, syn_vec3 p) {
  return p.x >= (double)box->min[0] && p.x <= (double)box->max[0] && p.y >= (double)box->min[1] &&
         p.y <= (double)box->max[1] && p.z >= (double)box->min[2] && p.z <= (double)box->max[2];
}

static double longest_edge(syn_box box) {
  const syn_vec3 e = vec3_sub(box.max, box.min);
  return fmax(e.x, fmax(e.y, e.z));
}

/* Level 0 cell of a point in the box. */
static cell cell_of(const syn_tet_locator *locator, syn_vec3 point) {
  cell c;
  for (int axis = 0; axis < 3; ++axis) {
    const double place = (vec3_at(point, axis) - vec3_at(locator->box.min, axis)) * locator->cells_per_mm;
    const uint32_t size = locator->levels[0].size[axis];
    c.at[axis] = !(place > 0) ? 0 : place < size ? (uint32_t)place : size - 1;
  }
  return c;
}

static size_t cell_number(const syn_tet_locator *locator, uint32_t l, uint32_t x, uint32_t y, uint32_t z) {
  const level *grid = &locator->levels[l];
  return grid->first + ((size_t)z * grid->size[1] + y) * grid->size[0] + x;
}

/* The lowest level where the cells from `low` to `high` are at most three along each axis. */
static uint32_t level_for(cell low, cell high) {
  uint32_t l = 0;
  for (int axis = 0; axis < 3; ++axis)
    while ((high.at[axis] >> l) - (low.at[axis] >> l) > 2) ++l;
  return l;
}

/* Cells of level 0 three quarters as wide as the average tet, but at most about twice as many as there are tets. */
static void choose_cells(syn_tet_locator *locator) {
  const syn_tetmesh *mesh = locator->mesh;
  const double most = 2.0 * mesh->tet_count + 1, longest = longest_edge(locator->box);
  uint32_t *size = locator->levels[0].size;
  size[0] = size[1] = size[2] = 1;
  double width = 0;
  for (uint32_t t = 0; t < mesh->tet_count; ++t) width += longest_edge(tet_box(mesh, t)) / mesh->tet_count;
  width = fmax(0.75 * width, longest * 1e-6);
  /* a point, or an extent that over- or underflows: one cell */
  if (!(longest > 0) || !isfinite(width) || !isfinite(1 / width)) return;
  double count[3];
  do {
    for (int axis = 0; axis < 3; ++axis)
      count[axis] = floor((vec3_at(locator->box.max, axis) - vec3_at(locator->box.min, axis)) / width) + 1;
    width *= 1.25;
  } while (count[0] * count[1] * count[2] > most);
  locator->cells_per_mm = 1.25 / width;
  for (int axis = 0; axis < 3; ++axis) size[axis] = (uint32_t)count[axis];
}

/* Stacks the coarser grids on level 0; returns the number of all cells. */
static size_t stack_levels(syn_tet_locator *locator) {
  size_t cells = 0;
  for (uint32_t l = 0;; ++l) {
    level *grid = &locator->levels[l];
    for (int axis = 0; axis < 3; ++axis) grid->size[axis] = ((locator->levels[0].size[axis] - 1) >> l) + 1;
    grid->first = cells;
    cells += (size_t)grid->size[0] * grid->size[1] * grid->size[2];
    locator->level_count = l + 1;
    if (grid->size[0] == 1 && grid->size[1] == 1 && grid->size[2] == 1) return cells;
  }
}

/* Visits the cells of every tet that has volume: counts them (members NULL), or files the tet in them. */
static void visit_cells(syn_tet_locator *locator, uint32_t *counts, uint32_t *members) {
  for (uint32_t t = 0; t < locator->mesh->tet_count; ++t) {
    if (locator->sign[t] == 0) continue;
    const float *min = locator->boxes[t].min, *max = locator->boxes[t].max;
    const cell low = cell_of(locator, vec3((double)min[0], (double)min[1], (double)min[2]));
    const cell high = cell_of(locator, vec3((double)max[0], (double)max[1], (double)max[2]));
    const uint32_t l = level_for(low, high);
    locator->levels[l].used = true;
    for (uint32_t z = low.at[2] >> l; z <= high.at[2] >> l; ++z)
      for (uint32_t y = low.at[1] >> l; y <= high.at[1] >> l; ++y)
        for (uint32_t x = low.at[0] >> l; x <= high.at[0] >> l; ++x) {
          uint32_t *slot = &counts[cell_number(locator, l, x, y, z)];
          if (members) members[*slot] = t;
          ++*slot;
        }
  }
}

static syn_status fill_locator(syn_tet_locator *locator, syn_error *error) {
  const syn_tetmesh *mesh = locator->mesh;
  const syn_vec3 *p = mesh->vertices;
  SYN_TRY(SYN_NEW(mesh->context, &locator->sign, mesh->tet_count, error));
  SYN_TRY(SYN_NEW(mesh->context, &locator->boxes, mesh->tet_count, error));
  locator->box = (syn_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    const uint32_t *v = mesh->tets[t].v;
    const syn_box box = tet_box(mesh, t);
    locator->box = (syn_box){vec3_min(locator->box.min, box.min), vec3_max(locator->box.max, box.max)};
    locator->boxes[t] = round_outward(box);
    locator->sign[t] = (int8_t)syn_orient3d(p[v[0]], p[v[1]], p[v[2]], p[v[3]]);
  }
  choose_cells(locator);
  const size_t cells = stack_levels(locator);
  /* Counts go one place further than needed, so that filling turns begins into the ends that are the next begins. */
  SYN_TRY(SYN_NEW_ZEROED(mesh->context, &locator->start, cells + 2, error));
  visit_cells(locator, locator->start + 2, NULL);
  for (size_t c = 2; c < cells + 2; ++c) locator->start[c] += locator->start[c - 1];
  SYN_TRY(SYN_NEW(mesh->context, &locator->members, locator->start[cells + 1], error));
  visit_cells(locator, locator->start + 1, locator->members);
  return SYN_OK;
}

syn_status syn_tet_locator_create(const syn_tetmesh *mesh, syn_tet_locator **locator, syn_error *error) {
  *locator = NULL;
  if (mesh->tet_count >= 1u << 27)
    return syn_fail(error, SYN_TOO_LARGE, "%u tetrahedra are more than the 2^27 that can be located", mesh->tet_count);
  syn_tet_locator *made;
  SYN_TRY(SYN_NEW_ZEROED(mesh->context, &made, 1, error));
  made->mesh = mesh;
  syn_status status = fill_locator(made, error);
  if (status != SYN_OK) {
    syn_tet_locator_destroy(made);
    return status;
  }
  *locator = made;
  return SYN_OK;
}

void syn_tet_locator_destroy(syn_tet_locator *locator) {
  if (!locator) return;
  const syn_context *context = locator->mesh->context;
  syn_free(context, locator->sign);
  syn_free(context, locator->boxes);
  syn_free(context, locator->start);
  syn_free(context, locator->members);
  syn_free(context, locator);
}

/* side[f]: 0 on the plane of face f, else on its inner side. False when outside. */
static bool contains(const syn_tet_locator *locator, uint32_t t, syn_vec3 point, int side[4]) {
  const uint32_t *v = locator->mesh->tets[t].v;
  const syn_vec3 *p = locator->mesh->vertices;
  for (int f = 0; f < 4; ++f) {
    const uint8_t *c = syn_tet_face[f];
    side[f] = -locator->sign[t] * syn_orient3d(p[v[c[0]]], p[v[c[1]]], p[v[c[2]]], point);
    if (side[f] < 0) return false;
  }
  return true;
}

/* Computes the weights as fractions of volume, exactly 0 for a face that the point is on. If the volumes vanish in
 * rounding, all that are not 0 are equal. */
static void weigh(const syn_tetmesh *mesh, uint32_t t, syn_vec3 point, const int side[4], double weight[4]) {
  double sum = 0;
  for (int f = 0; f < 4; ++f) {
    const uint8_t *c = syn_tet_face[f];
    const syn_vec3 a = mesh->vertices[mesh->tets[t].v[c[0]]], b = mesh->vertices[mesh->tets[t].v[c[1]]];
    const syn_vec3 third = mesh->vertices[mesh->tets[t].v[c[2]]];
    const syn_vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(third, a));
    weight[f] = side[f] ? fabs(vec3_dot(normal, vec3_sub(point, a))) : 0;
    sum += weight[f];
  }
  if (!(sum > 0) || !isfinite(sum)) {
    sum = 0;
    for (int f = 0; f < 4; ++f) sum += weight[f] = side[f];
  }
  for (int f = 0; f < 4; ++f) weight[f] /= sum;
}

uint32_t syn_tet_locator_query(const syn_tet_locator *locator, syn_vec3 point, double barycentric[4]) {
  const syn_box *box = &locator->box;
  const bool inside = point.x >= box->min.x && point.x <= box->max.x && point.y >= box->min.y &&
                      point.y <= box->max.y && point.z >= box->min.z && point.z <= box->max.z;
  if (!inside) return SYN_NONE;
  /* One cell per level lists the tets that may contain the point; the lowest number wins. */
  const cell c = cell_of(locator, point);
  uint32_t found = SYN_NONE;
  int side[4], found_side[4] = {0};
  for (uint32_t l = 0; l < locator->level_count; ++l) {
    if (!locator->levels[l].used) continue;
    const size_t number = cell_number(locator, l, c.at[0] >> l, c.at[1] >> l, c.at[2] >> l);
    for (uint32_t i = locator->start[number]; i < locator->start[number + 1]; ++i) {
      const uint32_t t = locator->members[i];
      if (t >= found) break;
      if (!may_contain(&locator->boxes[t], point) || !contains(locator, t, point, side)) continue;
      found = t;
      for (int f = 0; f < 4; ++f) found_side[f] = side[f];
      break;
    }
  }
  if (found != SYN_NONE && barycentric) weigh(locator->mesh, found, point, found_side, barycentric);
  return found;
}
