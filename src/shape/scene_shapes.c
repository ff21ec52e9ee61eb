/* Bodies of the published scenes: cube, ground, lever, wrench and arm. */
#include "base/vec.h"
#include "mesh/builder.h"
#include "shape/closed_surface.h"
#include "shape/noise.h"
#include "shape/shape_maker.h"

/* ---- cube -------------------------------------------------------------------------------------------------------- */

/* Cube about the origin: 6 n^2 + 2 vertices for n cells along an edge, so 4, 8, 16 … cells give the 98, 386, 1 538 …
 * vertices of Arbabi 2009, Table 2. */

enum { CUBE_EDGE, CUBE_CELLS };
static const syn_shape_parameter cube_parameters[] = {
    {"edge", "mm", 40, 1e-6, 1e6, false, "length of an edge"},
    {"cells", "", 8, 1, 1000, true, "squares along an edge: n gives 6 n^2 + 2 vertices, 12 n^2 triangles"},
};

/* Number of the surface point at grid position (x, y, z). Points are counted layer by layer in z: the bottom and the
 * top are full squares, the layers between have only their four sides. */
static uint32_t vertex_at(uint32_t n, const uint32_t p[3]) {
  const uint32_t x = p[0], y = p[1], z = p[2], square = (n + 1) * (n + 1);
  if (z == 0) return y * (n + 1) + x;
  const uint32_t start = square + (z - 1) * 4 * n;
  if (z == n) return start + y * (n + 1) + x;
  if (y == 0) return start + x;
  if (x == n) return start + n + y;
  if (y == n) return start + 2 * n + (n - x);
  return start + 3 * n + (n - y);
}

/* The side where coordinate `axis` is 0 or n: its points and its triangles. The other two coordinates are taken in the
 * order that makes the triangles face outward. */
typedef struct cube_side {
  uint32_t cells;
  int axis, u, v;
  bool far;
} cube_side;

static uint32_t vertex_on_side(const cube_side *s, uint32_t i, uint32_t j, uint32_t place[3]) {
  place[s->axis] = s->far ? s->cells : 0;
  place[s->u] = i;
  place[s->v] = j;
  return vertex_at(s->cells, place);
}

static void place_side(const cube_side *s, double edge, syn_vec3 *points) {
  const uint32_t n = s->cells;
  uint32_t p[3];
  for (uint32_t j = 0; j <= n; ++j)
    for (uint32_t i = 0; i <= n; ++i) {
      syn_vec3 *point = &points[vertex_on_side(s, i, j, p)];
      *point = vec3(edge * ((double)p[0] / n - 0.5), edge * ((double)p[1] / n - 0.5), edge * ((double)p[2] / n - 0.5));
    }
}

static syn_triangle *triangulate_side(const cube_side *s, syn_triangle *out) {
  uint32_t p[3];
  for (uint32_t j = 0; j < s->cells; ++j)
    for (uint32_t i = 0; i < s->cells; ++i) {
      const uint32_t a = vertex_on_side(s, i, j, p), b = vertex_on_side(s, i + 1, j, p),
                     c = vertex_on_side(s, i + 1, j + 1, p), d = vertex_on_side(s, i, j + 1, p);
      *out++ = (syn_triangle){{a, b, c}};
      *out++ = (syn_triangle){{a, c, d}};
    }
  return out;
}

static syn_status make_cube(const double *values, syn_joint *shape, syn_error *error) {
  const uint32_t n = (uint32_t)values[CUBE_CELLS];
  const size_t squares = 6 * (size_t)n * n;
  syn_builder builder = {.context = shape->context};
  SYN_TRY(syn_builder_size(&builder, squares + 2, 2 * squares, 0, error));
  syn_triangle *out = builder.triangles;
  for (int i = 0; i < 6; ++i) {
    const bool far = i % 2;
    const int axis = i / 2;
    const cube_side s = {n, axis, (axis + (far ? 1 : 2)) % 3, (axis + (far ? 2 : 1)) % 3, far};
    place_side(&s, values[CUBE_EDGE], builder.points);
    out = triangulate_side(&s, out);
  }
  syn_trimesh *mesh;
  SYN_TRY(syn_builder_trimesh(&builder, &mesh, error));
  return syn_shape_add(shape, "cube", SYN_TISSUE_BONE, false, mesh, NULL, error);
}

const syn_shape_maker syn_make_cube = {{"cube", "a cube about the origin with a grid on each side", 2, cube_parameters},
                                       make_cube};

/* ---- ground ------------------------------------------------------------------------------------------------------ */

/* Rough ground: a slab with seeded hills, for things to roll and slide on (Arbabi 2009, Fig. 52). */

enum { GROUND_SIZE, GROUND_ROUGHNESS, GROUND_HILL, GROUND_THICKNESS, GROUND_CELLS, GROUND_SEED };
static const syn_shape_parameter ground_parameters[] = {
    {"size", "mm", 400, 1e-3, 1e6, false, "length and width"},
    {"roughness", "mm", 12, 0, 1e5, false, "heights lie between plus and minus this"},
    {"hill", "mm", 60, 1e-3, 1e6, false, "distance between hills, at least a thousandth of the size"},
    {"thickness", "mm", 10, 1e-3, 1e6, false, "of the slab below the lowest possible height"},
    {"cells", "", 42, 1, 2000, true, "squares along an edge: n gives 2 n^2 + 12 n triangles, 42 gives 4 032"},
    {"seed", "", 1, 0, 4294967295.0, true, "which landscape"},
};

/* Vertices: (n + 1)^2 of the top row by row, 4 n around the bottom, the bottom's middle. */
typedef struct slab {
  uint32_t n;
  double size, bottom;
} slab;

/* Grid position of the border point number s = 0 … 4 n - 1, counter-clockwise from above. */
static void border_at(uint32_t n, uint32_t s, uint32_t *x, uint32_t *y) {
  const uint32_t side = s / n % 4, along = s % n;
  *x = side == 0 ? along : side == 1 ? n : side == 2 ? n - along : 0;
  *y = side == 0 ? 0 : side == 1 ? along : side == 2 ? n : n - along;
}

static uint32_t top_vertex(uint32_t n, uint32_t x, uint32_t y) { return y * (n + 1) + x; }

static syn_vec3 flat_place(const slab *g, uint32_t x, uint32_t y, double z) {
  return vec3(g->size * ((double)x / g->n - 0.5), g->size * ((double)y / g->n - 0.5), z);
}

static void place_ground_points(const slab *g, const double *values, syn_vec3 *points) {
  const uint32_t n = g->n;
  for (uint32_t y = 0; y <= n; ++y)
    for (uint32_t x = 0; x <= n; ++x) {
      syn_vec3 p = flat_place(g, x, y, 0);
      p.z = values[GROUND_ROUGHNESS] *
            syn_noise_octaves((uint32_t)values[GROUND_SEED], vec3_scale(p, 1 / values[GROUND_HILL]), 3);
      points[top_vertex(n, x, y)] = p;
    }
  syn_vec3 *rim = points + (size_t)(n + 1) * (n + 1);
  for (uint32_t s = 0, x, y; s < 4 * n; ++s) {
    border_at(n, s, &x, &y);
    rim[s] = flat_place(g, x, y, g->bottom);
  }
  rim[4 * n] = vec3(0, 0, g->bottom);
}

static void triangulate_ground(uint32_t n, syn_triangle *out) {
  for (uint32_t y = 0; y < n; ++y)
    for (uint32_t x = 0; x < n; ++x) {
      const uint32_t a = top_vertex(n, x, y), c = top_vertex(n, x + 1, y + 1);
      *out++ = (syn_triangle){{a, a + 1, c}};
      *out++ = (syn_triangle){{a, c, c - 1}};
    }
  const uint32_t rim = (n + 1) * (n + 1), around = 4 * n, middle = rim + around;
  for (uint32_t s = 0, x, y; s < around; ++s) {
    const uint32_t next = (s + 1) % around, low = rim + s, low_next = rim + next;
    border_at(n, s, &x, &y);
    const uint32_t high = top_vertex(n, x, y);
    border_at(n, next, &x, &y);
    const uint32_t high_next = top_vertex(n, x, y);
    *out++ = (syn_triangle){{low, low_next, high_next}};
    *out++ = (syn_triangle){{low, high_next, high}};
    *out++ = (syn_triangle){{middle, low_next, low}};
  }
}

static syn_status make_ground(const double *values, syn_joint *shape, syn_error *error) {
  if (values[GROUND_HILL] < values[GROUND_SIZE] / 1000)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "hill of a ground must be at least a thousandth of its size (%g mm), not %g",
                    values[GROUND_SIZE] / 1000, values[GROUND_HILL]);
  const slab g = {(uint32_t)values[GROUND_CELLS], values[GROUND_SIZE],
                  -values[GROUND_ROUGHNESS] - values[GROUND_THICKNESS]};
  const size_t n = g.n;
  syn_builder builder = {.context = shape->context};
  SYN_TRY(syn_builder_size(&builder, (n + 1) * (n + 1) + 4 * n + 1, 2 * n * n + 12 * n, 0, error));
  place_ground_points(&g, values, builder.points);
  triangulate_ground(g.n, builder.triangles);
  syn_trimesh *mesh;
  SYN_TRY(syn_builder_trimesh(&builder, &mesh, error));
  return syn_shape_add(shape, "ground", SYN_TISSUE_BONE, false, mesh, NULL, error);
}

const syn_shape_maker syn_make_ground = {
    {"ground", "a slab with rough hills on top, about 4 000 triangles as standard", 6, ground_parameters}, make_ground};

/* ---- lever ------------------------------------------------------------------------------------------------------- */

/* A lever that turns about its gad and lifts a stone (Arbabi 2009, Fig. 49: 1 056 and 1 280 triangles, as here). */

enum { LEVER_LONG, LEVER_SHORT, LEVER_RADIUS, LEVER_STONE, LEVER_ROUGHNESS, LEVER_GAP, LEVER_SEED, LEVER_LEVEL };
static const syn_shape_parameter lever_parameters[] = {
    {"long", "mm", 150, 1, 1e5, false, "from the gad at the origin to the hand's end, along x"},
    {"short", "mm", 50, 1, 1e5, false, "from the gad to the end under the stone, along -x"},
    {"radius", "mm", 6, 0.1, 1e4, false, "of the lever at its short end; the hand's end is a third thinner"},
    {"stone", "mm", 30, 0.1, 1e5, false, "mean radius of the stone"},
    {"roughness", "", 0.2, 0, 0.9, false, "of the stone, as a share of its radius"},
    {"gap", "mm", 2, 1e-3, 1e4, false, "least gap between the level lever and the stone above it"},
    {"seed", "", 1, 0, 4294967295.0, true, "which stone"},
    SYN_SHAPE_LEVEL,
};

static double stone_radius(const void *user, syn_vec3 direction) {
  const double *values = user;
  const double bump = syn_noise_octaves((uint32_t)values[LEVER_SEED], vec3_scale(direction, 1.5), 3);
  return values[LEVER_STONE] * (1 + values[LEVER_ROUGHNESS] * bump);
}

static syn_status make_lever(const double *values, syn_joint *shape, syn_error *error) {
  syn_trimesh *mesh;
  const double thin = values[LEVER_RADIUS] * 2 / 3;
  SYN_TRY(syn_capsule(shape->context, vec3(-values[LEVER_SHORT], 0, 0), vec3(values[LEVER_LONG], 0, 0),
                      values[LEVER_RADIUS], thin, 22, 24, &mesh, error));
  SYN_TRY(syn_shape_add(shape, "lever", SYN_TISSUE_BONE, true, mesh, NULL, error));
  /* the stone rests over the short end, clear of the lever however rough it is */
  const double height = values[LEVER_RADIUS] + values[LEVER_GAP] + values[LEVER_STONE] * (1 + values[LEVER_ROUGHNESS]);
  SYN_TRY(syn_geodesic(shape->context, 8, vec3(-values[LEVER_SHORT], 0, height), stone_radius, values, &mesh, error));
  SYN_TRY(syn_shape_add(shape, "stone", SYN_TISSUE_BONE, false, mesh, NULL, error));
  /* a positive turn about y lowers the long end and lifts the short one */
  syn_shape_turns(shape, (syn_vec3){0, 0, 0}, (syn_joint_axes){{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
  return syn_shape_refine(shape, (uint32_t)values[LEVER_LEVEL], error);
}

const syn_shape_maker syn_make_lever = {
    {"lever", "a lever about its gad and a stone over its short end: 1 056 and 1 280 triangles", 8, lever_parameters},
    make_lever};

/* ---- wrench ------------------------------------------------------------------------------------------------------ */

/* A wrench around the head of a screw, turning about the screw's axis, z (Arbabi 2009, Fig. 50: 2 878 and 921
 * triangles; here 2 876 and 912). */

enum { WRENCH_FLATS, WRENCH_PLAY, WRENCH_LENGTH, WRENCH_THICKNESS, WRENCH_SHANK, WRENCH_THREAD, WRENCH_LEVEL };
static const syn_shape_parameter wrench_parameters[] = {
    {"flats", "mm", 13, 0.1, 1e4, false, "distance between opposite sides of the screw's head"},
    {"play", "mm", 0.1, 1e-4, 1e3, false, "gap between the head and either jaw, at most a tenth of flats"},
    {"length", "mm", 110, 0.1, 1e5, false, "from the screw's axis to the end of the handle, 2 to 100 times flats"},
    {"thickness", "mm", 5, 0.1, 1e4, false, "of the wrench; the head is as high"},
    {"shank", "mm", 20, 0.1, 1e5, false, "length of the screw below its head"},
    {"thread", "", 0.12, 0, 0.5, false, "depth of the thread as a share of the shank's radius"},
    SYN_SHAPE_LEVEL,
};
enum { OUTLINE = 180, LAYERS = 7 };

/* Counter-clockwise from the root of the handle's upper edge: round the upper jaw, into the mouth (open towards -x),
 * round the lower jaw, and round the handle's end. */
static void trace_wrench(const double *values, syn_outline *outline) {
  const double apothem = values[WRENCH_FLATS] / 2, gap = apothem + values[WRENCH_PLAY],
               head = values[WRENCH_FLATS] * 1.1;
  const double back = 2 * apothem / sqrt(3) + values[WRENCH_PLAY], handle = apothem * 0.9;
  const double root = asin(handle / head), mouth = SYN_PI - asin(gap / head);
  syn_outline_arc(outline, 0, 0, head, root, mouth, 24);
  syn_outline_add(outline, back, gap);
  syn_outline_add(outline, back, -gap);
  syn_outline_arc(outline, 0, 0, head, -mouth, -root, 24);
  syn_outline_arc(outline, values[WRENCH_LENGTH] - handle, 0, handle, -SYN_PI / 2, SYN_PI / 2, 12);
  syn_outline_refine(outline, OUTLINE);
}

/* ---- screw ------------------------------------------------------------------------------------------------------ */

enum { SHANK_RINGS = 14, SCREW_RINGS = SHANK_RINGS + 5, SCREW_SECTORS = 24 };

/* Distance from the middle to the side of a hexagon with corners on the x axis, for sector s of 24. */
static double hexagon(double apothem, uint32_t s) { return apothem / cos((s % 4 - 2.0) * 2 * SYN_PI / SCREW_SECTORS); }

/* The shank's radius waves along a helix that turns once in four rings; its top ring is plain. */
static double shank_radius(const double *values, uint32_t ring, uint32_t sector) {
  const double plain = values[WRENCH_FLATS] * 0.3;
  if (ring + 1 >= SHANK_RINGS) return plain;
  const double phase = ring / 4.0 - (double)sector / SCREW_SECTORS;
  return plain * (1 - values[WRENCH_THREAD] / 2 * (1 + cos(2 * SYN_PI * phase)));
}

static syn_vec3 place_on_rings(const double *values, uint32_t ring, uint32_t sector) {
  const double angle = 2 * SYN_PI * sector / SCREW_SECTORS, apothem = values[WRENCH_FLATS] / 2;
  double r, z;
  if (ring < SHANK_RINGS) {
    r = shank_radius(values, ring, sector);
    z = -values[WRENCH_SHANK] * (SHANK_RINGS - 1 - ring) / (SHANK_RINGS - 1);
  } else {
    /* underside, two levels of the sides, top edge, and a ring inside the top */
    const uint32_t step = ring - SHANK_RINGS;
    r = hexagon(apothem, sector) * (step == 4 ? 0.5 : 1);
    z = values[WRENCH_THICKNESS] * fmin(step, 3) / 3;
  }
  return vec3(r * cos(angle), r * sin(angle), z);
}

/* The rings between two poles. */
static syn_vec3 place_on_screw(const void *user, uint32_t ring, uint32_t sector) {
  const double *values = user;
  if (ring == 0) return vec3(0, 0, -values[WRENCH_SHANK]);
  if (ring == SCREW_RINGS + 1) return vec3(0, 0, values[WRENCH_THICKNESS]);
  return place_on_rings(values, ring - 1, sector);
}

static syn_status make_wrench(const double *values, syn_joint *shape, syn_error *error) {
  if (values[WRENCH_PLAY] > values[WRENCH_FLATS] / 10)
    return syn_fail(error, SYN_BAD_ARGUMENT, "play of a wrench must be at most a tenth of flats, that is %g mm, not %g",
                    values[WRENCH_FLATS] / 10, values[WRENCH_PLAY]);
  if (values[WRENCH_LENGTH] < 2 * values[WRENCH_FLATS] || values[WRENCH_LENGTH] > 100 * values[WRENCH_FLATS])
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "length of a wrench must be 2 to 100 times flats, that is %g to %g mm, not %g",
                    2 * values[WRENCH_FLATS], 100 * values[WRENCH_FLATS], values[WRENCH_LENGTH]);
  syn_point2 room[OUTLINE];
  syn_outline outline = {room, 0, OUTLINE};
  trace_wrench(values, &outline);
  syn_trimesh *mesh;
  SYN_TRY(syn_extrude(shape->context, &outline, 0, values[WRENCH_THICKNESS], LAYERS, NULL, &mesh, error));
  SYN_TRY(syn_shape_add(shape, "wrench", SYN_TISSUE_BONE, true, mesh, NULL, error));
  const syn_loft screw = {SCREW_RINGS + 2, SCREW_SECTORS, SYN_LOFT_POLES, SCREW_RINGS + 2, place_on_screw, values};
  SYN_TRY(syn_loft_make(shape->context, &screw, &mesh, error));
  SYN_TRY(syn_shape_add(shape, "screw", SYN_TISSUE_BONE, false, mesh, NULL, error));
  syn_shape_turns(shape, (syn_vec3){0, 0, values[WRENCH_THICKNESS] / 2},
                  (syn_joint_axes){{0, 0, 1}, {1, 0, 0}, {0, 1, 0}});
  return syn_shape_refine(shape, (uint32_t)values[WRENCH_LEVEL], error);
}

const syn_shape_maker syn_make_wrench = {
    {"wrench", "an open wrench around the head of a screw: 2 876 and 912 triangles", 7, wrench_parameters},
    make_wrench};

/* ---- arm --------------------------------------------------------------------------------------------------------- */

/* A robot arm over an object on a table (Arbabi 2009, Fig. 51: 1 760 and 1 056 triangles, as here). The arm's levels
 * are separate bodies, so that each can be rotated about its hinge. The hinges are, in order: shoulder (0, 0, height);
 * elbow = shoulder + upper (cos 50°, 0, sin 50°); wrist = elbow + fore (cos 40°, 0, -sin 40°); all rotate about y, and
 * the base about z. */

enum { ARM_HEIGHT, ARM_UPPER, ARM_FORE, ARM_RADIUS, ARM_GAP, ARM_LEVEL };
static const syn_shape_parameter arm_parameters[] = {
    {"height", "mm", 120, 1, 1e5, false, "of the shoulder above the floor, at least six times radius"},
    {"upper", "mm", 150, 1, 1e5, false, "from the shoulder to the elbow, at least six times radius"},
    {"fore", "mm", 130, 1, 1e5, false, "from the elbow to the wrist, at least six times radius"},
    {"radius", "mm", 10, 0.1, 1e4, false, "of the arm's bars"},
    {"gap", "mm", 25, 1e-3, 1e5, false, "from the level of the fingers' tips down to the object's top"},
    SYN_SHAPE_LEVEL,
};
enum { HAND_OUTLINE = 74, PROFILE = 24 };

typedef struct hinges {
  syn_vec3 shoulder, elbow, wrist;
} hinges;

static hinges find_hinges(const double *values) {
  const double up = 50 * SYN_PI / 180, down = 40 * SYN_PI / 180;
  const syn_vec3 shoulder = vec3(0, 0, values[ARM_HEIGHT]);
  const syn_vec3 elbow = vec3_madd(shoulder, values[ARM_UPPER], vec3(cos(up), 0, sin(up)));
  return (hinges){shoulder, elbow, vec3_madd(elbow, values[ARM_FORE], vec3(cos(down), 0, -sin(down)))};
}

/* A foot, a column and a turret that ends just below the shoulder. 11 rings of 20: 440 triangles. */
static syn_status add_base(const double *values, syn_joint *shape, syn_error *error) {
  const double r = values[ARM_RADIUS], top = values[ARM_HEIGHT] - 1.5 * r;
  const syn_profile_point profile[13] = {{0, 0},
                                         {2, 0},
                                         {4, 0},
                                         {4, r},
                                         {3, 1.5 * r},
                                         {2, 2 * r},
                                         {2, top - r},
                                         {2.5, top - r / 2},
                                         {2.5, top - r / 4},
                                         {2, top},
                                         {1, top},
                                         {0.5, top},
                                         {0, top}};
  syn_profile_point scaled[13];
  for (int i = 0; i < 13; ++i) scaled[i] = (syn_profile_point){profile[i].r * r, profile[i].z};
  syn_trimesh *mesh;
  SYN_TRY(syn_revolve(shape->context, scaled, 13, 20, NULL, &mesh, error));
  return syn_shape_add(shape, "base", SYN_TISSUE_BONE, false, mesh, NULL, error);
}

/* A bar from hinge to hinge, 440 triangles; neighbours lie side by side in y so that they do not overlap. */
static syn_status add_bar(const double *values, const char *name, syn_vec3 from, syn_vec3 to, double y,
                          syn_joint *shape, syn_error *error) {
  from.y = to.y = y;
  syn_trimesh *mesh;
  SYN_TRY(syn_capsule(shape->context, from, to, values[ARM_RADIUS], 0.8 * values[ARM_RADIUS], 11, 20, &mesh, error));
  return syn_shape_add(shape, name, SYN_TISSUE_BONE, true, mesh, NULL, error);
}

/* Two fingers on a palm, pointing down from the wrist: an outline in the xz plane, given a thickness in y. */
static syn_status add_hand(const double *values, syn_vec3 wrist, syn_joint *shape, syn_error *error) {
  static const syn_point2 corners[] = {{-0.8, -0.8}, {1.5, -0.8}, {2.4, -2.6}, {5, -2.6},  {5.5, -1.8}, {2.9, -1.6},
                                       {2.9, 1.6},   {5.5, 1.8},  {5, 2.6},    {2.4, 2.6}, {1.5, 0.8},  {-0.8, 0.8}};
  syn_point2 room[HAND_OUTLINE];
  syn_outline outline = {room, 0, HAND_OUTLINE};
  for (size_t i = 0; i < sizeof corners / sizeof *corners; ++i)
    syn_outline_add(&outline, corners[i].x * values[ARM_RADIUS], corners[i].y * values[ARM_RADIUS]);
  syn_outline_refine(&outline, HAND_OUTLINE);
  /* the outline's x points down, its y along x, its thickness along -y */
  const syn_pose pose = {{{{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}}}, wrist};
  syn_trimesh *mesh;
  SYN_TRY(syn_extrude(shape->context, &outline, -0.8 * values[ARM_RADIUS], 0.8 * values[ARM_RADIUS], 2, &pose, &mesh,
                      error));
  return syn_shape_add(shape, "hand", SYN_TISSUE_BONE, true, mesh, NULL, error);
}

/* An egg of 22 rings of 24, 1 056 triangles, `height` high with its lowest point at `foot`. */
static syn_status add_object(syn_vec3 foot, double height, syn_joint *shape, syn_error *error) {
  syn_profile_point profile[PROFILE];
  for (int i = 0; i < PROFILE; ++i) {
    const double angle = SYN_PI * i / (PROFILE - 1);
    const double bulge = 0.35 + 0.08 * cos(angle); /* wider below the middle */
    profile[i] = (syn_profile_point){height * bulge * sin(angle), height * (1 - cos(angle)) / 2};
  }
  profile[PROFILE - 1].r = 0;
  const syn_pose pose = {syn_pose_identity().rotation, foot};
  syn_trimesh *mesh;
  SYN_TRY(syn_revolve(shape->context, profile, PROFILE, 24, &pose, &mesh, error));
  return syn_shape_add(shape, "object", SYN_TISSUE_BONE, false, mesh, NULL, error);
}

static syn_status add_table(syn_vec3 middle, double half, double bottom, double top, syn_joint *shape,
                            syn_error *error) {
  syn_point2 square[4] = {
      {middle.x - half, -half}, {middle.x + half, -half}, {middle.x + half, half}, {middle.x - half, half}};
  const syn_outline outline = {square, 4, 4};
  syn_trimesh *mesh;
  SYN_TRY(syn_extrude(shape->context, &outline, bottom, top, 1, NULL, &mesh, error));
  return syn_shape_add(shape, "table", SYN_TISSUE_BONE, false, mesh, NULL, error);
}

static syn_status make_arm(const double *values, syn_joint *shape, syn_error *error) {
  const double r = values[ARM_RADIUS], least = fmin(values[ARM_HEIGHT], fmin(values[ARM_UPPER], values[ARM_FORE]));
  if (least < 6 * r)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "height, upper and fore of an arm must be at least six times its radius, that is %g mm, not %g",
                    6 * r, least);
  const hinges h = find_hinges(values);
  SYN_TRY(add_base(values, shape, error));
  SYN_TRY(add_bar(values, "upper-arm", h.shoulder, h.elbow, 0, shape, error));
  SYN_TRY(add_bar(values, "forearm", h.elbow, h.wrist, 2.2 * r, shape, error));
  SYN_TRY(add_hand(values, h.wrist, shape, error));
  /* the object stands below the hand, the table a hair below the object */
  const double tips = h.wrist.z - 5.5 * r, size = 4 * r;
  const syn_vec3 foot = vec3(h.wrist.x, 0, tips - values[ARM_GAP] - size);
  SYN_TRY(add_object(foot, size, shape, error));
  SYN_TRY(add_table(foot, 3 * r, foot.z - 2 * r, foot.z - 0.01 * r, shape, error));
  /* a positive turn about y lowers the arm; a turn about z is the base's */
  syn_shape_turns(shape, h.shoulder, (syn_joint_axes){{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
  return syn_shape_refine(shape, (uint32_t)values[ARM_LEVEL], error);
}

const syn_shape_maker syn_make_arm = {
    {"arm", "a robot arm of four levels, 1 760 triangles, over an object of 1 056 on a table", 6, arm_parameters},
    make_arm};
