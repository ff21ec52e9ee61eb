#include "support.h"

#include "base/base64.h"

static void the_examples_of_the_standard_come_out(void **state) {
  (void)state;
  const char *plain[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
  const char *coded[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (int i = 0; i < 7; ++i) {
    char text[16] = "", back[16] = "";
    const size_t length = strlen(plain[i]);
    assert_int_equal(syn_base64_length(length), strlen(coded[i]));
    syn_base64_encode(plain[i], length, text);
    assert_string_equal(text, coded[i]);
    syn_base64_reader reader = {.at = text, .end = text + strlen(text)};
    assert_int_equal(syn_base64_read(&reader, back, sizeof back), length);
    assert_memory_equal(back, plain[i], length);
  }
}

/* However the reader is asked, the bytes are the same; white space anywhere does not matter. */
static void random_bytes_survive_in_any_portions(void **state) {
  (void)state;
  test_random random = {5};
  for (int round = 0; round < 500; ++round) {
    unsigned char bytes[200], back[200];
    char text[400], spaced[1000];
    const size_t size = random_below(&random, sizeof bytes + 1);
    for (size_t i = 0; i < size; ++i) bytes[i] = (unsigned char)random_u32(&random);
    syn_base64_encode(bytes, size, text);
    size_t length = 0;
    for (size_t i = 0; i < syn_base64_length(size); ++i) {
      while (random_below(&random, 4) == 0 && length < 600) spaced[length++] = " \t\r\n"[random_below(&random, 4)];
      spaced[length++] = text[i];
    }
    syn_base64_reader reader = {.at = spaced, .end = spaced + length};
    for (size_t done = 0; done < size;) {
      size_t part = 1 + random_below(&random, 7);
      if (part > size - done) part = size - done;
      assert_int_equal(syn_base64_read(&reader, back + done, part), part);
      done += part;
    }
    assert_int_equal(syn_base64_read(&reader, back, 1), 0);
    if (size) {
      reader = (syn_base64_reader){.at = spaced, .end = spaced + length};
      assert_int_equal(syn_base64_read(&reader, back, size), size);
      assert_memory_equal(back, bytes, size);
    }
  }
}

static void pieces_with_padding_between_read_as_one(void **state) {
  (void)state;
  const char *text = "Zg==Zm8=\nZm9v";
  char back[8] = "";
  syn_base64_reader reader = {.at = text, .end = text + strlen(text)};
  assert_int_equal(syn_base64_read(&reader, back, 8), 6);
  assert_string_equal(back, "ffofoo");
}

static void what_does_not_belong_ends_the_bytes(void **state) {
  (void)state;
  const char *bad[] = {"Zm9vZm!v", "Zm9vZ===", "Zm9vZg=g", "Zm9vZm9", "Zm9v=", "Zm9v_"};
  for (int i = 0; i < 6; ++i) {
    char back[8];
    syn_base64_reader reader = {.at = bad[i], .end = bad[i] + strlen(bad[i])};
    assert_int_equal(syn_base64_read(&reader, back, 8), 3);
    assert_int_equal(syn_base64_read(&reader, back, 8), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_examples_of_the_standard_come_out),
      cmocka_unit_test(random_bytes_survive_in_any_portions),
      cmocka_unit_test(pieces_with_padding_between_read_as_one),
      cmocka_unit_test(what_does_not_belong_ends_the_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
