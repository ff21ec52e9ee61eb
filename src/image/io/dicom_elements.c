#include "image/io/dicom_elements.h"

#include <string.h>

#include "base/text.h"

enum { DEEPEST = 16 };
#define TAG_ITEM 0xfffee000U
#define TAG_ITEM_END 0xfffee00dU
#define TAG_SEQUENCE_END 0xfffee0ddU
#define UNDEFINED 0xffffffffU

static uint16_t get16(const unsigned char *at) { return (uint16_t)(at[0] | at[1] << 8); }
static uint32_t get32(const unsigned char *at) { return get16(at) | (uint32_t)get16(at + 2) << 16; }

static syn_status fail_here(const dicom_cursor *cursor, syn_error *error, const char *message) {
  return syn_fail_at(error, SYN_BAD_FORMAT, cursor->file, 0, cursor->at - cursor->begin, "%s", message);
}

static bool has_long_length(const unsigned char vr[2]) {
  static const char *const names[] = {"OB", "OD", "OF", "OL", "OV", "OW", "SQ", "SV", "UC", "UN", "UR", "UT", "UV"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (memcmp(vr, names[i], 2) == 0) return true;
  return false;
}

/* Tag and length of what comes; the cursor goes to the value. */
static syn_status read_head(dicom_cursor *cursor, uint32_t *tag, uint32_t *length, bool *implicit_inside,
                            syn_error *error) {
  const unsigned char *at = cursor->at;
  const size_t left = (size_t)(cursor->end - at);
  *implicit_inside = cursor->implicit;
  if (left < 8) return fail_here(cursor, error, "the DICOM file is cut within an element");
  *tag = (uint32_t)get16(at) << 16 | get16(at + 2);
  const bool item = *tag == TAG_ITEM || *tag == TAG_ITEM_END || *tag == TAG_SEQUENCE_END;
  size_t head = 8;
  if (cursor->implicit || item) {
    *length = get32(at + 4);
  } else if (at[4] < 'A' || at[4] > 'Z' || at[5] < 'A' || at[5] > 'Z') {
    return fail_here(cursor, error, "no element of DICOM begins here: the file is damaged");
  } else if (has_long_length(at + 4)) {
    if (left < 12) return fail_here(cursor, error, "the DICOM file is cut within an element");
    *length = get32(at + 8);
    head = 12;
    if (memcmp(at + 4, "UN", 2) == 0 && *length == UNDEFINED) *implicit_inside = true;
  } else {
    *length = get16(at + 6);
  }
  cursor->at += head;
  return SYN_OK;
}

/* Finds the end of a sequence or item of undefined length: *end is its delimiter. */
static syn_status find_end(dicom_cursor cursor, uint32_t delimiter, int depth, const unsigned char **end,
                           const unsigned char **after, syn_error *error) {
  uint32_t tag = 0, length = 0;
  if (depth == DEEPEST) return fail_here(&cursor, error, "sequences are nested too deep");
  for (;;) {
    dicom_cursor inside = cursor;
    const unsigned char *here = cursor.at, *unused;
    SYN_TRY(read_head(&cursor, &tag, &length, &inside.implicit, error));
    if (tag == delimiter) {
      *end = here;
      *after = cursor.at;
      return SYN_OK;
    }
    if (length == UNDEFINED) {
      inside.at = cursor.at;
      SYN_TRY(
          find_end(inside, tag == TAG_ITEM ? TAG_ITEM_END : TAG_SEQUENCE_END, depth + 1, &unused, &cursor.at, error));
    } else if (length > (size_t)(cursor.end - cursor.at)) {
      return fail_here(&cursor, error, "the DICOM file is cut within an element");
    } else {
      cursor.at += length;
    }
  }
}

syn_status syn_dicom_next(dicom_cursor *cursor, dicom_element *element, bool *found, syn_error *error) {
  uint32_t length = 0;
  dicom_cursor inside = *cursor;
  *found = false;
  *element = (dicom_element){0};
  if (cursor->at == cursor->end) return SYN_OK;
  SYN_TRY(read_head(cursor, &element->tag, &length, &inside.implicit, error));
  element->value = cursor->at;
  element->undefined = length == UNDEFINED;
  if (element->undefined) {
    const unsigned char *end;
    inside.at = cursor->at;
    SYN_TRY(find_end(inside, element->tag == TAG_ITEM ? TAG_ITEM_END : TAG_SEQUENCE_END, 0, &end, &cursor->at, error));
    element->length = (size_t)(end - element->value);
  } else {
    if (length > (size_t)(cursor->end - cursor->at))
      return fail_here(cursor, error, "the DICOM file is cut: an element is longer than what is left of it");
    element->length = length;
    cursor->at += length;
  }
  *found = true;
  return SYN_OK;
}

dicom_cursor syn_dicom_inside(const dicom_cursor *outside, const dicom_element *element) {
  dicom_cursor cursor = *outside;
  cursor.at = element->value;
  cursor.end = element->value + element->length;
  return cursor;
}

/* ---- values -------------------------------------------------------------------------------------------------------
 */

bool syn_dicom_uint16(const dicom_element *element, uint16_t *value) {
  if (element->length < 2) return false;
  *value = get16(element->value);
  return true;
}

bool syn_dicom_decimals(const dicom_element *element, size_t count, double *values) {
  const char *at = (const char *)element->value, *end = at + element->length;
  for (size_t i = 0; i < count; ++i) {
    const char *stop = at < end ? memchr(at, '\\', (size_t)(end - at)) : NULL;
    if (!stop) stop = end;
    const char *from = at, *to = stop;
    while (from < to && *from == ' ') ++from;
    while (to > from && (to[-1] == ' ' || to[-1] == 0)) --to;
    if (!syn_word_double((syn_word){from, (size_t)(to - from)}, &values[i])) return false;
    at = stop < end ? stop + 1 : end;
  }
  return true;
}

const char *syn_dicom_text(const dicom_element *element, char *text, size_t size) {
  size_t length = element->length;
  while (length && (element->value[length - 1] == ' ' || element->value[length - 1] == 0)) --length;
  if (length >= size) length = size - 1;
  memcpy(text, element->value, length);
  text[length] = 0;
  return text;
}

/* ---- the file -----------------------------------------------------------------------------------------------------
 */

/* The meta header, group 2, is always explicit and says how the rest is written. */
syn_status syn_dicom_begin(const void *bytes, size_t size, const char *file, dicom_cursor *cursor, syn_error *error) {
  char syntax[80] = "";
  dicom_element element;
  bool found;
  *cursor = (dicom_cursor){.begin = bytes, .at = bytes, .end = (const unsigned char *)bytes + size, .file = file};
  if (size < 132) return fail_here(cursor, error, "the DICOM file is cut within its preamble");
  cursor->at += 132;
  for (;;) {
    dicom_cursor ahead = *cursor;
    SYN_TRY(syn_dicom_next(&ahead, &element, &found, error));
    if (!found || element.tag >> 16 != 2) break;
    *cursor = ahead;
    if (element.tag == 0x00020010) syn_dicom_text(&element, syntax, sizeof syntax);
    if (cursor->end - cursor->at >= 2 && get16(cursor->at) != 2) break; /* the rest may be implicit */
  }
  cursor->implicit = strcmp(syntax, "1.2.840.10008.1.2") == 0;
  if (cursor->implicit || strcmp(syntax, "1.2.840.10008.1.2.1") == 0) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, file, 0, -1,
                     "this DICOM file is compressed or big-endian (transfer syntax '%s'): convert it first, with "
                     "'gdcmconv --raw IN OUT' or 'dcmconv +te IN OUT'",
                     syntax);
}
