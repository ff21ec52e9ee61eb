/* The body of the fuzz targets of image formats. A target defines FUZZ_FORMAT and includes this. Whatever the bytes,
 * reading ends with an error or with an image that keeps its promises, and it never asks for much more memory than the
 * voxels of a file of that size, packed as well as can be, need. */
#ifndef FUZZ_IMAGE_READ_H
#define FUZZ_IMAGE_READ_H

#include <stdint.h>
#include <stdlib.h>

#include <synovia/synovia.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* `user` points to the largest block allowed. A refusal would hide the fault, so a larger one is a crash. */
static void *limited(void *user, void *block, size_t bytes) {
  if (bytes == 0) {
    free(block);
    return NULL;
  }
  if (bytes > *(const size_t *)user) abort();
  return realloc(block, bytes);
}

/* Every value in the map has its entry, and boxes lie in the grid. */
static void use_labels(const syn_image *image) {
  uint64_t voxels = 0, counted = 0;
  const size_t count = syn_image_voxel_count(image) * image->layer_count;
  for (size_t i = 0; i < count; ++i) voxels += image->voxels[i] != 0;
  for (size_t i = 0; i < image->label_count; ++i) {
    const syn_label *label = &image->labels[i];
    counted += label->voxel_count;
    if (label->value == 0 || label->layer >= image->layer_count || !label->name) abort();
    for (int axis = 0; axis < 3; ++axis)
      if (label->first[axis] > label->last[axis] || label->last[axis] >= image->size[axis]) abort();
  }
  if (voxels != counted) abort();
  syn_image_label_find(image, "left femur");
}

static void use_image(const syn_image *image) {
  volatile double sum = 0;
  if (image->kind == SYN_IMAGE_LABELS) {
    use_labels(image);
    return;
  }
  for (size_t i = 0; i < syn_image_voxel_count(image); ++i) sum = sum + (double)image->values[i];
  if (!(sum - sum == 0)) abort(); /* finite */
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  size_t largest = 40000 * size + (4U << 20);
  syn_context context = syn_default_context();
  context.reallocate = limited;
  context.user = &largest;
  syn_image_read_options options = syn_default_image_read_options();
  options.format = FUZZ_FORMAT;
  for (int kind = 0; kind < SYN_IMAGE_KINDS; ++kind) {
    syn_image *image;
    syn_error error;
    options.kind = (syn_image_kind)kind;
    options.labels = size % 3 == 1 ? "femur=1+2" : NULL;
    const syn_status status = syn_image_parse(&context, bytes, size, "femur_left.nii", &options, &image, &error);
    if (status == SYN_OK) {
      use_image(image);
      syn_image_destroy(image);
    } else if (error.code != status || error.message[0] == 0) {
      abort();
    }
  }
  return 0;
}

#endif
