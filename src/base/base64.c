#include "base/base64.h"

#include <stdint.h>
#include <string.h>

size_t syn_base64_length(size_t size) { return (size / 3 + (size % 3 != 0)) * 4; }

void syn_base64_encode(const void *bytes, size_t size, char *text) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *at = bytes;
  for (; size > 0; at += 3, text += 4) {
    const size_t part = size < 3 ? size : 3;
    const uint32_t bits = (uint32_t)at[0] << 16 | (part > 1 ? (uint32_t)at[1] << 8 : 0) | (part > 2 ? at[2] : 0u);
    for (size_t i = 0; i < 4; ++i) text[i] = i <= part ? letters[bits >> (18 - 6 * i) & 63] : '=';
    size -= part;
  }
}

static int digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* The next four characters as one to three bytes; 0 at the end or where they make no sense. */
static size_t decode_group(syn_base64_reader *r, unsigned char bytes[3]) {
  uint32_t bits = 0;
  size_t digits = 0, padding = 0;
  const char *at = r->at;
  for (; digits + padding < 4 && at < r->end; ++at) {
    if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') continue;
    const int value = *at == '=' ? 0 : digit(*at);
    if (value < 0 || (*at == '=' ? digits < 2 : padding > 0)) return 0;
    bits = bits << 6 | (uint32_t)value;
    if (*at == '=')
      ++padding;
    else
      ++digits;
  }
  if (digits + padding < 4) return 0;
  r->at = at;
  for (int i = 0; i < 3; ++i) bytes[i] = (unsigned char)(bits >> (16 - 8 * i));
  return digits - 1;
}

size_t syn_base64_read(syn_base64_reader *r, void *bytes, size_t size) {
  unsigned char *out = bytes;
  for (size_t done = 0;;) {
    const size_t part = r->held_count < size - done ? r->held_count : size - done;
    if (part) memcpy(out + done, r->held, part);
    memmove(r->held, r->held + part, r->held_count - part);
    r->held_count -= part;
    done += part;
    if (done == size) return done;
    r->held_count = decode_group(r, r->held);
    if (r->held_count == 0) return done;
  }
}
