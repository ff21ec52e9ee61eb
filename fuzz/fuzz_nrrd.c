#define FUZZ_FORMAT "nrrd"
#include "fuzz_image_read.h"
