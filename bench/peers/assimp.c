/* Assimp: reading a mesh file, as it is or with equal corners joined as ours does. */
#include <stdlib.h>
#include <string.h>

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "peers/peers.h"

typedef struct assimp_state {
  const char *file;
  unsigned flags;
} assimp_state;

static void *open_reader(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)error;
  assimp_state *s = malloc(sizeof *s);
  if (!s) abort();
  *s = (assimp_state){scene->file, (unsigned)self->variant};
  return s;
}

static void ask_reader(void *state, const syn_pose *pose, bench_answer *answer) {
  const assimp_state *s = state;
  (void)pose;
  const struct aiScene *scene = aiImportFile(s->file, s->flags);
  if (!scene) return;
  answer->count = scene->mMeshes[0]->mNumFaces;
  aiReleaseImport(scene);
}

const bench_contender bench_assimp[] = {
    {"assimp", "corners apart", "read-stl", 0, open_reader, ask_reader, free},
    {"assimp-join", "corners joined", "read-stl", aiProcess_JoinIdenticalVertices, open_reader, ask_reader, free},
};
const size_t bench_assimp_count = sizeof bench_assimp / sizeof *bench_assimp;
