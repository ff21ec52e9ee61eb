/* Exchanges two names atomically (Linux). musl before 1.2.5 knows neither the function nor its flag; the kernel does. A
 * file that includes this defines _GNU_SOURCE. */
#ifndef SYN_BASE_RENAME_EXCHANGE_H
#define SYN_BASE_RENAME_EXCHANGE_H

#include <stdio.h>

#if defined(__linux__) && !defined(RENAME_EXCHANGE)
#include <sys/syscall.h>
#include <unistd.h>

#define RENAME_EXCHANGE 2
static inline int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
#endif

#endif
