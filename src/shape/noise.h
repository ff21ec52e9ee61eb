/* Smooth value noise: the same on every machine for the same seed. */
#ifndef SYN_SHAPE_NOISE_H
#define SYN_SHAPE_NOISE_H

#include <synovia/base.h>

/* Between -1 and 1, twice differentiable, with hills about 1 apart; `seed` picks one of 2^32 landscapes. */
double syn_noise(uint32_t seed, syn_vec3 place);
/* Adds `octaves` (at least 1) of it, each half as wide and half as high as the one before; still between -1 and 1. */
double syn_noise_octaves(uint32_t seed, syn_vec3 place, int octaves);

#endif
