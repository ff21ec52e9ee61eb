/* A deformation along the rays (Arbabi 2009, §3.3.4): every triangle stays in its cells, and only what moved is done
 * again. */
#include <math.h>

#include "base/vec.h"
#include "collide/radial/radial_cells.h"
#include "collide/radial/radial_wall.h"

typedef struct sliding {
  radial_table *table;
  const syn_vec3 *vertices;
  uint8_t *moved;    /* of each vertex */
  uint32_t *changed; /* triangles with a vertex that moved */
  uint32_t changed_count;
  syn_vec3 *before; /* of each vertex that moved, where it was */
} sliding;

/* False where a vertex left its ray, or lies where it has none. */
static bool find_moved(sliding *s) {
  const radial_table *table = s->table;
  for (uint32_t v = 0; v < table->mesh->vertex_count; ++v) {
    const syn_vec3 p = vec3_sub(s->vertices[v], table->center);
    s->moved[v] = !vec3_equal(p, table->points[v]);
    if (!s->moved[v]) continue;
    if (!radial_has_direction(vec3_length(p)) || !radial_keeps_ray(table->directions[v], vec3_unit(p))) return false;
    s->before[v] = table->points[v];
  }
  return true;
}

static void find_changed(sliding *s) {
  const radial_table *table = s->table;
  for (uint32_t t = 0; t < table->count; ++t) {
    const uint32_t *v = table->triangles[t].v;
    if (s->moved[v[0]] | s->moved[v[1]] | s->moved[v[2]]) s->changed[s->changed_count++] = t;
  }
}

static void place(sliding *s, bool back) {
  radial_table *table = s->table;
  for (uint32_t v = 0; v < table->mesh->vertex_count; ++v)
    if (s->moved[v]) table->points[v] = back ? s->before[v] : vec3_sub(s->vertices[v], table->center);
}

/* Can all of them be in the heads of their cells as before? */
static bool keeps_cells(const sliding *s) {
  const radial_table *table = s->table;
  for (uint32_t i = 0; i < s->changed_count; ++i) {
    const uint32_t t = s->changed[i];
    if (syn_radial_kind(table, t) != (radial_kind)table->kinds[t] ||
        syn_radial_would_be_precise(table, t) != radial_is_precise(table, t))
      return false;
  }
  return true;
}

static bool slide(sliding *s) {
  if (!find_moved(s)) return false;
  find_changed(s);
  place(s, false);
  if (!keeps_cells(s)) {
    place(s, true);
    return false;
  }
  for (uint32_t i = 0; i < s->changed_count; ++i) syn_radial_fill_plane(s->table, s->changed[i]);
  if (s->changed_count > s->table->count / 8) { /* then all cells at once are less than those of each triangle */
    syn_radial_renew_rules(s->table);
    return true;
  }
  for (uint32_t i = 0; i < s->changed_count; ++i) syn_radial_renew_rules_of(s->table, s->changed[i]);
  return true;
}

syn_status syn_radial_slide(radial_table *table, const syn_vec3 *vertices, bool *done, syn_error *error) {
  const syn_context *context = table->context;
  sliding s = {.table = table, .vertices = vertices};
  *done = false;
  syn_status status = SYN_NEW(context, &s.moved, table->mesh->vertex_count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &s.before, table->mesh->vertex_count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &s.changed, table->count, error);
  if (status == SYN_OK) *done = slide(&s);
  syn_free(context, s.moved);
  syn_free(context, s.before);
  syn_free(context, s.changed);
  return status;
}
