/* Sorts balls into a uniform grid and finds those that overlap a given ball. For molecules (Maciel 2005, §4.3.1.1). */
#ifndef SYN_COLLIDE_BALL_GRID_H
#define SYN_COLLIDE_BALL_GRID_H

#include <synovia/mesh.h>

#include "base/status.h"

/* A ball by its own number, in the order of the cells. */
typedef struct grid_ball {
  syn_vec3 middle;
  double radius;
  uint32_t number;
} grid_ball;

typedef struct ball_grid {
  const syn_context *context;
  uint32_t ball_count, size[3]; /* cells along each axis */
  syn_box box;                  /* of the middles */
  double cells_per_mm, largest; /* radius */
  uint32_t *start;              /* cell -> its balls: balls[start[c]] … balls[start[c + 1] - 1] */
  size_t start_capacity;
  grid_ball *balls;
} ball_grid;

syn_status syn_ball_grid_create(const syn_context *context, uint32_t ball_count, ball_grid *grid, syn_error *error);
void syn_ball_grid_release(ball_grid *grid);
/* Fills the grid with balls about `middles`; `radii` has one for each, or is NULL and `radius` is that of all. Linear.
 * On failure the grid is empty. */
syn_status syn_ball_grid_fill(ball_grid *grid, const syn_vec3 *middles, const double *radii, double radius,
                              syn_error *error);
/* Visits balls whose centre is nearer to `middle` than both radii together, until `visit` returns false; then returns
 * false. */
bool syn_ball_grid_overlaps(const ball_grid *grid, syn_vec3 middle, double radius,
                            bool (*visit)(void *user, const grid_ball *ball, double distance), void *user);

#endif
