#include "collide/volume/stars.h"

uint32_t syn_cell_vertices(const volume *body, uint32_t cell, uint32_t *vertices) {
  for (uint32_t c = 0; c < body->corners; ++c) vertices[c] = body->cells[(size_t)cell * body->corners + c];
  return body->corners;
}

uint32_t syn_face_vertices(const volume *body, uint32_t face, uint32_t vertices[4]) {
  const uint32_t cell = face / body->faces;
  int8_t corners[4];
  uint32_t count = 0;
  syn_volume_face(body, cell, face % body->faces, corners);
  for (; count < 4 && corners[count] >= 0; ++count)
    vertices[count] = body->cells[(size_t)cell * body->corners + (uint32_t)corners[count]];
  return count;
}

/* Calls `add` for every vertex of every cell, and of every face of the surface. */
static void visit_vertices(const volume *body, const uint8_t *surface,
                           void (*add)(vertex_lists *lists, uint32_t v, uint32_t i), volume_stars *stars) {
  uint32_t vertices[HULL_POINTS];
  for (uint32_t cell = 0; cell < body->cell_count; ++cell) {
    const uint32_t corners = syn_cell_vertices(body, cell, vertices);
    for (uint32_t c = 0; c < corners; ++c) add(&stars->cells, vertices[c], cell);
    for (uint32_t f = 0; f < body->faces; ++f) {
      if (!(surface[cell] >> f & 1)) continue;
      const uint32_t sides = syn_face_vertices(body, body->faces * cell + f, vertices);
      for (uint32_t c = 0; c < sides; ++c) add(&stars->faces, vertices[c], body->faces * cell + f);
    }
  }
}

static void count_item(vertex_lists *lists, uint32_t vertex, uint32_t item) {
  (void)item;
  ++lists->first[vertex + 1];
}

/* Fills each list from its end, so that `first` is right when all are full. */
static void put_item(vertex_lists *lists, uint32_t vertex, uint32_t item) {
  lists->items[--lists->first[vertex + 1]] = item;
}

/* After counting: first[v + 1] is the end of list v, and after filling its beginning; then all move up by one. */
static syn_status allocate_lists(const volume *body, vertex_lists *lists, syn_error *error) {
  const uint32_t vertices = body->mesh->vertex_count;
  for (uint32_t v = 0; v < vertices; ++v) lists->first[v + 1] += lists->first[v];
  return SYN_NEW(body->context, &lists->items, lists->first[vertices], error);
}

static void shift(uint32_t vertices, uint32_t end, vertex_lists *lists) {
  for (uint32_t v = 0; v < vertices; ++v) lists->first[v] = lists->first[v + 1];
  lists->first[vertices] = end;
}

static syn_status fill_stars(const volume *body, const uint8_t *surface, volume_stars *stars, syn_error *error) {
  const uint32_t vertices = body->mesh->vertex_count;
  visit_vertices(body, surface, count_item, stars);
  SYN_TRY(allocate_lists(body, &stars->cells, error));
  SYN_TRY(allocate_lists(body, &stars->faces, error));
  const uint32_t ends[2] = {stars->cells.first[vertices], stars->faces.first[vertices]};
  visit_vertices(body, surface, put_item, stars);
  shift(vertices, ends[0], &stars->cells);
  shift(vertices, ends[1], &stars->faces);
  return SYN_OK;
}

syn_status syn_volume_stars_create(const volume *body, volume_stars *stars, syn_error *error) {
  const size_t vertices = body->mesh->vertex_count;
  uint8_t *surface;
  if ((size_t)body->cell_count * HULL_POINTS >= SYN_NONE)
    return syn_fail(error, SYN_TOO_LARGE, "%u cells have more corners than 32-bit indices count", body->cell_count);
  SYN_TRY(SYN_NEW_ZEROED(body->context, &stars->cells.first, vertices + 1, error));
  SYN_TRY(SYN_NEW_ZEROED(body->context, &stars->faces.first, vertices + 1, error));
  SYN_TRY(SYN_NEW(body->context, &surface, body->cell_count, error));
  syn_status status = syn_volume_surface(body, surface, error);
  if (status == SYN_OK) status = fill_stars(body, surface, stars, error);
  syn_free(body->context, surface);
  return status;
}

void syn_volume_stars_release(const syn_context *context, volume_stars *stars) {
  syn_free(context, stars->cells.first);
  syn_free(context, stars->cells.items);
  syn_free(context, stars->faces.first);
  syn_free(context, stars->faces.items);
}
