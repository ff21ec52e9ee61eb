#define FUZZ_FORMAT "obj"
#include "fuzz_read.h"
