#define FUZZ_FORMAT "vtu"
#include "fuzz_read.h"
