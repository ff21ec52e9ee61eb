/* Scenes that a probe touches, and the ultrasound image of what it would see. */
#include "fuzz_file.h"

#include <math.h>

#include "base/status.h"
#include "tissue/haptics/haptics_scene.h"

static syn_status read_file(const syn_context *context, const char *path, syn_error *error) {
  syn_haptics_scene *scene;
  SYN_TRY(syn_haptics_scene_open(context, path, NULL, (double)NAN, &scene, error));
  syn_haptics_image image = scene->image;
  uint8_t pixels[8 * 8];
  image.width = image.height = 8;
  const syn_status status = syn_haptics_draw(scene->haptics, &image, scene->push.from, pixels, error);
  syn_haptics_scene_destroy(scene);
  return status;
}
