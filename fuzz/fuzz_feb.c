#define FUZZ_FORMAT "feb"
#include "fuzz_read.h"
