/* Reading a study file: what is wrong is told by file, key and place. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/sha256.h"
#include "base/status.h"
#include "study.h"

enum { LONGEST_NAME = 100 };

const char *const cli_study_analysis_names[CLI_STUDY_ANALYSES + 1] = {"center", "measure", "rom", "fai", "hip", NULL};

/* ---- names and paths ----------------------------------------------------------------------------------------------
 */

/* A case's name is a folder's name: nothing that leads elsewhere or hides. */
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

/* The member as a path from the current folder; NULL where it is missing. */
static syn_status take_path(cli_study_file *study, const syn_json *object, const char *key, const char **path,
                            syn_error *error) {
  const syn_json place = syn_json_member(object, key);
  const char *text;
  *path = NULL;
  if (!place.value) return SYN_OK;
  SYN_TRY(syn_json_text(&place, &text, error));
  if (!text[0]) return syn_json_fail(&place, error, "expected the path of a file, found nothing");
  const char *slash = strrchr(study->path, '/');
  const size_t folder = slash && text[0] != '/' ? (size_t)(slash - study->path) + 1 : 0;
  char *made;
  SYN_TRY(SYN_TAKE(&study->arena, &made, folder + strlen(text) + 1, error));
  memcpy(made, study->path, folder);
  memcpy(made + folder, text, strlen(text) + 1);
  *path = made;
  return SYN_OK;
}

/* ---- the three kinds of case --------------------------------------------------------------------------------------
 */

static bool has_parameter(const syn_shape_info *info, const char *name) {
  for (size_t i = 0; i < info->parameter_count; ++i)
    if (strcmp(info->parameters[i].name, name) == 0) return true;
  return false;
}

static syn_status take_shape(cli_study_file *study, const syn_json *object, cli_study_case *it, syn_error *error) {
  static const char *const keys[] = {"name", "shape", "parameters", NULL};
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

static syn_status take_joint(cli_study_file *study, const syn_json *object, cli_study_case *it, syn_error *error) {
  static const char *const keys[] = {"name", "joint", NULL};
  SYN_TRY(syn_json_only_keys(object, keys, error));
  return take_path(study, object, "joint", &it->joint, error);
}

static syn_status take_placing(cli_study_file *study, const syn_json *object, cli_study_case *it, syn_error *error) {
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

static syn_status take_meshes(cli_study_file *study, const syn_json *object, cli_study_case *it, syn_error *error) {
  static const char *const keys[] = {
      "name", "pelvis", "femur",     "labrum", "femoral_cartilage", "acetabular_cartilage",
      "side", "center", "landmarks", NULL};
  SYN_TRY(syn_json_only_keys(object, keys, error));
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    SYN_TRY(take_path(study, object, syn_hip_part_name((syn_hip_part)i), &it->parts[i], error));
  if (!it->parts[SYN_HIP_PELVIS] || !it->parts[SYN_HIP_FEMUR])
    return syn_json_fail(object, error, "a case of meshes needs both \"pelvis\" and \"femur\"");
  return take_placing(study, object, it, error);
}

static syn_status take_case(cli_study_file *study, const syn_json *object, cli_study_case *it, syn_error *error) {
  SYN_TRY(syn_json_expect_object(object, error));
  const syn_json name = syn_json_member(object, "name");
  SYN_TRY(syn_json_text(&name, &it->name, error));
  SYN_TRY(check_name(&name, it->name, error));
  it->description = object->value;
  if (syn_json_member(object, "shape").value) return take_shape(study, object, it, error);
  if (syn_json_member(object, "joint").value) return take_joint(study, object, it, error);
  if (syn_json_member(object, "pelvis").value || syn_json_member(object, "femur").value)
    return take_meshes(study, object, it, error);
  return syn_json_fail(object, error, "a case needs a \"shape\", a \"joint\", or \"pelvis\" and \"femur\"");
}

/* ---- what a result was made from ----------------------------------------------------------------------------------
 */

static bool add_file(const syn_context *context, syn_sha256 *sha, const char *path) {
  char digits[65];
  if (syn_file_sha256(context, path, digits, NULL) != SYN_OK) return false;
  syn_sha256_add(sha, digits, sizeof digits);
  return true;
}

/* A joint file and the meshes that it names. */
static bool add_joint(const syn_context *context, syn_sha256 *sha, const char *path) {
  syn_joint *joint;
  if (!add_file(context, sha, path) || syn_joint_read(context, path, &joint, NULL) != SYN_OK) return false;
  bool fine = true;
  for (size_t i = 0; fine && i < joint->body_count; ++i) {
    const char *mesh = joint->bodies[i].mesh_file;
    char *whole = cli_path(joint->folder[0] ? joint->folder : ".", mesh);
    fine = add_file(context, sha, mesh[0] == '/' ? mesh : whole);
    free(whole);
  }
  syn_joint_destroy(joint);
  return fine;
}

/* Everything that could change the result: another version of the program as well. */
static void fingerprint(cli_session *session, const cli_study_file *study, cli_study_case *it) {
  syn_context silent = session->context; /* what is wrong with a file is told when the case runs */
  silent.warn = NULL;
  silent.progress = NULL;
  syn_sha256 sha = syn_sha256_start();
  char *text = json_dumps(it->description, JSON_COMPACT | JSON_SORT_KEYS);
  syn_sha256_add(&sha, text, strlen(text) + 1);
  free(text);
  syn_sha256_add(&sha, syn_version(), strlen(syn_version()) + 1);
  syn_sha256_add(&sha, study->wants, sizeof study->wants);
  syn_sha256_add(&sha, &session->reading.scale, sizeof session->reading.scale);
  bool fine = !it->joint || add_joint(&silent, &sha, it->joint);
  for (int i = 0; i < SYN_HIP_PARTS; ++i) fine = fine && (!it->parts[i] || add_file(&silent, &sha, it->parts[i]));
  fine = fine && (!it->landmarks || add_file(&silent, &sha, it->landmarks));
  if (fine) syn_sha256_finish(&sha, it->input_sha256);
}

/* ---- the file -----------------------------------------------------------------------------------------------------
 */

static syn_status take_analyses(cli_study_file *study, const syn_json *root, syn_error *error) {
  const syn_json list = syn_json_member(root, "analyses");
  size_t count;
  SYN_TRY(syn_json_expect_array(&list, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json place = syn_json_item(&list, i);
    const char *word;
    int which = 0;
    SYN_TRY(syn_json_text(&place, &word, error));
    while (which < CLI_STUDY_ANALYSES && strcmp(word, cli_study_analysis_names[which]) != 0) ++which;
    if (which == CLI_STUDY_ANALYSES)
      return syn_json_fail(&place, error, "there is no analysis '%.40s': center, measure, rom, fai or hip", word);
    study->wants[which] = true;
  }
  return count ? SYN_OK : syn_json_fail(&list, error, "name at least one of center, measure, rom, fai, hip");
}

/* Two cases of one name would share a folder. */
static syn_status check_names(const syn_json *list, const cli_study_file *study, syn_error *error) {
  json_t *seen = json_object();
  syn_status status = SYN_OK;
  for (size_t i = 0; status == SYN_OK && i < study->case_count; ++i) {
    const syn_json item = syn_json_item(list, i), name = syn_json_member(&item, "name");
    if (json_object_get(seen, study->cases[i].name))
      status = syn_json_fail(&name, error, "another case has this name already");
    json_object_set_new(seen, study->cases[i].name, json_true());
  }
  json_decref(seen);
  return status;
}

static syn_status take_study(cli_session *session, cli_study_file *study, const syn_json *root, syn_error *error) {
  static const char *const keys[] = {"synovia_study", "name", "cases", "analyses", NULL};
  const syn_json version = syn_json_member(root, "synovia_study"), list = syn_json_member(root, "cases");
  SYN_TRY(syn_json_expect_object(root, error));
  if (!json_is_integer(version.value) || json_integer_value(version.value) != 1)
    return syn_json_fail(&version, error, "expected 1: this is not a study file, or one of a later version");
  SYN_TRY(syn_json_only_keys(root, keys, error));
  SYN_TRY(syn_json_member_text(root, "name", &study->arena, &study->name, error));
  SYN_TRY(take_analyses(study, root, error));
  SYN_TRY(syn_json_expect_array(&list, &study->case_count, error));
  if (!study->case_count) return syn_json_fail(&list, error, "a study needs at least one case");
  SYN_TRY(SYN_TAKE(&study->arena, &study->cases, study->case_count, error));
  memset(study->cases, 0, study->case_count * sizeof *study->cases);
  for (size_t i = 0; i < study->case_count; ++i) {
    const syn_json item = syn_json_item(&list, i);
    SYN_TRY(take_case(study, &item, &study->cases[i], error));
  }
  SYN_TRY(check_names(&list, study, error));
  for (size_t i = 0; i < study->case_count; ++i) fingerprint(session, study, &study->cases[i]);
  return SYN_OK;
}

syn_status cli_read_study(cli_session *session, const char *path, cli_study_file *study, syn_error *error) {
  *study = (cli_study_file){.path = path, .arena = {.context = &session->context}};
  SYN_TRY(syn_json_read(&session->context, path, &study->root, error));
  const syn_json root = syn_json_root(study->root, path);
  const syn_status status = take_study(session, study, &root, error);
  if (status != SYN_OK) cli_release_study(study);
  return status;
}

void cli_release_study(cli_study_file *study) {
  syn_arena_release(&study->arena);
  json_decref(study->root);
  *study = (cli_study_file){0};
}
