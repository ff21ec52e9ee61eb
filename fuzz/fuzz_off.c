#define FUZZ_FORMAT "off"
#include "fuzz_read.h"
