#define FUZZ_FORMAT "msh"
#include "fuzz_read.h"
