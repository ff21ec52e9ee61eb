#include <string.h>

#include "base/files/file.h"
#include "base/text.h"
#include "image/io/image_write.h"

static void put_vector(FILE *stream, syn_vec3 v, const char *after) {
  char x[32], y[32], z[32];
  fprintf(stream, "(%s,%s,%s)%s", syn_format_double(v.x, x), syn_format_double(v.y, y), syn_format_double(v.z, z),
          after);
}

/* A text of one line. */
static void put_text(FILE *stream, const char *text) {
  for (; *text; ++text) fputc((unsigned char)*text < ' ' ? ' ' : *text, stream);
  fputc('\n', stream);
}

static void put_segments(FILE *stream, const syn_image *image) {
  for (size_t i = 0; i < image->label_count; ++i) {
    const syn_label *label = &image->labels[i];
    fprintf(stream, "Segment%zu_ID:=Segment_%zu\nSegment%zu_LabelValue:=%u\nSegment%zu_Layer:=%u\nSegment%zu_Name:=", i,
            i + 1, i, label->value, i, label->layer, i);
    put_text(stream, label->name);
  }
}

syn_status syn_image_put_nrrd(image_writer *w, syn_error *error) {
  FILE *stream = w->stream;
  const syn_image *image = w->image;
  const bool labels = image->kind == SYN_IMAGE_LABELS, layers = labels && image->layer_count > 1;
  const uint32_t *size = w->grid.size;
  fprintf(stream, "NRRD0004\ntype: %s\ndimension: %d\nspace: left-posterior-superior\nsizes: ",
          !labels         ? "float"
          : w->bytes == 1 ? "unsigned char"
                          : "unsigned short",
          layers ? 4 : 3);
  if (layers) fprintf(stream, "%u ", image->layer_count);
  fprintf(stream, "%u %u %u\nspace directions: %s", size[0], size[1], size[2], layers ? "none " : "");
  for (int axis = 0; axis < 3; ++axis) put_vector(stream, w->grid.step[axis], axis < 2 ? " " : "\n");
  fprintf(stream,
          "kinds: %sdomain domain domain\nendian: little\nencoding: gzip\nspace origin: ", layers ? "list " : "");
  put_vector(stream, w->grid.origin, "\n");
  if (labels) put_segments(stream, image);
  fputc('\n', stream);
  SYN_TRY(syn_image_begin_packing(w, error));
  return syn_image_put_voxels(w, error);
}
