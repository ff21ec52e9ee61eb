#define FUZZ_FORMAT "metaimage"
#include "fuzz_image_read.h"
