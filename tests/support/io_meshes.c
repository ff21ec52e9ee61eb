#include "io_meshes.h"

bool format_takes(const syn_format_info *info, mesh_kind kind) {
  return info->reads && info->writes && (kind == ONLY_TETS || info->holds_triangles) &&
         (kind == ONLY_TRIANGLES || info->holds_tets);
}

const char *path_for(const syn_format_info *info, const char *stem) {
  char name[64];
  snprintf(name, sizeof name, "%s%.*s", stem, (int)strcspn(info->extensions, " "), info->extensions);
  return temporary_path(name);
}

/* Full 53-bit mantissas over several powers of ten. */
static double random_number(test_random *random) {
  static const double sizes[] = {100, 1, 1e-3};
  return sizes[random_below(random, 3)] * random_between(random, -1, 1) / 3 + 1e-9;
}

/* Fills `corners` distinct indices of a cell, taking the next new vertex about every third time. */
static void random_cell(test_random *random, uint32_t *v, uint32_t corners, uint32_t *used) {
  for (uint32_t c = 0; c < corners; ++c) {
    v[c] = *used < 4 || random_below(random, 3) == 0 ? *used : random_below(random, *used);
    for (uint32_t k = 0; k < c; ++k)
      if (v[k] == v[c]) v[c] = *used; /* taken already: a new one */
    *used += v[c] == *used;
  }
}

static double six_volumes(const syn_vec3 *points, const syn_tet *tet) {
  double e[3][3];
  const syn_vec3 *o = &points[tet->v[0]];
  for (int i = 0; i < 3; ++i) {
    const syn_vec3 *p = &points[tet->v[i + 1]];
    e[i][0] = p->x - o->x, e[i][1] = p->y - o->y, e[i][2] = p->z - o->z;
  }
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

static void turn_outside_out(syn_vec3 *points, syn_tet *tets, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (six_volumes(points, &tets[i]) < 0) {
      const uint32_t last = tets[i].v[3];
      tets[i].v[3] = tets[i].v[2];
      tets[i].v[2] = last;
    }
}

static syn_field random_field(test_random *random, const char *name, syn_field_on on, uint32_t components,
                              size_t count) {
  double *values = calloc(components * count, sizeof *values);
  for (size_t i = 0; i < components * count; ++i) values[i] = random_number(random);
  return (syn_field){name, on, components, values};
}

syn_geometry make_mesh(test_random *random, mesh_kind kind, uint32_t cells) {
  syn_triangle *triangles = calloc(cells, sizeof *triangles);
  syn_tet *tets = calloc(cells, sizeof *tets);
  syn_field *fields = calloc(3, sizeof *fields);
  uint32_t used = 0;
  for (uint32_t i = 0; kind != ONLY_TETS && i < cells; ++i) random_cell(random, triangles[i].v, 3, &used);
  for (uint32_t i = 0; kind != ONLY_TRIANGLES && i < cells; ++i) random_cell(random, tets[i].v, 4, &used);
  syn_vec3 *points = calloc(used, sizeof *points);
  for (uint32_t i = 0; i < used; ++i) {
    const double x = random_number(random), y = random_number(random);
    points[i] = (syn_vec3){x, y, random_number(random)};
  }
  turn_outside_out(points, tets, kind == ONLY_TRIANGLES ? 0 : cells);
  syn_geometry mesh = {.point_count = used, .points = points, .triangles = triangles, .tets = tets, .fields = fields};
  mesh.triangle_count = kind == ONLY_TETS ? 0 : cells;
  mesh.tet_count = kind == ONLY_TRIANGLES ? 0 : cells;
  fields[mesh.field_count++] = random_field(random, "depth", SYN_ON_POINTS, 1, used);
  fields[mesh.field_count++] = random_field(random, "force", SYN_ON_POINTS, 3, used);
  if (kind != BOTH_CELLS)
    fields[mesh.field_count++] =
        random_field(random, "region", kind == ONLY_TETS ? SYN_ON_TETS : SYN_ON_TRIANGLES, 1, cells);
  return mesh;
}

static void free_const(const void *block) { free((void *)(uintptr_t)block); }

void free_mesh(syn_geometry *mesh) {
  for (size_t i = 0; i < mesh->field_count; ++i) free_const(mesh->fields[i].values);
  free_const(mesh->fields);
  free_const(mesh->points);
  free_const(mesh->triangles);
  free_const(mesh->tets);
  *mesh = (syn_geometry){0};
}
