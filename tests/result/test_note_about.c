/* Warnings and assumptions know the numbers that they are about. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/note_about.h"
#include "support.h"

/* A source with the parts of broken strings joined: between a quote and the next there is only space. */
static void join_strings(char *text) {
  char *to = text;
  for (char *at = text; *at;) {
    char *next = at + 1;
    while (*at == '"' && (*next == ' ' || *next == '\n')) ++next;
    if (*at == '"' && *next == '"' && next > at + 1)
      at = next + 1;
    else
      *to++ = *at++;
  }
  *to = 0;
}

static bool is_in_file(const char *path, const char *words) {
  enum { MOST = 1 << 17 };
  static char text[MOST];
  FILE *file = fopen(path, "r");
  if (!file) return false;
  text[fread(text, 1, MOST - 1, file)] = 0;
  fclose(file);
  join_strings(text);
  return strstr(text, words) != NULL;
}

static bool is_in_folder(const char *folder, const char *words) {
  DIR *open = opendir(folder);
  bool found = false;
  assert_non_null(open);
  for (struct dirent *entry = readdir(open); entry && !found; entry = readdir(open)) {
    char path[2048];
    const size_t length = strlen(entry->d_name);
    if (length < 3 || strcmp(entry->d_name + length - 2, ".c") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    found = is_in_file(path, words);
  }
  closedir(open);
  return found;
}

static void every_warning_that_is_known_is_still_given(void **state) {
  (void)state;
  static const char *const folders[] = {"clinic",     "clinic/anatomy", "clinic/fai", "clinic/measure",
                                        "clinic/rom", "joint",          "motion/rom"};
  size_t count = 0;
  for (const char *words; (words = syn_note_known_words(count)) != NULL; ++count) {
    bool found = false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !found; ++i) {
      char folder[1024];
      snprintf(folder, sizeof folder, "%s/src/%s", SYN_SOURCE_DIR, folders[i]);
      found = is_in_folder(folder, words);
    }
    if (!found) fail_msg("nothing warns any more with \"%s\"", words);
  }
  assert_true(count > 15);
}

static void a_note_is_about_what_it_names(void **state) {
  (void)state;
  const char *fadir = syn_note_about("25 of the 45 poses of the FADIR protocol overlap and are not freed");
  assert_true(syn_note_is_about(fadir, "fadir", true));
  assert_false(syn_note_is_about(fadir, "flexion", true));
  assert_false(syn_note_is_about(fadir, "fadir_mean", true));
  const char *open =
      syn_note_about("the surface of the femur is open at 3 edges: where it is missing nothing touches, so");
  assert_true(syn_note_is_about(open, "flexion", true));
  assert_false(syn_note_is_about(open, "alpha_deg", false));
  const char *rough = syn_note_about("the femoral head is rough or deformed: it covers 40 % of its sphere");
  assert_true(syn_note_is_about(rough, "alpha_deg", false));
  assert_false(syn_note_is_about(rough, "neck_shaft_deg", false));
  const char *alpha = syn_note_about("the alpha angle at 3 o'clock is uncertain, 40 to 94° where 41° is measured");
  assert_true(syn_note_is_about(alpha, "alpha_3_deg", false));
  assert_false(syn_note_is_about(alpha, "alpha_deg", false));
  assert_string_equal(syn_note_about("merged 3 vertices"), "");
  assert_false(syn_note_is_about("", "flexion", true));
}

/* The names of measures are those of the results, or a mark would never be seen. */
static void names_of_measures_are_known(void **state) {
  (void)state;
  for (size_t i = 0; syn_note_known_words(i); ++i) {
    char about[1024];
    snprintf(about, sizeof about, "%s", syn_note_about(syn_note_known_words(i)));
    for (char *rest, *name = strtok_r(about, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
      bool found = strcmp(name, "motions") == 0 || strcmp(name, "measures") == 0 || strcmp(name, "fadir") == 0;
      for (int k = 0; k < SYN_MEASURES && !found; ++k) found = strcmp(name, syn_measure_infos[k].name) == 0;
      if (!found) fail_msg("there is no measure %s", name);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_warning_that_is_known_is_still_given),
      cmocka_unit_test(a_note_is_about_what_it_names),
      cmocka_unit_test(names_of_measures_are_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
