/* Reads a study file and reports errors by file, key and position. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/json.h"
#include "shape/shape_maker.h"
#include "study/study_folder.h"
#include "study/study_page.h"
#include "study/study_pressure.h"

/* ---- fingerprint ----------------------------------------------------------------------------------------------- */
/* Computes the fingerprint of everything that could change a result, including the version of the library. */

/* Fails only if out of memory. If a file cannot be read, *fine is set to false; the error is reported when the case
 * runs. */
static syn_status add_file(const syn_context *context, syn_sha256 *sha, const char *path, bool *fine,
                           syn_error *error) {
  char digits[65];
  if (!path || !*fine) return SYN_OK;
  const syn_status status = syn_file_sha256(context, path, digits, error);
  *fine = status == SYN_OK;
  if (*fine) syn_sha256_add(sha, digits, sizeof digits);
  return status == SYN_NO_MEMORY ? status : SYN_OK;
}

static syn_status add_meshes(const syn_context *context, syn_sha256 *sha, const syn_joint *joint, bool *fine,
                             syn_error *error) {
  syn_arena arena = {.context = context};
  syn_status status = SYN_OK;
  for (size_t i = 0; status == SYN_OK && *fine && i < joint->body_count; ++i) {
    const char *path = joint->bodies[i].mesh_file;
    if (path[0] != '/') status = syn_study_path(&arena, joint->folder[0] ? joint->folder : ".", path, &path, error);
    if (status == SYN_OK) status = add_file(context, sha, path, fine, error);
  }
  syn_arena_release(&arena);
  return status;
}

/* Adds a joint file and the meshes that it names. */
static syn_status add_joint(const syn_context *context, syn_sha256 *sha, const char *path, bool *fine,
                            syn_error *error) {
  syn_joint *joint;
  SYN_TRY(add_file(context, sha, path, fine, error));
  if (!path || !*fine) return SYN_OK;
  syn_status status = syn_joint_read(context, path, &joint, error);
  *fine = status == SYN_OK;
  if (!*fine) return status == SYN_NO_MEMORY ? status : SYN_OK;
  status = add_meshes(context, sha, joint, fine, error);
  syn_joint_destroy(joint);
  return status;
}

static syn_status add_description(const json_t *description, syn_sha256 *sha, syn_error *error) {
  char *text = json_dumps(description, JSON_COMPACT | JSON_SORT_KEYS);
  if (!text) return syn_fail(error, SYN_NO_MEMORY, "there is no memory for the description of a case");
  syn_sha256_add(sha, text, strlen(text) + 1);
  free(text);
  return SYN_OK;
}

/* Fills in input_sha256. */
static syn_status study_fingerprint(const syn_study *study, syn_study_case *it, syn_error *error) {
  syn_context silent = *syn_context_or_default(study->context);
  silent.warn = NULL;
  silent.progress = NULL;
  syn_sha256 sha = syn_sha256_start();
  bool fine = true;
  SYN_TRY(add_description(it->description, &sha, error));
  syn_sha256_add(&sha, syn_version(), strlen(syn_version()) + 1);
  for (size_t i = 0; i < SYN_STUDY_ANALYSES; ++i) {
    const bool wanted = syn_study_wants(study, i);
    syn_sha256_add(&sha, &wanted, sizeof wanted);
  }
  syn_sha256_add(&sha, &study->draws, sizeof study->draws);
  syn_sha256_add(&sha, &study->reading.scale, sizeof study->reading.scale);
  if (study->pressure_description) SYN_TRY(add_description(study->pressure_description, &sha, error));
  SYN_TRY(add_joint(&silent, &sha, it->joint, &fine, error));
  for (int i = 0; i < SYN_HIP_PARTS; ++i) SYN_TRY(add_file(&silent, &sha, it->parts[i], &fine, error));
  SYN_TRY(add_file(&silent, &sha, it->landmarks, &fine, error));
  if (fine) syn_sha256_finish(&sha, it->input_sha256);
  return SYN_OK;
}

/* ---- study file ------------------------------------------------------------------------------------------------ */

enum { LONGEST_NAME = 100 };

/* ---- names and paths --------------------------------------------------------------------------------------------- */

/* A case's name is the name of a folder: it may neither be a path nor a hidden name. */
static syn_status check_name(const syn_json *place, const char *name, syn_error *error) {
  const size_t length = strlen(name);
  if (length == 0 || length > LONGEST_NAME)
    return syn_json_fail(place, error, "a case's name has 1 to %d bytes: it becomes the name of a folder",
                         (int)LONGEST_NAME);
  bool fine = name[0] != '.' && name[0] != ' ' && name[length - 1] != ' ';
  for (const char *at = name; *at; ++at) {
    const unsigned char c = (unsigned char)*at;
    fine = fine && (c >= 0x80 || isalnum(c) || strchr("_-+.=, ", c));
  }
  if (fine && strcmp(name, "study.csv") != 0 && strcmp(name, "study.json") != 0 && strcmp(name, "report.html") != 0)
    return SYN_OK;
  return syn_json_fail(place, error,
                       "this cannot be the name of a folder: use letters, digits, '_', '-', '+', '=', ',', '.' and "
                       "blanks, no dot or blank first");
}

syn_status syn_study_path(syn_arena *arena, const char *folder, const char *name, const char **path, syn_error *error) {
  const size_t length = strlen(folder), size = length + 1 + strlen(name) + 1;
  const bool ends_in_slash = length && folder[length - 1] == '/';
  char *made;
  SYN_TRY(SYN_TAKE(arena, &made, size, error));
  snprintf(made, size, "%s%s%s", folder, ends_in_slash ? "" : "/", name);
  *path = made;
  return SYN_OK;
}

syn_status syn_study_path_of(syn_study *study, const syn_json *place, const char **path, syn_error *error) {
  const char *text;
  SYN_TRY(syn_json_text(place, &text, error));
  if (!text[0]) return syn_json_fail(place, error, "expected the path of a file, found nothing");
  const char *slash = strrchr(study->path, '/');
  const size_t folder = slash && text[0] != '/' ? (size_t)(slash - study->path) + 1 : 0;
  char *made;
  SYN_TRY(SYN_TAKE(&study->arena, &made, folder + strlen(text) + 1, error));
  memcpy(made, study->path, folder);
  memcpy(made + folder, text, strlen(text) + 1);
  *path = made;
  return SYN_OK;
}

/* The path is NULL if the member is missing. */
static syn_status take_path(syn_study *study, const syn_json *object, const char *key, const char **path,
                            syn_error *error) {
  const syn_json place = syn_json_member(object, key);
  *path = NULL;
  return place.value ? syn_study_path_of(study, &place, path, error) : SYN_OK;
}

/* ---- the three kinds of case ------------------------------------------------------------------------------------- */

static bool has_parameter(const syn_shape_info *info, const char *name) {
  for (size_t i = 0; i < info->parameter_count; ++i)
    if (strcmp(info->parameters[i].name, name) == 0) return true;
  return false;
}

static syn_status take_shape(syn_study *study, const syn_json *object, syn_study_case *it, syn_error *error) {
  static const char *const keys[] = {"name", "shape", "parameters", "as_scanned", "bone_only", NULL};
  static const char *const shapes[] = {"hip", NULL};
  unsigned choice;
  SYN_TRY(syn_json_only_keys(object, keys, error));
  SYN_TRY(syn_json_member_choice(object, "shape", shapes, &choice, error));
  it->shape = shapes[choice];
  const syn_json parameters = syn_json_member(object, "parameters");
  if (!parameters.value) return SYN_OK;
  SYN_TRY(syn_json_expect_object(&parameters, error));
  SYN_TRY(SYN_TAKE(&study->arena, &it->values, json_object_size(parameters.value), error));
  const char *key;
  json_t *value;
  json_object_foreach(parameters.value, key, value) {
    const syn_json place = syn_json_member(&parameters, key);
    if (!has_parameter(syn_shape_named(it->shape), key))
      return syn_json_fail(&place, error, "the shape has no such parameter; `synovia shape %s --help` lists them",
                           it->shape);
    it->values[it->value_count].name = key;
    SYN_TRY(syn_json_double(&place, &it->values[it->value_count++].value, error));
  }
  return SYN_OK;
}

static syn_status take_joint(syn_study *study, const syn_json *object, syn_study_case *it, syn_error *error) {
  static const char *const keys[] = {"name", "joint", "as_scanned", "bone_only", NULL};
  SYN_TRY(syn_json_only_keys(object, keys, error));
  return take_path(study, object, "joint", &it->joint, error);
}

static syn_status take_placing(syn_study *study, const syn_json *object, syn_study_case *it, syn_error *error) {
  static const char *const sides[] = {"right", "left", NULL};
  const syn_json center = syn_json_member(object, "center");
  if (syn_json_member(object, "side").value) {
    unsigned choice;
    syn_side *side;
    SYN_TRY(syn_json_member_choice(object, "side", sides, &choice, error));
    SYN_TRY(SYN_TAKE(&study->arena, &side, 1, error));
    *side = choice ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT;
    it->side = side;
  }
  if (center.value) {
    syn_vec3 *point;
    SYN_TRY(SYN_TAKE(&study->arena, &point, 1, error));
    SYN_TRY(syn_json_vec3(&center, point, error));
    it->center = point;
  }
  return take_path(study, object, "landmarks", &it->landmarks, error);
}

static syn_status take_meshes(syn_study *study, const syn_json *object, syn_study_case *it, syn_error *error) {
  static const char *const keys[] = {"name",
                                     "pelvis",
                                     "femur",
                                     "labrum",
                                     "femoral_cartilage",
                                     "acetabular_cartilage",
                                     "transition_zone",
                                     "side",
                                     "center",
                                     "landmarks",
                                     "as_scanned",
                                     "bone_only",
                                     NULL};
  SYN_TRY(syn_json_only_keys(object, keys, error));
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    SYN_TRY(take_path(study, object, syn_hip_part_name((syn_hip_part)i), &it->parts[i], error));
  if (!it->parts[SYN_HIP_PELVIS] || !it->parts[SYN_HIP_FEMUR])
    return syn_json_fail(object, error, "a case of meshes needs both \"pelvis\" and \"femur\"");
  return take_placing(study, object, it, error);
}

static syn_status take_case(syn_study *study, const syn_json *object, syn_study_case *it, syn_error *error) {
  SYN_TRY(syn_json_expect_object(object, error));
  const syn_json name = syn_json_member(object, "name");
  SYN_TRY(syn_json_text(&name, &it->name, error));
  SYN_TRY(check_name(&name, it->name, error));
  it->description = object->value;
  const syn_json as_scanned = syn_json_member(object, "as_scanned");
  if (as_scanned.value) SYN_TRY(syn_json_bool(&as_scanned, &it->as_scanned, error));
  const syn_json bone_only = syn_json_member(object, "bone_only");
  if (bone_only.value) SYN_TRY(syn_json_bool(&bone_only, &it->bone_only, error));
  if (syn_json_member(object, "shape").value) return take_shape(study, object, it, error);
  if (syn_json_member(object, "joint").value) return take_joint(study, object, it, error);
  if (syn_json_member(object, "pelvis").value || syn_json_member(object, "femur").value)
    return take_meshes(study, object, it, error);
  return syn_json_fail(object, error, "a case needs a \"shape\", a \"joint\", or \"pelvis\" and \"femur\"");
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* "center, measure, …" */
static const char *known_analyses(char text[128]) {
  text[0] = 0;
  for (size_t i = 0; i < SYN_STUDY_ANALYSES; ++i) {
    const size_t used = strlen(text);
    snprintf(text + used, 128 - used, "%s%s", i ? ", " : "", syn_study_analyses[i].name);
  }
  return text;
}

static syn_status take_analyses(syn_study *study, const syn_json *root, syn_error *error) {
  const syn_json list = syn_json_member(root, "analyses");
  size_t count;
  char known[128];
  SYN_TRY(syn_json_expect_array(&list, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json place = syn_json_item(&list, i);
    const char *word;
    size_t which = 0;
    SYN_TRY(syn_json_text(&place, &word, error));
    while (which < SYN_STUDY_ANALYSES && strcmp(word, syn_study_analyses[which].name) != 0) ++which;
    if (which == SYN_STUDY_ANALYSES)
      return syn_json_fail(&place, error, "there is no analysis '%.40s'; there are %s", word, known_analyses(known));
    study->wants |= 1u << which;
  }
  return count ? SYN_OK : syn_json_fail(&list, error, "name at least one of %s", known_analyses(known));
}

/* Rejects two cases of one name: they would share a folder. */
static syn_status check_names(const syn_json *list, const syn_study *study, syn_error *error) {
  json_t *seen = json_object();
  bool failed = !seen;
  syn_status status = SYN_OK;
  for (size_t i = 0; status == SYN_OK && i < study->case_count; ++i) {
    const syn_json item = syn_json_item(list, i), name = syn_json_member(&item, "name");
    if (json_object_get(seen, study->cases[i].name))
      status = syn_json_fail(&name, error, "another case has this name already");
    else
      syn_json_put(seen, study->cases[i].name, json_true(), &failed);
  }
  json_decref(seen);
  return status == SYN_OK && failed ? syn_fail_memory(error, 0) : status;
}

static syn_status take_cases(syn_study *study, const syn_json *root, syn_error *error) {
  const syn_json list = syn_json_member(root, "cases");
  SYN_TRY(syn_json_expect_array(&list, &study->case_count, error));
  if (!study->case_count) return syn_json_fail(&list, error, "a study needs at least one case");
  SYN_TRY(SYN_TAKE(&study->arena, &study->cases, study->case_count, error));
  memset(study->cases, 0, study->case_count * sizeof *study->cases);
  for (size_t i = 0; i < study->case_count; ++i) {
    const syn_json item = syn_json_item(&list, i);
    SYN_TRY(take_case(study, &item, &study->cases[i], error));
  }
  return check_names(&list, study, error);
}

static syn_status take_draws(syn_study *study, const syn_json *root, syn_error *error) {
  enum { MOST = 100000 };
  const syn_json draws = syn_json_member(root, "draws");
  study->draws = syn_default_band_options().draws;
  if (!draws.value) return SYN_OK;
  if (!json_is_integer(draws.value) || json_integer_value(draws.value) < 0 || json_integer_value(draws.value) > MOST)
    return syn_json_fail(&draws, error, "expected a whole number from 0 (no bands) to %d", MOST);
  study->draws = (uint32_t)json_integer_value(draws.value);
  return SYN_OK;
}

static syn_status take_study(syn_study *study, const syn_json *root, syn_error *error) {
  static const char *const keys[] = {"synovia_study", "name", "cases", "analyses", "draws", "pressure", "page", NULL};
  const syn_json version = syn_json_member(root, "synovia_study");
  SYN_TRY(syn_json_expect_object(root, error));
  SYN_TRY(syn_json_expect_kind(root, SYN_JSON_STUDY, error));
  if (!json_is_integer(version.value) || json_integer_value(version.value) != 1)
    return syn_json_fail(&version, error, "expected 1: this is not a study file, or one of a later version");
  SYN_TRY(syn_json_only_keys(root, keys, error));
  SYN_TRY(syn_json_member_text(root, "name", &study->arena, &study->name, error));
  SYN_TRY(take_analyses(study, root, error));
  SYN_TRY(take_draws(study, root, error));
  SYN_TRY(syn_study_take_pressure(study, root, error));
  SYN_TRY(syn_study_take_page(study, root, error));
  SYN_TRY(take_cases(study, root, error));
  for (size_t i = 0; i < study->case_count; ++i) SYN_TRY(study_fingerprint(study, &study->cases[i], error));
  return SYN_OK;
}

static syn_status read_study(syn_study *study, const char *path, syn_error *error) {
  char *copy;
  SYN_TRY(syn_arena_text(&study->arena, path, strlen(path), &copy, error));
  study->path = copy;
  SYN_TRY(syn_json_read(study->context, path, &study->root, error));
  const syn_json root = syn_json_root(study->root, copy);
  return take_study(study, &root, error);
}

syn_status syn_study_read(const syn_context *context, const char *path, const syn_read_options *reading,
                          syn_study **study, syn_error *error) {
  *study = NULL;
  if (reading) SYN_TRY(SYN_CHECK_OPTIONS(reading, syn_default_read_options, error));
  syn_study *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->arena.context = context;
  made->reading = reading ? *reading : syn_default_read_options();
  const syn_status status = read_study(made, path, error);
  if (status == SYN_OK)
    *study = made;
  else
    syn_study_destroy(made);
  return status;
}

void syn_study_destroy(syn_study *study) {
  if (!study) return;
  json_decref(study->root);
  json_decref(study->pages);
  syn_arena_release(&study->arena);
  syn_free(study->context, study);
}

syn_study_options syn_default_study_options(void) {
  return (syn_study_options){.folder = "study-output", .share_count = 1, .cookie = SYN_COOKIE};
}

syn_status syn_study_check_options(const syn_study_options **options, syn_study_options *defaults, syn_error *error) {
  *defaults = syn_default_study_options();
  if (!*options) *options = defaults;
  SYN_TRY(SYN_CHECK_OPTIONS(*options, syn_default_study_options, error));
  if ((*options)->share_index >= (*options)->share_count)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no share %zu of %zu: they count from 0", (*options)->share_index,
                    (*options)->share_count);
  if (!(*options)->folder) return syn_fail(error, SYN_BAD_ARGUMENT, "a study needs a folder for its results");
  return SYN_OK;
}
