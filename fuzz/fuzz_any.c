#define FUZZ_FORMAT NULL
#define FUZZ_GROWTH 20000 /* zlib packs up to 1032 to 1, and a byte becomes a double */
#include "fuzz_read.h"
