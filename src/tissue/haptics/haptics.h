/* Haptics: what the simulation and the force loop share. */
#ifndef SYN_TISSUE_HAPTICS_H
#define SYN_TISSUE_HAPTICS_H

#include <stdatomic.h>
#include <stdbool.h>

#include <synovia/tissue.h>

#include "base/memory.h"
#include "tissue/simulation/simulation.h"

/* ==== three buffers =============================================================================================== */

/* Three buffers between one writer and one reader, without locks: the writer fills one while the reader uses another,
 * and the third holds the newest that is complete. Neither ever waits. */

typedef struct syn_triple {
  atomic_uint middle; /* index of the buffer between the two, with FRESH if the reader has not taken it */
  unsigned back;      /* the writer's */
  unsigned front;     /* the reader's */
} syn_triple;

enum { SYN_TRIPLE_FRESH = 4 };

static inline void syn_triple_start(syn_triple *triple) {
  atomic_init(&triple->middle, 1);
  triple->back = 0;
  triple->front = 2;
}

/* Publishes the writer's buffer; the writer gets another one with old contents. */
static inline void syn_triple_publish(syn_triple *triple) {
  const unsigned old = atomic_exchange_explicit(&triple->middle, triple->back | SYN_TRIPLE_FRESH, memory_order_acq_rel);
  triple->back = old & 3;
}

/* Makes the newest complete buffer the reader's; returns false if the reader already has it. */
static inline bool syn_triple_take(syn_triple *triple) {
  if (!(atomic_load_explicit(&triple->middle, memory_order_relaxed) & SYN_TRIPLE_FRESH)) return false;
  const unsigned fresh = atomic_exchange_explicit(&triple->middle, triple->front, memory_order_acq_rel);
  triple->front = fresh & 3;
  return true;
}

/* ==== durations =================================================================================================== */

/* Durations counted in bins whose widths grow with them: any quantile to within 2 %, without allocation. */

enum { SYN_TIME_BINS = 1200 };

typedef struct syn_times {
  uint64_t bins[SYN_TIME_BINS];
  uint64_t count;
  double largest_us;
} syn_times;

void syn_times_add(syn_times *times, double us);
syn_haptics_times syn_times_report(const syn_times *times);

/* ==== the two threads ============================================================================================= */

/* Interface of the two threads of a haptic loop: the points that the simulation passes to the force loop, and the
 * two ways to compute them. */

/* Points of the skin near the probe, ascending by vertex, and their compliance. */
typedef struct syn_local {
  uint64_t frame; /* 0: before the first frame */
  uint32_t count, left_off;
  uint32_t *vertex;
  syn_vec3 *start;    /* positions in the frame */
  uint8_t *under_tip; /* the tip pushes them, not the side of the cylinder */
  syn_vec3 *free;     /* positions without the probe; of a vdm: at rest */
  syn_vec3 frame_force;
  /* bodies with a stiffness: displacement of point i per N on point j, row-major with 3 * count columns */
  double *compliance;
  /* volume distribution: the buffer model */
  uint32_t *footprint; /* indices of the points under the tip; only they are touched */
  uint32_t footprint_count;
  double *inverse;   /* of K_buffer without its last row and column: count x count for each direction */
  double *spread;    /* that inverse times V_i n_i: count for each direction */
  double *lift;      /* that inverse times n_i */
  double *area;      /* A_i */
  syn_vec3 *outward; /* n_i */
  double give;       /* sum of n_i . spread_i: volume per pressure */
  double buffer_volume, body_volume, haptic_area; /* of Eq. 6.5 and 6.6 */
} syn_local;

/* One thread's buffers for such points. */
typedef struct syn_touching {
  uint64_t frame; /* frame of the data below */
  uint32_t count; /* points in it */
  uint32_t *vertex;
  syn_vec3 *at; /* last positions, at which normals are computed */
  uint8_t *under_tip;
  uint32_t touching; /* count of points that are pushed */
  syn_vec3 *force;   /* on each of them */
  syn_vec3 *normal, *kept_at;
  uint8_t *kept_tip, *active;
  double *gap, *lambda, *slack, *matrix, *factor, *right;
  uint32_t *list;
} syn_touching;

/* A convex cylinder with a flat tip. */
typedef struct syn_probe {
  double radius_mm, length_mm;
  syn_vec3 axis; /* from the tip to the handle */
} syn_probe;
/* The probe with an axis of length 1. SYN_BAD_ARGUMENT for one that is no cylinder. */
syn_status syn_probe_prepare(const syn_probe *probe, syn_probe *unit, syn_error *error);

/* Returns the distance of a point to the cylinder whose tip has its centre at `tip`: negative inside. `normal` (may be
 * NULL) is the outward unit normal at the nearest surface point. */
double syn_probe_distance(const syn_probe *probe, syn_vec3 tip, syn_vec3 point, syn_vec3 *normal);

/* local.c */
syn_status syn_local_alloc(const syn_context *context, uint32_t most, bool buffer, syn_local *local, syn_error *error);
void syn_local_free(const syn_context *context, syn_local *local);
syn_status syn_touching_alloc(const syn_context *context, uint32_t most, syn_touching *work, syn_error *error);
void syn_touching_free(const syn_context *context, syn_touching *work);
/* Solves frictionless contact of the points with the probe: no penetration to first order, no tension. Forces on the
 * points in work->force; returns that on the probe. */
syn_vec3 syn_local_solve(const syn_local *local, const syn_probe *unit, syn_vec3 tip, syn_touching *work);

/* buffer.c: UPDATE and LINK of Sundaraj 2004, §6.2.3, in the force loop */
/* Returns the force on the probe, Eq. 6.6. *pressure (may be NULL) is that of the buffer. */
syn_vec3 syn_buffer_solve(const syn_local *local, const syn_probe *unit, syn_vec3 tip, syn_touching *work,
                          double *pressure);

/* Small systems, row-major. */
/* Factorises the symmetric positive semidefinite a (Cholesky) in its lower triangle. An unknown that the ones before
 * it determine, for example if two points are the same, is 0 in all solutions. */
void syn_dense_factor(double *a, uint32_t n, uint32_t stride);
void syn_dense_solve(const double *factor, uint32_t n, uint32_t stride, double *x);

/* region.c: the simulation's side */
typedef struct syn_region syn_region;

struct syn_haptics {
  const syn_context *context;
  syn_haptics_options options;
  syn_probe probe; /* with an axis of length 1 */
  syn_simulation *simulation;
  uint32_t body;
  syn_soft *soft;
  bool is_vdm;
  syn_region *region;        /* NULL for a vdm, */
  struct syn_buffer *buffer; /* NULL for others */
  syn_local locals[3];       /* between the two threads */
  syn_triple triple;
  syn_touching sim_work, force_work; /* of each thread */
  syn_vec3 frame_force;
  uint64_t frames;
  uint32_t points, left_off;
  syn_haptics_sample *samples;
  size_t sample_capacity;
};

/* Positions of the body's nodes in the last frame. */
static inline const syn_vec3 *syn_haptics_positions(const syn_haptics *h) {
  return h->simulation->x + h->simulation->bodies[h->body].first_node;
}

syn_status syn_region_create(syn_haptics *h, syn_error *error);
void syn_region_destroy(syn_haptics *h);
syn_status syn_region_frame(syn_haptics *h, syn_vec3 tip, syn_local *local, syn_error *error);

/* buffer.c: for volume distribution: the whole body by its own equations, and CONSTRUCT */
syn_status syn_buffer_create(syn_haptics *h, syn_error *error);
void syn_buffer_destroy(syn_haptics *h);
syn_status syn_buffer_frame(syn_haptics *h, syn_vec3 tip, syn_local *local, syn_error *error);

#endif
