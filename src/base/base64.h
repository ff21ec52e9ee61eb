/* Base64 (RFC 4648): bytes as printable text. */
#ifndef SYN_BASE_BASE64_H
#define SYN_BASE_BASE64_H

#include <stddef.h>
#include <stdint.h>

/* Characters that `size` bytes become, without a terminator. */
size_t syn_base64_length(size_t size);
/* Writes syn_base64_length(size) characters. */
void syn_base64_encode(const void *bytes, size_t size, char *text);

/* Decodes the requested number of bytes. White space is skipped, and padding may occur in the middle: consecutive
 * encoded pieces are read as one. */
typedef struct syn_base64_reader {
  const char *at, *end;
  unsigned char held[3]; /* decoded but not yet asked for */
  size_t held_count;
} syn_base64_reader;

/* Decodes up to `size` bytes; fewer mean the end, or a character that does not belong. */
size_t syn_base64_read(syn_base64_reader *reader, void *bytes, size_t size);

/* Computes SHA-256 (FIPS 180-4) incrementally. */
typedef struct syn_sha256 {
  uint32_t hash[8];
  uint64_t bytes; /* so far */
  unsigned char block[64];
} syn_sha256;

syn_sha256 syn_sha256_start(void);
void syn_sha256_add(syn_sha256 *sha, const void *bytes, size_t size);
/* As lower-case hexadecimal with a terminator. */
void syn_sha256_finish(syn_sha256 *sha, char digits[65]);

#endif
