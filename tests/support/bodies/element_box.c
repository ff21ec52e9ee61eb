#include "element_box.h"

#include "base/vec.h"
#include "solve/block_matrix.h"
#include "tissue/fem/fem.h"

/* ---- meshes --------------------------------------------------------------------------------------------------------
 */

static uint32_t grid_node(const element_box *box, const uint32_t at[3]) {
  return (at[2] * box->grid[1] + at[1]) * box->grid[0] + at[0];
}

/* Kuhn's six tetrahedra of a cell: the axes in each order. */
static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

static size_t add_tets(element_box *box, const uint32_t cell[3], size_t used) {
  static const uint8_t edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  const bool quadratic = box->mesh.element == SYN_ELEMENT_TET10;
  const uint32_t step = quadratic ? 2 : 1;
  for (int o = 0; o < 6; ++o) {
    uint32_t corners[4][3];
    for (int i = 0; i < 3; ++i) corners[0][i] = step * cell[i];
    for (int c = 1; c < 4; ++c) {
      memcpy(corners[c], corners[c - 1], sizeof corners[c]);
      corners[c][orders[o][c - 1]] += step;
    }
    if (o >= 3) /* an odd order of the axes */
      for (int i = 0; i < 3; ++i) {
        const uint32_t kept = corners[1][i];
        corners[1][i] = corners[2][i];
        corners[2][i] = kept;
      }
    for (int c = 0; c < 4; ++c) box->elements[used++] = grid_node(box, corners[c]);
    for (int e = 0; quadratic && e < 6; ++e) {
      uint32_t middle[3];
      for (int i = 0; i < 3; ++i) middle[i] = (corners[edges[e][0]][i] + corners[edges[e][1]][i]) / 2;
      box->elements[used++] = grid_node(box, middle);
    }
  }
  return used;
}

static size_t add_hex(element_box *box, const uint32_t cell[3], size_t used) {
  static const uint8_t corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                        {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int c = 0; c < 8; ++c) {
    const uint32_t at[3] = {cell[0] + corners[c][0], cell[1] + corners[c][1], cell[2] + corners[c][2]};
    box->elements[used++] = grid_node(box, at);
  }
  return used;
}

element_box make_element_box(syn_element element, uint32_t nx, uint32_t ny, uint32_t nz, syn_vec3 size) {
  const uint32_t step = element == SYN_ELEMENT_TET10 ? 2 : 1, cells = nx * ny * nz;
  element_box box = {.grid = {step * nx + 1, step * ny + 1, step * nz + 1}};
  const uint32_t node_count = box.grid[0] * box.grid[1] * box.grid[2];
  const uint32_t element_count = element == SYN_ELEMENT_HEX8 ? cells : 6 * cells;
  box.nodes = malloc(node_count * sizeof *box.nodes);
  box.elements = malloc((size_t)element_count * syn_element_nodes[element] * sizeof *box.elements);
  box.mesh = (syn_fem_mesh){element, node_count, element_count, box.nodes, box.elements, false, NULL, NULL};
  uint32_t at[3];
  for (at[2] = 0; at[2] < box.grid[2]; ++at[2])
    for (at[1] = 0; at[1] < box.grid[1]; ++at[1])
      for (at[0] = 0; at[0] < box.grid[0]; ++at[0])
        box.nodes[grid_node(&box, at)] =
            vec3(size.x * at[0] / (step * nx), size.y * at[1] / (step * ny), size.z * at[2] / (step * nz));
  size_t used = 0;
  uint32_t cell[3];
  for (cell[2] = 0; cell[2] < nz; ++cell[2])
    for (cell[1] = 0; cell[1] < ny; ++cell[1])
      for (cell[0] = 0; cell[0] < nx; ++cell[0])
        used = element == SYN_ELEMENT_HEX8 ? add_hex(&box, cell, used) : add_tets(&box, cell, used);
  return box;
}

void drop_element_box(element_box *box) {
  free(box->nodes);
  free(box->elements);
}

static bool inside(const element_box *box, uint32_t node) {
  const uint32_t x = node % box->grid[0], y = node / box->grid[0] % box->grid[1],
                 z = node / (box->grid[0] * box->grid[1]);
  return x > 0 && y > 0 && z > 0 && x + 1 < box->grid[0] && y + 1 < box->grid[1] && z + 1 < box->grid[2];
}

void shake_element_box(element_box *box, test_random *random, double part) {
  const bool quadratic = box->mesh.element == SYN_ELEMENT_TET10;
  const uint32_t step = quadratic ? 2 : 1;
  const double cell = vec3_distance(box->nodes[0], box->nodes[step]);
  for (uint32_t i = 0; i < box->mesh.node_count; ++i) {
    const uint32_t x = i % box->grid[0], y = i / box->grid[0] % box->grid[1], z = i / (box->grid[0] * box->grid[1]);
    const bool corner = x % step == 0 && y % step == 0 && z % step == 0;
    if (corner && inside(box, i)) box->nodes[i] = vec3_add(box->nodes[i], random_vec3(random, part * cell));
  }
  if (!quadratic) return;
  static const uint8_t edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (size_t t = 0; t < box->mesh.element_count; ++t)
    for (int e = 0; e < 6; ++e) {
      const uint32_t *nodes = &box->elements[10 * t];
      box->nodes[nodes[4 + e]] = vec3_lerp(box->nodes[nodes[edges[e][0]]], box->nodes[nodes[edges[e][1]]], 0.5);
    }
}

syn_soft_options elastic_options(double young_mpa, double poisson, syn_law law) {
  syn_soft_options options = syn_default_soft_options();
  options.material = (syn_material){young_mpa, poisson, 1000};
  options.law = law;
  if (law == SYN_LAW_FIBRES) {
    options.fibre = vec3(1, 2, -1);
    options.fibre_mpa = 3 * young_mpa;
  }
  return options;
}

/* ---- equilibrium ---------------------------------------------------------------------------------------------------
 */

static double residual(const syn_soft *soft, const uint8_t *held, const syn_vec3 *loads, const syn_vec3 *x,
                       syn_vec3 *f) {
  double most = 0;
  syn_soft_forces(soft, x, NULL, f);
  for (uint32_t i = 0; i < soft->node_count; ++i) {
    if (loads) f[i] = vec3_add(f[i], loads[i]);
    if (held[i] & SYN_X) f[i].x = 0;
    if (held[i] & SYN_Y) f[i].y = 0;
    if (held[i] & SYN_Z) f[i].z = 0;
    most = fmax(most, vec3_length(f[i]));
  }
  return most;
}

void settle(const syn_soft *soft, const uint8_t *held, const syn_vec3 *loads, syn_vec3 *x) {
  syn_error error;
  syn_system *system;
  syn_vec3 *f = malloc(soft->node_count * sizeof *f), *step = malloc(soft->node_count * sizeof *step);
  double(*blocks)[9] = malloc(syn_block_count(soft->pattern) * sizeof *blocks);
  syn_system_options how = syn_default_system_options();
  how.prescribed = held;
  ASSERT_OK(syn_system_create(NULL, soft->pattern, &how, &system, &error));
  double scale = 0, now = residual(soft, held, loads, x, f);
  for (uint32_t i = 0; loads && i < soft->node_count; ++i) scale = fmax(scale, vec3_length(loads[i]));
  scale = fmax(scale, now);
  for (int i = 0; i < 60 && now > 1e-11 * scale; ++i) {
    soft->model->stiffness(soft->state, x, 0, true, blocks);
    ASSERT_OK(syn_system_update(system, (const double(*)[9])blocks, NULL, &error));
    ASSERT_OK(syn_system_solve(system, 1, f, step, &error));
    for (uint32_t k = 0; k < soft->node_count; ++k) x[k] = vec3_add(x[k], step[k]);
    const double before = now;
    now = residual(soft, held, loads, x, f);
    if (now < 1e-8 * scale && now > before / 2) break; /* rounding is what is left */
  }
  if (!(now <= 1e-8 * scale)) fail_msg("no equilibrium: forces of %g N are left of %g N", now, scale);
  syn_system_destroy(system);
  free(f);
  free(step);
  free(blocks);
}

void settle_linear(const syn_soft *soft, const uint8_t *held, const syn_vec3 *loads, syn_vec3 *displacements) {
  syn_error error;
  syn_system *system;
  double(*blocks)[9] = malloc(syn_block_count(soft->pattern) * sizeof *blocks);
  syn_system_options how = syn_default_system_options();
  how.prescribed = held;
  ASSERT_OK(syn_system_create(NULL, soft->pattern, &how, &system, &error));
  soft->model->stiffness(soft->state, soft->rest, 0, false, blocks);
  ASSERT_OK(syn_system_update(system, (const double(*)[9])blocks, NULL, &error));
  ASSERT_OK(syn_system_solve(system, 1, loads, displacements, &error));
  syn_system_destroy(system);
  free(blocks);
}

/* ---- loads ---------------------------------------------------------------------------------------------------------
 */

typedef syn_vec3 load_at(syn_vec3 place, const void *user);

/* A face of six nodes or three: six points, exact for the fourth degree. Curved faces count as they are. */
static void load_triangle(const syn_vec3 *nodes, const uint32_t face[6], int face_nodes, load_at *traction,
                          const void *user, syn_vec3 *loads) {
  const double a = 0.091576213509771, b = 0.445948490915965;
  const double points[6][2] = {{a, a}, {1 - 2 * a, a}, {a, 1 - 2 * a}, {b, b}, {1 - 2 * b, b}, {b, 1 - 2 * b}};
  for (int q = 0; q < 6; ++q) {
    const double l[3] = {1 - points[q][0] - points[q][1], points[q][0], points[q][1]};
    const double slopes[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    double shape[6] = {l[0], l[1], l[2]}, by[6][2];
    memcpy(by, slopes, sizeof slopes);
    for (int i = 0; face_nodes == 6 && i < 3; ++i) {
      const int k = (i + 1) % 3;
      shape[i] = l[i] * (2 * l[i] - 1);
      shape[3 + i] = 4 * l[i] * l[k];
      for (int d = 0; d < 2; ++d) {
        by[i][d] = (4 * l[i] - 1) * slopes[i][d];
        by[3 + i][d] = 4 * (l[i] * slopes[k][d] + l[k] * slopes[i][d]);
      }
    }
    syn_vec3 place = {0}, along = {0}, across = {0};
    for (int i = 0; i < face_nodes; ++i) {
      place = vec3_madd(place, shape[i], nodes[face[i]]);
      along = vec3_madd(along, by[i][0], nodes[face[i]]);
      across = vec3_madd(across, by[i][1], nodes[face[i]]);
    }
    const double area = vec3_length(vec3_cross(along, across)) / 2 * (q < 3 ? 0.109951743655322 : 0.223381589678011);
    const syn_vec3 force = vec3_scale(traction(place, user), area);
    for (int i = 0; i < face_nodes; ++i) loads[face[i]] = vec3_madd(loads[face[i]], shape[i], force);
  }
}

/* A face of four nodes: 2 x 2 points. */
static void load_quad(const syn_vec3 *nodes, const uint32_t face[4], load_at *traction, const void *user,
                      syn_vec3 *loads) {
  static const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const double g = 1 / sqrt(3.0);
  for (int q = 0; q < 4; ++q) {
    syn_vec3 place = {0}, along = {0}, across = {0};
    double shape[4];
    for (int i = 0; i < 4; ++i) {
      const double x = 1 + g * signs[i][0] * signs[q][0], y = 1 + g * signs[i][1] * signs[q][1];
      shape[i] = x * y / 4;
      place = vec3_madd(place, shape[i], nodes[face[i]]);
      along = vec3_madd(along, signs[i][0] * y / 4, nodes[face[i]]);
      across = vec3_madd(across, signs[i][1] * x / 4, nodes[face[i]]);
    }
    const syn_vec3 force = vec3_scale(traction(place, user), vec3_length(vec3_cross(along, across)));
    for (int i = 0; i < 4; ++i) loads[face[i]] = vec3_madd(loads[face[i]], shape[i], force);
  }
}

/* Loads on the faces all of whose nodes lie in the surface. */
static void load_faces(const element_box *box, bool (*in_surface)(syn_vec3 place, double where), double where,
                       load_at *traction, const void *user, syn_vec3 *loads) {
  const fem_element *kind = &syn_fem_elements[box->mesh.element];
  memset(loads, 0, box->mesh.node_count * sizeof *loads);
  for (uint32_t e = 0; e < box->mesh.element_count; ++e)
    for (int k = 0; k < kind->face_count; ++k) {
      uint32_t face[6];
      bool there = true;
      for (int i = 0; i < kind->face_nodes; ++i) {
        face[i] = box->elements[(size_t)e * (size_t)kind->node_count + kind->faces[k][i]];
        there = there && in_surface(box->nodes[face[i]], where);
      }
      if (!there) continue;
      if (kind->face_corners == 4)
        load_quad(box->nodes, face, traction, user, loads);
      else
        load_triangle(box->nodes, face, kind->face_nodes, traction, user, loads);
    }
}

static bool in_plane(syn_vec3 place, double x) { return fabs(place.x - x) < 1e-9 * fabs(x); }
static bool in_sphere(syn_vec3 place, double radius) { return fabs(vec3_length(place) - radius) < 1e-9 * radius; }

void load_end(const element_box *box, double at_x, syn_vec3 (*traction)(syn_vec3 place, const void *user),
              const void *user, syn_vec3 *loads) {
  load_faces(box, in_plane, at_x, traction, user, loads);
}

static syn_vec3 outward(syn_vec3 place, const void *user) {
  return vec3_scale(vec3_unit(place), *(const double *)user);
}

void press_sphere(const element_box *box, double radius, double pressure, syn_vec3 *loads) {
  load_faces(box, in_sphere, radius, outward, &pressure, loads);
}
