/* Repair: triangles that repeat others.
 *
 * Of triangles with the same vertices the first is kept: a file that holds a face twice means it once. Coincident
 * triangles of opposite orientation, as where a closed surface was pressed flat, enclose nothing, and one of them alone
 * would be a fin. Both are removed, patch by patch, if the faces around close without them.
 */
#include <string.h>

#include "base/hash_table.h"
#include "mesh/repair/repair.h"

static void swap_if_greater(uint32_t *a, uint32_t *b) {
  if (*a <= *b) return;
  const uint32_t greater = *a;
  *a = *b;
  *b = greater;
}

static syn_triangle sorted(syn_triangle t) {
  swap_if_greater(&t.v[0], &t.v[1]);
  swap_if_greater(&t.v[1], &t.v[2]);
  swap_if_greater(&t.v[0], &t.v[1]);
  return t;
}

static uint64_t hash_triangle(syn_triangle t) {
  return hash_finish(hash_add(hash_add(0, (uint64_t)t.v[0] << 32 | t.v[1]), t.v[2]));
}

static bool same_triangle(const void *triangles, uint32_t t, const void *key) {
  const syn_triangle other = sorted(((const syn_triangle *)triangles)[t]);
  return memcmp(key, &other, sizeof other) == 0;
}

/* Sets first[t], the first triangle with the vertices of t; *repeats counts the others. */
static syn_status find_first(const syn_builder *mesh, uint32_t *first, uint32_t *repeats, syn_error *error) {
  hash_table table;
  SYN_TRY(hash_table_create(mesh->context, hash_table_bits(mesh->triangle_count), &table, error));
  *repeats = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const syn_triangle key = sorted(mesh->triangles[t]);
    first[t] = hash_table_join(&table, hash_triangle(key), t, same_triangle, mesh->triangles, &key);
    *repeats += first[t] != t;
  }
  syn_free(mesh->context, table.slots);
  return SYN_OK;
}

/* ---- pairs back to back -------------------------------------------------------------------------------------------
 */

typedef struct pressing {
  const syn_builder *mesh;
  const syn_topology *topology;
  uint32_t *other; /* of each triangle of a pair back to back, its twin; SYN_NONE for all others */
  uint32_t *patch, patch_count;
  uint8_t *seen;
} pressing;

/* Returns whether two triangles with the same vertices have opposite orientations. */
static bool are_opposite(const syn_triangle *a, const syn_triangle *b) {
  for (int c = 0; c < 3; ++c)
    if (a->v[0] == b->v[c]) return a->v[1] != b->v[(c + 1) % 3];
  return false;
}

/* Finds pairs: exactly two triangles of opposite orientation; with a third none of them is a pair. */
static void find_pairs(pressing *p, const uint32_t *first) {
  const uint32_t n = (uint32_t)p->mesh->triangle_count;
  for (uint32_t t = 0; t < n; ++t) p->other[t] = SYN_NONE;
  for (uint32_t t = 0; t < n; ++t) {
    const uint32_t f = first[t];
    if (f == t) continue;
    const bool third = p->seen[f];
    p->seen[f] = 1;
    if (p->other[f] != SYN_NONE) p->other[p->other[f]] = SYN_NONE;
    p->other[f] = SYN_NONE;
    if (third || !are_opposite(&p->mesh->triangles[f], &p->mesh->triangles[t])) continue;
    p->other[f] = t;
    p->other[t] = f;
  }
  memset(p->seen, 0, n);
}

/* Collects the patch of pairs connected to t over edges. Returns whether the surface around closes without it: every
 * edge keeps an even count of triangles, and some edge at least two. A sheet of pairs alone remains a sheet. */
static bool gather_patch(pressing *p, uint32_t t) {
  bool attached = false, even = true;
  p->patch_count = 0;
  p->patch[p->patch_count++] = t;
  p->seen[t] = 1;
  for (uint32_t next = 0; next < p->patch_count; ++next)
    for (int c = 0; c < 3; ++c) {
      const uint32_t e = p->topology->triangle_edges[p->patch[next]][c];
      uint32_t others = 0;
      for (uint32_t i = p->topology->edge_triangle_start[e]; i < p->topology->edge_triangle_start[e + 1]; ++i) {
        const uint32_t neighbour = p->topology->edge_triangles[i];
        others += p->other[neighbour] == SYN_NONE;
        if (p->other[neighbour] == SYN_NONE || p->seen[neighbour]) continue;
        p->seen[neighbour] = 1;
        p->patch[p->patch_count++] = neighbour;
      }
      attached |= others > 0;
      even &= others % 2 == 0;
    }
  return attached && even;
}

/* Marks triangles to be removed with first[t] = SYN_NONE. */
static syn_status drop_pressed(const syn_builder *mesh, uint32_t *first, syn_error *error) {
  const syn_trimesh view = syn_builder_view(mesh);
  pressing p = {.mesh = mesh};
  syn_arena arena = {.context = mesh->context};
  syn_topology *topology;
  SYN_TRY(syn_topology_create(&view, &topology, error));
  p.topology = topology;
  syn_status status = SYN_TAKE(&arena, &p.other, mesh->triangle_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &p.patch, mesh->triangle_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &p.seen, mesh->triangle_count, error);
  if (status == SYN_OK) {
    memset(p.seen, 0, mesh->triangle_count);
    find_pairs(&p, first);
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
      if (p.other[t] == SYN_NONE || p.seen[t] || !gather_patch(&p, t)) continue;
      for (uint32_t i = 0; i < p.patch_count; ++i) first[p.patch[i]] = SYN_NONE;
    }
  }
  syn_arena_release(&arena);
  syn_topology_destroy(topology);
  return status;
}

/* ---- all together -------------------------------------------------------------------------------------------------
 */

static syn_status drop_duplicates(syn_builder *mesh, uint32_t *first, uint32_t *dropped, syn_error *error) {
  SYN_TRY(find_first(mesh, first, dropped, error));
  if (*dropped == 0) return SYN_OK;
  SYN_TRY(drop_pressed(mesh, first, error));
  uint32_t kept = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    if (first[t] == t) mesh->triangles[kept++] = mesh->triangles[t];
  *dropped = (uint32_t)mesh->triangle_count - kept;
  mesh->triangle_count = kept;
  return SYN_OK;
}

syn_status syn_repair_duplicates(syn_builder *mesh, uint32_t *dropped, syn_error *error) {
  uint32_t *first;
  SYN_TRY(SYN_NEW(mesh->context, &first, mesh->triangle_count, error));
  const syn_status status = drop_duplicates(mesh, first, dropped, error);
  syn_free(mesh->context, first);
  return status;
}
