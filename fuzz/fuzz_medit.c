#define FUZZ_FORMAT "medit"
#include "fuzz_read.h"
