/* Reads the meshes of a skeleton's bodies. */
#include "joint/joint.h"
#include "motion/skeleton.h"

/* Adds the body, and advice on the folder, to the reader's message, which names the file. */
static syn_status fail_of_body(const syn_skeleton_body *body, syn_status status, const syn_error *why,
                               syn_error *error) {
  if (status != SYN_NOT_FOUND) {
    if (error) *error = *why;
    return status;
  }
  return syn_fail_at(error, status, why->file, 0, -1,
                     "%.160s; it is the mesh of the body '%.60s': name the folder of the meshes if it is another one",
                     why->message, body->body.name);
}

syn_status syn_skeleton_load(syn_skeleton *skeleton, const char *folder, const syn_read_options *options,
                             syn_error *error) {
  struct syn_skeleton_store *store = skeleton->store;
  for (size_t i = 0; i < skeleton->description.body_count; ++i) {
    syn_body *body = &store->bodies[i].body;
    syn_error why = {0};
    if (!body->mesh_file || body->surface || body->volume) continue;
    const syn_status status = syn_body_load(skeleton->context, folder ? folder : store->folder, options, body, &why);
    store->owns_mesh[i] = true;
    if (status != SYN_OK) return fail_of_body(&store->bodies[i], status, &why, error);
  }
  return SYN_OK;
}
