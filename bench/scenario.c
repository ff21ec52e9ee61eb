#include "scenario.h"

#include <string.h>

#include "base/vec.h"

/* ---- 1 to 4: a femur strikes the pelvis ---------------------------------------------------------------------------
 */

/* Table 1: each resolution has four times the triangles of the one before. The bodies are brought to the first one and
 * then divided, so that the counts are met and the shape stays the same. */
static syn_status bring_to(syn_trimesh **mesh, uint32_t first, int divisions, syn_error *error) {
  SYN_TRY(bench_resize(mesh, first, error));
  for (int i = 0; i < divisions; ++i) {
    syn_trimesh *finer;
    SYN_TRY(syn_trimesh_subdivide(*mesh, &finer, error));
    syn_trimesh_destroy(*mesh);
    *mesh = finer;
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
  s->scene.angle = hip.striking_angle;
  SYN_TRY(bring_to(&s->fixed, 2442, resolution, error));
  return bring_to(&s->mobile, 1542, resolution, error);
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
  return status;
}

/* ---- 12 to 15: cartilage slides in cartilage and labrum -----------------------------------------------------------
 */

static syn_status take_cartilage(const syn_joint *hip, bench_scenario *s, syn_error *error) {
  const syn_body *cartilage = syn_joint_body_named(hip, "acetabular_cartilage"),
                 *labrum = syn_joint_body_named(hip, "labrum");
  if (!cartilage || !labrum) return syn_fail(error, SYN_BAD_ARGUMENT, "the hip has no cartilage or no labrum");
  const syn_trimesh *const socket[] = {cartilage->surface, labrum->surface};
  SYN_TRY(syn_trimesh_merge(hip->context, socket, 2, &s->fixed, error));
  s->scene.center = hip->center;
  s->scene.axis = hip->axes.flexion;
  s->scene.angle = 30 * SYN_PI / 180;
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

/* Meshing is not what is measured; larger bodies would take minutes. */
static void fill(const bench_run *run, const char *name, const syn_trimesh *surface, syn_tetmesh **volume) {
  enum { MOST_TRIANGLES = 20000 };
  syn_error error = {0};
  if (surface->triangle_count > MOST_TRIANGLES)
    syn_warn(run->context, "case %s: a body of %u triangles is not filled with tetrahedra here", name,
             surface->triangle_count);
  else if (syn_trimesh_tetrahedralize(surface, NULL, volume, &error) != SYN_OK)
    syn_warn(run->context, "case %s: a body is not filled with tetrahedra: %s", name, error.message);
}

syn_status bench_scenario_make(const bench_run *run, int number, bool volumes, bench_scenario *s, syn_error *error) {
  *s = (bench_scenario){.scene = {.context = run->context, .pose_count = 1}};
  snprintf(s->name, sizeof s->name, "%d", number);
  const syn_status status = make_bodies(run, number, s, error);
  if (status != SYN_OK) {
    bench_scenario_release(s);
    return status;
  }
  if (volumes) {
    fill(run, s->name, s->fixed, &s->fixed_volume);
    fill(run, s->name, s->mobile, &s->mobile_volume);
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
  syn_tetmesh_destroy(s->fixed_volume);
  syn_tetmesh_destroy(s->mobile_volume);
  *s = (bench_scenario){0};
}
