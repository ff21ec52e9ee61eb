/* The body that all readers' fuzz targets share. A target defines FUZZ_FORMAT (NULL: found by content) and includes
 * this. Whatever the bytes, reading ends with an error or with a geometry that keeps its promises, and it never asks
 * for much more memory than a file of that size could need. */
#ifndef FUZZ_READ_H
#define FUZZ_READ_H

#include <stdint.h>
#include <stdlib.h>

#include <synovia/synovia.h>

#ifndef FUZZ_GROWTH
#define FUZZ_GROWTH 1000 /* no block may be this many times the input */
#endif

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* `user` points to the largest block allowed. A refusal would hide the fault, so a larger one is a crash. */
static void *limited(void *user, void *block, size_t bytes) {
  if (bytes == 0) {
    free(block);
    return NULL;
  }
  if (bytes > *(const size_t *)user) abort();
  return realloc(block, bytes);
}

static void check_cells(const uint32_t *indices, size_t count, size_t points) {
  for (size_t i = 0; i < count; ++i)
    if (indices[i] >= points) abort();
}

/* Reads every value, so that the sanitizers see each. */
static double use_fields(const syn_geometry *geometry) {
  double sum = 0;
  for (size_t f = 0; f < geometry->field_count; ++f) {
    const syn_field *field = &geometry->fields[f];
    const size_t items = field->on == SYN_ON_POINTS      ? geometry->point_count
                         : field->on == SYN_ON_TRIANGLES ? geometry->triangle_count
                                                         : geometry->tet_count;
    for (size_t i = 0; i < items * field->components; ++i) sum += field->values[i];
    sum += field->name[0];
  }
  return sum;
}

static void use_geometry(const syn_context *context, const syn_geometry *geometry) {
  syn_error error;
  syn_trimesh *mesh;
  if (geometry->triangle_count)
    check_cells(geometry->triangles->v, 3 * geometry->triangle_count, geometry->point_count);
  if (geometry->tet_count) check_cells(geometry->tets->v, 4 * geometry->tet_count, geometry->point_count);
  volatile double sum = use_fields(geometry);
  (void)sum;
  if (syn_trimesh_from_geometry(context, geometry, &mesh, &error) == SYN_OK) syn_trimesh_destroy(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  size_t largest = FUZZ_GROWTH * size + 65536; /* a table of a fixed start size is fine */
  syn_context context = syn_default_context();
  context.reallocate = limited;
  context.user = &largest;
  syn_read_options options = syn_default_read_options();
  options.format = FUZZ_FORMAT;
  syn_geometry geometry;
  syn_error error;
  const syn_status status = syn_geometry_parse(&context, bytes, size, NULL, &options, &geometry, &error);
  if (status == SYN_OK) {
    use_geometry(&context, &geometry);
    syn_geometry_free(&context, &geometry);
  } else if (error.code != status || error.message[0] == 0) {
    abort();
  }
  return 0;
}

#endif
