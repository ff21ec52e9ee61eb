/* zlib with the context's memory. */
#ifndef SYN_BASE_ZLIB_MEMORY_H
#define SYN_BASE_ZLIB_MEMORY_H

#include <zlib.h>

#include "base/status.h"

/* A stream ready for inflateInit or deflateInit. */
z_stream syn_zlib_stream(const syn_context *context);

#endif
