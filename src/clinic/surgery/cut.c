/* Moves the surface of a bone cut by a tool. Vertices move along lines that do not cross, as far as the tool requires,
 * but never deeper below the old surface than the cut: each cut is contained in the next deeper one. */
#include "clinic/surgery/resection.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"

enum { SAMPLES = 64, HALVINGS = 48, GRAIN = 64, MOST_STEPS = 400 };
static const double exact_mm = 1e-5; /* of a depth */

/* ---- how far the tool wants a vertex ----------------------------------------------------------------------------- */

static syn_vec3 at(const syn_cut *cut, uint32_t i, double distance) {
  return vec3_madd(cut->bone->vertices[cut->vertex[i]], distance, cut->direction[i]);
}

static bool stands_out(const syn_cut *cut, uint32_t i, double distance, double depth_mm) {
  return syn_cut_height(cut->tool, at(cut, i, distance), depth_mm) > 0;
}

/* Finds the first point along the line that is not removed. */
static double find_target(const syn_cut *cut, uint32_t i, double depth_mm) {
  double low = 0, high = cut->longest[i];
  if (!stands_out(cut, i, 0, depth_mm)) return 0;
  for (int k = 1; k <= SAMPLES; ++k) {
    const double distance = cut->longest[i] * k / SAMPLES;
    if (!stands_out(cut, i, distance, depth_mm)) {
      high = distance;
      break;
    }
    low = distance;
  }
  for (int k = 0; k < HALVINGS; ++k) {
    const double middle = 0.5 * (low + high);
    if (stands_out(cut, i, middle, depth_mm))
      low = middle;
    else
      high = middle;
  }
  return high;
}

typedef struct targets {
  syn_cut *cut;
  double depth_mm;
} targets;

static void find_targets(void *user, size_t begin, size_t end) {
  const targets *t = user;
  for (size_t i = begin; i < end; ++i) t->cut->target[i] = find_target(t->cut, (uint32_t)i, t->depth_mm);
}

/* ---- create and destroy ------------------------------------------------------------------------------------------ */

/* Returns whether the surface faces away from its target. Elsewhere the vertex would leave the bone, as on the side of
 * the greater trochanter that faces the neck. */
static bool faces_out(const syn_cut_tool *tool, syn_vec3 point, syn_vec3 normal) {
  const double least = 0.2;
  return vec3_dot(vec3_unit(vec3_sub(syn_cut_focus(tool, point), point)), normal) < -least;
}

static uint32_t root_of(uint32_t *parent, uint32_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

/* Joins the vertices that protrude and face outward through edges: parent[v] is another one of the same patch, SYN_NONE
 * for those that do not move. */
static void join_patches(const syn_cut_tool *tool, const syn_trimesh *bone, const syn_topology *topology,
                         const syn_vec3 *normals, double depth_mm, uint32_t *parent) {
  for (uint32_t v = 0; v < bone->vertex_count; ++v) {
    const syn_vec3 p = bone->vertices[v];
    parent[v] = syn_cut_height(tool, p, depth_mm) > 0 && faces_out(tool, p, normals[v]) ? v : SYN_NONE;
  }
  for (uint32_t e = 0; e < topology->edge_count; ++e) {
    const uint32_t *ends = topology->edge_vertices[e];
    if (parent[ends[0]] == SYN_NONE || parent[ends[1]] == SYN_NONE) continue;
    const uint32_t a = root_of(parent, ends[0]), b = root_of(parent, ends[1]);
    parent[a > b ? a : b] = a > b ? b : a;
  }
}

/* Keeps patches that begin where the tool works; other protruding parts of the bone have none there. */
static uint32_t take_patches(const syn_cut_tool *tool, const syn_trimesh *bone, uint32_t *parent, uint8_t *taken,
                             uint32_t *vertex) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < bone->vertex_count; ++v)
    if (parent[v] != SYN_NONE && syn_cut_works_at(tool, bone->vertices[v])) taken[root_of(parent, v)] = 1;
  for (uint32_t v = 0; v < bone->vertex_count; ++v)
    if (parent[v] != SYN_NONE && taken[root_of(parent, v)]) vertex[count++] = v;
  return count;
}

static syn_status find_moving(syn_cut *cut, double depth_mm, syn_error *error) {
  const syn_trimesh *bone = cut->bone;
  syn_arena arena = {.context = cut->context};
  syn_topology *topology;
  syn_vec3 *normals;
  uint32_t *parent;
  uint8_t *taken;
  SYN_TRY(SYN_NEW(cut->context, &cut->vertex, bone->vertex_count, error));
  SYN_TRY(syn_topology_create(bone, &topology, error));
  syn_status status = SYN_TAKE(&arena, &normals, bone->vertex_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &parent, bone->vertex_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &taken, bone->vertex_count, error);
  if (status == SYN_OK) {
    memset(taken, 0, bone->vertex_count);
    syn_trimesh_vertex_normals(bone, normals);
    join_patches(cut->tool, bone, topology, normals, depth_mm, parent);
    cut->count = take_patches(cut->tool, bone, parent, taken, cut->vertex);
  }
  syn_arena_release(&arena);
  syn_topology_destroy(topology);
  return status;
}

static syn_status allocate(syn_cut *cut, syn_error *error) {
  const syn_context *context = cut->context;
  SYN_TRY(SYN_NEW(context, &cut->direction, cut->count, error));
  SYN_TRY(SYN_NEW(context, &cut->target, cut->count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &cut->reached, cut->count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &cut->below, cut->count, error));
  SYN_TRY(SYN_NEW(context, &cut->longest, cut->count, error));
  SYN_TRY(SYN_NEW(context, &cut->nearest, cut->count, error));
  SYN_TRY(SYN_NEW(context, &cut->place, cut->count, error));
  return SYN_NEW(context, &cut->active, cut->count, error);
}

syn_status syn_cut_begin(const syn_context *context, const syn_cut_tool *tool, const syn_trimesh *bone,
                         const syn_surface *surface, double depth_mm, syn_cut *cut, syn_error *error) {
  *cut = (syn_cut){.context = context, .tool = tool, .bone = bone, .surface = surface};
  SYN_TRY(find_moving(cut, depth_mm, error));
  SYN_TRY(allocate(cut, error));
  for (uint32_t i = 0; i < cut->count; ++i) {
    const syn_vec3 from = bone->vertices[cut->vertex[i]], line = vec3_sub(syn_cut_focus(tool, from), from);
    cut->direction[i] = vec3_unit(line);
    cut->longest[i] = vec3_length(line);
  }
  return SYN_OK;
}

void syn_cut_release(syn_cut *cut) {
  void *const blocks[] = {cut->vertex,  cut->direction, cut->target, cut->reached, cut->below,
                          cut->longest, cut->nearest,   cut->place,  cut->active};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(cut->context, blocks[i]);
}

/* ---- cutting ----------------------------------------------------------------------------------------------------- */

/* Finds the depths of the first `count` active vertices. */
static syn_status look(syn_cut *cut, uint32_t count, syn_error *error) {
  for (uint32_t k = 0; k < count; ++k) cut->place[k] = at(cut, cut->active[k], cut->reached[cut->active[k]]);
  if (syn_surface_nearest(cut->surface, cut->place, count, cut->nearest) == SYN_OK) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH, "the surface lies too far away to measure how deep a cut is");
}

/* A distance from a surface changes no faster than the position, so a step by the remaining depth never overshoots. */
static uint32_t advance(syn_cut *cut, uint32_t count, double depth_mm) {
  uint32_t left = 0;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t i = cut->active[k];
    const double missing = depth_mm - cut->nearest[k].distance_mm;
    cut->below[i] = cut->nearest[k].distance_mm;
    if (missing < exact_mm || cut->reached[i] >= cut->target[i]) continue;
    cut->reached[i] = fmin(cut->reached[i] + missing, cut->target[i]);
    cut->active[left++] = i;
  }
  return left;
}

syn_status syn_cut_to(syn_cut *cut, double depth_mm, syn_error *error) {
  targets t = {cut, depth_mm};
  syn_parallel_for(cut->context, cut->count, GRAIN, find_targets, &t);
  uint32_t left = cut->count;
  for (uint32_t i = 0; i < left; ++i) cut->active[i] = i;
  for (int step = 0; left > 0 && step < MOST_STEPS; ++step) {
    SYN_TRY(look(cut, left, error));
    left = advance(cut, left, depth_mm);
  }
  return SYN_OK;
}

syn_status syn_cut_full(syn_cut *cut, double *depth_mm, syn_error *error) {
  targets t = {cut, 0};
  *depth_mm = 0;
  syn_parallel_for(cut->context, cut->count, GRAIN, find_targets, &t);
  for (uint32_t i = 0; i < cut->count; ++i) {
    cut->active[i] = i;
    cut->reached[i] = cut->target[i];
  }
  SYN_TRY(look(cut, cut->count, error));
  for (uint32_t i = 0; i < cut->count; ++i) {
    *depth_mm = fmax(*depth_mm, cut->nearest[i].distance_mm);
    cut->reached[i] = 0;
  }
  return SYN_OK;
}

syn_status syn_cut_bone(const syn_cut *cut, syn_trimesh **bone, syn_error *error) {
  const syn_trimesh *old = cut->bone;
  syn_vec3 *vertices;
  *bone = NULL;
  SYN_TRY(SYN_NEW(cut->context, &vertices, old->vertex_count, error));
  for (uint32_t v = 0; v < old->vertex_count; ++v) vertices[v] = old->vertices[v];
  for (uint32_t i = 0; i < cut->count; ++i) vertices[cut->vertex[i]] = at(cut, i, cut->reached[i]);
  const syn_status status =
      syn_trimesh_create(cut->context, vertices, old->vertex_count, old->triangles, old->triangle_count, bone, error);
  syn_free(cut->context, vertices);
  return status;
}
