#include "v_body.h"

syn_joint *make_v(double cells, double along) {
  const syn_shape_value values[] = {{"cells", cells}, {"along", along}};
  syn_joint *shape;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "v", values, 2, &shape, &error));
  return shape;
}
