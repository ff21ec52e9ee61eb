/* A robot arm over an object on a table (Arbabi 2009, Fig. 51: 1 760 and 1 056 triangles, as here). The arm's levels
 * are separate bodies, so that each can be rotated about its hinge. The hinges are, in order: shoulder (0, 0, height);
 * elbow = shoulder + upper (cos 50°, 0, sin 50°); wrist = elbow + fore (cos 40°, 0, -sin 40°); all rotate about y, and
 * the base about z. */
#include "base/vec.h"
#include "shape/capsule.h"
#include "shape/extrude.h"
#include "shape/loft.h"
#include "shape/shape.h"

enum { HEIGHT, UPPER, FORE, RADIUS, GAP, LEVEL };
static const syn_shape_parameter parameters[] = {
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
  const syn_vec3 shoulder = vec3(0, 0, values[HEIGHT]);
  const syn_vec3 elbow = vec3_madd(shoulder, values[UPPER], vec3(cos(up), 0, sin(up)));
  return (hinges){shoulder, elbow, vec3_madd(elbow, values[FORE], vec3(cos(down), 0, -sin(down)))};
}

/* A foot, a column and a turret that ends just below the shoulder. 11 rings of 20: 440 triangles. */
static syn_status add_base(const double *values, syn_joint *shape, syn_error *error) {
  const double r = values[RADIUS], top = values[HEIGHT] - 1.5 * r;
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
  SYN_TRY(syn_capsule(shape->context, from, to, values[RADIUS], 0.8 * values[RADIUS], 11, 20, &mesh, error));
  return syn_shape_add(shape, name, SYN_TISSUE_BONE, true, mesh, NULL, error);
}

/* Two fingers on a palm, pointing down from the wrist: an outline in the xz plane, given a thickness in y. */
static syn_status add_hand(const double *values, syn_vec3 wrist, syn_joint *shape, syn_error *error) {
  static const syn_point2 corners[] = {{-0.8, -0.8}, {1.5, -0.8}, {2.4, -2.6}, {5, -2.6},  {5.5, -1.8}, {2.9, -1.6},
                                       {2.9, 1.6},   {5.5, 1.8},  {5, 2.6},    {2.4, 2.6}, {1.5, 0.8},  {-0.8, 0.8}};
  syn_point2 room[HAND_OUTLINE];
  syn_outline outline = {room, 0, HAND_OUTLINE};
  for (size_t i = 0; i < sizeof corners / sizeof *corners; ++i)
    syn_outline_add(&outline, corners[i].x * values[RADIUS], corners[i].y * values[RADIUS]);
  syn_outline_refine(&outline, HAND_OUTLINE);
  /* the outline's x points down, its y along x, its thickness along -y */
  const syn_pose pose = {{{{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}}}, wrist};
  syn_trimesh *mesh;
  SYN_TRY(syn_extrude(shape->context, &outline, -0.8 * values[RADIUS], 0.8 * values[RADIUS], 2, &pose, &mesh, error));
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
  const double r = values[RADIUS], least = fmin(values[HEIGHT], fmin(values[UPPER], values[FORE]));
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
  const syn_vec3 foot = vec3(h.wrist.x, 0, tips - values[GAP] - size);
  SYN_TRY(add_object(foot, size, shape, error));
  SYN_TRY(add_table(foot, 3 * r, foot.z - 2 * r, foot.z - 0.01 * r, shape, error));
  /* a positive turn about y lowers the arm; a turn about z is the base's */
  syn_shape_turns(shape, h.shoulder, (syn_joint_axes){{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
  return syn_shape_refine(shape, (uint32_t)values[LEVEL], error);
}

const syn_shape_maker syn_make_arm = {
    {"arm", "a robot arm of four levels, 1 760 triangles, over an object of 1 056 on a table", 6, parameters},
    make_arm};
