#define FUZZ_FORMAT "inp"
#include "fuzz_read.h"
