/* Names of the values of enums: one table per enum, of the same length, and "unknown" for any other value. */
#ifndef SYN_BASE_NAMES_H
#define SYN_BASE_NAMES_H

#include <synovia/base.h>

/* Defines the names that SYN_ENUM(TYPE) declares, `count` of them: one for every value. */
#define SYN_ENUM_NAMES(TYPE, COUNT, ...)                                                                               \
  _Static_assert(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *) == (COUNT), "a name for every value");    \
  const syn_enum TYPE##_names = {(const char *const[(COUNT) + 1]){__VA_ARGS__}, (COUNT)}

#endif
