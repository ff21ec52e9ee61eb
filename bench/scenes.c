#include "scenes.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/vec.h"

const char *bench_data(const char *name) {
  static char path[2048];
  const char *folder = getenv("SYNOVIA_DATA");
  snprintf(path, sizeof path, "%s/%s", folder ? folder : SYN_SOURCE_DIR "/../shared/data", name);
  return access(path, R_OK) == 0 ? path : NULL;
}

static syn_status copy_mesh(const syn_trimesh *mesh, syn_trimesh **copy, syn_error *error) {
  return syn_trimesh_create(mesh->context, mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                            copy, error);
}

syn_status bench_shape_surface(const bench_run *run, const char *name, const syn_shape_value *values, size_t count,
                               syn_trimesh **mesh, syn_error *error) {
  syn_joint *shape;
  SYN_TRY(syn_shape_create(run->context, name, values, count, &shape, error));
  const syn_status status = copy_mesh(shape->bodies[0].surface, mesh, error);
  syn_joint_destroy(shape);
  return status;
}

syn_status bench_copy_body(const syn_joint *shape, const char *name, syn_trimesh **mesh, syn_error *error) {
  const syn_body *body = syn_joint_body_named(shape, name);
  if (!body) return syn_fail(error, SYN_BAD_ARGUMENT, "the shape has no body '%s'", name);
  return copy_mesh(body->surface, mesh, error);
}

/* ---- hips ---------------------------------------------------------------------------------------------------------
 */

static syn_status read_real_hip(const bench_run *run, bench_hip *hip, syn_error *error) {
  *hip = (bench_hip){.name = "z013",
                     .center = {-383.9038, 310.4713, -585.7273},
                     .axis = {1, 0, 0},
                     .striking_angle = 35 * SYN_PI / 180}; /* free up to 29.7 degrees */
  SYN_TRY(syn_trimesh_read(run->context, bench_data("vsd_NC/z013/Hip_R.ply"), NULL, &hip->pelvis, error));
  return syn_trimesh_read(run->context, bench_data("vsd_NC/z013/Femur_R.ply"), NULL, &hip->femur, error);
}

static syn_status make_hip(const bench_run *run, bench_hip *hip, syn_error *error) {
  const syn_shape_value values[] = {{"resolution", 12}, {"alpha", 60}, {"ce", 30}};
  syn_joint *shape;
  SYN_TRY(syn_shape_create(run->context, "hip", values, sizeof values / sizeof *values, &shape, error));
  *hip = (bench_hip){
      .name = "hip", .center = shape->center, .axis = shape->axes.flexion, .striking_angle = 120 * SYN_PI / 180};
  syn_status status = bench_copy_body(shape, "pelvis", &hip->pelvis, error);
  if (status == SYN_OK) status = bench_copy_body(shape, "femur", &hip->femur, error);
  syn_joint_destroy(shape);
  return status;
}

syn_status bench_load_hip(const bench_run *run, bench_hip *hip, syn_error *error) {
  const bool real = bench_data("vsd_NC/z013/Hip_R.ply") && bench_data("vsd_NC/z013/Femur_R.ply");
  if (!real)
    syn_warn(run->context, "the real hip z013 is not here ($SYNOVIA_DATA names the folder of real meshes); the "
                           "parametric hip takes its place");
  const syn_status status = real ? read_real_hip(run, hip, error) : make_hip(run, hip, error);
  if (status != SYN_OK) bench_release_hip(hip);
  return status;
}

void bench_release_hip(bench_hip *hip) {
  syn_trimesh_destroy(hip->pelvis);
  syn_trimesh_destroy(hip->femur);
  *hip = (bench_hip){0};
}

/* ---- resolution ---------------------------------------------------------------------------------------------------
 */

static void replace(syn_trimesh **mesh, syn_trimesh *by) {
  syn_trimesh_destroy(*mesh);
  *mesh = by;
}

syn_status bench_resize(syn_trimesh **mesh, uint32_t triangles, syn_error *error) {
  syn_trimesh *next;
  while ((*mesh)->triangle_count < triangles) {
    SYN_TRY(syn_trimesh_subdivide(*mesh, &next, error));
    replace(mesh, next);
  }
  if ((*mesh)->triangle_count == triangles) return SYN_OK;
  SYN_TRY(syn_trimesh_decimate(*mesh, triangles, &next, NULL, error));
  replace(mesh, next);
  if (next->triangle_count != triangles)
    syn_warn(next->context, "a body of %u triangles was wanted, decimation gave %u", triangles, next->triangle_count);
  return SYN_OK;
}

/* ---- Sundaraj's bodies ---------------------------------------------------------------------------------------------
 */

/* Body, lid and knob of a teapot turned about z, without handle and spout: the mesh of the thesis is not at hand. */
static syn_status make_teapot(const bench_run *run, syn_trimesh **mesh, syn_error *error) {
  enum { AROUND = 32, RINGS = 16 };
  static const double profile[RINGS][2] = {{30, 0},  {38, 3},  {44, 9},  {48, 17}, {50, 26}, {49, 35},
                                           {45, 43}, {39, 49}, {35, 51}, {27, 55}, {17, 58}, {9, 60},
                                           {5, 62},  {7, 66},  {6, 70},  {3, 72}};
  syn_vec3 points[AROUND * RINGS + 2];
  syn_triangle triangles[2 * AROUND * RINGS];
  const uint32_t bottom = AROUND * RINGS, top = bottom + 1;
  uint32_t count = 0;
  for (uint32_t i = 0; i < AROUND * RINGS; ++i) {
    const double *p = profile[i / AROUND], angle = 2 * SYN_PI * (i % AROUND) / AROUND;
    points[i] = vec3(p[0] * cos(angle), p[0] * sin(angle), p[1]);
  }
  points[bottom] = vec3(0, 0, 0);
  points[top] = vec3(0, 0, 73);
  for (uint32_t i = 0; i < AROUND; ++i) {
    const uint32_t next = (i + 1) % AROUND, last = AROUND * (RINGS - 1);
    triangles[count++] = (syn_triangle){{bottom, next, i}};
    triangles[count++] = (syn_triangle){{top, last + i, last + next}};
    for (uint32_t low = 0; low < last; low += AROUND) {
      triangles[count++] = (syn_triangle){{low + i, low + next, low + AROUND + next}};
      triangles[count++] = (syn_triangle){{low + i, low + AROUND + next, low + AROUND + i}};
    }
  }
  return syn_trimesh_create(run->context, points, AROUND * RINGS + 2, triangles, count, mesh, error);
}

syn_status bench_table_body(const bench_run *run, const char *name, const char *file, uint32_t triangles,
                            syn_trimesh **mesh, syn_error *error) {
  *mesh = NULL;
  if (!file) return make_teapot(run, mesh, error);
  const char *path = bench_data(file);
  if (!path) {
    syn_warn(run->context, "case %s: left out, %s is not here ($SYNOVIA_DATA names the folder of real meshes)", name,
             file);
    return SYN_OK;
  }
  SYN_TRY(syn_trimesh_read(run->context, path, NULL, mesh, error));
  const syn_status status = bench_resize(mesh, triangles, error);
  if (status != SYN_OK) syn_trimesh_destroy(*mesh);
  return status;
}
