#define FUZZ_FORMAT NULL
#include "fuzz_read.h"
