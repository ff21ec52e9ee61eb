/* Round shapes: sphere, ball, cup and torus. */
#include "base/vec.h"
#include "shape/closed_surface.h"
#include "shape/shape_maker.h"

/* ---- sphere ------------------------------------------------------------------------------------------------------ */

/* Sphere by subdividing an octahedron: 6, 18, 66, 258, 1 026 … vertices (the counts of Arbabi 2009, Table 2). */

static const syn_shape_parameter sphere_parameters[] = {
    {"radius", "mm", 25, 1e-6, 1e6, false, "radius"},
    {"level", "", 4, 0, 9, true,
     "subdivisions of the octahedron: 2 gives 66 vertices, each further one four times as many"},
};

/* Moves every vertex out to the radius. The mesh has not been handed out yet, so its arrays may still be written. */
static void move_to_sphere(const syn_trimesh *mesh, double radius) {
  syn_vec3 *vertices = (syn_vec3 *)(uintptr_t)mesh->vertices;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) vertices[i] = vec3_scale(vec3_unit(vertices[i]), radius);
}

static syn_status make_sphere(const double *values, syn_joint *shape, syn_error *error) {
  static const syn_vec3 corners[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  static const syn_triangle faces[8] = {{{0, 2, 4}}, {{2, 1, 4}}, {{1, 3, 4}}, {{3, 0, 4}},
                                        {{2, 0, 5}}, {{1, 2, 5}}, {{3, 1, 5}}, {{0, 3, 5}}};
  syn_trimesh *mesh, *finer;
  SYN_TRY(syn_trimesh_create(shape->context, corners, 6, faces, 8, &mesh, error));
  for (int level = 0; level < (int)values[1]; ++level) {
    syn_status status = syn_trimesh_subdivide(mesh, &finer, error);
    syn_trimesh_destroy(mesh);
    if (status != SYN_OK) return status;
    mesh = finer;
    move_to_sphere(mesh, values[0]);
  }
  move_to_sphere(mesh, values[0]);
  return syn_shape_add(shape, "sphere", SYN_TISSUE_BONE, true, mesh, NULL, error);
}

const syn_shape_maker syn_make_sphere = {{"sphere", "a ball from a subdivided octahedron", 2, sphere_parameters},
                                         make_sphere};

/* ---- ball -------------------------------------------------------------------------------------------------------- */

/* Geodesic ball, with a cam where one is asked for: the mobile half of the ball-in-cup scenes (see the cup below). */

enum { BALL_RADIUS, BALL_RESOLUTION, BALL_CAM_HEIGHT, BALL_CAM_WIDTH, BALL_CAM_PLACE };
static const syn_shape_parameter ball_parameters[] = {
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
  const double place = values[BALL_CAM_PLACE] * SYN_PI / 180;
  const cam_ball ball = {values[BALL_RADIUS], values[BALL_CAM_HEIGHT], values[BALL_CAM_WIDTH] * SYN_PI / 180,
                         vec3(cos(place), 0, sin(place))};
  syn_trimesh *mesh;
  SYN_TRY(syn_geodesic(shape->context, (uint32_t)values[BALL_RESOLUTION], vec3(0, 0, 0), radius_towards, &ball, &mesh,
                       error));
  SYN_TRY(syn_shape_add(shape, "ball", SYN_TISSUE_BONE, true, mesh, NULL, error));
  /* a positive turn about y brings the cam from x down into the cup */
  syn_shape_turns(shape, (syn_vec3){0, 0, 0}, (syn_joint_axes){{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
  return SYN_OK;
}

const syn_shape_maker syn_make_ball = {
    {"ball", "a ball of even triangles about the origin, with an optional cam; fits the cup", 5, ball_parameters},
    make_ball};

/* ---- cup --------------------------------------------------------------------------------------------------------- */

/* Part of a spherical shell about the origin, open towards z: the fixed half of the ball-in-cup scenes. */

enum { CUP_INNER, CUP_OUTER, CUP_OPENING, CUP_RESOLUTION };
static const syn_shape_parameter cup_parameters[] = {
    {"inner", "mm", 24, 1e-3, 1e4, false, "radius of the socket"},
    {"outer", "mm", 30, 1e-3, 1e4, false, "radius of the back, larger than inner"},
    {"opening", "deg", 180, 10, 350, false, "angle that the cup spans, seen from its centre: 180 is a hemisphere"},
    {"resolution", "", 80, 2, 1000, true, "rings in a quarter circle; four times as many sectors"},
};

/* Point of the sphere at `angle` degrees from the lowest point; written so that a hemisphere's rim has z = 0 exactly.
 */
static syn_profile_point on_circle(double radius, double angle) {
  const double elevation = (angle - 90) * SYN_PI / 180;
  return (syn_profile_point){radius * cos(elevation), radius * sin(elevation)};
}

/* Up the back, across the rim, down the socket. Returns how many points there are. */
static uint32_t trace_profile(const double *values, uint32_t rings, uint32_t rim, syn_profile_point *out) {
  const double half = values[CUP_OPENING] / 2, thickness = values[CUP_OUTER] - values[CUP_INNER];
  syn_profile_point *const first = out;
  *out++ = (syn_profile_point){0, -values[CUP_OUTER]};
  for (uint32_t i = 1; i < rings; ++i) *out++ = on_circle(values[CUP_OUTER], half * i / rings);
  for (uint32_t i = 0; i <= rim; ++i) *out++ = on_circle(values[CUP_OUTER] - thickness * i / rim, half);
  for (uint32_t i = rings - 1; i > 0; --i) *out++ = on_circle(values[CUP_INNER], half * i / rings);
  *out++ = (syn_profile_point){0, -values[CUP_INNER]};
  return (uint32_t)(out - first);
}

static syn_status make_cup(const double *values, syn_joint *shape, syn_error *error) {
  const double inner = values[CUP_INNER], outer = values[CUP_OUTER], resolution = values[CUP_RESOLUTION];
  if (!(outer > inner * (1 + 1e-6)))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the outer radius of a cup must be larger than its inner one, not %g and %g mm", outer, inner);
  const uint32_t rings = (uint32_t)fmax(1, round(resolution * values[CUP_OPENING] / 180));
  /* rim cells about as wide as those of the shell */
  const double cell = (inner + outer) / 2 * SYN_PI / 2 / resolution;
  const uint32_t rim = (uint32_t)fmin(resolution, fmax(1, round((outer - inner) / cell)));
  syn_profile_point *profile;
  SYN_TRY(SYN_NEW(shape->context, &profile, 2 * (size_t)rings + rim + 1, error));
  const uint32_t count = trace_profile(values, rings, rim, profile);
  syn_trimesh *mesh = NULL;
  syn_status status = syn_revolve(shape->context, profile, count, 4 * (uint32_t)resolution, NULL, &mesh, error);
  syn_free(shape->context, profile);
  if (status != SYN_OK) return status;
  SYN_TRY(syn_shape_add(shape, "cup", SYN_TISSUE_BONE, false, mesh, NULL, error));
  syn_shape_turns(shape, (syn_vec3){0, 0, 0}, (syn_joint_axes){{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
  return SYN_OK;
}

const syn_shape_maker syn_make_cup = {
    {"cup", "a spherical shell about the origin with a rim, open towards z", 4, cup_parameters}, make_cup};

/* ---- torus ------------------------------------------------------------------------------------------------------- */

/* Torus about the z axis; by default the 1 152 triangles of Arbabi 2009, Fig. 52, which roll over the rough ground. */

enum { TORUS_MAJOR, TORUS_MINOR, TORUS_RINGS, TORUS_SECTORS };
static const syn_shape_parameter torus_parameters[] = {
    {"major", "mm", 30, 1e-3, 1e4, false, "radius of the circle that the tube follows"},
    {"minor", "mm", 10, 1e-4, 1e4, false, "radius of the tube, smaller than major"},
    {"rings", "", 24, 3, 4000, true, "points around the tube"},
    {"sectors", "", 24, 3, 4000, true, "points along the tube; rings x sectors vertices, twice as many triangles"},
};

static syn_status make_torus(const double *values, syn_joint *shape, syn_error *error) {
  const double major = values[TORUS_MAJOR], minor = values[TORUS_MINOR];
  if (!(minor < major * (1 - 1e-6)))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the tube of a torus would meet itself: minor (%g mm) must be smaller than major (%g mm)", minor,
                    major);
  const uint32_t rings = (uint32_t)values[TORUS_RINGS];
  syn_profile_point *circle;
  SYN_TRY(SYN_NEW(shape->context, &circle, rings, error));
  for (uint32_t i = 0; i < rings; ++i) {
    const double angle = 2 * SYN_PI * i / rings;
    circle[i] = (syn_profile_point){major + minor * cos(angle), minor * sin(angle)};
  }
  syn_trimesh *mesh = NULL;
  syn_status status = syn_revolve(shape->context, circle, rings, (uint32_t)values[TORUS_SECTORS], NULL, &mesh, error);
  syn_free(shape->context, circle);
  if (status != SYN_OK) return status;
  return syn_shape_add(shape, "torus", SYN_TISSUE_BONE, true, mesh, NULL, error);
}

const syn_shape_maker syn_make_torus = {
    {"torus", "a ring about the z axis, 1 152 triangles as standard", 4, torus_parameters}, make_torus};
