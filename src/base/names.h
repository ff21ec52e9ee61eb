/* Names of the values of public enums: one table per enum, of the same length, and "unknown" for any other value. */
#ifndef SYN_BASE_NAMES_H
#define SYN_BASE_NAMES_H

#include <stddef.h>

static inline const char *syn_name_in(const char *const *names, size_t count, size_t value) {
  return value < count && names[value] ? names[value] : "unknown";
}

/* 0, or no program at all where the table `names` does not have `length` entries. */
#define SYN_HAS_NAMES(names, length)                                                                                   \
  (0 * sizeof(struct {                                                                                                 \
     _Static_assert(sizeof(names) / sizeof *(names) == (length), "a name for every value");                            \
     int z;                                                                                                            \
   }))

/* The name of `value` in the table `names` of `count` entries. */
#define SYN_NAME(names, count, value) syn_name_in((names), (count) + SYN_HAS_NAMES((names), (count)), (size_t)(value))

/* The same for a table that ends in NULL, as readers of files want it. */
#define SYN_WORD(words, count, value)                                                                                  \
  syn_name_in((words), (count) + SYN_HAS_NAMES((words), (count) + 1), (size_t)(value))

#endif
