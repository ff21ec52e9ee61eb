#include "spring_body.h"

#include "base/vec.h"

typedef struct springs {
  const syn_context *context;
  syn_soft *soft;
  uint32_t (*ends)[2];
  double *length;
  size_t count;
  double stiffness;
} springs;

static void force(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  (void)v;
  const springs *s = state;
  for (size_t i = 0; i < s->count; ++i) {
    const uint32_t a = s->ends[i][0], b = s->ends[i][1];
    const syn_vec3 d = vec3_sub(x[b], x[a]);
    const double length = vec3_length(d), pull = s->stiffness * (length - s->length[i]) / length;
    f[a] = vec3_madd(f[a], pull, d);
    f[b] = vec3_madd(f[b], -pull, d);
  }
}

static double energy(const void *state, const syn_vec3 *x) {
  const springs *s = state;
  double sum = 0;
  for (size_t i = 0; i < s->count; ++i) {
    const double longer = vec3_distance(x[s->ends[i][0]], x[s->ends[i][1]]) - s->length[i];
    sum += s->stiffness * longer * longer / 2;
  }
  return sum;
}

static void stiffness(const void *state, const syn_vec3 *x, double per_s, bool definite, double (*blocks)[9]) {
  (void)per_s;
  const springs *s = state;
  const syn_pattern *pattern = s->soft->pattern;
  for (size_t i = 0; i < s->count; ++i) {
    const uint32_t a = s->ends[i][0], b = s->ends[i][1];
    const syn_vec3 d = vec3_sub(x[b], x[a]);
    const double length = vec3_length(d), u[3] = {d.x / length, d.y / length, d.z / length};
    double across = s->stiffness * (1 - s->length[i] / length), block[9], back[9];
    if (definite && across < 0) across = 0;
    for (int k = 0; k < 9; ++k) {
      block[k] = (s->stiffness - across) * u[k / 3] * u[k % 3] + (k % 4 == 0 ? across : 0);
      back[k] = -block[k];
    }
    syn_block_add(blocks, pattern->row_start[a], false, block);
    syn_block_add(blocks, pattern->row_start[b], false, block);
    syn_block_add(blocks, syn_pattern_find(pattern, a < b ? a : b, a < b ? b : a), a > b, back);
  }
}

/* Distance constraints with the compliance of the springs (Macklin et al. 2016, Eq. 18). */
static void project(const void *state, double step_s, const double *inverse_mass, syn_vec3 *x, double *lambda) {
  const springs *s = state;
  const double compliance = 1 / (s->stiffness * step_s * step_s);
  for (size_t i = 0; i < s->count; ++i) {
    const uint32_t a = s->ends[i][0], b = s->ends[i][1];
    const syn_vec3 d = vec3_sub(x[b], x[a]);
    const double length = vec3_length(d), mobility = inverse_mass[a] + inverse_mass[b];
    const double change = (-(length - s->length[i]) - compliance * lambda[i]) / (mobility + compliance);
    lambda[i] += change;
    x[a] = vec3_madd(x[a], -inverse_mass[a] * change / length, d);
    x[b] = vec3_madd(x[b], inverse_mass[b] * change / length, d);
  }
}

static void destroy(void *state) {
  springs *s = state;
  free(s->ends);
  free(s->length);
  free(s);
}

static const syn_soft_model model = {.info = {"springs", "Springs along the edges.", true, true},
                                     .destroy = destroy,
                                     .force = force,
                                     .energy = energy,
                                     .stiffness = stiffness,
                                     .project = project};

/* A soft body of these springs; `ends` becomes its own. */
static syn_soft *make(const syn_context *context, const syn_vec3 *rest, uint32_t nodes, uint32_t (*ends)[2],
                      size_t count, double k) {
  syn_error error;
  springs *s = calloc(1, sizeof *s);
  syn_soft *soft;
  ASSERT_OK(SYN_NEW_ZEROED(context, &soft, 1, &error));
  soft->context = context;
  soft->model = &model;
  soft->state = s;
  soft->material = (syn_material){k, 0.25, 1000};
  *s = (springs){.soft = soft, .ends = ends, .count = count, .stiffness = k};
  s->length = malloc(count * sizeof *s->length);
  for (size_t i = 0; i < count; ++i) s->length[i] = vec3_distance(rest[ends[i][0]], rest[ends[i][1]]);
  ASSERT_OK(syn_soft_alloc_nodes(soft, nodes, &error));
  memcpy(soft->rest, rest, nodes * sizeof *rest);
  ASSERT_OK(syn_pattern_create(context, nodes, (const uint32_t(*)[2])ends, count, &soft->pattern, &error));
  soft->constraint_count = count;
  return soft;
}

syn_soft *make_spring_pair(syn_vec3 a, syn_vec3 b, double k, double mass) {
  syn_error error;
  const syn_vec3 rest[2] = {a, b};
  uint32_t(*ends)[2] = malloc(sizeof *ends);
  ends[0][0] = 0;
  ends[0][1] = 1;
  syn_soft *soft = make(NULL, rest, 2, ends, 1, k);
  soft->mass[0] = soft->mass[1] = mass;
  const syn_vec3 vertices[3] = {a, b, b};
  const syn_triangle triangles[1] = {{{0, 1, 2}}};
  const uint32_t nodes[3] = {0, 1, 1};
  syn_trimesh *skin;
  ASSERT_OK(syn_trimesh_create(NULL, vertices, 3, triangles, 1, &skin, &error));
  ASSERT_OK(syn_soft_skin_of_nodes(soft, skin, nodes, &error));
  return soft;
}

syn_tetmesh *make_tet_block(const syn_context *context, const uint32_t cells[3], double cell, syn_vec3 corner) {
  static const int paths[6][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}}; /* first two axes of each path */
  const uint32_t n[3] = {cells[0] + 1, cells[1] + 1, cells[2] + 1};
  syn_vec3 *vertices = malloc((size_t)n[0] * n[1] * n[2] * sizeof *vertices);
  syn_tet *tets = malloc((size_t)6 * cells[0] * cells[1] * cells[2] * sizeof *tets);
  uint32_t count = 0, tet_count = 0;
  for (uint32_t k = 0; k < n[2]; ++k)
    for (uint32_t j = 0; j < n[1]; ++j)
      for (uint32_t i = 0; i < n[0]; ++i) vertices[count++] = vec3_madd(corner, cell, vec3(i, j, k));
  const uint32_t stride[3] = {1, n[0], n[0] * n[1]};
  for (uint32_t k = 0; k < cells[2]; ++k)
    for (uint32_t j = 0; j < cells[1]; ++j)
      for (uint32_t i = 0; i < cells[0]; ++i)
        for (int p = 0; p < 6; ++p) {
          const uint32_t first = i * stride[0] + j * stride[1] + k * stride[2];
          const uint32_t second = first + stride[paths[p][0]], third = second + stride[paths[p][1]];
          const uint32_t last = first + stride[0] + stride[1] + stride[2];
          tets[tet_count++] = p < 3 ? (syn_tet){{first, second, third, last}} : (syn_tet){{first, third, second, last}};
        }
  syn_tetmesh *mesh;
  syn_error error;
  ASSERT_OK(syn_tetmesh_create(context, vertices, count, tets, tet_count, &mesh, &error));
  free(vertices);
  free(tets);
  return mesh;
}

/* The edges of tetrahedra once each, and a quarter of each one's mass on its corners. */
static syn_soft *make_of_tets(const syn_context *context, const syn_tetmesh *mesh, double k) {
  syn_error error;
  uint32_t(*pairs)[2] = malloc(6 * (size_t)mesh->tet_count * sizeof *pairs);
  size_t count = 0;
  for (uint32_t t = 0; t < mesh->tet_count; ++t)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b, ++count) {
        pairs[count][0] = mesh->tets[t].v[a];
        pairs[count][1] = mesh->tets[t].v[b];
      }
  syn_pattern *edges;
  ASSERT_OK(syn_pattern_create(context, mesh->vertex_count, (const uint32_t(*)[2])pairs, count, &edges, &error));
  count = 0;
  for (uint32_t row = 0; row < edges->node_count; ++row)
    for (uint32_t e = edges->row_start[row] + 1; e < edges->row_start[row + 1]; ++e, ++count) {
      pairs[count][0] = row;
      pairs[count][1] = edges->columns[e];
    }
  syn_pattern_destroy(edges);
  syn_soft *soft = make(context, mesh->vertices, mesh->vertex_count, pairs, count, k);
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    const uint32_t *v = mesh->tets[t].v;
    const syn_vec3 o = mesh->vertices[v[0]], a = vec3_sub(mesh->vertices[v[1]], o),
                   b = vec3_sub(mesh->vertices[v[2]], o), c = vec3_sub(mesh->vertices[v[3]], o);
    const double volume = vec3_dot(vec3_cross(a, b), c) / 6;
    assert_true(volume > 0);
    for (int i = 0; i < 4; ++i) soft->mass[v[i]] += 1e-9 * volume / 4; /* 1000 kg/m3 in tonnes per mm3 */
  }
  return soft;
}

syn_soft *make_spring_block(const syn_context *context, const uint32_t cells[3], double cell, syn_vec3 corner,
                            double k) {
  syn_error error;
  syn_tetmesh *mesh = make_tet_block(context, cells, cell, corner);
  syn_soft *soft = make_of_tets(context, mesh, k);
  syn_trimesh *skin;
  uint32_t *nodes;
  ASSERT_OK(syn_tetmesh_surface(mesh, &skin, &nodes, &error));
  ASSERT_OK(syn_soft_skin_of_nodes(soft, skin, nodes, &error));
  syn_free(context, nodes);
  syn_tetmesh_destroy(mesh);
  return soft;
}
