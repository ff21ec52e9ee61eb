#define FUZZ_FORMAT "dicom"
#include "fuzz_image_read.h"
