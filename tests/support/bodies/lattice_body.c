#include "lattice_body.h"

#include <stdlib.h>

#include <synovia/tissue.h>

#include "base/vec.h"
#include "tissue/molecule/molecule.h"

static uint32_t number_at(const lattice_body *b, uint32_t x, uint32_t y, uint32_t z) {
  return (z * b->size[1] + y) * b->size[0] + x;
}

static void connect_all(lattice_body *b, int kinds) {
  size_t count = 0;
  b->connections = calloc(1, 13 * sizeof *b->connections * b->size[0] * b->size[1] * b->size[2]);
  for (int n = 14; n < 27; ++n) { /* half of the 26 neighbours */
    const int d[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1}, far = abs(d[0]) + abs(d[1]) + abs(d[2]);
    if (!(kinds >> (far - 1) & 1)) continue;
    for (uint32_t z = 0; z < b->size[2]; ++z)
      for (uint32_t y = 0; y < b->size[1]; ++y)
        for (uint32_t x = 0; x < b->size[0]; ++x) {
          const uint32_t at[3] = {x + (uint32_t)d[0], y + (uint32_t)d[1], z + (uint32_t)d[2]};
          if (at[0] >= b->size[0] || at[1] >= b->size[1] || at[2] >= b->size[2]) continue;
          b->connections[count][0] = number_at(b, x, y, z);
          b->connections[count++][1] = number_at(b, at[0], at[1], at[2]);
        }
  }
  b->molecules.connection_count = count;
  b->molecules.connections = (const uint32_t(*)[2])b->connections;
}

lattice_body make_lattice(uint32_t nx, uint32_t ny, uint32_t nz, syn_vec3 step, int kinds) {
  lattice_body b = {.size = {nx, ny, nz}, .molecules = {0}};
  const uint32_t count = nx * ny * nz;
  b.centers = calloc(1, count * sizeof *b.centers);
  b.radii = calloc(1, count * sizeof *b.radii);
  b.volumes = calloc(1, count * sizeof *b.volumes);
  for (uint32_t z = 0; z < nz; ++z)
    for (uint32_t y = 0; y < ny; ++y)
      for (uint32_t x = 0; x < nx; ++x) {
        const uint32_t i = number_at(&b, x, y, z);
        const uint32_t at[3] = {x, y, z};
        b.centers[i] = vec3(x * step.x, y * step.y, z * step.z);
        b.radii[i] = min2(step.x, min2(step.y, step.z)) / 2;
        b.volumes[i] = step.x * step.y * step.z;
        for (int k = 0; k < 3; ++k)
          if (b.size[k] > 1 && (at[k] == 0 || at[k] == b.size[k] - 1)) b.volumes[i] /= 2;
      }
  connect_all(&b, kinds);
  b.molecules.count = count;
  b.molecules.centers = b.centers;
  b.molecules.radii_mm = b.radii;
  b.molecules.volumes_mm3 = b.volumes;
  b.molecules.bare = true;
  return b;
}

void drop_lattice(lattice_body *b) {
  free(b->centers);
  free(b->radii);
  free(b->volumes);
  free(b->connections);
}

syn_soft_options soft_options(double young_mpa, double poisson, syn_spring_rule rule) {
  syn_soft_options options = syn_default_soft_options();
  options.material = (syn_material){young_mpa, poisson, 1000};
  options.springs = rule;
  return options;
}

syn_vec3 lattice_end_motion(syn_soft *soft, double height, syn_vec3 force) {
  syn_error error;
  syn_simulation *simulation;
  syn_simulation_options options = syn_default_simulation_options();
  options.integrator = SYN_INTEGRATOR_STATIC;
  uint32_t body;
  const molecules *m = soft->state;
  double area = 0;
  ASSERT_OK(syn_simulation_create(NULL, &options, &simulation, &error));
  ASSERT_OK(syn_simulation_add_soft(simulation, soft, NULL, &body, &error));
  for (uint32_t i = 0; i < m->count; ++i)
    if (m->rest[i].z > height - 1e-6) area += m->volume[i];
  for (uint32_t i = 0; i < m->count; ++i) {
    if (m->rest[i].z < 1e-6) ASSERT_OK(syn_simulation_prescribe(simulation, body, i, 7, SYN_NONE, &error));
    if (m->rest[i].z > height - 1e-6) syn_simulation_load(simulation, body, i, vec3_scale(force, m->volume[i] / area));
  }
  ASSERT_OK(syn_simulation_step(simulation, &error));
  const syn_vec3 *x = syn_simulation_positions(simulation, body);
  syn_vec3 mean = {0, 0, 0};
  for (uint32_t i = 0; i < m->count; ++i)
    if (m->rest[i].z > height - 1e-6) mean = vec3_madd(mean, m->volume[i] / area, vec3_sub(x[i], m->rest[i]));
  syn_simulation_destroy(simulation);
  return mean;
}
