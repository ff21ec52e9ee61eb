/* Geodesic ball, with a cam where one is asked for: the mobile half of the ball-in-cup scenes (see cup.c). */
#include "base/vec.h"
#include "shape/geodesic.h"
#include "shape/shape.h"

enum { RADIUS, RESOLUTION, CAM_HEIGHT, CAM_WIDTH, CAM_PLACE };
static const syn_shape_parameter parameters[] = {
    {"radius", "mm", 23.8, 1e-3, 1e4, false, "radius without the cam"},
    {"resolution", "", 81, 1, 1000, true, "n gives 10 n^2 + 2 vertices: 81 gives 65 612"},
    {"cam-height", "mm", 0, 0, 1e4, false, "height of the cam's top above the ball; 0 for a plain ball"},
    {"cam-width", "deg", 8, 0.1, 60, false, "standard deviation of the cam's Gaussian profile"},
    {"cam-place", "deg", 25, -90, 90, false, "elevation of the cam's top above the plane of the cup's rim"},
};

typedef struct cam_ball {
  double radius, height, width; /* width in radians */
  syn_vec3 top;                 /* unit */
} cam_ball;

static double radius_towards(const void *user, syn_vec3 direction) {
  const cam_ball *ball = user;
  if (ball->height == 0) return ball->radius;
  /* the angle in a form that stays precise at the cam's top, where a cosine would not */
  double off = 2 * asin(fmin(1, vec3_distance(direction, ball->top) / 2)) / ball->width;
  return ball->radius + ball->height * exp(-off * off / 2);
}

static syn_status make_ball(const double *values, syn_joint *shape, syn_error *error) {
  const double place = values[CAM_PLACE] * SYN_PI / 180;
  const cam_ball ball = {values[RADIUS], values[CAM_HEIGHT], values[CAM_WIDTH] * SYN_PI / 180,
                         vec3(cos(place), 0, sin(place))};
  syn_trimesh *mesh;
  SYN_TRY(
      syn_geodesic(shape->context, (uint32_t)values[RESOLUTION], vec3(0, 0, 0), radius_towards, &ball, &mesh, error));
  SYN_TRY(syn_shape_add(shape, "ball", SYN_TISSUE_BONE, true, mesh, NULL, error));
  /* a positive turn about y brings the cam from x down into the cup */
  syn_shape_turns(shape, (syn_vec3){0, 0, 0}, (syn_joint_axes){{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
  return SYN_OK;
}

const syn_shape_maker syn_make_ball = {
    {"ball", "a ball of even triangles about the origin, with an optional cam; fits the cup", 5, parameters},
    make_ball};
