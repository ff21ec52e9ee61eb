#include "mesh/tet_faces.h"

#include <string.h>

#include "base/memory.h"

/* A face without its lowest vertex, which is the list it is in. */
typedef struct record {
  uint32_t middle, highest, face;
} record;

typedef struct work {
  const syn_tetmesh *mesh;
  const syn_context *context;
  uint32_t *start; /* records of the faces whose lowest vertex is v: start[v] … start[v+1]-1 */
  record *records;
  uint32_t *table;   /* open addressing over one vertex's records */
  size_t table_size; /* a power of two */
  uint32_t *next;
} work;

static void sort_three(uint32_t v[3]) {
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2 - i; ++k)
      if (v[k] > v[k + 1]) {
        const uint32_t swap = v[k];
        v[k] = v[k + 1];
        v[k + 1] = swap;
      }
}

static void sorted_face(const syn_tetmesh *mesh, uint32_t face, uint32_t v[3]) {
  for (int i = 0; i < 3; ++i) v[i] = mesh->tets[face / 4].v[syn_tet_face[face % 4][i]];
  sort_three(v);
}

/* Files every face under its lowest vertex. Neighbouring faces then lie together in memory, which a table over the
 * whole mesh would not give. */
static syn_status file_faces(work *w, syn_error *error) {
  const uint32_t faces = 4 * w->mesh->tet_count, vertices = w->mesh->vertex_count;
  uint32_t v[3];
  SYN_TRY(SYN_NEW_ZEROED(w->context, &w->start, (size_t)vertices + 2, error));
  SYN_TRY(SYN_NEW(w->context, &w->records, faces, error));
  for (uint32_t face = 0; face < faces; ++face) {
    sorted_face(w->mesh, face, v);
    ++w->start[v[0] + 2];
  }
  for (uint32_t i = 0; i < vertices; ++i) w->start[i + 2] += w->start[i + 1];
  for (uint32_t face = 0; face < faces; ++face) { /* moves start[v+1] from the begin of list v to its end */
    sorted_face(w->mesh, face, v);
    w->records[w->start[v[0] + 1]++] = (record){v[1], v[2], face};
  }
  return SYN_OK;
}

static syn_status make_table(work *w, syn_error *error) {
  uint32_t longest = 0;
  for (uint32_t v = 0; v < w->mesh->vertex_count; ++v) {
    const uint32_t length = w->start[v + 1] - w->start[v];
    if (length > longest) longest = length;
  }
  for (w->table_size = 1; w->table_size < 2 * (size_t)longest; w->table_size *= 2) {
  }
  return SYN_NEW(w->context, &w->table, w->table_size, error);
}

static size_t mix(const record *r) {
  const uint64_t key = ((uint64_t)r->middle << 32 | r->highest) * 0x9e3779b97f4a7c15u;
  return (size_t)(key >> 32 ^ key >> 15);
}

/* Puts each record of one vertex into the ring of the first one with the same vertices, right behind it: from there the
 * ring descends. */
static void join_list(work *w, uint32_t begin, uint32_t end) {
  size_t size = 1;
  while (size < 2 * (size_t)(end - begin)) size *= 2;
  memset(w->table, 0xff, size * sizeof *w->table);
  for (uint32_t i = begin; i < end; ++i) {
    const record *r = &w->records[i];
    size_t slot = mix(r) & (size - 1);
    while (w->table[slot] != SYN_NONE &&
           (w->records[w->table[slot]].middle != r->middle || w->records[w->table[slot]].highest != r->highest))
      slot = (slot + 1) & (size - 1);
    w->next[r->face] = r->face;
    if (w->table[slot] == SYN_NONE) {
      w->table[slot] = i;
    } else {
      const uint32_t first = w->records[w->table[slot]].face;
      w->next[r->face] = w->next[first];
      w->next[first] = r->face;
    }
  }
}

static syn_status join(work *w, syn_error *error) {
  SYN_TRY(file_faces(w, error));
  SYN_TRY(make_table(w, error));
  SYN_TRY(SYN_NEW(w->context, &w->next, 4 * (size_t)w->mesh->tet_count, error));
  for (uint32_t v = 0; v < w->mesh->vertex_count; ++v) join_list(w, w->start[v], w->start[v + 1]);
  return SYN_OK;
}

syn_status syn_tet_same_faces(const syn_tetmesh *mesh, uint32_t **next, syn_error *error) {
  *next = NULL;
  if (mesh->tet_count >= 1u << 30)
    return syn_fail(error, SYN_TOO_LARGE, "%u tetrahedra have more faces than 32-bit indices count", mesh->tet_count);
  work w = {.mesh = mesh, .context = mesh->context};
  syn_status status = join(&w, error);
  syn_free(w.context, w.start);
  syn_free(w.context, w.records);
  syn_free(w.context, w.table);
  *next = w.next;
  return status;
}
