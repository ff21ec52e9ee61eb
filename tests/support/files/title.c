#define _GNU_SOURCE /* memmem */
#include "title.h"

#include "support.h"

void assert_carries_title(const char *path, const char *title) {
  char codes[2000] = "";
  size_t size, used = 0;
  for (const char *c = title; *c; ++c)
    used += (size_t)snprintf(codes + used, sizeof codes - used, "%d ", (unsigned char)*c);
  char *bytes = read_whole_file(path, &size);
  if (!memmem(bytes, size, title, strlen(title)) && !memmem(bytes, size, codes, used))
    fail_msg("%s does not say '%s'", path, title);
  free(bytes);
}
