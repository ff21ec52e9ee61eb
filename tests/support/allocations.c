#include "allocations.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

enum { MOST_WORDS = 24, MOST_FILES = 16 };

/* "IN" is the folder with the input, "OUT" the one for files. */
static const struct {
  const char *words;
  bool takes_long;
} commands[] = {
    {"help", false},
    {"help --man", false},
    {"version", false},
    {"mesh info IN/hip/pelvis.ply", false},
    {"mesh check IN/hip/pelvis.ply", false},
    {"mesh convert IN/hip/pelvis.ply OUT/a.vtp", false},
    {"mesh convert IN/hip/pelvis.ply OUT/a.glb", false},
    {"mesh convert IN/beam/beam.vtu OUT/a.inp", false},
    {"mesh convert IN/beam/beam.vtu OUT/a.stl", false},
    {"mesh repair IN/hip/pelvis.ply OUT/a.ply", false},
    {"mesh smooth IN/hip/pelvis.ply OUT/a.ply", false},
    {"mesh subdivide IN/hip/pelvis.ply OUT/a.ply", false},
    {"mesh decimate IN/hip/pelvis.ply OUT/a.ply --triangles 100", false},
    {"mesh tet IN/cube/cube.ply OUT/a.vtu", true},
    {"distance IN/hip/pelvis.ply IN/hip/femur.ply", false},
    {"rom --fixed IN/hip/pelvis.ply --mobile IN/hip/femur.ply --center 0,0,0 --axis 1,0,0", false},
    {"rom IN/hip/joint.json --motion flexion,squat", false},
    {"rom IN/hip/joint.json --motion flexion --map --step 30 --csv OUT/a.csv -o OUT", true},
    {"shape", false},
    {"shape cube -o OUT", false},
    {"shape hip --resolution 2 -o OUT", false},
    {"center IN/hip/joint.json", false},
    {"measure IN/hip/joint.json", false},
    {"fai IN/hip/joint.json -o OUT", true},
    {"hip IN/hip/joint.json -o OUT", true},
    {"study IN/study.json -o OUT", false},
    {"report compare IN/fai IN/fai -o OUT/a.html", false},
};
/* Takes some seconds, and does what shape and hip do. */
static const char slowest[] = "demo -o OUT";
static const char *const pair_methods[] = {"radial",    "ray-table", "cylindrical", "split",   "distance",
                                           "proximity", "obb",       "aabb",        "spheres", "convex"};
static const char *const volume_methods[] = {"hash", "buckettree"};

static const char study[] = "{\"synovia_study\":1,\"name\":\"s\",\"cases\":[{\"name\":\"a\",\"shape\":\"hip\","
                            "\"parameters\":{\"resolution\":2}}],\"analyses\":[\"center\"]}";

typedef struct trial {
  char in[512], out[512], temporary[512], count[512], preload[512];
  char text[1024];
  char *words[MOST_WORDS];
  bool is_study; /* its cases appear one by one */
  char *answer;  /* of the run that goes well */
  int code;
  size_t file_count;
  char names[MOST_FILES][64];
  char *bytes[MOST_FILES];
  size_t sizes[MOST_FILES];
} trial;

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* Splits at blanks, with IN and OUT replaced. */
static void take_words(trial *t, const char *words) {
  static const char *const always[] = {"--json", "--threads", "1"};
  size_t used = 0, count = 0;
  t->is_study = strncmp(words, "study", 5) == 0;
  for (const char *at = words; *at; at += strspn(at, " ")) {
    const size_t length = strcspn(at, " ");
    const bool in = strncmp(at, "IN", 2) == 0, out = strncmp(at, "OUT", 3) == 0;
    const int skip = in ? 2 : out ? 3 : 0;
    t->words[count++] = t->text + used;
    used += 1 + (size_t)snprintf(t->text + used, sizeof t->text - used, "%s%.*s",
                                 in    ? t->in
                                 : out ? t->out
                                       : "",
                                 (int)length - skip, at + skip);
    at += length;
  }
  for (size_t i = 0; i < 3; ++i) t->words[count++] = (char *)(uintptr_t)always[i];
  for (; count < MOST_WORDS; ++count) t->words[count] = NULL;
}

static program_run run_once(const trial *t) {
  char *const *w = t->words;
  setenv("LD_PRELOAD", t->preload, 1);
  const program_run run = run_synovia(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12],
                                      w[13], w[14], w[15], w[16], w[17], w[18], w[19], w[20], w[21], w[22], NULL);
  unsetenv("LD_PRELOAD");
  return run;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static size_t count_entries(const char *folder) {
  DIR *directory = opendir(folder);
  size_t count = 0;
  assert_non_null(directory);
  for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  closedir(directory);
  return count;
}

static void path_of(const trial *t, size_t file, char path[1024]) {
  snprintf(path, 1024, "%s/%s", t->out, t->names[file]);
}

/* What the run that goes well has written. */
static void take_files(trial *t) {
  DIR *directory = opendir(t->out);
  char path[1024];
  t->file_count = 0;
  for (const struct dirent *entry; directory && (entry = readdir(directory)) != NULL;) {
    if (entry->d_type != DT_REG) continue;
    assert_true(t->file_count < MOST_FILES);
    snprintf(t->names[t->file_count], sizeof *t->names, "%.60s", entry->d_name);
    path_of(t, t->file_count, path);
    t->bytes[t->file_count] = read_whole_file(path, &t->sizes[t->file_count]);
    ++t->file_count;
  }
  closedir(directory);
}

static const char earlier[] = "from an earlier run";

static void put_earlier_files(const trial *t) {
  char path[1024];
  for (size_t i = 0; i < t->file_count; ++i) {
    path_of(t, i, path);
    if (strcmp(t->names[i], "joint.json") != 0) write_text_file(path, earlier); /* this one `hip` looks for */
  }
}

static void check_files(const trial *t, size_t at, bool went_well) {
  char path[1024];
  if (count_entries(t->temporary)) fail_msg("%s: allocation %zu refused: a temporary folder is left", t->text, at);
  if (count_entries(t->out) != t->file_count + t->is_study)
    fail_msg("%s: allocation %zu refused: %zu files, not %zu", t->text, at, count_entries(t->out), t->file_count);
  for (size_t i = 0; i < t->file_count && !t->is_study; ++i) {
    size_t size;
    path_of(t, i, path);
    char *bytes = read_whole_file(path, &size);
    const bool same = went_well || strcmp(t->names[i], "joint.json") == 0
                          ? size == t->sizes[i] && memcmp(bytes, t->bytes[i], size) == 0
                          : strcmp(bytes, earlier) == 0;
    if (!same) fail_msg("%s: allocation %zu refused: %s is not what it was", t->text, at, t->names[i]);
    free(bytes);
  }
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* `further`: all later ones are refused as well. */
static void refuse(trial *t, size_t at, bool further) {
  char number[32];
  snprintf(number, sizeof number, "%zu", at);
  setenv("FAILING_MALLOC_AT", number, 1);
  setenv("FAILING_MALLOC_ON", further ? "1" : "0", 1);
  put_earlier_files(t);
  program_run run = run_once(t);
  const bool went_well = run.code == t->code;
  if (!went_well && run.code != 5 && !(t->is_study && run.code == 1))
    fail_msg("%s: allocation %zu refused: exit code %d: %s%s", t->text, at, run.code, run.out, run.err);
  if (went_well && !t->is_study && strcmp(run.out, t->answer) != 0)
    fail_msg("%s: allocation %zu refused: another answer: %s", t->text, at, run.out);
  end_run(&run);
  check_files(t, at, went_well);
}

/* How many allocations the run makes that goes well. The second is the one that counts: now the files are there. */
static size_t run_well(trial *t) {
  setenv("FAILING_MALLOC_AT", "0", 1);
  for (int i = 0; i < 2; ++i) {
    program_run run = run_once(t);
    if (run.code > 1) fail_msg("%s: exit code %d: %s%s", t->text, run.code, run.out, run.err);
    free(t->answer);
    t->code = run.code;
    t->answer = run.out;
    free(run.err);
  }
  take_files(t);
  size_t size;
  char *count = read_whole_file(t->count, &size);
  const size_t number = strtoul(count, NULL, 10);
  free(count);
  assert_true(number > 0);
  return number;
}

static void check_command(const trial *folders, const char *words, size_t most) {
  trial t = *folders;
  char clean[1100];
  snprintf(clean, sizeof clean, "rm -rf '%s' && mkdir '%s'", t.out, t.out);
  assert_int_equal(system(clean), 0);
  take_words(&t, words);
  const size_t count = run_well(&t), tried = count < most ? count : most;
  for (size_t i = 0; i < tried; ++i) {
    const size_t at = 1 + i * count / tried;
    refuse(&t, at, i % 2);
    if (tried == count) refuse(&t, at, i % 2 == 0);
  }
  for (size_t i = 0; i < t.file_count; ++i) free(t.bytes[i]);
  free(t.answer);
}

static void make_input(trial *t) {
  char path[4][600];
  snprintf(t->in, sizeof t->in, "%s", temporary_path("in"));
  snprintf(t->out, sizeof t->out, "%s", temporary_path("out"));
  snprintf(t->temporary, sizeof t->temporary, "%s", temporary_path("temporary"));
  snprintf(t->count, sizeof t->count, "%s", temporary_path("count"));
  /* the linker takes a blank in the name for the end of it, and a clone may lie anywhere */
  snprintf(t->preload, sizeof t->preload, "%s", temporary_path("failing_malloc.so"));
  assert_int_equal(symlink(SYN_FAILING_MALLOC, t->preload), 0);
  mkdir(t->in, 0777);
  mkdir(t->temporary, 0777);
  static const char *const names[4] = {"hip", "beam", "cube", "fai"};
  for (int i = 0; i < 4; ++i) snprintf(path[i], sizeof *path, "%s/%s", t->in, names[i]);
  char joint[700], file[700];
  snprintf(joint, sizeof joint, "%s/joint.json", path[0]);
  snprintf(file, sizeof file, "%s/study.json", t->in);
  write_text_file(file, study);
  program_run runs[] = {run_synovia("shape", "hip", "--resolution", "2", "-o", path[0], NULL),
                        run_synovia("shape", "beam", "-o", path[1], NULL),
                        run_synovia("shape", "cube", "-o", path[2], NULL),
                        run_synovia("fai", joint, "-o", path[3], NULL)};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    assert_int_equal(runs[i].code, 0);
    end_run(&runs[i]);
  }
}

static void check_methods(const trial *t, size_t most) {
  char words[300];
  for (size_t i = 0; i < sizeof pair_methods / sizeof *pair_methods; ++i) {
    snprintf(words, sizeof words,
             "collide --method %s --fixed IN/hip/pelvis.ply --mobile IN/hip/femur.ply --center 0,0,0 --axis 1,0,0 "
             "--angle 60 %s --out OUT/a.vtp",
             pair_methods[i], strcmp(pair_methods[i], "split") == 0 ? "--threshold 30" : "");
    check_command(t, words, most);
  }
  for (size_t i = 0; i < sizeof volume_methods / sizeof *volume_methods; ++i) {
    snprintf(words, sizeof words,
             "collide --method %s --fixed IN/beam/beam.vtu --mobile IN/beam/beam.vtu --center 0,0,0 --axis 1,0,0 "
             "--angle 30",
             volume_methods[i]);
    check_command(t, words, most);
  }
}

void check_allocations(size_t of_short, size_t of_long, size_t of_slowest) {
  static trial t;
  if (!SYN_FAILING_MALLOC[0]) SKIP("sanitizers bring an allocator of their own");
  make_input(&t);
  setenv("SOURCE_DATE_EPOCH", "0", 1);
  setenv("TMPDIR", t.temporary, 1);
  setenv("FAILING_MALLOC_COUNT", t.count, 1);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
    check_command(&t, commands[i].words, commands[i].takes_long ? of_long : of_short);
  check_methods(&t, of_short);
  if (of_slowest) check_command(&t, slowest, of_slowest);
}
