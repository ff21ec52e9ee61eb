/* Computes SHA-256 (FIPS 180-4) incrementally. */
#ifndef SYN_BASE_SHA256_H
#define SYN_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

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
