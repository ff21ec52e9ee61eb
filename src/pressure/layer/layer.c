#include <synovia/pressure.h>

#include "base/memory.h"

void syn_layer_release(syn_layer *layer) {
  const syn_context *context = layer->context;
  syn_free(context, layer->nodes);
  syn_free(context, layer->on_bone);
  syn_free(context, layer->elements);
  syn_free(context, layer->element_region);
  syn_free(context, layer->faces);
  syn_free(context, layer->edge_nodes);
  syn_free(context, layer->face_element);
  syn_free(context, layer->thickness_mm);
  *layer = (syn_layer){0};
}
