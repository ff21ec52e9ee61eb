#include "base/base64.h"
#include "support.h"

static void check_text(const char *text, const char *expected) {
  char digits[65];
  syn_sha256 sha = syn_sha256_start();
  syn_sha256_add(&sha, text, strlen(text));
  syn_sha256_finish(&sha, digits);
  assert_string_equal(digits, expected);
}

/* FIPS 180-4 and NIST's examples. */
static void the_published_vectors_come_out(void **state) {
  (void)state;
  check_text("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check_text("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  check_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  check_text(
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrs"
      "tu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

/* Also in pieces of every length, across the edges of blocks. */
static void a_million_letters_come_out_whatever_the_pieces(void **state) {
  (void)state;
  static char letters[1000000];
  char digits[65];
  memset(letters, 'a', sizeof letters);
  for (size_t piece = 1; piece < sizeof letters; piece = piece * 7 + 3) {
    syn_sha256 sha = syn_sha256_start();
    for (size_t at = 0; at < sizeof letters; at += piece)
      syn_sha256_add(&sha, letters + at, at + piece < sizeof letters ? piece : sizeof letters - at);
    syn_sha256_finish(&sha, digits);
    assert_string_equal(digits, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
}

static void files_are_hashed_and_missing_ones_named(void **state) {
  (void)state;
  syn_error error;
  char digits[65];
  const char *path = temporary_path("abc.txt");
  write_text_file(path, "abc");
  ASSERT_OK(syn_file_sha256(NULL, path, digits, &error));
  assert_string_equal(digits, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  ASSERT_FAILS(syn_file_sha256(NULL, temporary_path("none.txt"), digits, &error), SYN_NOT_FOUND, "cannot open");
  ASSERT_FAILS(syn_file_sha256(NULL, "/", digits, &error), SYN_IO_ERROR, "reading failed");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_published_vectors_come_out),
      cmocka_unit_test(a_million_letters_come_out_whatever_the_pieces),
      cmocka_unit_test(files_are_hashed_and_missing_ones_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
