/* The same surface under other numbers. */
#ifndef TEST_RENUMBERED_H
#define TEST_RENUMBERED_H

#include "support.h"

/* Vertices and triangles in random order, every triangle from a random corner on. Release with syn_trimesh_destroy. */
syn_trimesh *make_renumbered(const syn_trimesh *mesh, test_random *random);

#endif
