#include "shape/noise.h"

#include "base/vec.h"

/* A value between -1 and 1 for a lattice point: integer mixing only, so no rounding can differ. */
static uint64_t stir(uint64_t h, int64_t part) {
  h = (h ^ (uint64_t)part) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
  return h ^ (h >> 32);
}

static double lattice_value(uint32_t seed, int64_t x, int64_t y, int64_t z) {
  const uint64_t h = stir(stir(stir(seed, x), y), z);
  return (double)(h >> 11) / 4503599627370496.0 - 1; /* 53 bits over 2^52 */
}

/* Rises from 0 to 1 with no slope and no curvature at either end. */
static double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }
static double mix(double a, double b, double t) { return a + t * (b - a); }

double syn_noise(uint32_t seed, syn_vec3 place) {
  const double fx = floor(place.x), fy = floor(place.y), fz = floor(place.z);
  const double tx = fade(place.x - fx), ty = fade(place.y - fy), tz = fade(place.z - fz);
  double layer[2];
  for (int k = 0; k < 2; ++k) {
    double row[2];
    for (int j = 0; j < 2; ++j)
      row[j] = mix(lattice_value(seed, (int64_t)fx, (int64_t)fy + j, (int64_t)fz + k),
                   lattice_value(seed, (int64_t)fx + 1, (int64_t)fy + j, (int64_t)fz + k), tx);
    layer[k] = mix(row[0], row[1], ty);
  }
  return mix(layer[0], layer[1], tz);
}

double syn_noise_octaves(uint32_t seed, syn_vec3 place, int octaves) {
  double sum = 0, height = 1, total = 0;
  for (int i = 0; i < octaves; ++i) {
    sum += height * syn_noise(seed + (uint32_t)i, place);
    total += height;
    height /= 2;
    place = vec3_scale(place, 2);
  }
  return sum / total;
}
