/* Decides which cases of a study belong to this process. */
#include <string.h>

#include "base/text.h"
#include "study/study.h"

static bool take_number(const char *text, size_t length, size_t *number) {
  int64_t value;
  if (!syn_word_int64((syn_word){text, length}, &value) || value < 0 || value > 1000000) return false;
  *number = (size_t)value;
  return true;
}

/* Returns true if both texts are numbers that make a valid share. */
static bool take_share(const char *index, size_t index_length, const char *count, syn_study_share *share) {
  syn_study_share found;
  if (!take_number(index, index_length, &found.index) || !take_number(count, strlen(count), &found.count) ||
      found.index >= found.count)
    return false;
  *share = found;
  return true;
}

syn_status syn_study_share_parse(const char *text, syn_study_share *share, syn_error *error) {
  const char *slash = strchr(text, '/');
  if (slash && take_share(text, (size_t)(slash - text), slash + 1, share)) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "a share is its number, from 0, and how many there are: 0/4 to 3/4 for four; not '%.40s'", text);
}
