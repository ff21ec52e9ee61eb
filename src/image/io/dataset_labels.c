/* Names of labels from the dataset.json that nnU-Net puts beside what it segments: {"labels": {"femur_left": 1}} since
 * its version 2, {"labels": {"1": "femur_left"}} before. */
#include <string.h>
#include <sys/stat.h>

#include "base/files/file.h"
#include "base/json.h"
#include "base/text.h"
#include "image/io/raster.h"

enum { MOST_BYTES = 1 << 20 };

/* Either the key or the value is the number. Regions, which are lists of numbers, overlap others and have no voxels. */
static syn_status add_name(const char *key, const json_t *value, syn_arena *arena, label_tally *tally,
                           syn_error *error) {
  syn_word word = {key, strlen(key)};
  uint64_t number = 0;
  const char *name = key;
  if (json_is_string(value) && syn_word_uint64(word, &number))
    name = json_string_value(value);
  else if (json_is_integer(value) && json_integer_value(value) > 0)
    number = (uint64_t)json_integer_value(value);
  if (number == 0 || number > UINT16_MAX) return SYN_OK;
  char *copy;
  SYN_TRY(syn_arena_text(arena, name, strlen(name), &copy, error));
  return syn_label_tally_name(tally, &(syn_label){.value = (uint16_t)number, .name = copy, .side = SYN_SIDES}, error);
}

static syn_status add_names(const json_t *file, syn_arena *arena, label_tally *tally, syn_error *error) {
  json_t *labels = json_object_get(file, "labels"), *value;
  const char *key;
  json_object_foreach(labels, key, value) SYN_TRY(add_name(key, value, arena, tally, error));
  return SYN_OK;
}

syn_status syn_dataset_labels_find(syn_arena *arena, const char *image_path, label_tally *tally, syn_error *error) {
  static const char name[] = "dataset.json";
  char *path;
  struct stat info;
  json_t *file;
  syn_error why;
  SYN_TRY(syn_raster_beside(arena, image_path, name, sizeof name - 1, &path, error));
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > MOST_BYTES) return SYN_OK;
  const syn_status read = syn_json_read(arena->context, path, &file, &why);
  if (read == SYN_NO_MEMORY) return syn_fail_memory(error, 0);
  if (read != SYN_OK) {
    syn_warn(arena->context, "%s: it is not understood (%s); the labels have no names", path, why.message);
    return SYN_OK;
  }
  const syn_status status = add_names(file, arena, tally, error);
  json_decref(file);
  return status;
}
