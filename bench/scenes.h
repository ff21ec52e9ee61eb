/* Bodies that several suites measure on. */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include "run.h"

/* The path of a real mesh in $SYNOVIA_DATA or in shared/data beside the project, or NULL; valid until the next call. */
const char *bench_data(const char *name);

/* The surface of a one-body shape; release with syn_trimesh_destroy. */
syn_status bench_shape_surface(const bench_run *run, const char *shape, const syn_shape_value *values, size_t count,
                               syn_trimesh **mesh, syn_error *error);
/* A copy of the named body of a shape that was made. */
syn_status bench_copy_body(const syn_joint *shape, const char *body, syn_trimesh **mesh, syn_error *error);

/* Pelvis and femur of a real hip, or of the parametric one where the data are missing, with a warning. */
typedef struct bench_hip {
  const char *name;
  syn_trimesh *pelvis, *femur;
  syn_vec3 center;
  syn_vec3 axis; /* a turn by striking_angle, radians, about it brings the bones into each other */
  double striking_angle;
} bench_hip;
syn_status bench_load_hip(const bench_run *run, bench_hip *hip, syn_error *error);
void bench_release_hip(bench_hip *hip);

/* A body of Sundaraj's tables with so many triangles: a real mesh, or a teapot's body where `file` is NULL. *mesh stays
 * NULL, with a warning, where the file is not here. */
syn_status bench_table_body(const bench_run *run, const char *name, const char *file, uint32_t triangles,
                            syn_trimesh **mesh, syn_error *error);

/* Replaces *mesh by one of about `triangles`: decimated, after being subdivided where it has too few. */
syn_status bench_resize(syn_trimesh **mesh, uint32_t triangles, syn_error *error);

#endif
