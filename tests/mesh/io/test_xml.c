#include "support.h"

#include "mesh/io/xml.h"

static void a_tree_has_names_attributes_texts_and_lines(void **state) {
  (void)state;
  syn_error error = {0};
  const char *text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<a x=\"1 &amp; 2\" y=''>\n <b> 1 2\n 3 </b>\n"
                     " <c/><b n=\" 12 \">4<!-- no -->\n</b>\n</a>";
  syn_xml xml;
  ASSERT_OK(syn_xml_parse(NULL, text, strlen(text), "f", NULL, &xml, &error));
  assert_string_equal(xml.root->name, "a");
  assert_string_equal(syn_xml_attribute(xml.root, "x"), "1 & 2");
  assert_true(syn_xml_attribute_is(xml.root, "y", ""));
  assert_null(syn_xml_attribute(xml.root, "z"));
  const syn_xml_element *b = syn_xml_find(xml.root->child, "b"), *second = syn_xml_find(b->next, "b");
  assert_int_equal(b->line, 3);
  syn_text cursor;
  ASSERT_OK(syn_xml_text(&xml, b, &cursor, &error));
  assert_int_equal(cursor.end - cursor.at, strlen("1 2\n 3") + 2);
  assert_int_equal(cursor.line, 3);
  uint64_t number;
  ASSERT_OK(syn_xml_uint64(&xml, second, "n", 5, &number, &error));
  assert_int_equal(number, 12);
  ASSERT_OK(syn_xml_uint64(&xml, second, "m", 5, &number, &error));
  assert_int_equal(number, 5);
  ASSERT_FAILS(syn_xml_uint64(&xml, xml.root, "x", 5, &number, &error), SYN_BAD_FORMAT, NULL);
  assert_int_equal(error.line, 2);
  ASSERT_OK(syn_xml_text(&xml, second, &cursor, &error));
  assert_int_equal(cursor.end - cursor.at, 1);
  ASSERT_OK(syn_xml_text(&xml, syn_xml_find(xml.root->child, "c"), &cursor, &error));
  assert_true(cursor.at == cursor.end);
  assert_null(syn_xml_find(second->next, "b"));
  syn_xml_release(&xml);
}

static void text_in_two_pieces_is_only_refused_when_it_is_wanted(void **state) {
  (void)state;
  syn_error error = {0};
  const char *text = "<a>1\n<!-- x -->2</a>";
  syn_xml xml;
  syn_text cursor;
  ASSERT_OK(syn_xml_parse(NULL, text, strlen(text), "f", NULL, &xml, &error));
  ASSERT_FAILS(syn_xml_text(&xml, xml.root, &cursor, &error), SYN_BAD_FORMAT, "split");
  syn_xml_release(&xml);
}

static void parsing_stops_where_the_content_is_no_xml(void **state) {
  (void)state;
  syn_error error = {0};
  const char text[] = "<a><b/><raw e='1'>_<<\0&&", *end = text + sizeof text - 1;
  syn_xml xml;
  ASSERT_OK(syn_xml_parse(NULL, text, (size_t)(end - text), "f", "raw", &xml, &error));
  assert_int_equal(xml.stopped_at, strlen("<a><b/><raw e='1'>"));
  assert_true(syn_xml_attribute_is(syn_xml_find(xml.root->child, "raw"), "e", "1"));
  syn_xml_release(&xml);
}

static void refuse(const char *text, size_t size, const char *part, int64_t line) {
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_error error = {0};
  syn_xml xml;
  ASSERT_FAILS(syn_xml_parse(&context, text, size, "f", NULL, &xml, &error), SYN_BAD_FORMAT, part);
  assert_int_equal(error.line, line);
  syn_xml_release(&xml);
  assert_int_equal(memory.live, 0);
}

static void hostile_and_broken_files_are_refused(void **state) {
  (void)state;
  const char *bombs[] = {"<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY b 'cccc'><!ENTITY d '&b;&b;&b;'>]><a>&d;</a>",
                         "\n<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>"};
  for (int i = 0; i < 2; ++i) refuse(bombs[i], strlen(bombs[i]), "DOCTYPE", 2);
  const char *broken[] = {"<a>\n<b></a>", "<a>\n&x;</a>", "<a>\n", "<a/>\n<b/>", "<a x='1'\nx='2'/>"};
  for (int i = 0; i < 5; ++i) refuse(broken[i], strlen(broken[i]), "not valid XML", 2);
  refuse("", 0, "not valid XML", 1);
  refuse("\xff\xfe<\0a\0/\0>\0", 10, "16-bit", 1);
  refuse("<\0a\0/\0>\0", 8, "16-bit", 1);
  char deep[1000];
  for (int i = 0; i < 300; ++i) memcpy(deep + 3 * i, "<a>", 3);
  refuse(deep, 900, "nested too deeply", 1);
}

static void attributes_are_written_so_that_they_read_back(void **state) {
  (void)state;
  syn_error error = {0};
  const char *names[] = {"a<b>&\"'", "gr\xc3\xbc\xc3\x9f", "\xe2\x82\xac \xf0\x9f\x98\x80",
                         "bad \xff\xc3 \x01\xed\xa0\x80"};
  const char *read[] = {"a<b>&\"'", "gr\xc3\xbc\xc3\x9f", "\xe2\x82\xac \xf0\x9f\x98\x80", "bad __ ____"};
  for (int i = 0; i < 4; ++i) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fputs("<a n=\"", stream);
    syn_xml_write_escaped(stream, names[i]);
    fputs("\"/>", stream);
    fclose(stream);
    syn_xml xml;
    ASSERT_OK(syn_xml_parse(NULL, text, size, "f", NULL, &xml, &error));
    assert_string_equal(syn_xml_attribute(xml.root, "n"), read[i]);
    syn_xml_release(&xml);
    free(text);
  }
}

static syn_status parse_wide(const syn_context *context, void *user, syn_error *error) {
  const char *text = user;
  syn_xml xml;
  syn_status status = syn_xml_parse(context, text, strlen(text), "f", NULL, &xml, error);
  syn_xml_release(&xml);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  static char text[200000];
  size_t used = (size_t)sprintf(text, "<a>");
  while (used < sizeof text - 100) used += (size_t)sprintf(text + used, "<node id='%zu'>1,2,3</node>\n", used);
  strcpy(text + used, "</a>");
  check_every_allocation(parse_wide, text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tree_has_names_attributes_texts_and_lines),
      cmocka_unit_test(text_in_two_pieces_is_only_refused_when_it_is_wanted),
      cmocka_unit_test(parsing_stops_where_the_content_is_no_xml),
      cmocka_unit_test(hostile_and_broken_files_are_refused),
      cmocka_unit_test(attributes_are_written_so_that_they_read_back),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
