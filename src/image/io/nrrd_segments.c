#include "image/io/nrrd_segments.h"

#include <string.h>

syn_status syn_nrrd_segments_add(nrrd_segments *segments, syn_word key, syn_word value, syn_error *error) {
  uint64_t number;
  const char *under = memchr(key.at, '_', key.length);
  if (!syn_word_starts(key, "Segment") || !under || under < key.at + 8) return SYN_OK;
  if (!syn_word_uint64((syn_word){key.at + 7, (size_t)(under - key.at) - 7}, &number) || number >= MOST_SEGMENTS)
    return SYN_OK;
  if (!segments->segments) {
    SYN_TRY(SYN_TAKE(segments->raster->arena, &segments->segments, MOST_SEGMENTS, error));
    memset(segments->segments, 0, MOST_SEGMENTS * sizeof *segments->segments);
  }
  nrrd_segment *segment = &segments->segments[number];
  const syn_word field = {under + 1, key.length - (size_t)(under - key.at) - 1};
  if (segments->count <= number) segments->count = (size_t)number + 1;
  if (syn_word_is(field, "Name"))
    segment->name = value;
  else if (syn_word_is(field, "Tags"))
    segment->tags = value;
  else if (syn_word_is(field, "LabelValue"))
    segment->has_value = syn_word_uint64(value, &segment->value);
  else if (syn_word_is(field, "Layer"))
    syn_word_uint64(value, &segment->layer);
  return SYN_OK;
}

/* ---- terminology --------------------------------------------------------------------------------------------------
 */

void syn_image_code_find(const char *code, const char *meaning, const char *modifier, const char **part,
                         syn_side *side) {
  static const struct {
    const char *code, *part;
  } codes[] = {
      {"71341001", "femur"},   {"54735007", "sacrum"},    {"12611008", "tibia"},   {"87342007", "fibula"},
      {"64234005", "patella"}, {"85050009", "humerus"},   {"79601000", "scapula"}, {"51299004", "clavicle"},
      {"67453005", "talus"},   {"80144004", "calcaneus"},
  };
  syn_image_part_find(meaning, part, side);
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i)
    if (strcmp(codes[i].code, code) == 0) *part = codes[i].part;
  if (*part && strcmp(modifier, "24028007") == 0) *side = SYN_SIDE_RIGHT;
  if (*part && strcmp(modifier, "7771000") == 0) *side = SYN_SIDE_LEFT;
  if (*part && *side != SYN_SIDES && strcmp(*part, "pelvis") == 0) *part = "hip_bone";
  if (*part && strcmp(*part, "sacrum") == 0) *side = SYN_SIDES;
}

/* Field i of a text that is divided by `mark`, copied into `room`; "" where there is none. */
static const char *copy_field(syn_word text, char mark, size_t i, char *room, size_t size) {
  const char *at = text.at, *end = text.at + text.length;
  for (; i > 0 && at; --i) {
    at = memchr(at, mark, (size_t)(end - at));
    if (at) ++at;
  }
  const char *stop = at ? memchr(at, mark, (size_t)(end - at)) : NULL;
  size_t length = at ? (size_t)((stop ? stop : end) - at) : 0;
  if (length >= size) length = size - 1;
  if (length) memcpy(room, at, length);
  room[length] = 0;
  return room;
}

/* TerminologyEntry:LIST~CATEGORY~TYPE~MODIFIER~…, each of the last three SCHEME^CODE^MEANING. */
static void read_tags(syn_word tags, const char **part, syn_side *side) {
  static const char mark[] = "TerminologyEntry:";
  char type[256], modifier[256], code[64], meaning[128], modifier_code[64];
  for (size_t i = 0; i + sizeof mark <= tags.length; ++i) {
    if (memcmp(tags.at + i, mark, sizeof mark - 1) != 0) continue;
    const syn_word entry = {tags.at + i + sizeof mark - 1, tags.length - i - (sizeof mark - 1)};
    copy_field(entry, '~', 2, type, sizeof type);
    copy_field(entry, '~', 3, modifier, sizeof modifier);
    const syn_word t = {type, strlen(type)}, m = {modifier, strlen(modifier)};
    syn_image_code_find(copy_field(t, '^', 1, code, sizeof code), copy_field(t, '^', 2, meaning, sizeof meaning),
                        copy_field(m, '^', 1, modifier_code, sizeof modifier_code), part, side);
    return;
  }
}

/* ---- labels -------------------------------------------------------------------------------------------------------
 */

/* The name is what somebody typed or chose; the tags complete it, and replace a name that says nothing. */
static void find_part(const nrrd_segment *segment, syn_label *label) {
  const char *part = NULL;
  syn_side side = SYN_SIDES;
  syn_image_part_find(label->name, &label->part, &label->side);
  read_tags(segment->tags, &part, &side);
  if (!part || (label->part && strcmp(label->part, part) != 0)) return;
  if (!label->part) label->part = part;
  if (label->side == SYN_SIDES) label->side = side;
}

syn_status syn_nrrd_segments_finish(nrrd_segments *segments, syn_error *error) {
  raster *r = segments->raster;
  if (segments->count == 0) return SYN_OK;
  SYN_TRY(SYN_TAKE(r->arena, &r->labels, segments->count, error));
  for (size_t i = 0; i < segments->count; ++i) {
    const nrrd_segment *segment = &segments->segments[i];
    /* Older versions wrote a layer with the value 1 for each segment. */
    const uint64_t value = segment->has_value ? segment->value : 1, layer = segment->has_value ? segment->layer : i;
    char *name;
    if (!segment->name.at || value == 0 || value > UINT16_MAX || layer > UINT16_MAX) continue;
    SYN_TRY(syn_arena_text(r->arena, segment->name.at, segment->name.length, &name, error));
    syn_label *label = &r->labels[r->label_count++];
    *label = (syn_label){.value = (uint16_t)value, .layer = (uint16_t)layer, .name = name, .side = SYN_SIDES};
    find_part(segment, label);
  }
  return SYN_OK;
}
