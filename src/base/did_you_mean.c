/* Suggests the name nearest to a misspelt one. */
#include <string.h>

#include "base/text.h"

enum { LONGEST_NAME = 40 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Returns the edit distance: letters inserted, deleted, replaced or swapped with a neighbour (optimal string
 * alignment). */
static unsigned edits(const char *a, const char *b) {
  const size_t n = strlen(a), m = strlen(b);
  unsigned table[LONGEST_NAME + 1][LONGEST_NAME + 1];
  if (n > LONGEST_NAME || m > LONGEST_NAME) return 2 * LONGEST_NAME;
  for (size_t i = 0; i <= n; ++i) table[i][0] = (unsigned)i;
  for (size_t j = 0; j <= m; ++j) table[0][j] = (unsigned)j;
  for (size_t i = 1; i <= n; ++i)
    for (size_t j = 1; j <= m; ++j) {
      unsigned best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      best = least(best, least(table[i - 1][j], table[i][j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) best = least(best, table[i - 2][j - 2] + 1);
      table[i][j] = best;
    }
  return table[n][m];
}

char *syn_did_you_mean(const char *typed, const char *(*name_at)(const void *user, size_t index), const void *user,
                       size_t count, char text[96]) {
  const size_t length = strlen(typed);
  unsigned best = 1 + (unsigned)length / 3;
  const char *nearest = NULL;
  for (size_t i = 0; i < count; ++i) {
    const char *name = name_at(user, i);
    /* an abbreviation is as good as one slip */
    const unsigned distance = length >= 2 && strncmp(name, typed, length) == 0 ? 1 : edits(typed, name);
    if (distance < best || (distance == best && !nearest)) {
      best = distance;
      nearest = name;
    }
  }
  if (nearest)
    snprintf(text, 96, " Did you mean '%s'?", nearest);
  else
    text[0] = 0;
  return text;
}
