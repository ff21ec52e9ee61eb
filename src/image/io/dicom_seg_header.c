#include <string.h>

#include "base/text.h"
#include "image/io/dicom_seg.h"
#include "image/io/nrrd_segments.h"

/* Walks the elements of one data set or item. */
typedef syn_status visit_element(dicom_seg *seg, const dicom_cursor *cursor, const dicom_element *element, void *user,
                                 syn_error *error);

static syn_status visit_elements(dicom_seg *seg, dicom_cursor cursor, visit_element *visit, void *user,
                                 syn_error *error) {
  for (;;) {
    dicom_element element;
    bool found;
    SYN_TRY(syn_dicom_next(&cursor, &element, &found, error));
    if (!found) return SYN_OK;
    SYN_TRY(visit(seg, &cursor, &element, user, error));
  }
}

/* Walks the elements of every item of a sequence. */
static syn_status visit_items(dicom_seg *seg, const dicom_cursor *outside, const dicom_element *sequence,
                              visit_element *visit, void *user, syn_error *error) {
  dicom_cursor items = syn_dicom_inside(outside, sequence);
  for (;;) {
    dicom_element item;
    bool found;
    SYN_TRY(syn_dicom_next(&items, &item, &found, error));
    if (!found) return SYN_OK;
    SYN_TRY(visit_elements(seg, syn_dicom_inside(&items, &item), visit, user, error));
  }
}

/* ---- segments -----------------------------------------------------------------------------------------------------
 */

typedef struct seg_names {
  uint16_t number;
  char label[128], code[64], meaning[128], modifier[64], modifier_meaning[64];
} seg_names;

static syn_status read_modifier(dicom_seg *seg, const dicom_cursor *cursor, const dicom_element *e, void *user,
                                syn_error *error) {
  seg_names *names = user;
  (void)seg, (void)cursor, (void)error;
  if (e->tag == 0x00080100) syn_dicom_text(e, names->modifier, sizeof names->modifier);
  if (e->tag == 0x00080104) syn_dicom_text(e, names->modifier_meaning, sizeof names->modifier_meaning);
  return SYN_OK;
}

static syn_status read_type(dicom_seg *seg, const dicom_cursor *cursor, const dicom_element *e, void *user,
                            syn_error *error) {
  seg_names *names = user;
  if (e->tag == 0x00080100) syn_dicom_text(e, names->code, sizeof names->code);
  if (e->tag == 0x00080104) syn_dicom_text(e, names->meaning, sizeof names->meaning);
  if (e->tag == 0x00620011) return visit_items(seg, cursor, e, read_modifier, user, error);
  return SYN_OK;
}

static syn_status read_segment_field(dicom_seg *seg, const dicom_cursor *cursor, const dicom_element *e, void *user,
                                     syn_error *error) {
  seg_names *names = user;
  if (e->tag == 0x00620004) syn_dicom_uint16(e, &names->number);
  if (e->tag == 0x00620005) syn_dicom_text(e, names->label, sizeof names->label);
  if (e->tag == 0x0062000f) return visit_items(seg, cursor, e, read_type, user, error);
  return SYN_OK;
}

/* The label that somebody chose first, then the code. */
static syn_status add_segment(dicom_seg *seg, const seg_names *names, syn_error *error) {
  char *name, both[200];
  const char *part = NULL;
  syn_side side = SYN_SIDES;
  const char *shown = names->label[0] ? names->label : names->meaning;
  SYN_TRY(syn_arena_text(seg->input->arena, shown, strlen(shown), &name, error));
  syn_label label = {.value = names->number, .name = name, .side = SYN_SIDES};
  syn_image_part_find(name, &label.part, &label.side);
  snprintf(both, sizeof both, "%s %s", names->meaning, names->modifier_meaning);
  syn_image_code_find(names->code, both, names->modifier, &part, &side);
  if (!label.part) {
    label.part = part;
    label.side = side;
  } else if (part && strcmp(part, label.part) == 0 && label.side == SYN_SIDES) {
    label.side = side;
  }
  seg->segments[seg->segment_count++] = label;
  return SYN_OK;
}

static syn_status read_segments(dicom_seg *seg, const dicom_cursor *outside, const dicom_element *sequence,
                                syn_error *error) {
  dicom_cursor items = syn_dicom_inside(outside, sequence), counting = items;
  dicom_element item;
  bool found;
  size_t count = 0;
  for (;; ++count) {
    SYN_TRY(syn_dicom_next(&counting, &item, &found, error));
    if (!found) break;
  }
  if (seg->segments) return SYN_OK;
  SYN_TRY(SYN_TAKE(seg->input->arena, &seg->segments, count, error));
  for (size_t i = 0; i < count; ++i) {
    seg_names names = {0};
    SYN_TRY(syn_dicom_next(&items, &item, &found, error));
    SYN_TRY(visit_elements(seg, syn_dicom_inside(&items, &item), read_segment_field, &names, error));
    if (names.number) SYN_TRY(add_segment(seg, &names, error));
  }
  return SYN_OK;
}

/* ---- functional groups --------------------------------------------------------------------------------------------
 */

typedef struct seg_group {
  uint16_t segment;
  double position[3];
  bool has_position;
} seg_group;

static syn_status read_group_value(dicom_seg *seg, const dicom_cursor *cursor, const dicom_element *e, void *user,
                                   syn_error *error) {
  seg_group *group = user;
  bool good = true;
  (void)cursor;
  if (e->tag == 0x00200032)
    good = group->has_position = syn_dicom_decimals(e, 3, group->position);
  else if (e->tag == 0x00200037)
    good = seg->has_orientation = syn_dicom_decimals(e, 6, seg->orientation);
  else if (e->tag == 0x00280030)
    good = seg->has_spacing = syn_dicom_decimals(e, 2, seg->spacing);
  else if (e->tag == 0x00180088)
    good = syn_dicom_decimals(e, 1, &seg->between);
  else if (e->tag == 0x00180050)
    good = syn_dicom_decimals(e, 1, &seg->thickness);
  else if (e->tag == 0x0062000b)
    good = syn_dicom_uint16(e, &group->segment);
  if (good) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, seg->input->path, 0, e->value - cursor->begin,
                     "the value of (%04x,%04x) is not understood", e->tag >> 16, e->tag & 0xffff);
}

/* Plane position, orientation, measures and the segment are each a sequence of one item. */
static syn_status read_group(dicom_seg *seg, const dicom_cursor *cursor, const dicom_element *e, void *user,
                             syn_error *error) {
  if (e->tag == 0x00209113 || e->tag == 0x00209116 || e->tag == 0x00289110 || e->tag == 0x0062000a)
    return visit_items(seg, cursor, e, read_group_value, user, error);
  return SYN_OK;
}

static syn_status read_frames(dicom_seg *seg, const dicom_cursor *outside, const dicom_element *sequence,
                              const seg_group *shared, syn_error *error) {
  dicom_cursor items = syn_dicom_inside(outside, sequence);
  for (;;) {
    dicom_element item;
    bool found;
    seg_group group = *shared;
    SYN_TRY(syn_dicom_next(&items, &item, &found, error));
    if (!found) return SYN_OK;
    SYN_TRY(visit_elements(seg, syn_dicom_inside(&items, &item), read_group, &group, error));
    if (!group.has_position || group.segment == 0)
      return syn_fail_at(error, SYN_BAD_FORMAT, seg->input->path, 0, item.value - items.begin,
                         "frame %zu does not say which segment it is of and where it lies", seg->frame_count + 1);
    SYN_TRY(SYN_RESERVE(seg->input->stream->context, &seg->frames, seg->frame_count, 1, &seg->frame_room, error));
    seg->frames[seg->frame_count++] =
        (seg_frame){.segment = group.segment, .position = {group.position[0], group.position[1], group.position[2]}};
  }
}

/* ---- the data set -------------------------------------------------------------------------------------------------
 */

typedef struct seg_walk {
  seg_group shared;
} seg_walk;

static syn_status read_top(dicom_seg *seg, const dicom_cursor *cursor, const dicom_element *e, void *user,
                           syn_error *error) {
  seg_walk *walk = user;
  switch (e->tag) {
  case 0x00080016: syn_dicom_text(e, seg->sop_class, sizeof seg->sop_class); return SYN_OK;
  case 0x00280010: syn_dicom_uint16(e, &seg->rows); return SYN_OK;
  case 0x00280011: syn_dicom_uint16(e, &seg->columns); return SYN_OK;
  case 0x00280100: syn_dicom_uint16(e, &seg->bits); return SYN_OK;
  case 0x00620001: syn_dicom_text(e, seg->type, sizeof seg->type); return SYN_OK;
  case 0x00620002: return read_segments(seg, cursor, e, error);
  case 0x52009229: return visit_items(seg, cursor, e, read_group, &walk->shared, error);
  case 0x52009230: return read_frames(seg, cursor, e, &walk->shared, error);
  case 0x7fe00010: seg->pixels = *e; return SYN_OK;
  default: return SYN_OK;
  }
}

syn_status syn_dicom_seg_header(dicom_cursor *cursor, dicom_seg *seg, syn_error *error) {
  seg_walk walk = {0};
  return visit_elements(seg, *cursor, read_top, &walk, error);
}
