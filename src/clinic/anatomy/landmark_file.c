/* Reads landmark files: our JSON, 3D Slicer's markups, tables. */
#include <string.h>

#include "base/files/file.h"
#include "base/json.h"
#include "base/table_line.h"
#include "base/vec.h"
#include "clinic/anatomy/landmarks.h"

/* Our format is LPS; 3D Slicer has also written 0 for RAS and 1 for LPS. */
static syn_status read_system(const syn_json *markup, bool *ras, syn_error *error) {
  const syn_json system = syn_json_member(markup, "coordinateSystem");
  const char *text = "LPS";
  if (system.value) SYN_TRY(syn_json_text(&system, &text, error));
  *ras = !strcmp(text, "RAS") || !strcmp(text, "0");
  if (*ras || !strcmp(text, "LPS") || !strcmp(text, "1")) return SYN_OK;
  return syn_json_fail(&system, error, "the coordinate system must be LPS or RAS");
}

/* Slicer keeps points that were planned but never placed. */
static bool is_placed(const syn_json *point) {
  const syn_json status = syn_json_member(point, "positionStatus");
  return !json_is_string(status.value) || !strcmp(json_string_value(status.value), "defined");
}

static syn_status read_markup(syn_landmark_list *list, const syn_json *markup, syn_error *error) {
  bool ras;
  size_t count;
  SYN_TRY(syn_json_expect_object(markup, error));
  SYN_TRY(read_system(markup, &ras, error));
  const syn_json points = syn_json_member(markup, "controlPoints");
  SYN_TRY(syn_json_expect_array(&points, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json point = syn_json_item(&points, i);
    SYN_TRY(syn_json_expect_object(&point, error));
    const syn_json label = syn_json_member(&point, "label"), position = syn_json_member(&point, "position");
    const char *text;
    syn_vec3 place;
    SYN_TRY(syn_json_text(&label, &text, error));
    if (!is_placed(&point)) {
      syn_warn(list->context, "the landmark \"%.60s\" was not placed and is left out", text);
      continue;
    }
    SYN_TRY(syn_json_vec3(&position, &place, error));
    SYN_TRY(syn_landmark_enter(list, text, ras ? vec3(-place.x, -place.y, place.z) : place, 0, error));
  }
  return SYN_OK;
}

static syn_status read_plain(syn_landmark_list *list, const syn_json *root, syn_error *error) {
  const char *key;
  json_t *value;
  json_object_foreach(root->value, key, value) {
    const syn_json member = syn_json_member(root, key);
    syn_vec3 place;
    SYN_TRY(syn_json_vec3(&member, &place, error));
    SYN_TRY(syn_landmark_enter(list, key, place, 0, error));
  }
  return SYN_OK;
}

static syn_status read_root(syn_landmark_list *list, const syn_json *root, syn_error *error) {
  SYN_TRY(syn_json_expect_object(root, error));
  const syn_json markups = syn_json_member(root, "markups");
  if (!markups.value) return read_plain(list, root, error);
  list->others_are_fine = true; /* users also place points for other purposes */
  size_t count;
  SYN_TRY(syn_json_expect_array(&markups, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json markup = syn_json_item(&markups, i);
    SYN_TRY(read_markup(list, &markup, error));
  }
  return SYN_OK;
}

static syn_status read_json(syn_landmark_list *list, const char *bytes, size_t size, syn_error *error) {
  json_t *value;
  SYN_TRY(syn_json_parse(bytes, size, list->file, &value, error));
  const syn_json root = syn_json_root(value, list->file);
  const syn_status status = read_root(list, &root, error);
  json_decref(value);
  return status;
}

/* The content decides, not the name. */
static bool is_json(const char *bytes, size_t size) {
  size_t at = syn_order_mark(bytes, size);
  while (at < size && bytes[at] && strchr(" \t\r\n", bytes[at])) ++at;
  return at < size && (bytes[at] == '{' || bytes[at] == '[');
}

static syn_status check_entered(const syn_landmark_list *list, syn_error *error) {
  if (list->entered > 0) return SYN_OK;
  if (list->other_side > 0)
    return syn_fail_at(error, SYN_BAD_FORMAT, list->file, 0, -1,
                       "every landmark in this file is of the other side: this is a %s hip", syn_side_name(list->side));
  return syn_fail_at(
      error, SYN_BAD_FORMAT, list->file, 0, -1,
      "there is no landmark in this file: it needs lines NAME,x,y,z in mm, JSON {\"asis\": [x, y, z]}, or "
      "3D Slicer's markups");
}

syn_status syn_landmarks_read(const syn_context *context, const char *path, syn_side side,
                              syn_found_point given[SYN_LANDMARK_SLOTS], syn_error *error) {
  char *bytes;
  size_t size;
  SYN_TRY(syn_check_context(context, error));
  context = syn_context_or_default(context);
  for (int i = 0; i < SYN_LANDMARK_SLOTS; ++i) given[i] = (syn_found_point){0};
  SYN_TRY(syn_read_file(context, path, &bytes, &size, error));
  syn_landmark_list list = {.context = context, .file = path, .side = side, .given = given};
  syn_status status =
      is_json(bytes, size) ? read_json(&list, bytes, size, error) : syn_landmark_table_read(&list, bytes, size, error);
  syn_free(context, bytes);
  if (status == SYN_OK) status = check_entered(&list, error);
  return status;
}
