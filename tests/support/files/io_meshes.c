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

syn_geometry make_everything(test_random *random, uint32_t points, uint32_t triangles, uint32_t tets) {
  static syn_vec3 p[512];
  static syn_triangle t[512];
  static syn_tet s[512];
  static double values[5][512 * 9];
  static syn_field fields[5] = {{"depth <mm> & \"more\"", SYN_ON_POINTS, 1, values[0]},
                                {"stress", SYN_ON_TRIANGLES, 9, values[1]},
                                {"stress", SYN_ON_TETS, 9, values[2]},
                                {"normal", SYN_ON_POINTS, 3, values[3]},
                                {"faces 100%", SYN_ON_TRIANGLES, 2, values[4]}};
  for (uint32_t i = 0; i < points; ++i) p[i] = random_vec3(random, 1e3 / (1 + i));
  for (uint32_t i = 0; i < triangles; ++i)
    for (int k = 0; k < 3; ++k) t[i].v[k] = random_below(random, points);
  for (uint32_t i = 0; i < tets; ++i)
    for (int k = 0; k < 4; ++k) s[i].v[k] = random_below(random, points);
  for (int f = 0; f < 5; ++f)
    for (int i = 0; i < 512 * 9; ++i) values[f][i] = random_between(random, -1e-3, 1e6);
  syn_geometry g = {.point_count = points, .triangle_count = triangles, .tet_count = tets, .field_count = 5};
  g.points = p, g.triangles = t, g.tets = s, g.fields = fields, g.space = SYN_SPACE_LPS;
  return g;
}

static const syn_vec3 sample_points[5] = {
    {0.1, 1.0 / 3, -2e-17}, {1e300, 5e-324, 0}, {-0.0, 12345678.9, 3}, {7, 8, 9}, {0.1 + 0.2, 1e22, -1}};
static const syn_triangle sample_triangles[2] = {{{0, 1, 2}}, {{4, 2, 3}}};
static const syn_tet sample_tets[2] = {{{0, 1, 2, 3}}, {{4, 3, 2, 1}}};
syn_geometry sample_geometry(void) {
  return (syn_geometry){.point_count = 5,
                        .triangle_count = 2,
                        .tet_count = 2,
                        .points = sample_points,
                        .triangles = sample_triangles,
                        .tets = sample_tets};
}
