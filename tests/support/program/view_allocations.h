/* `synovia view` with one of its allocations refused: the request that needed the memory fails and the viewer goes on,
 * or it ends as other commands do. */
#ifndef TEST_VIEW_ALLOCATIONS_H
#define TEST_VIEW_ALLOCATIONS_H

#include "trial.h"

/* `most`: as for choose(). */
void check_viewer(const trial *t, size_t most);

#endif
