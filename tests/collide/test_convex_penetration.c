#include "convex_bodies.h"
int main(void) {
  test_random random = {12};
  int bad = 0, n=0; unsigned most=0;
  for (int round = 0; round < 5000; ++round) {
    const double size = pow(10, random_between(&random, -3, 3));
    int ka = (int)random_below(&random, CONVEX_KINDS), kb = (int)random_below(&random, CONVEX_KINDS);
    syn_convex *a = random_convex(NULL, &random, ka, size);
    syn_convex *b = random_convex(NULL, &random, kb, size);
    syn_pose pose = random_pose(&random, 0.5 * size);
    slow_answer slow = slow_pair(a, b, &pose);
    void *scratch = malloc(syn_convex_scratch(a, b));
    syn_convex_result r;
    syn_convex_query(a, b, &pose, NULL, NULL, scratch, &r);
    if (r.exit == SYN_CONVEX_COLLIDING) {
      ++n;
      if (r.supports > most) most = r.supports;
      double expected = a->dimension + b->dimension >= 3 ? fmax(0, slow.depth) : 0;
      syn_vec3 d = {r.point_a.x - r.point_b.x, r.point_a.y - r.point_b.y, r.point_a.z - r.point_b.z};
      double w = sqrt(d.x*d.x+d.y*d.y+d.z*d.z);
      if (!(fabs(-r.distance_mm - expected) <= 1e-12 * size) || !(fabs(-r.bound_mm - expected) <= 1e-12 * size) || !(fabs(w-expected) <= 1e-10*size))
        if (++bad < 30)
          printf("round %d kinds %d %d dims %u %u size %g got %.17g bound %.17g expected %.17g err/size %g w %g\n", round, ka, kb, a->dimension, b->dimension, size,
                 -r.distance_mm, -r.bound_mm, expected, (-r.distance_mm - expected) / size, w);
    } else if (slow.distance==0 && a->dimension+b->dimension>=3) { printf("not colliding %d\n", round); ++bad; }
    free(scratch);
    syn_convex_destroy(a);
    syn_convex_destroy(b);
  }
  printf("bad %d of %d most supports %u\n", bad, n, most);
  return 0;
}
