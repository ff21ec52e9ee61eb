/* The parametric hip: its parameters, its frames, and its six bodies put together. */
#include "shape/hip_shape.h"

#include <synovia/shape.h>

#include "base/status.h"
#include "shape/shape_maker.h"

enum {
  CE,
  ALPHA,
  RADIUS,
  RESOLUTION,
  GAP,
  CARTILAGE,
  LABRUM_HEIGHT,
  LABRUM_BASE,
  ZONE_WIDTH,
  CARTILAGE_EDGE,
  NECK_SHAFT,
  FEMORAL_VERSION,
  ACETABULAR_VERSION,
  CUP_TILT,
  CAM_CLOCK,
  CAM_WIDTH,
  CAM_HEIGHT,
  NECK_RATIO,
  SHAFT_RATIO,
  SHAFT_LENGTH,
  ANATOMY,
  PARAMETERS
};

static const syn_shape_parameter parameters[PARAMETERS] = {
    [CE] = {"ce", "deg", 20, -10, 50, false,
            "lateral centre-edge angle: from the vertical to the edge of the socket in the frontal plane (published "
            "hips: 0 to 40; dysplasia below 20, over-coverage from 40)"},
    [ALPHA] = {"alpha", "deg", 40, 35, 90, false,
               "angle at the head's centre between the neck and where the head stops being a sphere (published hips: "
               "40 to 80; a cam above 55 to 60)"},
    [RADIUS] = {"radius", "mm", 25, 15, 40, false,
                "radius at which femoral and acetabular cartilage slide; the bones "
                "grow with it"},
    [RESOLUTION] = {"resolution", "", 5, 2, 40, true,
                    "density of the meshes: 12 points round the head per unit; "
                    "triangles grow with its square, about 20 000 at 5"},
    [GAP] = {"gap", "mm", 0.01, 0, 2, false,
             "least distance left between head and socket, so that they do not collide "
             "at rest"},
    [CARTILAGE] = {"cartilage", "mm", 2, 0.5, 4, false,
                   "thickness of the acetabular cartilage, and of the femoral one "
                   "where it is thickest"},
    [LABRUM_HEIGHT] = {"labrum-height", "mm", 7, 1, 10, false, "from the bony rim to the labrum's tip, along the head"},
    [LABRUM_BASE] = {"labrum-base", "mm", 2.5, 0.5, 5, false, "thickness of the labrum at the bony rim"},
    [ZONE_WIDTH] = {"zone-width", "mm", 2, 0, 6, false,
                    "width of the chondrolabral transition zone, between cartilage and labrum, rounded to whole rings "
                    "of the mesh; 0 for none"},
    [CARTILAGE_EDGE] = {"cartilage-edge", "deg", 0, 0, 100, false,
                        "angle from the neck at which the femoral cartilage ends (82 in the published study); 0: at "
                        "alpha, and head and socket keep the gap. Otherwise both have one radius, and their facets "
                        "overlap"},
    [NECK_SHAFT] = {"neck-shaft", "deg", 135, 110, 150, false, "angle between the neck and the shaft of the femur"},
    [FEMORAL_VERSION] = {"femoral-version", "deg", 0, -30, 50, false,
                         "how far the neck points forward, seen along the "
                         "shaft"},
    [ACETABULAR_VERSION] = {"acetabular-version", "deg", 0, -30, 40, false,
                            "how far the socket opens forward, seen "
                            "from above"},
    [CUP_TILT] = {"cup-tilt", "deg", 42, 30, 55, false,
                  "angle between the plane of the socket's opening and the "
                  "horizontal"},
    [CAM_CLOCK] = {"cam-clock", "h", 1.5, 0, 12, false,
                   "middle of the cam on the clock face round the neck: 12 top, 3 "
                   "front; matters when cam-width is below 360"},
    [CAM_WIDTH] = {"cam-width", "deg", 360, 0, 360, false,
                   "how far the full cam reaches round the neck; it fades out "
                   "over 30 deg more on both sides; 360 as published"},
    [CAM_HEIGHT] = {"cam-height", "", 1, 0, 1.2, false,
                    "factor on the height of the cam's bulge; 1 gives the "
                    "published penetration depths"},
    [NECK_RATIO] = {"neck-ratio", "", 0.52, 0.4, 0.53, false, "radius of the neck over the joint radius"},
    [SHAFT_RATIO] = {"shaft-ratio", "", 0.56, 0.4, 0.7, false, "radius of the shaft over the joint radius"},
    [SHAFT_LENGTH] = {"shaft-length", "mm", 100, 40, 400, false, "length of the straight part of the shaft"},
    [ANATOMY] = {"anatomy", "", 0, 0, 1, true,
                 "1: trochanters, ilium, its lower spine, pubis and ischium in proportion; 0: the plain bones of the "
                 "published study"},
};

static double degrees(double value) { return value * SYN_PI / 180; }

/* ---- from numbers to a geometry ---------------------------------------------------------------------------------- */

static syn_hip_model_frame neck_frame(double neck_shaft, double version) {
  double down = SYN_PI - neck_shaft; /* between the neck and the shaft, which hangs down */
  syn_vec3 axis = vec3(sin(down) * cos(version), -sin(down) * sin(version), -cos(down));
  syn_vec3 top = vec3(cos(down) * cos(version), -cos(down) * sin(version), sin(down));
  return (syn_hip_model_frame){axis, top, vec3_cross(top, axis)};
}

/* The top of the frame is chosen so that clock 0 of the rim is the edge seen in the frontal plane. */
static syn_hip_model_frame cup_frame(double tilt, double version, syn_vec3 edge) {
  syn_vec3 axis = vec3(-sin(tilt) * cos(version), -sin(tilt) * sin(version), cos(tilt));
  syn_vec3 top = vec3_unit(vec3_madd(edge, -vec3_dot(edge, axis), axis));
  return (syn_hip_model_frame){axis, top, vec3_cross(axis, top)};
}

/* A cell of the grid over the unit sphere is a plane trapezoid: its distance from the centre is that of the line
 * through the middles of its two parallel sides. */
static double cell_distance(double polar_a, double polar_b, double half_column) {
  syn_vec3 a = vec3(sin(polar_a) * cos(half_column), cos(polar_a), 0);
  syn_vec3 b = vec3(sin(polar_b) * cos(half_column), cos(polar_b), 0);
  return vec3_length(vec3_cross(a, b)) / vec3_distance(a, b);
}

/* A hollow sphere made of facets bulges inward; the head must clear the innermost one. */
static double head_radius(const syn_hip_model *hip) {
  double nearest = 1;
  for (uint32_t ring = syn_hip_model_fossa_ring(hip); ring < syn_hip_model_tip_ring(hip); ++ring)
    nearest = fmin(nearest, cell_distance(syn_hip_model_cup_polar(hip, ring), syn_hip_model_cup_polar(hip, ring + 1),
                                          SYN_PI / hip->columns));
  return hip->radius * nearest - hip->gap;
}

static syn_hip_model geometry(const double *values) {
  const double radius = values[RADIUS], ce = degrees(values[CE]);
  syn_hip_model hip = {
      .ce = ce,
      .alpha = degrees(values[ALPHA]),
      .radius = radius,
      .gap = values[GAP],
      .cartilage = values[CARTILAGE],
      .labrum_height = values[LABRUM_HEIGHT],
      .labrum_base = values[LABRUM_BASE],
      .zone_width = values[ZONE_WIDTH],
      .cartilage_edge = degrees(values[CARTILAGE_EDGE]),
      .neck_shaft = degrees(values[NECK_SHAFT]),
      .cam_clock = degrees(values[CAM_CLOCK] * 30),
      .cam_width = degrees(values[CAM_WIDTH]),
      .cam_height = values[CAM_HEIGHT],
      .neck_radius = values[NECK_RATIO] * radius,
      .shaft_radius = values[SHAFT_RATIO] * radius,
      .shaft_length = values[SHAFT_LENGTH],
      .whole = values[ANATOMY] != 0,
      .resolution = (uint32_t)values[RESOLUTION],
      .scale = radius / 25,
      .columns = 12 * (uint32_t)values[RESOLUTION],
  };
  /* The CE angle fixes the rim's lateral edge; frames and angles of the rest follow from it. */
  syn_vec3 edge = vec3(sin(ce), 0, cos(ce));
  hip.neck = neck_frame(hip.neck_shaft, degrees(values[FEMORAL_VERSION]));
  hip.cup = cup_frame(degrees(values[CUP_TILT]), degrees(values[ACETABULAR_VERSION]), edge);
  hip.rim = acos(vec3_dot(edge, hip.cup.axis));
  hip.fossa = 0.45 * hip.rim;
  hip.tip = hip.rim + hip.labrum_height / radius;
  hip.head_radius = head_radius(&hip);
  hip.cup_radius = hip.cartilage_edge > 0 ? hip.head_radius : radius;
  return hip;
}

uint32_t syn_hip_model_steps(const syn_hip_model *hip, double angle) {
  return hip->resolution * (uint32_t)ceil(angle / degrees(35) - 1e-9);
}

/* ---- the rest pose ----------------------------------------------------------------------------------------------- */

/* Returns how far the femur extends above a point, measured from the centre. */
static double depth_in_femur(const syn_hip_model *hip, syn_vec3 p) {
  double across = vec3_dot(p, hip->neck.top), forward = vec3_dot(p, hip->neck.front);
  double polar = atan2(hypot(across, forward), vec3_dot(p, hip->neck.axis));
  return syn_hip_model_femur_radius(hip, polar, atan2(forward, across)) - vec3_length(p);
}

/* Returns the depth at the deepest point of the labrum's inner face, found along its rings. The labrum covers the rim,
 * so that a large cam meets it first. */
static double labrum_overlap(const syn_hip_model *hip) {
  enum { SAMPLES = 8 };
  double deepest = 0;
  for (uint32_t ring = syn_hip_model_rim_ring(hip); ring <= syn_hip_model_tip_ring(hip); ++ring)
    for (uint32_t column = 0; column < hip->columns; ++column) {
      syn_vec3 p = syn_hip_model_cup_point(hip, ring, column, hip->radius);
      syn_vec3 q = syn_hip_model_cup_point(hip, ring, column + 1, hip->radius);
      for (int i = 0; i < SAMPLES; ++i)
        deepest = fmax(deepest, depth_in_femur(hip, vec3_lerp(p, q, (double)i / SAMPLES)));
    }
  return deepest;
}

static void tell_overlap(const syn_context *context, const syn_hip_model *hip) {
  double depth = labrum_overlap(hip);
  if (hip->cartilage_edge > 0)
    syn_warn(context,
             "head and socket share one radius: where facets of the socket lie inside it they overlap by up to %.2g "
             "mm, less with a finer mesh",
             hip->radius - hip->gap - hip->head_radius);
  if (depth > 0)
    syn_warn(context,
             "the femur already reaches %.2g mm into the labrum in the rest pose: with alpha %g and CE %g deg head and "
             "labrum overlap; a smaller alpha, ce, labrum-height or cam-width avoids this",
             depth, hip->alpha * 180 / SYN_PI, hip->ce * 180 / SYN_PI);
}

/* ---- assembly ---------------------------------------------------------------------------------------------------- */

typedef struct part {
  const char *name;
  syn_tissue tissue;
  bool moves;
  syn_status (*make)(const syn_context *context, const syn_hip_model *hip, syn_trimesh **mesh, syn_error *error);
} part;

static const part parts[] = {
    {"pelvis", SYN_TISSUE_BONE, false, syn_hip_model_make_pelvis},
    {"femur", SYN_TISSUE_BONE, true, syn_hip_model_make_femur},
    {"acetabular_cartilage", SYN_TISSUE_CARTILAGE, false, syn_hip_model_make_acetabular_cartilage},
    {"femoral_cartilage", SYN_TISSUE_CARTILAGE, true, syn_hip_model_make_femoral_cartilage},
    {"labrum", SYN_TISSUE_LABRUM, false, syn_hip_model_make_labrum},
    {"transition_zone", SYN_TISSUE_TRANSITION_ZONE, false, syn_hip_model_make_transition_zone},
};
enum { PARTS = sizeof parts / sizeof *parts };

static syn_status make_hip(const double *values, syn_joint *shape, syn_error *error) {
  const syn_hip_model hip = geometry(values);
  const size_t count = hip.zone_width > 0 ? PARTS : PARTS - 1;
  for (size_t i = 0; i < count; ++i) {
    syn_trimesh *mesh;
    SYN_TRY(parts[i].make(shape->context, &hip, &mesh, error));
    SYN_TRY(syn_shape_add(shape, parts[i].name, parts[i].tissue, parts[i].moves, mesh, NULL, error));
  }
  syn_shape_turns(shape, (syn_vec3){0, 0, 0}, (syn_joint_axes){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  tell_overlap(shape->context, &hip);
  return SYN_OK;
}

const syn_shape_maker syn_make_hip = {
    {"hip", "a right hip with bones, cartilage and labrum, from its centre-edge angle and alpha angle", PARAMETERS,
     parameters},
    make_hip};

/* ---- the hip of `synovia demo` ----------------------------------------------------------------------------------- */

/* Without the cam (alpha 44 all round) it bends by some 120 degrees and turns inward by some 30 when bent. */
syn_status syn_demo_hip_create(const syn_context *context, double resolution, syn_joint **hip, syn_error *error) {
  const syn_shape_value values[] = {
      {"ce", 28},
      {"alpha", 60},
      {"cam-clock", 3.3},
      {"cam-width", 60},
      {"neck-shaft", 128},
      {"cup-tilt", 42},
      {"femoral-version", 20},
      {"acetabular-version", 15},
      {"cartilage", 1.5},
      {"anatomy", 1},
      {"labrum-height", 3},
      {"neck-ratio", 0.53},
      {"resolution", resolution},
  };
  SYN_TRY(syn_shape_create(context, "hip", values, sizeof values / sizeof *values, hip, error));
  (*hip)->name = "cam hip";
  return SYN_OK;
}
