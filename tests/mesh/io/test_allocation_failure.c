/* Refuses each allocation of every reader and writer in turn. */
#include "io_meshes.h"

typedef struct file_job {
  const char *path, *format;
  const syn_geometry *mesh;
} file_job;

static syn_status read_file(const syn_context *context, void *user, syn_error *error) {
  const file_job *job = user;
  syn_geometry geometry;
  const syn_status status = syn_geometry_read(context, job->path, NULL, &geometry, error);
  if (status != SYN_OK) { /* all zero on failure: nothing to free */
    assert_null(geometry.points);
    assert_int_equal(geometry.point_count + geometry.field_count, 0);
  }
  syn_geometry_free(context, &geometry);
  return status;
}

static syn_status write_mesh(const syn_context *context, void *user, syn_error *error) {
  const file_job *job = user;
  syn_write_options options = syn_default_write_options();
  options.format = job->format;
  remove(job->path);
  const syn_status status = syn_geometry_write(context, job->mesh, job->path, &options, error);
  FILE *stream = fopen(job->path, "rb");
  assert_int_equal(stream != NULL, status == SYN_OK); /* whole or not at all */
  if (stream) fclose(stream);
  return status;
}

static void every_format_survives_every_refusal(void **state) {
  (void)state;
  test_random random = {13};
  for (size_t i = 0; i < syn_format_count(); ++i)
    for (mesh_kind kind = 0; kind < MESH_KINDS; ++kind) {
      const syn_format_info info = syn_format_at(i);
      syn_geometry mesh = make_mesh(&random, kind, 40);
      file_job job = {path_for(&info, "mesh"), info.name, &mesh};
      if (info.writes) check_every_allocation(write_mesh, &job);
      if (format_takes(&info, kind)) check_every_allocation(read_file, &job);
      free_mesh(&mesh);
    }
}

/* The growing that small files never need: polygons, colours, lists, welding beyond the first table. */
static void rich_text_files_survive_every_refusal(void **state) {
  (void)state;
  static const char *const files[][2] = {
      {"a.obj", "v 0 0 0\nv 1 0 0 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"},
      {"a.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"},
      {"a.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                "element face 1\nproperty list uchar int vertex_index\nproperty float a\nproperty float b\n"
                "end_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 5 6\n"},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    file_job job = {temporary_path(files[i][0]), NULL, NULL};
    write_text_file(job.path, files[i][1]);
    check_every_allocation(read_file, &job);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_format_survives_every_refusal),
      cmocka_unit_test(rich_text_files_survive_every_refusal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
