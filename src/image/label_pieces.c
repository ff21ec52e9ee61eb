#include "image/label_pieces.h"

#include <string.h>

#include "base/vec.h"

typedef struct piece {
  double volume6; /* six times */
  int64_t euler2; /* twice Euler's number: of a closed surface 2 V - T */
  bool kept;
} piece;

static uint32_t root_of(uint32_t *parent, uint32_t v) {
  while (parent[v] != v) {
    parent[v] = parent[parent[v]];
    v = parent[v];
  }
  return v;
}

/* The lowest vertex of each piece becomes its root. */
static void join(uint32_t *parent, uint32_t a, uint32_t b) {
  a = root_of(parent, a), b = root_of(parent, b);
  if (a < b) parent[b] = a;
  if (b < a) parent[a] = b;
}

static void measure(const syn_builder *surface, const uint32_t *parent, piece *pieces) {
  const syn_vec3 middle = surface->points[0]; /* near, for precision */
  for (size_t v = 0; v < surface->point_count; ++v) pieces[parent[v]].euler2 += 2;
  for (size_t t = 0; t < surface->triangle_count; ++t) {
    const uint32_t *v = surface->triangles[t].v;
    const syn_vec3 a = vec3_sub(surface->points[v[0]], middle), b = vec3_sub(surface->points[v[1]], middle),
                   c = vec3_sub(surface->points[v[2]], middle);
    pieces[parent[v[0]]].volume6 += vec3_dot(a, vec3_cross(b, c));
    --pieces[parent[v[0]]].euler2;
  }
}

static void judge(piece *pieces, const uint32_t *parent, size_t count, double fraction, syn_label_surface *about) {
  double largest = 0;
  for (size_t v = 0; v < count; ++v)
    if (parent[v] == v && pieces[v].volume6 > largest) largest = pieces[v].volume6;
  uint32_t islands = 0;
  for (size_t v = 0; v < count; ++v) {
    if (parent[v] != v) continue;
    piece *p = &pieces[v];
    p->kept = !(fraction > 0) || p->volume6 >= fraction * largest;
    islands += p->volume6 > 0;
    about->cavities += !(p->volume6 > 0);
    about->removed += !p->kept;
    if (p->kept) about->tunnels += (uint32_t)((4 - p->euler2) / 4);
  }
  about->islands = islands > 0 ? islands - 1 : 0;
}

static void keep_pieces(syn_builder *surface, const uint32_t *parent, const piece *pieces) {
  size_t kept = 0;
  for (size_t t = 0; t < surface->triangle_count; ++t)
    if (pieces[parent[surface->triangles[t].v[0]]].kept) surface->triangles[kept++] = surface->triangles[t];
  surface->triangle_count = kept;
}

syn_status syn_label_pieces(syn_arena *arena, syn_builder *surface, double island_fraction, syn_label_surface *about,
                            syn_error *error) {
  const size_t count = surface->point_count;
  uint32_t *parent;
  piece *pieces;
  if (count == 0) return SYN_OK;
  SYN_TRY(SYN_TAKE(arena, &parent, count, error));
  SYN_TRY(SYN_TAKE(arena, &pieces, count, error));
  memset(pieces, 0, count * sizeof *pieces);
  for (uint32_t v = 0; v < count; ++v) parent[v] = v;
  for (size_t t = 0; t < surface->triangle_count; ++t)
    for (int c = 1; c < 3; ++c) join(parent, surface->triangles[t].v[0], surface->triangles[t].v[c]);
  for (uint32_t v = 0; v < count; ++v) parent[v] = root_of(parent, v);
  measure(surface, parent, pieces);
  judge(pieces, parent, count, island_fraction, about);
  if (about->removed) keep_pieces(surface, parent, pieces);
  return SYN_OK;
}
