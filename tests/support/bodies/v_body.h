/* Two legs of tetrahedra that meet in an edge. */
#ifndef TEST_V_BODY_H
#define TEST_V_BODY_H

#include "support.h"

syn_joint *make_v(double cells, double along);

#endif
