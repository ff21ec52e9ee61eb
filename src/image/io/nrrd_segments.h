/* What 3D Slicer writes of segments into the header of a .seg.nrrd: `Segment3_Name:=Femur` and others. */
#ifndef SYN_IMAGE_NRRD_SEGMENTS_H
#define SYN_IMAGE_NRRD_SEGMENTS_H

#include "base/text.h"
#include "image/io/raster.h"

enum { MOST_SEGMENTS = 4096 };

typedef struct nrrd_segment {
  syn_word name, tags;
  bool has_value;
  uint64_t value, layer;
} nrrd_segment;

typedef struct nrrd_segments {
  raster *raster;
  syn_word text;          /* the whole header */
  nrrd_segment *segments; /* in the raster's arena; made when the first comes */
  size_t count;
} nrrd_segments;

syn_status syn_nrrd_segments_add(nrrd_segments *segments, syn_word key, syn_word value, syn_error *error);
/* Makes the labels of the raster. */
syn_status syn_nrrd_segments_finish(nrrd_segments *segments, syn_error *error);

/* The bone and side of codes of SNOMED CT, or of their meanings. `part` may stay NULL. */
void syn_image_code_find(const char *code, const char *meaning, const char *modifier, const char **part,
                         syn_side *side);

#endif
