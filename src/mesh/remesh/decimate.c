/* Reduces the count of triangles by edge collapse with meshoptimizer. It works in floats; only its choice of vertices
 * is used.
 *
 * meshoptimizer does not promise topology: a thin tube may be pinched to a non-manifold edge, a small part may vanish.
 * Its result is therefore checked. If the topology changed, the work is repeated in steps of one half, and the regions
 * that a step would break are protected at their current resolution. */
#include <meshoptimizer.h>
#include <string.h>

#include "base/vec.h"
#include "mesh/health.h"
#include "mesh/remesh/decimate.h"
#include "mesh/remesh/meshopt_memory.h"
#include "mesh/repair/repair.h"

static bool in_use(const syn_topology *topology, uint32_t vertex) {
  return topology->vertex_triangle_start[vertex] < topology->vertex_triangle_start[vertex + 1];
}

/* Marks the vertices where the surface is not manifold; true if there are none. */
static bool mark_bad_vertices(const syn_trimesh *mesh, const syn_topology *topology, uint8_t *bad) {
  bool manifold = true;
  for (uint32_t v = 0; v < topology->vertex_count; ++v) {
    bad[v] = in_use(topology, v) && !syn_is_one_fan(mesh, topology, v);
    manifold &= !bad[v];
  }
  return manifold;
}

static void count_euler(const syn_keeper *keeper, const syn_trimesh *mesh, const syn_topology *topology,
                        int64_t *euler) {
  memset(euler, 0, keeper->part_count * sizeof *euler);
  for (uint32_t v = 0; v < topology->vertex_count; ++v)
    if (in_use(topology, v)) ++euler[keeper->part[v]];
  for (uint32_t e = 0; e < topology->edge_count; ++e) --euler[keeper->part[topology->edge_vertices[e][0]]];
  for (uint32_t t = 0; t < topology->triangle_count; ++t) ++euler[keeper->part[mesh->triangles[t].v[0]]];
}

static void name_parts(const syn_keeper *keeper, const syn_topology *topology) {
  for (uint32_t v = 0; v < topology->vertex_count; ++v) keeper->part[v] = SYN_NONE;
  for (uint32_t t = 0; t < topology->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) keeper->part[keeper->mesh->triangles[t].v[c]] = topology->triangle_component[t];
}

static syn_status allocate_keeper(syn_arena *arena, syn_keeper *keeper, syn_error *error) {
  SYN_TRY(SYN_TAKE(arena, &keeper->part, keeper->mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &keeper->bad_vertex, keeper->mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &keeper->euler, keeper->part_count, error));
  SYN_TRY(SYN_TAKE(arena, &keeper->euler_now, keeper->part_count, error));
  return SYN_TAKE(arena, &keeper->bad_part, keeper->part_count, error);
}

/* Returns whether a triangle has a single neighbour on all sides, back to back: only two triangles of the part remain,
 * and by Euler's formula alone they would count as a sphere. */
static bool is_flat(const syn_topology *topology, uint32_t t) {
  const uint32_t *other = topology->triangle_neighbours[t];
  return other[0] != SYN_NONE && other[0] == other[1] && other[1] == other[2];
}

static bool mark_bad_parts(const syn_keeper *keeper, const syn_trimesh *mesh, const syn_topology *topology) {
  uint8_t *bad = keeper->bad_part;
  bool sound = true;
  memset(bad, 1, keeper->part_count); /* gone, unless a triangle of it is found */
  for (uint32_t v = 0; v < topology->vertex_count; ++v) {
    const uint32_t p = keeper->part[v];
    if (in_use(topology, v)) bad[p] = keeper->euler_now[p] != keeper->euler[p];
  }
  for (uint32_t t = 0; t < topology->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v, first = keeper->part[v[0]];
    for (int c = 0; c < 3; ++c) {
      const uint32_t p = keeper->part[v[c]];
      if (p != first || is_flat(topology, t)) bad[p] = bad[first] = 1;
    }
  }
  for (uint32_t p = 0; p < keeper->part_count; ++p) sound &= !bad[p];
  return sound;
}

static bool judge(const syn_keeper *keeper, const syn_trimesh *mesh, const syn_topology *topology) {
  count_euler(keeper, mesh, topology, keeper->euler_now);
  const bool manifold = mark_bad_vertices(mesh, topology, keeper->bad_vertex);
  return mark_bad_parts(keeper, mesh, topology) && manifold;
}

/* Everything lives in the arena. */
static syn_status syn_keeper_start(syn_arena *arena, const syn_trimesh *mesh, syn_keeper *keeper, syn_error *error) {
  syn_topology *topology;
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  *keeper = (syn_keeper){.mesh = mesh, .part_count = topology->component_count};
  const syn_status status = allocate_keeper(arena, keeper, error);
  if (status == SYN_OK) {
    name_parts(keeper, topology);
    count_euler(keeper, mesh, topology, keeper->euler);
    keeper->sound = judge(keeper, mesh, topology);
  }
  syn_topology_destroy(topology);
  return status;
}

/* *sound: the triangles form a manifold whose parts are those of the original, with their handles and holes. */
static syn_status syn_keeper_judge(syn_keeper *keeper, const syn_triangle *triangles, uint32_t count, bool *sound,
                                   syn_error *error) {
  syn_trimesh view = *keeper->mesh;
  view.triangles = triangles;
  view.triangle_count = count;
  syn_topology *topology;
  SYN_TRY(syn_topology_create(&view, &topology, error));
  *sound = judge(keeper, &view, topology);
  syn_topology_destroy(topology);
  return SYN_OK;
}

typedef struct triangle_list {
  syn_triangle *items; /* capacity: all triangles of the mesh */
  uint32_t count;
} triangle_list;

typedef struct decimation {
  const syn_trimesh *mesh;
  float (*points)[3]; /* moved to the origin and scaled into the unit cube: floats are densest there */
  double mm;          /* length of one unit */
  double scale;       /* scale of the errors that meshoptimizer reports */
  syn_keeper keeper;
  triangle_list free;  /* may be collapsed */
  triangle_list fixed; /* protected */
  triangle_list trial; /* the result of the free ones, then the fixed ones */
  double trial_mm, error_mm;
  syn_meshopt_memory memory;
} decimation;

static void normalize(decimation *d) {
  const syn_trimesh *mesh = d->mesh;
  syn_box box = box_empty();
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) box_add(&box, mesh->vertices[i]);
  const syn_vec3 low = vec3_scale(box.min, 0.5), high = vec3_scale(box.max, 0.5);
  const syn_vec3 center = vec3_add(low, high), half = vec3_sub(high, low);
  const double extent = fmax(half.x, fmax(half.y, half.z));
  d->mm = extent > 0 ? extent : 1;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const syn_vec3 p = vec3_sub(mesh->vertices[i], center);
    d->points[i][0] = (float)(p.x / d->mm);
    d->points[i][1] = (float)(p.y / d->mm);
    d->points[i][2] = (float)(p.z / d->mm);
  }
  d->scale = (double)meshopt_simplifyScale(d->points[0], mesh->vertex_count, sizeof *d->points);
}

static syn_status start(syn_arena *arena, const syn_trimesh *mesh, bool keep_topology, decimation *d,
                        syn_error *error) {
  *d = (decimation){.mesh = mesh};
  SYN_TRY(SYN_TAKE(arena, &d->points, mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &d->free.items, mesh->triangle_count, error));
  SYN_TRY(SYN_TAKE(arena, &d->fixed.items, mesh->triangle_count, error));
  SYN_TRY(SYN_TAKE(arena, &d->trial.items, mesh->triangle_count, error));
  if (keep_topology) SYN_TRY(syn_keeper_start(arena, mesh, &d->keeper, error));
  SYN_TRY(syn_meshopt_reserve(mesh->context, mesh->vertex_count, mesh->triangle_count, &d->memory, error));
  normalize(d);
  memcpy(d->free.items, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles);
  d->free.count = mesh->triangle_count;
  return SYN_OK;
}

/* Fills `trial`. The border of the protected triangles must not move. */
static void collapse(decimation *d, uint32_t target) {
  const float no_limit = 1e9f; /* the target limits the result, not the deviation */
  const uint32_t wanted = target > d->fixed.count ? target - d->fixed.count : 0;
  float relative = 0;
  if (wanted < d->free.count) {
    syn_meshopt_begin(&d->memory);
    const size_t corners = meshopt_simplify(d->trial.items->v, d->free.items->v, 3 * (size_t)d->free.count,
                                            d->points[0], d->mesh->vertex_count, sizeof *d->points, 3 * (size_t)wanted,
                                            no_limit, d->fixed.count ? meshopt_SimplifyLockBorder : 0, &relative);
    syn_meshopt_end();
    d->trial.count = (uint32_t)(corners / 3);
  } else {
    memcpy(d->trial.items, d->free.items, d->free.count * sizeof *d->free.items);
    d->trial.count = d->free.count;
  }
  memcpy(d->trial.items + d->trial.count, d->fixed.items, d->fixed.count * sizeof *d->fixed.items);
  d->trial.count += d->fixed.count;
  d->trial_mm = (double)relative * d->scale * d->mm;
}

/* Protects the free triangles up to `rings` rings around bad vertices, and entire bad parts without such a vertex. At
 * least one is protected, as each bad vertex that can improve has free triangles. */
static void set_aside(decimation *d, uint32_t rings) {
  const syn_keeper *k = &d->keeper;
  uint8_t *level = k->bad_vertex; /* 0: not reached, else 1 + the number of the ring */
  for (uint32_t v = 0; v < d->mesh->vertex_count; ++v)
    if (level[v]) k->bad_part[k->part[v]] = 0;
  for (uint32_t v = 0; v < d->mesh->vertex_count; ++v)
    if (k->part[v] != SYN_NONE && k->bad_part[k->part[v]]) level[v] = 1;
  for (uint32_t ring = 1; ring < rings; ++ring)
    for (uint32_t t = 0; t < d->free.count; ++t) {
      const uint32_t *v = d->free.items[t].v;
      bool reached = false;
      for (int c = 0; c < 3; ++c) reached |= level[v[c]] != 0 && level[v[c]] <= ring;
      for (int c = 0; c < 3 && reached; ++c)
        if (level[v[c]] == 0) level[v[c]] = (uint8_t)(ring + 1);
    }
  uint32_t left = 0;
  for (uint32_t t = 0; t < d->free.count; ++t) {
    const uint32_t *v = d->free.items[t].v;
    triangle_list *to = level[v[0]] || level[v[1]] || level[v[2]] ? &d->fixed : &d->free;
    to->items[to == &d->fixed ? d->fixed.count++ : left++] = d->free.items[t];
  }
  d->free.count = left;
}

/* Runs one step down to `target`, repeated with more and more triangles protected until the topology is kept. With all
 * protected nothing changes, and the step breaks nothing. */
static syn_status decimate_step(decimation *d, uint32_t target, syn_error *error) {
  enum { MOST_RINGS = 64 };
  for (uint32_t rings = 1;; rings = rings < MOST_RINGS ? 2 * rings : rings) {
    bool sound;
    collapse(d, target);
    SYN_TRY(syn_keeper_judge(&d->keeper, d->trial.items, d->trial.count, &sound, error));
    if (sound) break;
    set_aside(d, rings);
  }
  d->free.count = d->trial.count - d->fixed.count;
  memcpy(d->free.items, d->trial.items, d->free.count * sizeof *d->free.items);
  d->error_mm += d->trial_mm;
  return SYN_OK;
}

/* Leaves the result in `trial`. */
static syn_status decimate(decimation *d, uint32_t target, syn_error *error) {
  bool sound = true;
  collapse(d, target);
  if (d->keeper.sound) SYN_TRY(syn_keeper_judge(&d->keeper, d->trial.items, d->trial.count, &sound, error));
  d->error_mm = sound ? d->trial_mm : 0;
  for (uint32_t count = d->mesh->triangle_count; !sound;) {
    const uint32_t next = count / 2 > target ? count / 2 : target;
    SYN_TRY(decimate_step(d, next, error));
    count = d->trial.count;
    sound = next == target || count > next; /* done, or no further reduction is possible */
  }
  return SYN_OK;
}

/* Collects the chosen triangles over the original positions, without the removed vertices. */
static syn_status collect_triangles(const decimation *d, syn_trimesh **coarser, syn_error *error) {
  syn_builder b = {.context = d->mesh->context};
  uint32_t dropped;
  SYN_TRY(syn_builder_size(&b, d->mesh->vertex_count, d->trial.count, 0, error));
  memcpy(b.points, d->mesh->vertices, b.point_count * sizeof *b.points);
  if (d->trial.count) memcpy(b.triangles, d->trial.items, b.triangle_count * sizeof *b.triangles);
  const syn_status status = syn_drop_unreferenced(&b, &dropped, error);
  if (status == SYN_OK) return syn_builder_trimesh(&b, coarser, error);
  syn_builder_release(&b);
  return status;
}

/* Lists the kept vertices, in the order of `collect_triangles`. */
static syn_status list_kept(const decimation *d, uint32_t **kept, syn_error *error) {
  const syn_context *context = d->mesh->context;
  uint32_t *list, count = 0;
  SYN_TRY(SYN_NEW_ZEROED(context, &list, d->mesh->vertex_count, error));
  for (uint32_t t = 0; t < d->trial.count; ++t)
    for (int c = 0; c < 3; ++c) list[d->trial.items[t].v[c]] = 1;
  for (uint32_t v = 0; v < d->mesh->vertex_count; ++v)
    if (list[v]) list[count++] = v; /* never ahead of the entry that is read */
  *kept = list;
  return SYN_OK;
}

static syn_status list_all(const syn_trimesh *mesh, uint32_t **kept, syn_error *error) {
  SYN_TRY(SYN_NEW(mesh->context, kept, mesh->vertex_count, error));
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) (*kept)[v] = v;
  return SYN_OK;
}

syn_status syn_decimate_mapped(const syn_trimesh *mesh, uint32_t target_triangles, bool keep_topology,
                               syn_trimesh **coarser, uint32_t **kept, double *error_mm, syn_error *error) {
  *coarser = NULL;
  *error_mm = 0;
  if (kept) *kept = NULL;
  syn_arena arena = {.context = mesh->context};
  syn_status status = SYN_OK;
  /* Nothing to do: a copy. */
  if (target_triangles >= mesh->triangle_count) {
    if (kept) status = list_all(mesh, kept, error);
    if (status == SYN_OK)
      status = syn_trimesh_create(mesh->context, mesh->vertices, mesh->vertex_count, mesh->triangles,
                                  mesh->triangle_count, coarser, error);
  } else {
    decimation d;
    status = start(&arena, mesh, keep_topology, &d, error);
    if (status == SYN_OK) status = decimate(&d, target_triangles, error);
    if (status == SYN_OK && kept) status = list_kept(&d, kept, error);
    if (status == SYN_OK) status = collect_triangles(&d, coarser, error);
    if (status == SYN_OK) *error_mm = d.error_mm;
    syn_meshopt_release(&d.memory);
  }
  if (status != SYN_OK && kept) {
    syn_free(mesh->context, *kept);
    *kept = NULL;
  }
  syn_arena_release(&arena);
  return status;
}

syn_status syn_trimesh_decimate(const syn_trimesh *mesh, uint32_t target_triangles, syn_trimesh **coarser,
                                double *error_mm, syn_error *error) {
  double stated;
  const syn_status status = syn_decimate_mapped(mesh, target_triangles, true, coarser, NULL, &stated, error);
  if (error_mm) *error_mm = status == SYN_OK ? stated : 0;
  return status;
}
