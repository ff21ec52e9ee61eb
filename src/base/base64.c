#include "base/base64.h"
#include "base/files/file.h"
#include "base/status.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int by) { return x >> by | x << (32 - by); }

/* One round. The caller renames the eight words instead of moving them. */
static inline void take_word(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f, uint32_t g,
                             uint32_t *h, uint32_t word) {
  const uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
  const uint32_t one = *h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + word;
  *d += one;
  *h = one + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
}

static void take_block(uint32_t hash[8], const unsigned char *block) {
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; ++i)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (int i = 16; i < 64; ++i)
    w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
           (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
  memcpy(s, hash, sizeof s);
  for (int i = 0; i < 64; i += 8) /* after eight rounds every word has its own name again */
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      const int at = 8 - k;
      take_word(s[at % 8], s[(at + 1) % 8], s[(at + 2) % 8], &s[(at + 3) % 8], s[(at + 4) % 8], s[(at + 5) % 8],
                s[(at + 6) % 8], &s[(at + 7) % 8], round_constant[i + k] + w[i + k]);
    }
  for (int i = 0; i < 8; ++i) hash[i] += s[i];
}

syn_sha256 syn_sha256_start(void) {
  return (syn_sha256){
      .hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void syn_sha256_add(syn_sha256 *sha, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  while (size > 0) {
    const size_t held = sha->bytes % 64, taken = size < 64 - held ? size : 64 - held;
    if (taken < 64) memcpy(sha->block + held, at, taken);
    if (held + taken == 64) take_block(sha->hash, taken < 64 ? sha->block : at);
    sha->bytes += taken;
    at += taken;
    size -= taken;
  }
}

void syn_sha256_finish(syn_sha256 *sha, char digits[65]) {
  static const unsigned char padding[64] = {0x80};
  const uint64_t bits = 8 * sha->bytes;
  unsigned char length[8];
  for (int i = 0; i < 8; ++i) length[i] = (unsigned char)(bits >> (56 - 8 * i));
  syn_sha256_add(sha, padding, 1 + (119 - sha->bytes % 64) % 64);
  syn_sha256_add(sha, length, 8);
  for (int i = 0; i < 8; ++i) snprintf(digits + 8 * i, 9, "%08x", (unsigned)sha->hash[i]);
}

syn_status syn_file_sha256(const syn_context *context, const char *path, char digits[65], syn_error *error) {
  (void)context; /* nothing is allocated: the file is read in pieces */
  digits[0] = 0;
  FILE *stream = fopen(path, "rb");
  if (!stream) return syn_fail_errno(error, SYN_NOT_FOUND, path, "cannot open");
  struct stat info;
  if (fstat(fileno(stream), &info) == 0 && S_ISCHR(info.st_mode)) { /* it may never end */
    fclose(stream);
    return syn_fail_at(error, SYN_NOT_FOUND, path, 0, -1, "this is a device, not a file");
  }
  syn_sha256 sha = syn_sha256_start();
  unsigned char piece[8192];
  for (size_t got; (got = fread(piece, 1, sizeof piece, stream)) > 0;) syn_sha256_add(&sha, piece, got);
  const bool failed = ferror(stream) != 0;
  fclose(stream);
  if (failed) return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1, "reading failed");
  syn_sha256_finish(&sha, digits);
  return SYN_OK;
}

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
