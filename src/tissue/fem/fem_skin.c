/* Finds the faces that belong to one element only, as triangles. Quadratic faces become four triangles, so that the
 * skin is curved; faces of hexahedra become two. */
#include <string.h>

#include "tissue/fem/fem.h"

typedef struct face {
  uint32_t key[4]; /* corners, ascending; SYN_NONE last in a triangle */
  uint32_t next;   /* another face with the same first corner; SYN_NONE: none */
} face;

static face make_face(const fem_state *fem, uint32_t element, int number) {
  const uint32_t *nodes = fem_nodes_of(fem, element);
  face made = {{SYN_NONE, SYN_NONE, SYN_NONE, SYN_NONE}, SYN_NONE};
  for (int i = 0; i < fem->element->face_corners; ++i) {
    const uint32_t node = nodes[fem->element->faces[number][i]];
    int at = i;
    for (; at > 0 && made.key[at - 1] > node; --at) made.key[at] = made.key[at - 1];
    made.key[at] = node;
  }
  return made;
}

/* Faces are in lists by their first corner, so that each is compared with a few dozen others at most. */
static void mark_outer(const fem_state *fem, face *faces, uint32_t *first, bool *outer) {
  const uint32_t each = (uint32_t)fem->element->face_count, count = each * fem->element_count;
  for (uint32_t i = 0; i < fem->node_count; ++i) first[i] = SYN_NONE;
  for (uint32_t i = 0; i < count; ++i) {
    faces[i] = make_face(fem, i / each, (int)(i % each));
    outer[i] = true;
    uint32_t *chain = &first[faces[i].key[0]];
    for (uint32_t k = *chain; k != SYN_NONE; k = faces[k].next)
      if (memcmp(faces[k].key, faces[i].key, sizeof faces[i].key) == 0) outer[i] = outer[k] = false;
    faces[i].next = *chain;
    *chain = i;
  }
}

syn_status syn_fem_find_outer(const fem_state *fem, syn_arena *work, bool **outer, syn_error *error) {
  const size_t count = (size_t)fem->element->face_count * fem->element_count;
  face *faces;
  uint32_t *first;
  if (count >= SYN_NONE) return syn_fail(error, SYN_TOO_LARGE, "%u elements are too many", fem->element_count);
  SYN_TRY(SYN_TAKE(work, &faces, count, error));
  SYN_TRY(SYN_TAKE(work, outer, count, error));
  SYN_TRY(SYN_TAKE(work, &first, fem->node_count, error));
  mark_outer(fem, faces, first, *outer);
  return SYN_OK;
}

/* Makes triangles of skin vertices, which are numbered in the order of their first use; nodes[i] is the node of
 * vertex i. */
static size_t fill_triangles(const fem_state *fem, const bool *outer, uint32_t *vertex_of, uint32_t *nodes,
                             syn_triangle *triangles, size_t *vertex_count) {
  const fem_element *kind = fem->element;
  const uint32_t each = (uint32_t)kind->face_count;
  size_t count = 0;
  *vertex_count = 0;
  for (uint32_t i = 0; i < fem->node_count; ++i) vertex_of[i] = SYN_NONE;
  for (uint32_t i = 0; i < each * fem->element_count; ++i)
    for (int t = 0; outer[i] && t < kind->face_triangles; ++t, ++count)
      for (int c = 0; c < 3; ++c) {
        const uint32_t node = fem_nodes_of(fem, i / each)[kind->faces[i % each][kind->triangles[t][c]]];
        if (vertex_of[node] == SYN_NONE) {
          vertex_of[node] = (uint32_t)*vertex_count;
          nodes[(*vertex_count)++] = node;
        }
        triangles[count].v[c] = vertex_of[node];
      }
  return count;
}

static syn_status make_skin(syn_soft *soft, const fem_state *fem, syn_arena *work, syn_error *error) {
  const size_t face_count = (size_t)fem->element->face_count * fem->element_count;
  uint32_t *vertex_of, *nodes;
  syn_triangle *triangles;
  syn_vec3 *points;
  bool *outer;
  size_t outer_count = 0, vertex_count;
  SYN_TRY(syn_fem_find_outer(fem, work, &outer, error));
  SYN_TRY(SYN_TAKE(work, &vertex_of, fem->node_count, error));
  SYN_TRY(SYN_TAKE(work, &nodes, fem->node_count, error));
  SYN_TRY(SYN_TAKE(work, &points, fem->node_count, error));
  for (size_t i = 0; i < face_count; ++i) outer_count += outer[i];
  SYN_TRY(SYN_TAKE(work, &triangles, outer_count * (size_t)fem->element->face_triangles, error));
  const size_t count = fill_triangles(fem, outer, vertex_of, nodes, triangles, &vertex_count);
  for (size_t i = 0; i < vertex_count; ++i) points[i] = soft->rest[nodes[i]];
  syn_trimesh *skin;
  SYN_TRY(syn_trimesh_create(soft->context, points, vertex_count, triangles, count, &skin, error));
  return syn_soft_skin_of_nodes(soft, skin, nodes, error);
}

syn_status syn_fem_make_skin(syn_soft *soft, const fem_state *fem, syn_error *error) {
  syn_arena work = {.context = soft->context};
  const syn_status status = make_skin(soft, fem, &work, error);
  syn_arena_release(&work);
  return status;
}
