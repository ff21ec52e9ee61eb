#define FUZZ_FORMAT "stl"
#include "fuzz_read.h"
