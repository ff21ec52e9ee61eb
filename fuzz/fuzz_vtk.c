#define FUZZ_FORMAT "vtk"
#include "fuzz_read.h"
