/* Computes the fingerprint of everything that could change a result, including the version of the library. */
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "study/study.h"

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

syn_status syn_study_fingerprint(const syn_study *study, syn_study_case *it, syn_error *error) {
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
