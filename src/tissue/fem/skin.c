/* The faces that belong to one element only, as triangles. Quadratic faces become four triangles, so that the skin
 * shows their bends; faces of hexahedra become two. */
#include <string.h>

#include "base/order.h"
#include "tissue/fem/fem.h"

typedef struct face {
  uint32_t key[4]; /* corners, ascending; SYN_NONE last in a triangle */
  uint32_t element, number;
} face;

static bool face_after(const void *a, const void *b) {
  const face *p = a, *q = b;
  for (int i = 0; i < 4; ++i)
    if (p->key[i] != q->key[i]) return p->key[i] > q->key[i];
  return p->element > q->element || (p->element == q->element && p->number > q->number);
}

static bool by_element(const void *a, const void *b) {
  const face *p = a, *q = b;
  return p->element > q->element || (p->element == q->element && p->number > q->number);
}

static face make_face(const fem_state *fem, uint32_t element, uint32_t number) {
  const uint32_t *nodes = fem_nodes_of(fem, element);
  face made = {{SYN_NONE, SYN_NONE, SYN_NONE, SYN_NONE}, element, number};
  for (int i = 0; i < fem->element->face_corners; ++i) {
    const uint32_t node = nodes[fem->element->faces[number][i]];
    int at = i;
    for (; at > 0 && made.key[at - 1] > node; --at) made.key[at] = made.key[at - 1];
    made.key[at] = node;
  }
  return made;
}

/* Keeps the faces that are alone, in the order of the elements. */
static size_t outer_faces(const fem_state *fem, face *faces) {
  const uint32_t each = (uint32_t)fem->element->face_count;
  size_t count = 0, kept = 0;
  for (uint32_t e = 0; e < fem->element_count; ++e)
    for (uint32_t k = 0; k < each; ++k) faces[count++] = make_face(fem, e, k);
  heap_sort(faces, count, sizeof *faces, face_after);
  for (size_t i = 0; i < count;) {
    size_t end = i + 1;
    while (end < count && memcmp(faces[end].key, faces[i].key, sizeof faces[i].key) == 0) ++end;
    if (end == i + 1) faces[kept++] = faces[i];
    i = end;
  }
  heap_sort(faces, kept, sizeof *faces, by_element);
  return kept;
}

/* Triangles of skin vertices, which are numbered in the order in which they come; nodes[i] is the node of vertex i. */
static size_t fill_triangles(const fem_state *fem, const face *faces, size_t face_count, uint32_t *vertex_of,
                             uint32_t *nodes, syn_triangle *triangles, size_t *vertex_count) {
  const fem_element *kind = fem->element;
  size_t count = 0;
  *vertex_count = 0;
  for (uint32_t i = 0; i < fem->node_count; ++i) vertex_of[i] = SYN_NONE;
  for (size_t i = 0; i < face_count; ++i)
    for (int t = 0; t < kind->face_triangles; ++t, ++count)
      for (int c = 0; c < 3; ++c) {
        const int local = kind->faces[faces[i].number][kind->triangles[t][c]];
        const uint32_t node = fem_nodes_of(fem, faces[i].element)[local];
        if (vertex_of[node] == SYN_NONE) {
          vertex_of[node] = (uint32_t)*vertex_count;
          nodes[(*vertex_count)++] = node;
        }
        triangles[count].v[c] = vertex_of[node];
      }
  return count;
}

static syn_status make_skin(syn_soft *soft, const fem_state *fem, syn_arena *work, syn_error *error) {
  const size_t most = (size_t)fem->element->face_count * fem->element_count;
  face *faces;
  uint32_t *vertex_of, *nodes;
  syn_triangle *triangles;
  syn_vec3 *points;
  SYN_TRY(SYN_TAKE(work, &faces, most, error));
  const size_t face_count = outer_faces(fem, faces);
  SYN_TRY(SYN_TAKE(work, &vertex_of, fem->node_count, error));
  SYN_TRY(SYN_TAKE(work, &nodes, fem->node_count, error));
  SYN_TRY(SYN_TAKE(work, &points, fem->node_count, error));
  SYN_TRY(SYN_TAKE(work, &triangles, face_count * (size_t)fem->element->face_triangles, error));
  size_t vertex_count;
  const size_t count = fill_triangles(fem, faces, face_count, vertex_of, nodes, triangles, &vertex_count);
  for (size_t i = 0; i < vertex_count; ++i) points[i] = soft->rest[nodes[i]];
  syn_trimesh *skin;
  SYN_TRY(syn_trimesh_create(soft->context, points, vertex_count, triangles, count, &skin, error));
  return syn_soft_skin_of_nodes(soft, skin, nodes, error);
}

syn_status fem_make_skin(syn_soft *soft, const fem_state *fem, syn_error *error) {
  syn_arena work = {.context = soft->context};
  const syn_status status = make_skin(soft, fem, &work, error);
  syn_arena_release(&work);
  return status;
}
