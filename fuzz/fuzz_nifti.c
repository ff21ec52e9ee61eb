#define FUZZ_FORMAT "nifti"
#include "fuzz_image_read.h"
