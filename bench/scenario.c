#include "scenario.h"

#include <string.h>

#include "base/vec.h"
#include "lattice.h"

/* ---- 1 to 4: a femur strikes the pelvis ---------------------------------------------------------------------------
 */

/* Table 1: each resolution has four times the triangles of the one before. The bodies are brought to the first one and
 * then divided, so that the counts are met and the shape stays the same. */
static syn_status divide(syn_trimesh **mesh, int divisions, syn_error *error) {
  for (int i = 0; i < divisions; ++i) {
    syn_trimesh *finer;
    SYN_TRY(syn_trimesh_subdivide(*mesh, &finer, error));
    syn_trimesh_destroy(*mesh);
    *mesh = finer;
  }
  return SYN_OK;
}

/* Does a vertex of the femur lie in the pelvis? */
static syn_status has_struck(const bench_scenario *s, double angle, bool *struck, syn_error *error) {
  const syn_body fixed = {.surface = s->fixed}, mobile = {.surface = s->mobile};
  const syn_pose pose = syn_pose_about_axis(s->scene.center, s->scene.axis, angle);
  syn_collision *collision;
  SYN_TRY(syn_collision_create(s->scene.context, "distance", &fixed, &mobile, NULL, &pose, 4096, &collision, error));
  *struck = collision->contacts.count > 0;
  syn_collision_destroy(collision);
  return SYN_OK;
}

/* The coarsest bones touch at another angle than the bones as they were scanned. The turn goes on from there until a
 * vertex is inside; finer resolutions have the same shape and take the same angle. */
static syn_status strike(bench_scenario *s, syn_error *error) {
  const double step = 5 * SYN_PI / 180;
  bool struck = false;
  syn_turn_range range;
  SYN_TRY(syn_turn_range_find(s->fixed, s->mobile, s->scene.center, s->scene.axis, &range, error));
  s->scene.angle = range.overlap.found ? 0 : range.positive.angle;
  for (int i = 0; i < 12 && !struck; ++i) {
    s->scene.angle += step;
    SYN_TRY(has_struck(s, s->scene.angle, &struck, error));
  }
  return SYN_OK;
}

static syn_status make_bones(const bench_run *run, int resolution, bench_scenario *s, syn_error *error) {
  bench_hip hip;
  SYN_TRY(bench_load_hip(run, &hip, error));
  s->fixed = hip.pelvis;
  s->mobile = hip.femur;
  s->scene.center = hip.center;
  s->scene.axis = hip.axis;
  s->scene.threshold_mm = 30;
  SYN_TRY(bench_resize(&s->fixed, 2442, error));
  SYN_TRY(bench_resize(&s->mobile, 1542, error));
  SYN_TRY(strike(s, error));
  SYN_TRY(divide(&s->fixed, resolution, error));
  return divide(&s->mobile, resolution, error);
}

/* ---- 5 to 11: a sphere slides under a cube ------------------------------------------------------------------------
 */

static syn_status make_sphere_and_cube(const bench_run *run, int resolution, bench_scenario *s, syn_error *error) {
  const double radius = 25;
  const int cells = 4 << (resolution < 4 ? resolution : 4); /* Table 2: the cube stays at 49,152 triangles */
  const syn_shape_value sphere[] = {{"radius", radius}, {"level", 2 + resolution}};
  const syn_shape_value cube[] = {{"edge", 2 * radius}, {"cells", cells}};
  syn_trimesh *centered;
  SYN_TRY(bench_shape_surface(run, "sphere", sphere, 2, &s->mobile, error));
  SYN_TRY(bench_shape_surface(run, "cube", cube, 2, &centered, error));
  /* the cap above this plane is 17 % of the sphere's surface */
  syn_pose above = syn_pose_identity();
  above.translation.z = radius * (1 - 2 * 0.17) + radius;
  const syn_status status = syn_trimesh_transform(centered, &above, &s->fixed, error);
  syn_trimesh_destroy(centered);
  s->scene.axis = vec3(0, 1, 0);
  s->scene.angle = 20 * SYN_PI / 180;
  s->scene.threshold_mm = 30; /* all of the sphere slides */
  return status;
}

/* ---- 12 to 15: cartilage slides in cartilage and labrum -----------------------------------------------------------
 */

static syn_status take_cartilage(const syn_joint *hip, bench_scenario *s, syn_error *error) {
  const syn_body *cartilage = syn_joint_body_named(hip, "acetabular_cartilage"),
                 *labrum = syn_joint_body_named(hip, "labrum");
  if (!cartilage || !labrum) return syn_fail(error, SYN_BAD_ARGUMENT, "the hip has no cartilage or no labrum");
  const syn_trimesh *const socket[] = {cartilage->surface, labrum->surface};
  SYN_TRY(bench_copy_body(hip, "acetabular_cartilage", &s->parts[0], error));
  SYN_TRY(bench_copy_body(hip, "labrum", &s->parts[1], error));
  SYN_TRY(syn_trimesh_merge(hip->context, socket, 2, &s->fixed, error));
  s->scene.center = hip->center;
  s->scene.axis = hip->axes.flexion;
  s->scene.angle = 30 * SYN_PI / 180;
  s->scene.threshold_mm = 25.5;
  return bench_copy_body(hip, "femoral_cartilage", &s->mobile, error);
}

static syn_status make_cartilage(const bench_run *run, int resolution, bench_scenario *s, syn_error *error) {
  static const uint32_t mobile[] = {2824, 4338, 7734, 17294}, fixed[] = {2876, 4222, 7870, 14824}; /* Table 3 */
  const syn_shape_value values[] = {{"resolution", 12}, {"alpha", 60}, {"ce", 30}};
  syn_joint *hip;
  SYN_TRY(syn_shape_create(run->context, "hip", values, 3, &hip, error));
  syn_status status = take_cartilage(hip, s, error);
  syn_joint_destroy(hip);
  if (status != SYN_OK) return status;
  SYN_TRY(bench_resize(&s->fixed, fixed[resolution], error));
  return bench_resize(&s->mobile, mobile[resolution], error);
}

/* ---- all ----------------------------------------------------------------------------------------------------------
 */

static syn_status make_bodies(const bench_run *run, int number, bench_scenario *s, syn_error *error) {
  if (number <= 4) return make_bones(run, number - 1, s, error);
  if (number <= 11) return make_sphere_and_cube(run, number - 5, s, error);
  return make_cartilage(run, number - 12, s, error);
}

/* Tables 1 to 3: tetrahedra of the mobile and of the fixed body. */
static const uint32_t published_tets[BENCH_SCENARIOS][2] = {
    {8232, 9954},     {28257, 31410}, {104839, 100550}, {368839, 344486}, {128, 412},
    {512, 1909},      {2048, 7807},   {8617, 30021},    {35361, 116199},  {136265, 116199},
    {550150, 116199}, {35269, 36291}, {53824, 42420},   {78895, 84855},   {147094, 109272}};

/* gmsh refuses bodies that meet themselves and takes minutes for large ones. Filling is not measured, so all scenarios
 * have lattices with the published number of tetrahedra. */
static syn_status fill(const bench_run *run, int number, bench_scenario *s, syn_error *error) {
  const uint32_t *wanted = published_tets[number - 1];
  const syn_trimesh *const whole[] = {s->fixed}, *const mobile[] = {s->mobile},
                           *const parts[] = {s->parts[0], s->parts[1]};
  SYN_TRY(bench_fill_lattice(run->context, s->parts[0] ? parts : whole, s->parts[0] ? 2 : 1, wanted[1],
                             &s->fixed_volume, error));
  return bench_fill_lattice(run->context, mobile, 1, wanted[0], &s->mobile_volume, error);
}

syn_status bench_scenario_make(const bench_run *run, int number, bool volumes, bench_scenario *s, syn_error *error) {
  *s = (bench_scenario){.scene = {.context = run->context, .pose_count = 1}};
  snprintf(s->name, sizeof s->name, "%d", number);
  syn_status status = make_bodies(run, number, s, error);
  if (status == SYN_OK && volumes) status = fill(run, number, s, error);
  if (status != SYN_OK) {
    bench_scenario_release(s);
    return status;
  }
  s->pose = syn_pose_about_axis(s->scene.center, s->scene.axis, s->scene.angle);
  s->scene.name = s->name;
  s->scene.fixed = (syn_body){.surface = s->fixed, .volume = s->fixed_volume};
  s->scene.mobile = (syn_body){.surface = s->mobile, .volume = s->mobile_volume};
  s->scene.poses = &s->pose;
  return SYN_OK;
}

void bench_scenario_release(bench_scenario *s) {
  syn_trimesh_destroy(s->fixed);
  syn_trimesh_destroy(s->mobile);
  for (int i = 0; i < 2; ++i) syn_trimesh_destroy(s->parts[i]);
  syn_tetmesh_destroy(s->fixed_volume);
  syn_tetmesh_destroy(s->mobile_volume);
  *s = (bench_scenario){0};
}
