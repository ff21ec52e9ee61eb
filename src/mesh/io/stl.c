#include "mesh/io/format.h"

const syn_format syn_format_stl = {.info = {"stl", ".stl", false, false, true, false, false, false}};
