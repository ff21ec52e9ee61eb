#include "report/page_head.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/base64.h"
#include "base/sha256.h"
#include "report/html.h"
#include "report/page.h"

/* Receives text to write, or only to hash: the policy, which names the style's hash, precedes the style. */
typedef struct sink {
  FILE *to; /* NULL: only hashed */
  syn_sha256 sha;
} sink;

static void put(sink *s, const char *text) {
  if (s->to)
    fputs(text, s->to);
  else
    syn_sha256_add(&s->sha, text, strlen(text));
}

/* Writes a string of a style sheet. */
static void put_css_text(sink *s, const char *text) {
  char character[5], escaped[8];
  while (text && syn_next_character(&text, character)) {
    const bool plain = character[0] != '"' && character[0] != '\\' && character[0] != '<' && character[0] != '\n';
    if (!plain) snprintf(escaped, sizeof escaped, "\\%x ", (unsigned)(unsigned char)character[0]);
    put(s, plain ? character : escaped);
  }
}

/* Every printed sheet bears the title and its page number. */
static void put_style(sink *s, const char *title, const char *subtitle) {
  put(s, "\n");
  put(s, syn_page_style);
  put(s, "@page { @top-left { content: \"");
  put_css_text(s, title);
  if (subtitle && *subtitle) put(s, ": ");
  put_css_text(s, subtitle);
  put(s, "\"; font: 8pt sans-serif; color: #52606d; } @bottom-right { content: counter(page) \" / \" counter(pages); "
         "font: 8pt sans-serif; color: #52606d; } }\n");
}

/* Writes 'sha256-…' as in a content security policy. */
static void put_source(FILE *to, const char digits[65]) {
  enum { BYTES = 32, TEXT = 44 };
  char text[TEXT + 1] = "";
  unsigned char bytes[BYTES];
  for (int i = 0; i < BYTES; ++i) {
    unsigned byte = 0;
    sscanf(digits + 2 * i, "%2x", &byte);
    bytes[i] = (unsigned char)byte;
  }
  syn_base64_encode(bytes, BYTES, text);
  fprintf(to, "'sha256-%s'", text);
}

/* Writes the content security policy: only this script and this style apply, whatever the texts contain; nothing is
 * fetched, and nothing is sent except to the viewer that served the page. The script may compile the WebAssembly in the
 * page and run it in a worker. */
static void put_policy(FILE *to, const char *title, const char *subtitle) {
  sink style = {.sha = syn_sha256_start()};
  char style_digits[65];
  put_style(&style, title, subtitle);
  syn_sha256_finish(&style.sha, style_digits);
  fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ", to);
  put_source(to, syn_page_script_sha256);
  fputs(" 'wasm-unsafe-eval'; style-src ", to);
  put_source(to, style_digits);
  fputs("; worker-src blob:; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'\">\n", to);
}

void syn_page_head(FILE *to, const char *title, const char *subtitle) {
  sink written = {.to = to};
  fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"Synovia\">\n",
        to);
  put_policy(to, title, subtitle);
  fputs("<title>", to);
  syn_html_text(to, title);
  fputs("</title>\n<style>", to);
  put_style(&written, title, subtitle);
  fputs("</style>\n</head>\n", to);
}
