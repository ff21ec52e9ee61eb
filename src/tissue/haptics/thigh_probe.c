/* The thigh of Sundaraj 2004, §6.2: a fluid in an elastic skin, on a table, under an ultrasound probe. Table 6.1
 * gives its area, volume, resolution and moduli but no shape. 260 nodes on 20 rings of 13 form a rounded cylinder;
 * its length follows from area and volume. */
#include <math.h>

#include "base/vec.h"
#include "tissue/haptics/haptics.h"
#include "tissue/haptics/haptics_scene.h"
#include "tissue/simulation/simulation.h"

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
      SYN_TRY(syn_simulation_hold(setup->simulation, setup->body, i, SYN_XYZ, SYN_NONE, error));
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
  SYN_TRY(syn_simulation_add_soft(setup->simulation, scene->store->soft, &setup->body, error));
  syn_simulation_name(setup->simulation, setup->body, "thigh");
  SYN_TRY(hold_lower(scene->store->soft, setup, error));
  const syn_vec3 under = scene->store->soft->rest[RINGS / 2 * SECTORS]; /* a node in the middle of the front */
  setup->has_push = true;
  scene->push.from = vec3(under.x, under.y, under.z + 1);
  scene->push.depth_mm = 11; /* small deformations: 10 mm */
  return SYN_OK;
}
