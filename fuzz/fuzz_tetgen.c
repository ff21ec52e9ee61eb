#define FUZZ_FORMAT "tetgen"
#include "fuzz_read.h"
