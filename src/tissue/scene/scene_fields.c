/* Stores the fields of a run on the skins of its soft bodies, for the frames that a page shows. */
#include "tissue/scene/scene.h"
#include "tissue/soft.h"

/* Chosen: a page with at most this many frames and values stays below 100 MB. */
enum { MAX_FRAMES = 101, MIN_FRAMES = 11, MAX_VALUES = 4000000 };

/* All frames, or the maximum count for a page, evenly spaced; always the first and the last. */
static size_t page_frame_count(const syn_tissue_scene *scene, size_t total) {
  size_t vertices = 1, count = total;
  for (size_t i = 0; i < scene->item_count; ++i)
    if (scene->items[i].soft) vertices += scene->items[i].soft->skin->vertex_count;
  if (count > MAX_FRAMES) count = MAX_FRAMES;
  if (count > MAX_VALUES / vertices) count = MAX_VALUES / vertices;
  return count >= MIN_FRAMES ? count : total < MIN_FRAMES ? total : MIN_FRAMES;
}

syn_status syn_scene_begin_fields(const syn_tissue_scene *scene, size_t total, syn_scene_fields *fields,
                                  syn_error *error) {
  syn_arena *arena = &fields->arena;
  fields->frame_count = page_frame_count(scene, total);
  SYN_TRY(SYN_TAKE(arena, &fields->frames, fields->frame_count, error));
  SYN_TRY(SYN_TAKE(arena, &fields->of, scene->item_count, error));
  for (size_t i = 0; i < fields->frame_count; ++i)
    fields->frames[i] = fields->frame_count > 1 ? i * (total - 1) / (fields->frame_count - 1) : 0;
  for (size_t i = 0; i < scene->item_count; ++i) {
    const syn_soft *soft = scene->items[i].soft;
    const size_t count = soft ? soft->skin->vertex_count * fields->frame_count : 0;
    syn_tissue_fields *of = &fields->of[i];
    *of = (syn_tissue_fields){0};
    if (!soft) continue;
    SYN_TRY(SYN_TAKE(arena, &of->displacement_mm, count, error));
    SYN_TRY(SYN_TAKE(arena, &of->contact_n, count, error));
    SYN_TRY(SYN_TAKE(arena, &of->von_mises_mpa, count, error));
  }
  return SYN_OK;
}

static syn_status keep_step(const syn_tissue_scene *scene, size_t step, const char *folder, syn_scene_fields *fields,
                            syn_error *error) {
  for (size_t i = 0; i < scene->item_count; ++i) {
    const syn_scene_item *item = &scene->items[i];
    if (!item->soft) continue;
    const size_t from = step * item->soft->skin->vertex_count;
    const syn_tissue_fields *of = &fields->of[i];
    const syn_scene_frame now = {of->displacement_mm + from, of->contact_n + from, of->von_mises_mpa + from};
    SYN_TRY(folder ? syn_scene_read_frame(scene, item, folder, fields->frames[step], &now, error)
                   : syn_scene_find_frame(scene, item, &now, error));
  }
  return SYN_OK;
}

syn_status syn_scene_keep_fields(const syn_tissue_scene *scene, size_t frame, const char *folder,
                                 syn_scene_fields *fields, syn_error *error) {
  for (size_t step = 0; step < fields->frame_count; ++step)
    if (fields->frames[step] == frame) SYN_TRY(keep_step(scene, step, folder, fields, error));
  return SYN_OK;
}
