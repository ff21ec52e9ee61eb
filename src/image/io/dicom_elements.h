/* Elements of a DICOM data set in memory: explicit or implicit value representation, little-endian. */
#ifndef SYN_IMAGE_DICOM_ELEMENTS_H
#define SYN_IMAGE_DICOM_ELEMENTS_H

#include "base/status.h"

typedef struct dicom_element {
  uint32_t tag; /* group << 16 | element */
  const unsigned char *value;
  size_t length;  /* of a sequence or item of undefined length without its delimiter */
  bool undefined; /* the length was; of pixel data: they are compressed */
} dicom_element;

/* A cursor over elements, or over the items of a sequence. Copy it to look ahead. */
typedef struct dicom_cursor {
  const unsigned char *begin, *at, *end; /* begin: of the file, for messages */
  bool implicit;
  const char *file;
} dicom_cursor;

/* Goes behind preamble and meta header. Refuses compressed and big-endian files. */
syn_status syn_dicom_begin(const void *bytes, size_t size, const char *file, dicom_cursor *cursor, syn_error *error);
/* Returns the next element; *found is false at the end. */
syn_status syn_dicom_next(dicom_cursor *cursor, dicom_element *element, bool *found, syn_error *error);
/* The content of a sequence or of an item. */
dicom_cursor syn_dicom_inside(const dicom_cursor *outside, const dicom_element *element);

/* Values. False if the element is too short or no number. */
bool syn_dicom_uint16(const dicom_element *element, uint16_t *value);
/* `count` decimal numbers, divided by backslashes. */
bool syn_dicom_decimals(const dicom_element *element, size_t count, double *values);
/* A terminated copy without padding, cut to `size`. */
const char *syn_dicom_text(const dicom_element *element, char *text, size_t size);

#endif
