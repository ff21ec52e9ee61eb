/* Wraps what differs between operating systems. Everything else is C17 and POSIX. */
#ifndef SYN_BASE_PLATFORM_H
#define SYN_BASE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the order of bytes ---------------------------------------------------------------------------------------------
 */

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { HOST_IS_BIG = 1 };
#else
enum { HOST_IS_BIG = 0 };
#endif

/* From the order of this machine to little-endian, and back. */
static inline uint16_t little16(uint16_t value) { return HOST_IS_BIG ? __builtin_bswap16(value) : value; }
static inline uint32_t little32(uint32_t value) { return HOST_IS_BIG ? __builtin_bswap32(value) : value; }
static inline uint64_t little64(uint64_t value) { return HOST_IS_BIG ? __builtin_bswap64(value) : value; }

/* ---- threads --------------------------------------------------------------------------------------------------------
 */

#if defined(__wasm__)
#define SYN_HAS_THREADS 0
#else
#define SYN_HAS_THREADS 1
#endif

/* ---- services -------------------------------------------------------------------------------------------------------
 */

/* Large blocks are filled and walked with far fewer page faults and TLB misses where their pages are large. A hint
 * only; where the system does not follow it nothing changes. */
void syn_prefer_large_pages(void *block, size_t bytes);
/* Would the system grant so much more at this moment? Asked without the allocator: under a sanitizer it fills and keeps
 * large blocks, which takes longer than what they are for. True where that cannot be asked. */
bool syn_system_grants(size_t bytes);

/* Unpredictable random bytes; false if the system has no source of them. */
bool syn_random_bytes(void *bytes, size_t size);

/* What the system says about an errno, in `buffer` or elsewhere; thread-safe, unlike strerror. */
const char *syn_system_message(int code, char *buffer, size_t size);

#endif
