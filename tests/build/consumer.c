/* A program of somebody else on the shared library: a body is made, read back, measured and turned. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <synovia/synovia.h>

static int failed(const char *what, const syn_error *error) {
  char text[1024];
  fprintf(stderr, "%s: %s\n", what, syn_error_text(error, text, sizeof text));
  return 1;
}

int main(void) {
  const syn_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const syn_triangle faces[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
  syn_error error;
  syn_trimesh *mesh;
  if (syn_trimesh_create(NULL, points, 4, faces, 4, &mesh, &error) != SYN_OK) return failed("create", &error);
  const double volume = syn_trimesh_mass(mesh).volume_mm3;
  syn_trimesh_destroy(mesh);
  if (fabs(volume - 1.0 / 6) > 1e-15) return fprintf(stderr, "the volume is %g\n", volume), 1;
  if (syn_trimesh_read(NULL, "no-such-file.ply", NULL, &mesh, &error) == SYN_OK || strlen(error.message) == 0)
    return fprintf(stderr, "a missing file is read\n"), 1;
  return strlen(syn_version()) == 0;
}
