#include "trial.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "block_hip.h"
#include "program.h"

bool can_refuse(void) { return SYN_FAILING_MALLOC[0] != 0; }

bool is_tried(const trial *t, const char *words) {
  return !t->only || strcmp(t->only, "all") == 0 || strstr(words, t->only);
}

/* ---- folders ----------------------------------------------------------------------------------------------------- */

size_t count_entries(const char *folder) {
  DIR *directory = opendir(folder);
  size_t count = 0;
  assert_non_null(directory);
  for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  closedir(directory);
  return count;
}

void empty_folders(const trial *t) {
  char clean[4000];
  snprintf(clean, sizeof clean, "rm -rf '%s' '%s' && mkdir -p '%s' '%s' '%s'", t->changed, t->kept, t->out,
           t->temporary, t->kept);
  assert_int_equal(system(clean), 0);
}

/* ---- which allocations ------------------------------------------------------------------------------------------- */

void set_refused(const trial *t, size_t at, bool further) {
  char number[32];
  snprintf(number, sizeof number, "%zu", at);
  setenv("FAILING_MALLOC_AT", number, 1);
  setenv("FAILING_MALLOC_ON", further ? "1" : "0", 1);
  if (t->by_paths && at == 0)
    setenv("FAILING_MALLOC_PATHS", "1", 1);
  else
    unsetenv("FAILING_MALLOC_PATHS");
}

size_t read_count(const trial *t, size_t *live) {
  size_t size, made;
  *live = 0;
  if (!can_refuse()) return 0;
  char *count = read_whole_file(t->count, &size);
  assert_int_equal(sscanf(count, "%zu %zu", &made, live), 2);
  free(count);
  assert_true(made > 0);
  return made;
}

static int ascending(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return x < y ? -1 : x > y;
}

/* SYNOVIA_ALLOCATIONS_PART=2/4 leaves every fourth, beginning with the second. */
static void keep_part(chosen *c) {
  const char *part = getenv("SYNOVIA_ALLOCATIONS_PART");
  size_t which, of, kept = 0;
  if (!part) return;
  if (sscanf(part, "%zu/%zu", &which, &of) != 2 || which < 1 || which > of) fail_msg("%s is no part", part);
  for (size_t i = which - 1; i < c->count; i += of) c->at[kept++] = c->at[i];
  c->count = kept;
}

void choose(const trial *t, size_t made, size_t most, chosen *c) {
  c->count = 0;
  c->made = made;
  if (most < SIZE_MAX) {
    c->count = made < most ? made : most;
    for (size_t i = 0; i < c->count; ++i) c->at[i] = 1 + i * made / c->count;
    return;
  }
  size_t size, first, last;
  char *text = can_refuse() ? read_whole_file(t->count, &size) : NULL, *line = text;
  while (text && (line = strchr(line, '\n')) && sscanf(++line, "%zu %zu", &first, &last) == 2) {
    assert_true(c->count + 2 <= 2 * TRIAL_PATHS);
    c->at[c->count++] = first;
    if (last != first) c->at[c->count++] = last;
  }
  free(text);
  qsort(c->at, c->count, sizeof *c->at, ascending);
  keep_part(c);
}

/* ---- input ------------------------------------------------------------------------------------------------------- */

static const char study[] =
    "{\"synovia_study\":1,\"name\":\"s\",\"draws\":2,\"cases\":[{\"name\":\"a\",\"shape\":\"hip\","
    "\"parameters\":{\"resolution\":2}}],\"analyses\":[\"center\"]}";
static const char block_study[] =
    "{\"synovia_study\":1,\"name\":\"s\",\"draws\":2,\"cases\":[{\"name\":\"a\",\"joint\":"
    "\"blocks/joint.json\"}],\"analyses\":[\"center\",\"fai\",\"hip\"]}";
static const char pressure_study[] =
    "{\"synovia_study\":1,\"name\":\"s\",\"cases\":[{\"name\":\"a\",\"joint\":\"hip/joint.json\"}],"
    "\"analyses\":[\"pressure\"],\"pressure\":{\"steps\":1,\"edge_mm\":8,\"layers\":1}}";
static const char scene[] =
    "{\"synovia\":1,\"name\":\"s\",\"bodies\":[{\"name\":\"beam\",\"shape\":{\"name\":\"beam\",\"length\":20,"
    "\"width\":10,\"height\":10,\"cells-x\":2,\"cells-y\":1,\"cells-z\":1},\"model\":\"fem\",\"law\":"
    "\"corotational\",\"material\":{\"young_mpa\":1,\"poisson\":0.3,\"density_kg_m3\":1000}},{\"name\":\"ball\","
    "\"shape\":{\"name\":\"sphere\",\"radius\":5,\"level\":1},\"place\":[10,0,10.1]}],\"hold\":[{\"body\":\"beam\","
    "\"box\":{\"min\":[-1,-10,-10],\"max\":[0.001,10,10]}}],\"contacts\":[{\"fixed\":\"ball\",\"mobile\":\"beam\","
    "\"response\":\"barrier\",\"barrier_mm\":0.1}],\"motions\":[{\"body\":\"ball\",\"shift_mm\":[0,0,-0.2]}],"
    "\"integrator\":\"static\",\"step_s\":0.25,\"duration_s\":1,\"frame_s\":0.5}";
static const char loads[] =
    "time,flexion,adduction,rotation,fx_bw,fy_bw,fz_bw\n0,20,0,0,68,-24,-236\n0.5,-5,0,0,68,-24,-236\n";

static void run_well_once(program_run run) {
  if (run.code != 0) fail_msg("%s%s", run.out, run.err);
  end_run(&run);
}

static void put_blocks(const trial *t) {
  char path[600];
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  add_block(&blocks, SYN_HIP_LABRUM, (syn_vec3){-4, 14, -19}, (syn_vec3){4, 18, -9}, NULL);
  snprintf(path, sizeof path, "%s/blocks", t->in);
  mkdir(path, 0777);
  write_block_joint(&blocks, path);
  drop_block_hip(&blocks);
  snprintf(path, sizeof path, "%s/blocks.json", t->in);
  write_text_file(path, block_study);
}

/* A ball joint that wobbles. */
static void put_motion(const trial *t) {
  enum { POSES = 8, ROW = 12 };
  char path[600], text[POSES * ROW * 16 + 128] = "T11,T12,T13,T14,T21,T22,T23,T24,T31,T32,T33,T34\n";
  size_t used = strlen(text);
  for (int i = 0; i < POSES; ++i) {
    const double c = cos(0.1 * i), s = sin(0.1 * i), d = cos(0.02 * i * i), e = sin(0.02 * i * i);
    const double row[ROW] = {c, -s, 0, 0, s * d, c * d, -e, 0, s * e, c * e, d, 0};
    for (int k = 0; k < ROW; ++k)
      used += (size_t)snprintf(text + used, sizeof text - used, "%.9f%c", row[k], k + 1 < ROW ? ',' : '\n');
  }
  snprintf(path, sizeof path, "%s/motion.csv", t->in);
  write_text_file(path, text);
}

static void put_examples(const trial *t) {
  static const char *const files[3][2] = {{"leg.json", "/examples/leg.json"},
                                          {"lever.json", "/examples/mechanisms/lever.json"},
                                          {"lever/joint.json", "/examples/joints/lever.json"}};
  for (int i = 0; i < 3; ++i) {
    char from[600], to[600];
    size_t size;
    snprintf(from, sizeof from, "%s%s", SYN_SOURCE_DIR, files[i][1]);
    snprintf(to, sizeof to, "%s/%s", t->in, files[i][0]);
    char *text = read_whole_file(from, &size);
    write_file(to, text, size);
    free(text);
  }
}

/* Hips with pressures to learn from, as a table beside their folders, and what is learnt. */
static void put_pressures(const trial *t) {
  enum { HIPS = 4, STEPS = 3 };
  char path[700], text[1024] = "hip,at,peak_mpa\n", angle[8];
  size_t used = strlen(text);
  for (int i = 0; i < HIPS; ++i) {
    snprintf(path, sizeof path, "%s/hip%d", t->in, i);
    snprintf(angle, sizeof angle, "%d", 10 * i);
    run_well_once(run_synovia("shape", "hip", "--resolution", "2", "--ce", angle, "-o", path, NULL));
    for (int j = 0; j < STEPS; ++j)
      used += (size_t)snprintf(text + used, sizeof text - used, "hip%d,%g,%g\n", i, j / (STEPS - 1.0), 2 + 0.5 * i + j);
  }
  char model[700];
  snprintf(path, sizeof path, "%s/pressures.csv", t->in);
  snprintf(model, sizeof model, "%s/model.json", t->in);
  write_text_file(path, text);
  run_well_once(run_synovia("pressure", path, "--train", "--model", model, NULL));
}

static void put_texts(const trial *t) {
  static const struct {
    const char *name, *text;
  } files[] = {{"study.json", study}, {"pressed.json", pressure_study}, {"scene.json", scene}, {"loads.csv", loads}};
  char path[600];
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    snprintf(path, sizeof path, "%s/%s", t->in, files[i].name);
    write_text_file(path, files[i].text);
  }
}

static void put_shapes(const trial *t) {
  static const struct {
    const char *name, *shape, *option, *value;
  } shapes[] = {{"hip", "hip", "--resolution", "2"},
                {"round", "hip", "--resolution=2", "--anatomy=1"},
                {"beam", "beam", NULL, NULL},
                {"cube", "cube", NULL, NULL},
                {"lever", "lever", NULL, NULL}};
  char path[600];
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
    snprintf(path, sizeof path, "%s/%s", t->in, shapes[i].name);
    run_well_once(run_synovia("shape", shapes[i].shape, "-o", path, shapes[i].option, shapes[i].value, NULL));
  }
}

void make_input(trial *t) {
  snprintf(t->in, sizeof t->in, "%s", temporary_path("in"));
  snprintf(t->changed, sizeof t->changed, "%s", temporary_path("changed"));
  snprintf(t->out, sizeof t->out, "%s/out", t->changed);
  snprintf(t->temporary, sizeof t->temporary, "%s/temporary", t->changed);
  snprintf(t->kept, sizeof t->kept, "%s", temporary_path("kept"));
  snprintf(t->count, sizeof t->count, "%s", temporary_path("count"));
  if (can_refuse()) snprintf(t->preload, sizeof t->preload, "%s", preload_path(SYN_FAILING_MALLOC));
  mkdir(t->in, 0777);
  put_blocks(t);
  put_motion(t);
  put_texts(t);
  put_shapes(t);
  put_examples(t);
  put_pressures(t);
  char joint[700], fai[700];
  snprintf(joint, sizeof joint, "%s/hip/joint.json", t->in);
  snprintf(fai, sizeof fai, "%s/fai", t->in);
  run_well_once(run_synovia("fai", joint, "-o", fai, NULL));
}
