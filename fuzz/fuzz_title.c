/* The title of a case is whatever somebody typed, and it stands in every file that has a place for it. Whatever it is,
 * the file comes back as the same surface. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/status.h"
#include <synovia/synovia.h>

#include "mesh/io/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const syn_vec3 points[3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 4}};
static const syn_triangle triangle = {{0, 1, 2}};

static void check(bool promise) {
  if (!promise) abort();
}

static void read_back(const syn_format *format, const syn_memory_stream *file) {
  syn_geometry back;
  syn_error error;
  syn_read_options reading = syn_default_read_options();
  reading.space = SYN_SPACE_RAS;
  reading.format = format->info.name;
  check(syn_geometry_parse(NULL, file->bytes, file->size, NULL, &reading, &back, &error) == SYN_OK);
  check(back.point_count == 3 && back.triangle_count == 1);
  check(memcmp(back.points, points, sizeof points) == 0);
  syn_geometry_free(NULL, &back);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const syn_geometry g = {
      .point_count = 3, .triangle_count = 1, .points = points, .triangles = &triangle, .space = SYN_SPACE_RAS};
  syn_context context = syn_default_context();
  char *title = calloc(1, size + 1);
  if (size > 0) memcpy(title, bytes, size);
  context.title = title;
  for (size_t i = 0; i < syn_formats_count; ++i)
    for (int binary = 0; binary < 2; ++binary) {
      const syn_format *format = syn_formats[i];
      syn_write_options writing = syn_default_write_options();
      syn_memory_stream file;
      syn_error error;
      if (!format->write) continue;
      writing.binary = binary;
      check(syn_memory_open(&file, &error) == SYN_OK);
      check(format->write(&context, &g, &writing, file.stream, &error) == SYN_OK);
      check(syn_memory_close(&file, &error) == SYN_OK);
      if (format->read && format->info.holds_triangles) read_back(format, &file);
      free(file.bytes);
    }
  free(title);
  return 0;
}
