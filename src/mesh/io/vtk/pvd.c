/* ParaView's list of files that make a time series. */
#include <string.h>

#include "base/files/file.h"
#include "base/text.h"
#include "mesh/io/xml.h"
#include <synovia/mesh.h>

/* The next part of a path between slashes, without empty ones and "."; false at the end. */
static bool next_part(const char **path, syn_word *part) {
  do {
    *path += strspn(*path, "/");
    *part = (syn_word){*path, strcspn(*path, "/")};
    *path += part->length;
  } while (syn_word_is(*part, "."));
  return part->length > 0;
}

static bool is_last(const char *rest) {
  syn_word part;
  return !next_part(&rest, &part);
}

/* Returns whether the path goes up anywhere; it then cannot be compared part by part. */
static bool goes_up(const char *path) {
  syn_word part;
  while (next_part(&path, &part))
    if (syn_word_is(part, "..")) return true;
  return false;
}

/* `file` as seen from the folder of `base`: the common folders fall away, "../" leads out of the rest. Where one of
 * them is absolute and the other is not, or goes up, `file` stays as it is. */
static void write_relative(FILE *stream, const char *base, const char *file) {
  syn_word b, f;
  if ((base[0] == '/') == (file[0] == '/') && !goes_up(base) && !goes_up(file)) {
    for (;;) {
      const char *next_base = base, *next_file = file;
      if (!next_part(&next_base, &b) || !next_part(&next_file, &f) || is_last(next_base) || is_last(next_file)) break;
      if (b.length != f.length || memcmp(b.at, f.at, b.length) != 0) break;
      base = next_base;
      file = next_file;
    }
    while (next_part(&base, &b) && !is_last(base)) fputs("../", stream);
    if (next_part(&file, &f)) file = f.at;
  }
  syn_xml_write_escaped(stream, file);
}

/* Readers pass over attributes that they do not know. */
static void write_title(const syn_context *context, FILE *stream) {
  const char *title = syn_context_or_default(context)->title;
  if (!title) return;
  fputs(" title=\"", stream);
  syn_xml_write_escaped(stream, title);
  fputc('"', stream);
}

syn_status syn_pvd_write(const syn_context *context, const char *path, const double *times, const char *const *files,
                         size_t count, syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\"",
        output.stream);
  write_title(context, output.stream);
  fputs(">\n  <Collection>\n", output.stream);
  for (size_t i = 0; i < count; ++i) {
    char room[32];
    fprintf(output.stream, "    <DataSet timestep=\"%s\" group=\"\" part=\"0\" file=\"",
            syn_format_double(times[i], room));
    write_relative(output.stream, path, files[i]);
    fputs("\"/>\n", output.stream);
  }
  fputs("  </Collection>\n</VTKFile>\n", output.stream);
  return syn_output_commit(&output, error);
}
