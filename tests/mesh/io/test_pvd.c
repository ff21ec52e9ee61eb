/* Lists of files for ParaView. */
#include "support.h"

#include "mesh/io/xml.h"

#include <unistd.h>

/* The `file` of the only entry when a list at `path` names `file`. */
static void check_listed(const char *path, const char *file, const char *expected) {
  syn_error error = {0};
  const double time = 0.1;
  ASSERT_OK(syn_pvd_write(NULL, path, &time, &file, 1, &error));
  size_t size;
  char *text = read_whole_file(path, &size);
  syn_xml xml;
  ASSERT_OK(syn_xml_parse(NULL, text, size, path, NULL, &xml, &error));
  assert_true(syn_xml_attribute_is(xml.root, "type", "Collection"));
  const syn_xml_element *entry = syn_xml_find(syn_xml_find(xml.root->child, "Collection")->child, "DataSet");
  assert_string_equal(syn_xml_attribute(entry, "file"), expected);
  assert_string_equal(syn_xml_attribute(entry, "timestep"), "0.1");
  assert_null(entry->next);
  syn_xml_release(&xml);
  free(text);
}

static void files_are_named_from_the_folder_of_the_list(void **state) {
  (void)state;
  assert_int_equal(chdir(temporary_path("")), 0);
  write_text_file("probe", "");
  assert_int_equal(system("mkdir -p out/deep a"), 0);
  check_listed("run.pvd", "run_0000.vtp", "run_0000.vtp");
  check_listed("out/run.pvd", "out/run_0000.vtp", "run_0000.vtp");
  check_listed("./out//run.pvd", "out/./run_0000.vtp", "run_0000.vtp");
  check_listed("out/run.pvd", "out/steps/run_0000.vtp", "steps/run_0000.vtp");
  check_listed("out/deep/run.pvd", "out/run_0000.vtp", "../run_0000.vtp");
  check_listed("out/deep/run.pvd", "a/run_0000.vtp", "../../a/run_0000.vtp");
  check_listed("out/run.pvd", "outer/run_0000.vtp", "../outer/run_0000.vtp");
  check_listed("run.pvd", "run.pvd/x.vtp", "run.pvd/x.vtp");
  check_listed("out/run.pvd", "out", "../out");
  check_listed("out/run.pvd", "../run_0000.vtp", "../run_0000.vtp"); /* cannot be compared by name: stays */
  check_listed("out/run.pvd", "/elsewhere/run_0000.vtp", "/elsewhere/run_0000.vtp");
  check_listed(temporary_path("out/run.pvd"), temporary_path("out/b.vtp"), "b.vtp");
  check_listed(temporary_path("out/run.pvd"), temporary_path("b.vtp"), "../b.vtp");
  check_listed("run.pvd", "a <&\"'> b.vtp", "a <&\"'> b.vtp");
}

static void an_empty_list_and_a_bad_folder_are_fine_and_refused(void **state) {
  (void)state;
  syn_error error = {0};
  ASSERT_OK(syn_pvd_write(NULL, temporary_path("none.pvd"), NULL, NULL, 0, &error));
  ASSERT_FAILS(syn_pvd_write(NULL, temporary_path("missing/none.pvd"), NULL, NULL, 0, &error), SYN_IO_ERROR, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_are_named_from_the_folder_of_the_list),
      cmocka_unit_test(an_empty_list_and_a_bad_folder_are_fine_and_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
