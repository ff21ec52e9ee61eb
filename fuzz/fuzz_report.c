/* Reading a report back: whatever the bytes, it ends with an error or with a page whose blobs lie inside them, and it
 * never asks for much more memory than the page has. */
#include <stdint.h>
#include <stdlib.h>

#include <synovia/synovia.h>

#include "report/page_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* `user` points to the largest block allowed. A refusal would hide the fault, so a larger one is a crash. */
static void *limited(void *user, void *block, size_t bytes) {
  if (bytes == 0) {
    free(block);
    return NULL;
  }
  if (bytes > *(const size_t *)user) abort();
  return realloc(block, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  size_t largest = 100 * size + 65536; /* zlib's window has a fixed size */
  syn_context context = syn_default_context();
  context.reallocate = limited;
  context.user = &largest;
  const char *text = (const char *)bytes;
  syn_saved_page page;
  syn_error error;
  const syn_status status = syn_saved_page_parse(&context, text, size, NULL, &page, &error);
  if (status != SYN_OK) {
    if (error.code != status || error.message[0] == 0) abort();
    return 0;
  }
  for (size_t i = 0; i < page.blob_count; ++i)
    if (page.blobs[i].text < text || page.blobs[i].text + page.blobs[i].length > text + size) abort();
  syn_saved_page_release(&page);
  return 0;
}
