/* Studies of small hips for the tests of this folder. */
#ifndef TEST_STUDY_STUDIES_H
#define TEST_STUDY_STUDIES_H

#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "support.h"

#include "study/study_folder.h"

#define SMALL(name, ce, alpha)                                                                                         \
  "{\"name\":\"" name "\",\"shape\":\"hip\",\"parameters\":{\"ce\":" #ce ",\"alpha\":" #alpha ",\"resolution\":2}}"
#define STUDY(cases, analyses)                                                                                         \
  "{\"synovia_study\":1,\"name\":\"small\",\"draws\":2,\"cases\":[" cases "],\"analyses\":[" analyses "]}"

/* What the pages of the examples show of the works. */
#define WORKS SYN_SOURCE_DIR "/examples/works/"

/* Writes the text to a file and opens it as a study. */
static inline syn_study *open_study(const syn_context *context, const char *name, const char *text) {
  syn_error error;
  syn_study *study;
  const char *path = temporary_path(name);
  write_text_file(path, text);
  ASSERT_OK(syn_study_read(context, path, NULL, &study, &error));
  return study;
}

static inline syn_study_options options_for(const char *folder) {
  syn_study_options options = syn_default_study_options();
  options.folder = folder;
  return options;
}

/* Runs a study and checks how many cases were run, skipped, and done by others. */
static inline void check_counts(const syn_study *study, const syn_study_options *options, size_t ran, size_t skipped,
                                size_t by_others) {
  syn_error error;
  syn_study_counts counts;
  ASSERT_OK(syn_study_run(study, options, &counts, &error));
  assert_int_equal(counts.ran, ran);
  assert_int_equal(counts.skipped, skipped);
  assert_int_equal(counts.by_others, by_others);
}

static inline char *in_folder(const char *folder, const char *name, char path[1024]) {
  snprintf(path, 1024, "%.700s/%.300s", folder, name);
  return path;
}

static inline bool has_file(const char *folder, const char *name) {
  char path[1024];
  return access(in_folder(folder, name, path), F_OK) == 0;
}

static inline json_t *read_json(const char *folder, const char *name) {
  char path[1024];
  json_error_t error;
  json_t *value = json_load_file(in_folder(folder, name, path), JSON_REJECT_DUPLICATES, &error);
  if (!value) fail_msg("%s: %s", path, error.text);
  return value;
}

static inline char *read_text(const char *folder, const char *name) {
  char path[1024];
  size_t size;
  return read_whole_file(in_folder(folder, name, path), &size);
}

#endif
