/* The built-in scenes. */
#include <math.h>
#include <string.h>

#include <synovia/tissue.h>

#include "base/vec.h"
#include "tissue/haptics/haptics.h"
#include "tissue/haptics/haptics_scene.h"
#include "tissue/simulation/simulation.h"

/* ==== the thigh of Sundaraj 2004 ================================================================================== */

/* The thigh of Sundaraj 2004, §6.2: a fluid in an elastic skin, on a table, under an ultrasound probe. Table 6.1
 * gives its area, volume, resolution and moduli but no shape. 260 nodes on 20 rings of 13 form a rounded cylinder;
 * its length follows from area and volume. */

enum { RINGS = 20, SECTORS = 13, NODES = RINGS * SECTORS, TRIANGLES = 2 * NODES - 4 };
static const double area_mm2 = 225000, volume_mm3 = 8835730;

/* One thigh of radius 1 and this half length. Sector 0 is the highest line. */
static void place(double half_length, syn_vec3 *points) {
  for (int r = 0; r < RINGS; ++r) {
    const double along = SYN_PI * (r + 0.5) / RINGS, radius = sqrt(sin(along));
    for (int s = 0; s < SECTORS; ++s) {
      const double around = 2 * SYN_PI * s / SECTORS;
      points[r * SECTORS + s] = vec3(-half_length * cos(along), radius * sin(around), radius * cos(around));
    }
  }
}

static void connect_rings(syn_triangle *triangles) {
  uint32_t count = 0;
  for (uint32_t s = 1; s + 1 < SECTORS; ++s) { /* both ends are flat */
    const uint32_t last = NODES - SECTORS;
    triangles[count++] = (syn_triangle){{0, s, s + 1}};
    triangles[count++] = (syn_triangle){{last, last + s + 1, last + s}};
  }
  for (uint32_t r = 0; r + 1 < RINGS; ++r)
    for (uint32_t s = 0; s < SECTORS; ++s) {
      const uint32_t a = r * SECTORS + s, b = r * SECTORS + (s + 1) % SECTORS;
      triangles[count++] = (syn_triangle){{a, a + SECTORS, b + SECTORS}};
      triangles[count++] = (syn_triangle){{a, b + SECTORS, b}};
    }
}

static void measure(const syn_vec3 *points, const syn_triangle *triangles, double *area, double *volume) {
  *area = *volume = 0;
  for (uint32_t t = 0; t < TRIANGLES; ++t) {
    const uint32_t *v = triangles[t].v;
    const syn_vec3 a = points[v[0]], cross = vec3_cross(vec3_sub(points[v[1]], a), vec3_sub(points[v[2]], a));
    *area += vec3_length(cross) / 2;
    *volume += vec3_dot(a, cross) / 6;
  }
}

syn_status syn_thigh_skin(const syn_context *context, syn_trimesh **skin, syn_error *error) {
  syn_vec3 points[NODES];
  syn_triangle triangles[TRIANGLES];
  connect_rings(triangles);
  /* area^3 / volume^2 does not depend on the size and grows with the length */
  const double wanted = area_mm2 * area_mm2 * area_mm2 / (volume_mm3 * volume_mm3);
  double low = 1, high = 20, area, volume;
  for (int i = 0; i < 200; ++i) {
    const double half = (low + high) / 2;
    place(half, points);
    measure(points, triangles, &area, &volume);
    *(area * area * area / (volume * volume) < wanted ? &low : &high) = half;
  }
  const double scale = cbrt(volume_mm3 / volume);
  for (int i = 0; i < NODES; ++i) points[i] = vec3_scale(points[i], scale);
  return syn_trimesh_create(context, points, NODES, triangles, TRIANGLES, skin, error);
}

/* The lower part rests on the table and does not move (Eq. 6.3). */
static syn_status hold_lower(const syn_soft *soft, syn_haptics_setup *setup, syn_error *error) {
  double lowest = 0;
  for (uint32_t i = 0; i < soft->node_count; ++i) lowest = min2(lowest, soft->rest[i].z);
  for (uint32_t i = 0; i < soft->node_count; ++i)
    if (soft->rest[i].z < lowest / 2)
      SYN_TRY(syn_simulation_prescribe(setup->simulation, setup->body, i, SYN_XYZ, SYN_NONE, error));
  return SYN_OK;
}

syn_status syn_haptics_make_thigh(syn_haptics_scene *scene, syn_haptics_setup *setup, syn_error *error) {
  syn_trimesh *skin;
  SYN_TRY(syn_thigh_skin(scene->context, &skin, error));
  const syn_body body = {.name = "thigh",
                         .tissue = SYN_TISSUE_MUSCLE,
                         .material = {.young_mpa = 1, .poisson = 0.45, .density_kg_m3 = 1055},
                         .surface = skin};
  syn_soft_options options = syn_default_soft_options();
  options.bulk_mpa = 2700;
  options.connectivity_mpa = 1.4;
  options.vdm_solver = SYN_VDM_QUASI_LINEAR;
  const syn_status status = syn_soft_create(scene->context, "vdm", &body, &options, &scene->store->soft, error);
  syn_trimesh_destroy(skin);
  SYN_TRY(status);
  SYN_TRY(syn_simulation_create(scene->context, NULL, &scene->store->simulation, error));
  setup->simulation = scene->store->simulation;
  SYN_TRY(syn_simulation_add_soft(setup->simulation, scene->store->soft, "thigh", &setup->body, error));
  SYN_TRY(hold_lower(scene->store->soft, setup, error));
  const syn_vec3 under = scene->store->soft->rest[RINGS / 2 * SECTORS]; /* a node in the middle of the front */
  setup->has_push = true;
  scene->push.from = vec3(under.x, under.y, under.z + 1);
  scene->push.depth_mm = 11; /* small deformations: 10 mm */
  return SYN_OK;
}

/* ==== the cubes of Maciel 2005 ==================================================================================== */

/* The four scenes of Maciel 2005, §3.4.6 and Fig. 3.46, with the numbers of molecules in the text. All molecules of
 * a scene are one body, whose fixed ones are prescribed. Objects that lie on others are connected to them. */

enum { MOST = 300 };
static const double spacing = 50.0 / 3; /* three in the 5 cm of the cubes of §3.4.6.2 */

/* Balls on a grid. */
typedef struct lattice {
  uint32_t count;
  int at[MOST][3];
  bool fixed[MOST];
} lattice;

static void add(lattice *l, int x, int y, int z, bool fixed) {
  l->at[l->count][0] = x;
  l->at[l->count][1] = y;
  l->at[l->count][2] = z;
  l->fixed[l->count++] = fixed;
}

static void add_block(lattice *l, const int from[3], const int size[3], bool fixed) {
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x) add(l, from[0] + x, from[1] + y, from[2] + z, fixed);
}

/* Along the axes and the diagonals of squares, as in Table 3.2. */
static bool are_connected(const lattice *l, uint32_t i, uint32_t j) {
  int away = 0;
  for (int c = 0; c < 3; ++c) away += (l->at[i][c] - l->at[j][c]) * (l->at[i][c] - l->at[j][c]);
  return away <= 2;
}

/* The skin in contact: a point on top of every molecule, and triangles between neighbours of one height. */
static syn_status make_skin(const lattice *l, const syn_vec3 *centers, double radius, const syn_context *context,
                            syn_trimesh **skin, syn_error *error) {
  syn_vec3 points[MOST];
  syn_triangle triangles[2 * MOST];
  uint32_t count = 0;
  for (uint32_t i = 0; i < l->count; ++i) points[i] = vec3_madd(centers[i], 0.99 * radius, vec3(0, 0, 1));
  for (uint32_t i = 0; i < l->count; ++i) {
    uint32_t corner[2][2] = {{i, SYN_NONE}, {SYN_NONE, SYN_NONE}};
    for (uint32_t j = 0; j < l->count; ++j) {
      const int x = l->at[j][0] - l->at[i][0], y = l->at[j][1] - l->at[i][1];
      if (l->at[j][2] == l->at[i][2] && (x == 0 || x == 1) && (y == 0 || y == 1)) corner[y][x] = j;
    }
    if (corner[0][1] == SYN_NONE || corner[1][0] == SYN_NONE || corner[1][1] == SYN_NONE) continue;
    triangles[count++] = (syn_triangle){{i, corner[0][1], corner[1][1]}};
    triangles[count++] = (syn_triangle){{i, corner[1][1], corner[1][0]}};
  }
  return syn_trimesh_create(context, points, l->count, triangles, count, skin, error);
}

static syn_status make_soft(syn_haptics_scene *scene, const lattice *l, syn_error *error) {
  syn_vec3 *centers;
  double *radii;
  uint32_t(*connections)[2];
  SYN_TRY(SYN_TAKE(&scene->store->memory, &centers, MOST, error));
  SYN_TRY(SYN_TAKE(&scene->store->memory, &radii, MOST, error));
  SYN_TRY(SYN_TAKE(&scene->store->memory, &connections, (size_t)18 * MOST, error));
  syn_molecules m = {0};
  for (uint32_t i = 0; i < l->count; ++i) {
    centers[i] = vec3_scale(vec3(l->at[i][0], l->at[i][1], l->at[i][2]), spacing);
    radii[i] = spacing / 2;
    for (uint32_t j = 0; j < i; ++j)
      if (are_connected(l, i, j)) {
        connections[m.connection_count][0] = j;
        connections[m.connection_count++][1] = i;
      }
  }
  syn_trimesh *skin;
  SYN_TRY(make_skin(l, centers, spacing / 2, scene->context, &skin, error));
  m.count = l->count;
  m.centers = centers;
  m.radii_mm = radii;
  m.connections = (const uint32_t(*)[2])connections;
  m.skin = skin;
  syn_soft_options options = syn_default_soft_options();
  options.material = (syn_material){.young_mpa = 0.05, .poisson = 0.3, .density_kg_m3 = 1000};
  options.springs = SYN_SPRINGS_LINEAR; /* the others test the body in tension, and a membrane has no extent across */
  options.anchors = 1;
  options.damping_per_s = 20;
  const syn_status status = syn_molecules_create(scene->context, &m, &options, &scene->store->soft, error);
  syn_trimesh_destroy(skin);
  return status;
}

/* The push is onto the highest free molecule that is nearest to the middle of all free ones. */
static void choose_push(syn_haptics_scene *scene, const lattice *l) {
  const syn_vec3 *centers = syn_soft_rest(scene->store->soft);
  syn_vec3 middle = vec3(0, 0, 0);
  uint32_t count = 0, best = SYN_NONE;
  for (uint32_t i = 0; i < l->count; ++i) {
    if (l->fixed[i]) continue;
    middle = vec3_add(middle, centers[i]);
    ++count;
  }
  middle = vec3_madd(vec3_scale(middle, 1.0 / count), 1000, vec3(0, 0, 1));
  for (uint32_t i = 0; i < l->count; ++i)
    if (!l->fixed[i] && (best == SYN_NONE || vec3_distance(centers[i], middle) < vec3_distance(centers[best], middle)))
      best = i;
  scene->push.from = vec3_madd(centers[best], 1 + spacing / 2, vec3(0, 0, 1));
  scene->push.depth_mm = 9;
}

/* Steps of a hundredth of a second, at 100 Hz: real time. */
static syn_status finish(syn_haptics_scene *scene, const lattice *l, syn_haptics_setup *setup, syn_error *error) {
  SYN_TRY(make_soft(scene, l, error));
  syn_simulation_options how = syn_default_simulation_options();
  how.step_s = 0.01;
  how.tolerance = 1e-6;
  SYN_TRY(syn_simulation_create(scene->context, &how, &scene->store->simulation, error));
  SYN_TRY(syn_simulation_add_soft(scene->store->simulation, scene->store->soft, NULL, &setup->body, error));
  for (uint32_t i = 0; i < l->count; ++i)
    if (l->fixed[i])
      SYN_TRY(syn_simulation_prescribe(scene->store->simulation, setup->body, i, SYN_XYZ, SYN_NONE, error));
  setup->simulation = scene->store->simulation;
  setup->options.simulation_hz = 100;
  setup->has_push = true;
  choose_push(scene, l);
  setup->options.probe_radius_mm = 8; /* a finger */
  return SYN_OK;
}

/* 5 x 5 molecules, of which one row and one column are fixed. */
syn_status syn_haptics_make_a(syn_haptics_scene *scene, syn_haptics_setup *setup, syn_error *error) {
  lattice l = {0};
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 5; ++x) add(&l, x, y, 0, x == 0 || y == 0);
  return finish(scene, &l, setup, error);
}

syn_status syn_haptics_make_b(syn_haptics_scene *scene, syn_haptics_setup *setup, syn_error *error) {
  lattice l = {0};
  add_block(&l, (const int[3]){0, 0, 0}, (const int[3]){11, 11, 1}, true);
  add_block(&l, (const int[3]){4, 4, 1}, (const int[3]){3, 3, 3}, false);
  return finish(scene, &l, setup, error);
}

/* The frame has the four sides of the membrane without its corners. */
syn_status syn_haptics_make_c(syn_haptics_scene *scene, syn_haptics_setup *setup, syn_error *error) {
  lattice l = {0};
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 9; ++x) {
      const bool side_x = x == 0 || x == 8, side_y = y == 0 || y == 8;
      if (!(side_x && side_y)) add(&l, x, y, 0, side_x || side_y);
    }
  add_block(&l, (const int[3]){3, 3, 1}, (const int[3]){2, 2, 2}, false);
  return finish(scene, &l, setup, error);
}

syn_status syn_haptics_make_d(syn_haptics_scene *scene, syn_haptics_setup *setup, syn_error *error) {
  lattice l = {0};
  add_block(&l, (const int[3]){0, 0, 0}, (const int[3]){15, 15, 1}, true);
  add_block(&l, (const int[3]){5, 5, 1}, (const int[3]){5, 5, 3}, false);
  return finish(scene, &l, setup, error);
}
