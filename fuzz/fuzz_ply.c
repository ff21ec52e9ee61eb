#define FUZZ_FORMAT "ply"
#include "fuzz_read.h"
