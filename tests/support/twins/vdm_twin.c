#include "vdm_twin.h"

#include "base/vec.h"
#include "geometry/small_matrix.h"
#include "tissue/vdm/vdm.h"

static void *clear(size_t count, size_t size) {
  void *block = calloc(count, size);
  assert_non_null(block);
  return block;
}

vdm_twin make_vdm_twin(const syn_soft *soft, double bulk, double connectivity) {
  vdm_twin twin = {.mesh = syn_soft_skin(soft)};
  const uint32_t n = twin.mesh->vertex_count;
  twin.pairs = syn_vdm_pairs(soft, &twin.pair_count);
  twin.connectivity = clear(twin.pair_count, sizeof(double));
  twin.bulk = clear(n, sizeof(syn_vec3));
  twin.value = clear(n, sizeof(syn_vec3));
  twin.constraint = clear(n, sizeof *twin.constraint);
  for (uint32_t p = 0; p < twin.pair_count; ++p) twin.connectivity[p] = connectivity;
  for (uint32_t i = 0; i < n; ++i) twin.bulk[i] = vec3(bulk, bulk, bulk);
  return twin;
}

void drop_vdm_twin(vdm_twin *twin) {
  free(twin->connectivity);
  free(twin->bulk);
  free(twin->value);
  free(twin->constraint);
}

void give_to_soft(const vdm_twin *twin, syn_soft *soft) {
  syn_error error;
  ASSERT_OK(syn_vdm_set_moduli(soft, twin->bulk, NULL, &error));
  ASSERT_OK(syn_vdm_set_moduli(soft, NULL, twin->connectivity, &error));
  ASSERT_OK(syn_vdm_set_gravity(soft, twin->gravity, &error));
  syn_vdm_prescribe(soft, SYN_NONE, SYN_XYZ, SYN_VDM_FREE, (syn_vec3){0, 0, 0}, NULL);
  for (uint32_t i = 0; i < twin->mesh->vertex_count; ++i)
    for (int c = 0; c < 3; ++c)
      ASSERT_OK(
          syn_vdm_prescribe(soft, i, 1u << c, (syn_vdm_constraint)twin->constraint[i][c], twin->value[i], &error));
}

twin_shape measure_twin(const syn_trimesh *mesh, const syn_vec3 *x) {
  const uint32_t n = mesh->vertex_count;
  twin_shape shape = {
      .area = clear(n, sizeof(double)), .normal = clear(n, sizeof(syn_vec3)), .vector = clear(n, sizeof(syn_vec3))};
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 half = vec3_scale(vec3_cross(vec3_sub(x[v[1]], x[v[0]]), vec3_sub(x[v[2]], x[v[0]])), 0.5);
    shape.total_area += vec3_length(half);
    shape.volume += vec3_dot(vec3_sub(x[v[0]], x[0]), half) / 3;
    for (int c = 0; c < 3; ++c) {
      shape.area[v[c]] += vec3_length(half) / 3;
      shape.vector[v[c]] = vec3_add(shape.vector[v[c]], vec3_scale(half, 1.0 / 3));
    }
  }
  for (uint32_t i = 0; i < n; ++i) shape.normal[i] = vec3_unit(shape.vector[i]);
  return shape;
}

void drop_twin_shape(twin_shape *shape) {
  free(shape->area);
  free(shape->normal);
  free(shape->vector);
}

static void fill_node(const vdm_twin *twin, const twin_shape *shape, uint32_t i, int c, double depth, double *row,
                      double *right) {
  const uint32_t last = 3 * twin->mesh->vertex_count;
  const double volume = shape->area[i] * shape->volume / shape->total_area;
  row[3 * i + (uint32_t)c] += vec3_at(twin->bulk[i], c) * shape->area[i] / volume;
  for (uint32_t p = 0; p < twin->pair_count; ++p) {
    if (twin->pairs[p][0] != i && twin->pairs[p][1] != i) continue;
    const uint32_t j = twin->pairs[p][0] + twin->pairs[p][1] - i;
    row[3 * i + (uint32_t)c] += twin->connectivity[p] * shape->area[i] / volume;
    row[3 * j + (uint32_t)c] -= twin->connectivity[p] * shape->area[j] / volume;
  }
  row[last] = -vec3_at(shape->normal[i], c);
  *right = twin->density * vec3_length(twin->gravity) * depth * vec3_at(shape->normal[i], c);
  if (twin->constraint[i][c] == SYN_VDM_CONTACT) *right += vec3_at(twin->value[i], c);
}

static void hold_node(const vdm_twin *twin, uint32_t i, int c, double penalty, double *row, double *right) {
  const bool moved = twin->constraint[i][c] == SYN_VDM_CONSTRAINED;
  const uint32_t size = 3 * twin->mesh->vertex_count + 1, at = 3 * i + (uint32_t)c;
  if (!moved && twin->constraint[i][c] != SYN_VDM_FIXED && isfinite(vec3_at(twin->bulk[i], c))) return;
  if (penalty == 0) memset(row, 0, size * sizeof *row);
  row[at] = penalty == 0 ? 1 : penalty;
  *right = moved ? row[at] * vec3_at(twin->value[i], c) : 0;
}

void fill_twin(const vdm_twin *twin, const twin_shape *shape, const syn_vec3 *x, double penalty, double *k, double *r) {
  const uint32_t n = twin->mesh->vertex_count, size = 3 * n + 1;
  memset(k, 0, (size_t)size * size * sizeof *k);
  const syn_vec3 down = vec3_unit(twin->gravity);
  double top = INFINITY;
  for (uint32_t i = 0; i < n; ++i) top = fmin(top, vec3_dot(x[i], down));
  for (uint32_t i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c) {
      double *row = &k[(size_t)size * (3 * i + (uint32_t)c)], *right = &r[3 * i + (uint32_t)c];
      fill_node(twin, shape, i, c, vec3_dot(x[i], down) - top, row, right);
      hold_node(twin, i, c, penalty, row, right);
      k[(size_t)size * (size - 1) + 3 * i + (uint32_t)c] = shape->area[i] * vec3_at(shape->normal[i], c);
    }
  r[size - 1] = 0;
}

bool solve_twin(const vdm_twin *twin, const twin_shape *shape, const syn_vec3 *x, double penalty, double *l) {
  const size_t size = 3 * (size_t)twin->mesh->vertex_count + 1;
  double *k = clear(size * size, sizeof *k);
  fill_twin(twin, shape, x, penalty, k, l);
  const bool solved = syn_solve_pivoted(k, l, (int)size, 1e-14);
  free(k);
  return solved;
}

static void swap(double *a, double *b) {
  const double kept = *a;
  *a = *b;
  *b = kept;
}

int rank_of(double *k, int n) {
  double first = 0;
  for (int step = 0; step < n; ++step) {
    int row = step, column = step;
    for (int i = step; i < n; ++i)
      for (int j = step; j < n; ++j)
        if (fabs(k[i * n + j]) > fabs(k[row * n + column])) {
          row = i;
          column = j;
        }
    const double pivot = fabs(k[row * n + column]);
    if (step == 0) first = pivot;
    if (pivot <= 1e-10 * first) return step;
    for (int j = 0; j < n; ++j) swap(&k[step * n + j], &k[row * n + j]);
    for (int i = 0; i < n; ++i) swap(&k[i * n + step], &k[i * n + column]);
    for (int i = step + 1; i < n; ++i) {
      const double factor = k[i * n + step] / k[step * n + step];
      for (int j = step; j < n && factor != 0; ++j) k[i * n + j] -= factor * k[step * n + j];
    }
  }
  return n;
}
