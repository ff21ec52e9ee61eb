/* Writes grey images as uncompressed bitmaps in the address of an <img>, which every browser reads. */
#include <string.h>

#include "base/base64.h"
#include "base/memory.h"
#include "report/html.h"
#include "report/page_parts.h"

enum { FILE_HEADER = 14, INFO_HEADER = 40, GREYS = 256, BEFORE_PIXELS = FILE_HEADER + INFO_HEADER + 4 * GREYS };

static void put32(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; ++i) at[i] = (uint8_t)(value >> 8 * i);
}

/* Rows are stored from the bottom, padded to four bytes. */
static void fill_bitmap(const syn_report_image *image, uint32_t stride, uint8_t *bytes) {
  const uint32_t size = stride * image->height;
  memcpy(bytes, "BM", 2);
  put32(bytes + 2, BEFORE_PIXELS + size);
  put32(bytes + 10, BEFORE_PIXELS);
  uint8_t *info = bytes + FILE_HEADER;
  put32(info, INFO_HEADER);
  put32(info + 4, image->width);
  put32(info + 8, image->height);
  info[12] = 1; /* plane */
  info[14] = 8; /* bits per pixel */
  put32(info + 20, size);
  for (uint32_t grey = 0; grey < GREYS; ++grey) memset(info + INFO_HEADER + 4 * grey, (int)grey, 3);
  for (uint32_t row = 0; row < image->height; ++row)
    memcpy(bytes + BEFORE_PIXELS + (size_t)stride * (image->height - 1 - row),
           image->pixels + (size_t)image->width * row, image->width);
}

static syn_status put_image(const syn_context *context, FILE *to, const syn_report_image *image, syn_error *error) {
  const uint32_t stride = (image->width + 3) / 4 * 4;
  const size_t size = BEFORE_PIXELS + (size_t)stride * image->height, length = syn_base64_length(size);
  uint8_t *bytes = NULL;
  char *text = NULL;
  syn_status status = SYN_NEW_ZEROED(context, &bytes, size, error);
  if (!status) status = SYN_NEW(context, &text, length, error);
  if (!status) {
    fill_bitmap(image, stride, bytes);
    syn_base64_encode(bytes, size, text);
    fprintf(to, "<figure data-plot=\"image\"><img width=\"%u\" height=\"%u\" alt=\"", image->width, image->height);
    syn_html_text(to, image->label);
    fputs("\" src=\"data:image/bmp;base64,", to);
    fwrite(text, 1, length, to);
    fputs("\"><figcaption>", to);
    syn_html_text(to, image->label);
    fputs("</figcaption></figure>\n", to);
  }
  syn_free(context, bytes);
  syn_free(context, text);
  return status;
}

syn_status syn_page_images(const syn_context *context, FILE *to, const syn_report *report, syn_error *error) {
  for (size_t i = 0; i < report->image_count; ++i) SYN_TRY(put_image(context, to, &report->images[i], error));
  return SYN_OK;
}
