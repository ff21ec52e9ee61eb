/* The tables in docs/ are those of the program. */
#include "support.h"

static char *read_document(const char *name) {
  char path[512];
  size_t size;
  snprintf(path, sizeof path, "%s/docs/%s", SYN_SOURCE_DIR, name);
  return read_whole_file(path, &size);
}

static size_t count_of(const char *text, const char *part) {
  size_t count = 0;
  while ((text = strstr(text, part))) {
    text += strlen(part);
    ++count;
  }
  return count;
}

/* Fails with the line that should be there. */
static void check_line(const char *text, const char *line) {
  if (!strstr(text, line)) fail_msg("this is not in the document:\n%s", line);
}

static void every_shape_is_described(void **state) {
  (void)state;
  char *text = read_document("shapes.md"), line[1024];
  size_t parameters = 0;
  for (size_t i = 0; i < SYN_SHAPES; ++i) {
    const syn_shape_info *shape = syn_shapes[i];
    snprintf(line, sizeof line, "\n## %s\n", shape->name);
    check_line(text, line);
    check_line(text, shape->summary + 1); /* its first letter is large there */
    for (size_t k = 0; k < shape->parameter_count; ++k) {
      const syn_shape_parameter *p = &shape->parameters[k];
      snprintf(line, sizeof line, "\n| `--%s` | %s | %.10g | %.10g | %.10g | %s |\n", p->name, p->unit, p->standard,
               p->min, p->max, p->help);
      check_line(text, line);
    }
    parameters += shape->parameter_count;
  }
  assert_int_equal(count_of(text, "\n## "), SYN_SHAPES);
  assert_int_equal(count_of(text, "\n| `--"), parameters);
  free(text);
}

static const char *yes(bool is) { return is ? "yes" : "no"; }

static void every_format_is_described(void **state) {
  (void)state;
  char *text = read_document("formats.md"), line[256];
  for (size_t i = 0; i < syn_format_count(); ++i) {
    const syn_format_info f = syn_format_at(i);
    snprintf(line, sizeof line, "\n| %s | %s | %s | %s | %s | %s | %s | ", f.name, f.extensions, yes(f.reads),
             yes(f.writes), yes(f.holds_triangles), yes(f.holds_tets), yes(f.holds_fields));
    check_line(text, line);
    /* the exceptions that the text names */
    const bool exact = strcmp(f.name, "stl") != 0 && strcmp(f.name, "glb") != 0;
    assert_int_equal(f.doubles, exact);
  }
  char *images = strstr(text, "\n## Label maps"); /* has a table of its own */
  if (images) *images = 0;
  assert_int_equal(count_of(text, "\n| "), syn_format_count() + 1); /* and the title */
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_shape_is_described),
      cmocka_unit_test(every_format_is_described),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
