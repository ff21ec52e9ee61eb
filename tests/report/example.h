/* A whole report on the parametric hip with every part filled in, for the tests of src/report. */
#ifndef TEST_REPORT_EXAMPLE_H
#define TEST_REPORT_EXAMPLE_H

#include "support.h"

#include "clinic/measure/measure.h"

#include "report/page_content.h"

enum { EXAMPLE_BODIES = 6, EXAMPLE_POSES = 31, EXAMPLE_FLEXION = 33, EXAMPLE_ADDUCTION = 21 };

typedef struct example {
  syn_joint *shape;
  syn_hip hip;
  double *heights, *depths; /* fields of the first body that moves, of the first that rests */
  syn_report_field fields[2];
  syn_report_body bodies[EXAMPLE_BODIES];
  syn_pose poses[EXAMPLE_POSES];
  double along[EXAMPLE_POSES], depth[EXAMPLE_POSES], gap[EXAMPLE_POSES], area[EXAMPLE_POSES];
  syn_report_curve curves[3];
  syn_report_contact contact;
  syn_report_motion motions[2];
  syn_report_marker markers[2];
  double internal[EXAMPLE_FLEXION * EXAMPLE_ADDUCTION], external[EXAMPLE_FLEXION * EXAMPLE_ADDUCTION];
  syn_body_pair limited_by[EXAMPLE_FLEXION * EXAMPLE_ADDUCTION];
  syn_envelope envelope;
  syn_report report;
} example;

/* `resolution` as the shape "hip" takes it. */
static void example_make(example *e, double resolution);
static void example_release(example *e);

static void example_make_motion(example *e) {
  for (int i = 0; i < EXAMPLE_POSES; ++i) {
    const double angle = 90.0 * i / (EXAMPLE_POSES - 1);
    e->poses[i] = syn_pose_about_axis(e->hip.center, e->hip.pelvis_axes.flexion, angle * 3.14159265358979 / 180);
    e->along[i] = angle;
    e->depth[i] = angle > 60 ? (angle - 60) * (angle - 60) / 300 : 0;
    e->gap[i] = angle < 75 ? 3 - angle / 25 : (double)NAN;
    e->area[i] = 40 + 300 * sin(angle / 40);
  }
  e->curves[0] = (syn_report_curve){"depth", "Deepest penetration", "mm", e->depth};
  e->curves[1] = (syn_report_curve){"gap", "Least gap between neck and rim", "mm", e->gap};
  e->curves[2] = (syn_report_curve){"area", "Contact area", "mm²", e->area};
  e->contact = (syn_report_contact){{10, 20, 5}, {12, 8, 18}, "labrum", "femur", "edge-edge", 1.4, 78.25};
  e->motions[0] = (syn_report_motion){"flexion", "Flexion", e->poses, EXAMPLE_POSES, "Flexion", "deg",
                                      e->along,  e->curves, 3,        &e->contact,   NULL};
  e->motions[1] = (syn_report_motion){"fadir",   "Flexion, adduction and internal rotation",
                                      e->poses,  EXAMPLE_POSES,
                                      "Flexion", "deg",
                                      e->along,  e->curves,
                                      1,         NULL,
                                      NULL};
}

static void example_make_envelope(example *e) {
  const double step = 5 * 3.14159265358979 / 180;
  for (int f = 0; f < EXAMPLE_FLEXION; ++f)
    for (int a = 0; a < EXAMPLE_ADDUCTION; ++a) {
      const double flexion = -30 + 5 * f, adduction = -60 + 5 * a;
      const double inward = 55 - flexion * flexion / 300 - adduction * 0.5, outward = 60 - adduction * adduction / 80;
      const bool none = inward + outward < 35;
      e->internal[f * EXAMPLE_ADDUCTION + a] = none ? (double)NAN : (inward * step / 5);
      e->external[f * EXAMPLE_ADDUCTION + a] = none ? (double)NAN : (outward * step / 5);
    }
  e->envelope = (syn_envelope){.flexion_count = EXAMPLE_FLEXION,
                               .adduction_count = EXAMPLE_ADDUCTION,
                               .flexion_from = -6 * step,
                               .adduction_from = -12 * step,
                               .step = step,
                               .internal = e->internal,
                               .external = e->external,
                               .limited_by = e->limited_by};
}

/* One field that stays, one along the first motion with holes in it. */
static void example_make_fields(example *e, uint32_t rests, uint32_t moves) {
  const syn_trimesh *a = e->bodies[rests].body.surface, *b = e->bodies[moves].body.surface;
  e->heights = malloc((a->vertex_count + 1) * sizeof *e->heights);
  e->depths = malloc(((size_t)b->vertex_count * EXAMPLE_POSES + 1) * sizeof *e->depths);
  for (uint32_t i = 0; i < a->vertex_count; ++i) e->heights[i] = a->vertices[i].z;
  for (size_t s = 0; s < EXAMPLE_POSES; ++s)
    for (uint32_t i = 0; i < b->vertex_count; ++i) {
      const double depth = (double)s / 10 + b->vertices[i].y / 8 - 2;
      e->depths[s * b->vertex_count + i] = depth > 0 ? depth : (double)NAN;
    }
  e->fields[0] = (syn_report_field){"height", "Height", "mm", e->heights, 1, NULL, 0, 0};
  e->fields[1] = (syn_report_field){"depth", "Penetration", "mm", e->depths, EXAMPLE_POSES, "flexion", 0, 0};
  e->bodies[rests].fields = &e->fields[0];
  e->bodies[moves].fields = &e->fields[1];
  e->bodies[rests].field_count = e->bodies[moves].field_count = 1;
}

static const char *const example_notes[] = {"The head is shifted by 1.19 mm."};
static const char *const example_summary[] = {
    "The neck of the femur meets the labrum at 78° of flexion, in front and above, at 1:24 on the clock face.",
    "The head stops being round at 70° from the neck (alpha); 55° or less is usual.",
    "The socket covers the head as it should: the lateral centre-edge angle is 25°.",
    "Methods for the centre of the joint agree within 0.4 mm; the angles above change by less than 1° within it."};
static const syn_report_range example_ranges[] = {
    {"alpha", "Alpha angle, worst around the clock", "deg", 70.3, NULL, NAN, 55, "Sutter et al. 2012", false, 0, 0},
    {"lcea", "Lateral centre-edge angle", "deg", 25.2, NULL, 25, 39, "Tannast et al. 2015", false, 0, 0},
    {"offset", "Head-neck offset ratio", "", 0.134, NULL, 0.15, NAN, "Eijer et al. 2001", false, 0, 0},
    {"neck_shaft", "Neck-shaft angle", "deg", 127, NULL, 120, 135, "Boese et al. 2016", false, 0, 0},
    {"torsion", "Femoral torsion", "deg", NAN, "the mesh ends above the condyles", 5, 25, "Tönnis & Heinecke 1999",
     false, 0, 0},
    {"radius", "Radius of the femoral head", "mm", 25.02, NULL, NAN, NAN, NULL, false, 0, 0},
    {"flexion", "Flexion", "deg", 78.2, NULL, 100, 130, "AAOS 1965", true, 71.5, 84.2},
    {"internal", "Internal rotation at 90° of flexion", "deg", 12, NULL, 20, 45, "AAOS 1965", true, 0, 0},
    {"abduction", "Abduction", "deg", 46.4, NULL, 40, 60, "AAOS 1965", true, 0, 0},
    {"extension", "Extension", "deg", 25, NULL, 10, 30, "AAOS 1965", true, 0, 0}};
static const syn_report_clock_mark example_clock[] = {{1.4, 78.2, "Flexion", "deg", 21.8},
                                                      {1.9, 12, "Internal rotation at 90°", "deg", 8},
                                                      {10.6, 46.4, "Abduction", "deg", 0},
                                                      {7.2, 25, "Extension", "deg", NAN}};
static const syn_alpha_plane example_alpha = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 25, 70.3, 1.5, 0.5};
static const syn_report_column example_columns[] = {{"motion", "motion", "", false},
                                                    {"angle", "angle", "deg", true},
                                                    {"by", "limited by", "", false},
                                                    {"hour", "hour", "", true}};
static const syn_report_cell example_cells[] = {
    {"Flexion", 0},         {NULL, 78.25}, {"femur on labrum", 0}, {NULL, 1.4}, {"Abduction", 0}, {NULL, 46.4125},
    {"femur on pelvis", 0}, {NULL, 10.6},  {"Adduction", 0},       {NULL, NAN}, {"free", 0},      {NULL, NAN}};
static const syn_report_table example_tables[] = {
    {"motions", "Range of motion",
     "Angles where bone or labrum is first touched; capsule and muscles are not part of it.", example_columns, 4, 3,
     example_cells, NULL}};
static const syn_report_input example_inputs[] = {
    {"pelvis.ply", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", 12044, 24084},
    {"femur.ply", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 9021, 18038}};
static const syn_report_option example_options[] = {{"side", "right"}, {"step", "5 deg"}, {"slack", "0 mm"}};

static void example_fill(example *e) {
  e->markers[0] = (syn_report_marker){"head_center", "Centre of the head", "femur", e->hip.center, 0.98};
  e->markers[1] = (syn_report_marker){"asis", "Anterior superior iliac spine", "pelvis", {20, 30, 40}, 0.6};
  e->report = (syn_report){
      .kind = "hip",
      .title = "Right hip with a cam",
      .subtitle = "Parametric model: alpha 70°, centre-edge angle 25°, head radius 25 mm",
      .notes = example_notes,
      .note_count = 1,
      .summary = example_summary,
      .summary_count = sizeof example_summary / sizeof *example_summary,
      .hip = &e->hip,
      .bodies = e->bodies,
      .body_count = e->shape->body_count,
      .motions = e->motions,
      .motion_count = 2,
      .markers = e->markers,
      .marker_count = 2,
      .ranges = example_ranges,
      .range_count = sizeof example_ranges / sizeof *example_ranges,
      .envelope = &e->envelope,
      .alpha = &example_alpha,
      .clock = example_clock,
      .clock_count = sizeof example_clock / sizeof *example_clock,
      .tables = example_tables,
      .table_count = 1,
      .inputs = example_inputs,
      .input_count = 2,
      .options = example_options,
      .option_count = 3,
      .command = "synovia hip pelvis.ply femur.ply -o out",
      .date = "2026-11-15 05:20 UTC",
  };
}

static void example_make(example *e, double resolution) {
  const syn_shape_value values[] = {{"alpha", 70}, {"ce", 25}, {"resolution", resolution}};
  syn_error error;
  *e = (example){0};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &e->shape, &error));
  const syn_joint *joint = e->shape;
  const syn_hip_axes axes = joint->axes;
  e->hip = (syn_hip){.side = SYN_SIDE_RIGHT, .center = joint->center, .pelvis_axes = axes, .femur_axes = axes};
  static const char *const labels[EXAMPLE_BODIES] = {
      "Pelvis", "Femur", "Acetabular cartilage", "Femoral cartilage", "Labrum", "Transition zone"};
  uint32_t rests = 0, moves = 0;
  for (uint32_t i = 0; i < e->shape->body_count; ++i) {
    const syn_body *body = &e->shape->bodies[i];
    e->bodies[i] = (syn_report_body){.body = *body, .label = labels[i]};
    *(body->moves ? &moves : &rests) = i;
  }
  example_make_motion(e);
  example_make_envelope(e);
  example_make_fields(e, rests, moves);
  example_fill(e);
}

static void example_release(example *e) {
  syn_joint_destroy(e->shape);
  free(e->heights);
  free(e->depths);
}

#endif
