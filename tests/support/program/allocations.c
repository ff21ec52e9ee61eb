#include "allocations.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "block_hip.h"
#include "program.h"
#include "refusing.h"
#include "viewer.h"

enum { MOST_WORDS = 24, MOST_FILES = 32, MOST_PATHS = 16384 };

/* How a command runs, where not once from begin to end with the same answer. */
typedef enum manner {
  PLAIN,
  RESUMABLE, /* what is done stays */
  THREADED,  /* two threads and times of the clock: no fork, and no answer to compare */
  STARTS,    /* another program, which takes its time */
} manner;

/* "IN" is the folder with the input, "OUT" the one for files. The hip of blocks is the same work as the others on two
 * dozen triangles. */
typedef struct command {
  const char *words;
  manner manner;
} command;
static const command commands[] = {
    {"help", PLAIN},
    {"help --man", PLAIN},
    {"version", PLAIN},
    {"mesh info IN/hip/pelvis.ply", PLAIN},
    {"mesh check IN/hip/pelvis.ply", PLAIN},
    {"mesh convert IN/hip/pelvis.ply OUT/a.vtp", PLAIN},
    {"mesh convert IN/hip/pelvis.ply OUT/a.glb", PLAIN},
    {"mesh convert IN/beam/beam.vtu OUT/a.inp", PLAIN},
    {"mesh convert IN/beam/beam.vtu OUT/a.stl", PLAIN},
    {"mesh repair IN/hip/pelvis.ply OUT/a.ply", PLAIN},
    {"mesh smooth IN/hip/pelvis.ply OUT/a.ply", PLAIN},
    {"mesh subdivide IN/hip/pelvis.ply OUT/a.ply", PLAIN},
    {"mesh decimate IN/hip/pelvis.ply OUT/a.ply --triangles 100", PLAIN},
    {"mesh layers IN/hip/joint.json --edge 8 --layers 1 -o OUT", PLAIN},
    {"mesh tet IN/cube/cube.ply OUT/a.vtu", STARTS},
    {"distance IN/hip/pelvis.ply IN/hip/femur.ply", PLAIN},
    {"rom --fixed IN/hip/pelvis.ply --mobile IN/hip/femur.ply --center 0,0,0 --axis 1,0,0", PLAIN},
    {"rom IN/hip/joint.json --motion flexion,squat --draws 2", PLAIN},
    {"shape", PLAIN},
    {"shape cube -o OUT", PLAIN},
    {"shape hip --resolution 2 -o OUT", PLAIN},
    {"center IN/hip/joint.json", PLAIN},
    {"measure IN/hip/joint.json --draws 1", PLAIN},
    {"rom IN/blocks/joint.json --motion flexion --draws 2 --map --step 30 --csv OUT/a.csv -o OUT", PLAIN},
    {"fai IN/blocks/joint.json -o OUT", PLAIN},
    {"hip IN/blocks/joint.json --draws 2 -o OUT", PLAIN},
    {"study IN/study.json -o OUT", RESUMABLE},
    {"study IN/blocks.json -o OUT --again", RESUMABLE},
    {"study IN/pressed.json -o OUT --again", RESUMABLE},
    {"report compare IN/fai IN/fai -o OUT/a.html", PLAIN},
    {"collide --self IN/beam/beam.vtu --method hash", PLAIN},
    {"collide --fixed IN/cube/cube.ply --mobile IN/cube/cube.ply --volume "
     "--pose 1,0,0,0.3,0,1,0,0.2,0,0,1,0.1,0,0,0,1 --out OUT/a.vtp --report OUT/a.html",
     PLAIN},
    {"collide IN/blocks/joint.json --together --turn flexion=10", PLAIN},
    {"collide --fixed IN/hip/pelvis.ply --mobile IN/hip/femur.ply --center 0,0,0 --method radial --neighbours 1 "
     "--axis 1,0,0 --angle 5",
     PLAIN},
    {"center --motion IN/motion.csv", PLAIN},
    {"center IN/blocks/joint.json --motion IN/motion.csv", PLAIN},
    {"skeleton IN/leg.json --set knee_angle_r=20", PLAIN},
    {"skeleton IN/lever.json --meshes IN/lever --set stroke=8 --method cylindrical --rom stroke -o OUT", PLAIN},
    {"surgery resect IN/hip/joint.json --depth 1 --step 1 --edge 5 --draws 2 --every-cut -o OUT", PLAIN},
    {"surgery resect IN/hip/joint.json --cut rim --depth 1 --step 1 --edge 5 --draws 0", PLAIN},
    {"surgery osteotomy IN/round/joint.json --varus 12 --bones-only -o OUT", PLAIN},
    {"surgery ligament-rom IN/round/joint.json --motion internal_rotation --step 10 --to 10 --cells-across 2 "
     "--cells-along 6 --failure 0.1 --failure-sd 0.05 -o OUT",
     PLAIN},
    {"surgery graft IN/cube/cube.ply IN/cube/cube.ply --femur-outlet 20,0,0 --tibia-outlet -20,0,0 --to 1.5 --model "
     "vdm --search 0",
     PLAIN},
    {"surgery graft IN/cube/cube.ply IN/cube/cube.ply --femur-outlet 20,0,0 --tibia-outlet -20,0,0 --to 1.5 --search 1",
     PLAIN},
    {"pressure IN/hip/joint.json --steps 1 --edge 6 --layers 1 -o OUT", PLAIN},
    {"pressure IN/hip/joint.json --nonlinear --load IN/loads.csv --edge 6 --layers 1", PLAIN},
    {"pressure IN/hip/joint.json --method fem --beside --load standing --edge 8 --layers 1 -o OUT", PLAIN},
    {"pressure IN/pressures.csv --train --model OUT/a.json", PLAIN},
    {"pressure IN/hip/joint.json --method estimate --model IN/model.json -o OUT", PLAIN},
    {"simulate IN/scene.json -o OUT --restart", RESUMABLE},
    {"haptics thigh --seconds 0.02 -o OUT", THREADED},
};
/* A run takes a second or more. */
static const command slowest[] = {
    {"rom IN/hip/joint.json --motion flexion --draws 2 --map --step 30 --csv OUT/a.csv -o OUT", PLAIN},
    {"fai IN/hip/joint.json -o OUT", PLAIN},
    {"hip IN/hip/joint.json --draws 2 -o OUT", PLAIN},
    {"demo --resolution 2 --draws 2 -o OUT", PLAIN},
    {"surgery ligament-stiffness IN/round/joint.json --motion internal_rotation --angle 10 --step 10 --cells-across 2 "
     "--cells-along 6 -o OUT",
     PLAIN},
    {"congruity IN/round/joint.json --motion flexion-rotation --step 90 --edge 0 --press 0.2 -o OUT", STARTS},
    {"surgery osteotomy IN/round/joint.json --varus 12 --step 90 --edge 0 --press 0.2 -o OUT", STARTS},
};

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

typedef struct trial {
  char in[512], changed[512], out[600], temporary[600], kept[512], count[512], preload[512];
  char text[1024];
  char *words[MOST_WORDS];
  bool by_paths;    /* the paths of calls are noted */
  const char *only; /* "all", or words of the commands that are tried; NULL: all */
  manner manner;
  char *answer; /* of the run that goes well */
  int code;
  size_t live; /* blocks that it leaves to the system */
  size_t file_count;
  char names[MOST_FILES][64];
  char *bytes[MOST_FILES];
  size_t sizes[MOST_FILES];
} trial;

/* Sanitizers bring an allocator of their own: then every command runs, and nothing is refused. */
static bool can_refuse(void) { return SYN_FAILING_MALLOC[0] != 0; }

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* Splits at blanks, with IN and OUT replaced. */
static void take_words(trial *t, const char *words) {
  static const char *const always[] = {"--json", "--threads", "1"};
  size_t used = 0, count = 0;
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
  if (can_refuse()) setenv("LD_PRELOAD", t->preload, 1);
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
    if (strcmp(t->names[i], "joint.json") == 0) continue; /* this one `hip` looks for */
    unlink(path);
    write_text_file(path, earlier);
  }
}

/* Is everything in the folder something that the run that goes well has written? */
static void check_names(const trial *t, size_t at) {
  DIR *directory = opendir(t->out);
  for (const struct dirent *entry; directory && (entry = readdir(directory)) != NULL;) {
    size_t i = 0;
    while (i < t->file_count && strcmp(t->names[i], entry->d_name) != 0) ++i;
    if (i == t->file_count && (entry->d_type == DT_REG || strncmp(entry->d_name, ".synovia", 8) == 0))
      fail_msg("%s: allocation %zu refused: %s is left", t->text, at, entry->d_name);
  }
  closedir(directory);
}

static void check_bytes(const trial *t, size_t at, bool went_well) {
  for (size_t i = 0; i < t->file_count; ++i) {
    char path[1024];
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

static void check_files(const trial *t, size_t at, bool went_well) {
  if (count_entries(t->temporary)) fail_msg("%s: allocation %zu refused: a temporary folder is left", t->text, at);
  check_names(t, at);
  if (t->manner == RESUMABLE) return;
  if (count_entries(t->out) != t->file_count)
    fail_msg("%s: allocation %zu refused: %zu files, not %zu", t->text, at, count_entries(t->out), t->file_count);
  if (!went_well || t->manner == PLAIN || t->manner == STARTS) check_bytes(t, at, went_well);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static void set_refused(const trial *t, size_t at, bool further) {
  char number[32];
  snprintf(number, sizeof number, "%zu", at);
  setenv("FAILING_MALLOC_AT", number, 1);
  setenv("FAILING_MALLOC_ON", further ? "1" : "0", 1);
  if (t->by_paths && at == 0)
    setenv("FAILING_MALLOC_PATHS", "1", 1);
  else
    unsetenv("FAILING_MALLOC_PATHS");
}

/* How many allocations the last run made; none where they are not counted. */
static size_t read_count(const trial *t, size_t *live) {
  size_t size, made;
  *live = 0;
  if (!can_refuse()) return 0;
  char *count = read_whole_file(t->count, &size);
  assert_int_equal(sscanf(count, "%zu %zu", &made, live), 2);
  free(count);
  assert_true(made > 0);
  return made;
}

/* Which allocations to refuse. */
typedef struct chosen {
  size_t count, made; /* of `at`, and of all that there were */
  size_t at[2 * MOST_PATHS];
} chosen;

/* SYNOVIA_ALLOCATIONS_PART=2/4 leaves every fourth, beginning with the second. */
static void keep_part(chosen *c) {
  const char *part = getenv("SYNOVIA_ALLOCATIONS_PART");
  size_t which, of, kept = 0;
  if (!part) return;
  if (sscanf(part, "%zu/%zu", &which, &of) != 2 || which < 1 || which > of) fail_msg("%s is no part", part);
  for (size_t i = which - 1; i < c->count; i += of) c->at[kept++] = c->at[i];
  c->count = kept;
}

/* `most` of them, spread evenly; SIZE_MAX: the first and the last from every path of calls, as the last run has noted
 * them. */
static void choose(const trial *t, size_t made, size_t most, chosen *c) {
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
    assert_true(c->count + 2 <= 2 * MOST_PATHS);
    c->at[c->count++] = first;
    if (last != first) c->at[c->count++] = last;
  }
  free(text);
  keep_part(c);
}

/* A caller that gets an error object has returned through every function. (Where a JSON text cannot be made the program
 * ends on the spot.) */
static void check_leaks(const trial *t, const program_run *run, size_t at) {
  size_t live;
  read_count(t, &live);
  if (strstr(run->out, "\"error\"") && live > t->live)
    fail_msg("%s: allocation %zu refused: %zu blocks are left, not %zu", t->text, at, live, t->live);
}

static void check_refused(const trial *t, size_t at, const program_run *run) {
  const bool went_well = run->code == t->code;
  if (!went_well && run->code != 5 && !(t->manner == RESUMABLE && run->code == 1))
    fail_msg("%s: allocation %zu refused: exit code %d: %s%s", t->text, at, run->code, run->out, run->err);
  if (went_well && (t->manner == PLAIN || t->manner == STARTS) && strcmp(run->out, t->answer) != 0)
    fail_msg("%s: allocation %zu refused: another answer: %s", t->text, at, run->out);
  if (t->manner != THREADED) check_leaks(t, run, at);
  check_files(t, at, went_well);
}

static int ascending(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return x < y ? -1 : x > y;
}

/* Each alone, or with all later ones; `both`: one after the other. */
static void refuse_in_forks(const trial *t, chosen *c, bool both) {
  set_refused(t, SIZE_MAX, false);
  put_earlier_files(t);
  setenv("LD_PRELOAD", t->preload, 1);
  refusing r = start_refusing(t->words, t->changed, t->kept);
  unsetenv("LD_PRELOAD");
  for (size_t i = 0; i < c->count; ++i)
    for (int turn = 0; turn < 1 + both; ++turn) {
      program_run run;
      if (!refuse_next(&r, c->at[i], (i + (size_t)turn) % 2, &run)) continue;
      check_refused(t, c->at[i], &run);
      end_run(&run);
    }
  end_refusing(&r);
}

static void refuse_one_by_one(const trial *t, const chosen *c) {
  for (size_t i = 0; i < c->count; ++i) {
    set_refused(t, c->at[i], i % 2);
    put_earlier_files(t);
    program_run run = run_once(t);
    check_refused(t, c->at[i], &run);
    end_run(&run);
  }
}

/* How many allocations the run makes that goes well; none where a program that it needs is missing. */
static size_t run_well(trial *t) {
  set_refused(t, 0, false);
  const bool looks = strncmp(t->text, "hip", 3) == 0;    /* for an earlier joint.json */
  for (int i = 0; i < 1 + (t->by_paths || looks); ++i) { /* the second finds the files of the first */
    program_run run = run_once(t);
    const bool missing = run.code == 5 && strstr(run.out, "gmsh");
    if (run.code > 1 && !missing) fail_msg("%s: exit code %d: %s%s", t->text, run.code, run.out, run.err);
    free(t->answer);
    t->code = run.code;
    t->answer = run.out;
    free(run.err);
    if (missing) return 0;
  }
  take_files(t);
  return read_count(t, &t->live);
}

static void empty_folders(const trial *t) {
  char clean[4000];
  snprintf(clean, sizeof clean, "rm -rf '%s' '%s' && mkdir -p '%s' '%s' '%s'", t->changed, t->kept, t->out,
           t->temporary, t->kept);
  assert_int_equal(system(clean), 0);
}

static bool is_tried(const trial *t, const char *words) {
  return !t->only || strcmp(t->only, "all") == 0 || strstr(words, t->only);
}

static void check_command(const trial *folders, const char *words, manner how, size_t most) {
  trial t = *folders;
  if (!is_tried(&t, words)) return;
  t.manner = how;
  empty_folders(&t);
  take_words(&t, words);
  static chosen c;
  choose(&t, run_well(&t), most, &c);
  qsort(c.at, c.count, sizeof *c.at, ascending);
  if (c.count && t.manner == THREADED)
    refuse_one_by_one(&t, &c);
  else if (c.count)
    refuse_in_forks(&t, &c, most == SIZE_MAX || c.count == c.made);
  print_message("%6zu of %6zu allocations refused: %s\n", c.count, c.made, words);
  for (size_t i = 0; i < t.file_count; ++i) free(t.bytes[i]);
  free(t.answer);
}

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

static void put_skeletons(const trial *t) {
  static const char *const files[2][2] = {{"leg.json", "/examples/leg.json"},
                                          {"lever.json", "/examples/mechanisms/lever.json"}};
  for (int i = 0; i < 2; ++i) {
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

static void make_input(trial *t) {
  snprintf(t->in, sizeof t->in, "%s", temporary_path("in"));
  snprintf(t->changed, sizeof t->changed, "%s", temporary_path("changed"));
  snprintf(t->out, sizeof t->out, "%s/out", t->changed);
  snprintf(t->temporary, sizeof t->temporary, "%s/temporary", t->changed);
  snprintf(t->kept, sizeof t->kept, "%s", temporary_path("kept"));
  snprintf(t->count, sizeof t->count, "%s", temporary_path("count"));
  /* the linker takes a blank in the name for the end of it, and a clone may lie anywhere */
  snprintf(t->preload, sizeof t->preload, "%s", temporary_path("failing_malloc.so"));
  if (can_refuse()) assert_int_equal(symlink(SYN_FAILING_MALLOC, t->preload), 0);
  mkdir(t->in, 0777);
  put_blocks(t);
  put_motion(t);
  put_skeletons(t);
  put_texts(t);
  put_shapes(t);
  put_pressures(t);
  char joint[700], fai[700];
  snprintf(joint, sizeof joint, "%s/hip/joint.json", t->in);
  snprintf(fai, sizeof fai, "%s/fai", t->in);
  run_well_once(run_synovia("fai", joint, "-o", fai, NULL));
}

static void check_methods(const trial *t, size_t most) {
  static const char pair[] = "--fixed IN/hip/pelvis.ply --mobile IN/hip/femur.ply --angle 60 --out OUT/a.vtp",
                    volume[] = "--fixed IN/beam/beam.vtu --mobile IN/beam/beam.vtu --angle 30 --max-contacts 9";
  char words[300];
  for (size_t i = 0; i < syn_method_count(); ++i) {
    const syn_method_info info = syn_method_at(i);
    snprintf(words, sizeof words, "collide --method %s %s --center 0,0,0 --axis 1,0,0 --threshold 30", info.name,
             info.needs_volume ? volume : pair);
    check_command(t, words, PLAIN, most);
  }
}

/* ---- the viewer ---------------------------------------------------------------------------------------------------
 */

/* One request of each kind. A refused allocation may cost an answer, with an error or without; is there one to each?
 */
static bool ask_viewer(const viewer *v, size_t at, bool refused) {
  static const char *const requests[][2] = {
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"pose_depth\"}"},
      {"edit", "{\"center\":[0,0,-1]}"},
      {"save", "{}"},
  };
  char page[64];
  bool answered = true;
  snprintf(page, sizeof page, "/%s/", v->token);
  for (size_t i = 0; i < 4; ++i) {
    answer a = i < 3 ? post(v, requests[i][0], requests[i][1]) : ask(v, "GET", page, NULL, NULL);
    const bool said = a.status >= 500 && strstr(a.body, "{\"error\":\"");
    answered = answered && a.status != 0;
    if (a.status != 200 && (!refused || (a.status && !said)))
      fail_msg("view: allocation %zu refused: request %zu: %d %s\n%s", at, i, a.status, a.head, a.body ? a.body : "");
    end_answer(&a);
  }
  return answered;
}

/* What it has saved is whole: as ever, or where it has ended before what was saved before the edit. */
static void check_saved(const char *path, size_t at, bool lives, const char *expected) {
  syn_error error;
  syn_joint *joint;
  size_t size;
  if (!lives) {
    if (access(path, F_OK) != 0) return;
    ASSERT_OK(syn_joint_read(NULL, path, &joint, &error));
    syn_joint_destroy(joint);
    return;
  }
  char *text = read_whole_file(path, &size);
  if (strcmp(text, expected) != 0) fail_msg("view: allocation %zu refused: another joint file is saved: %s", at, text);
  free(text);
}

static viewer view(const trial *t, const char *const *words, size_t at, bool *begun) {
  viewer v;
  empty_folders(t);
  set_refused(t, at, false);
  if (can_refuse()) setenv("LD_PRELOAD", t->preload, 1);
  *begun = try_viewer(words, &v);
  unsetenv("LD_PRELOAD");
  return v;
}

static void refuse_viewer(const trial *t, const char *const *words, size_t at, const char *saved) {
  bool begun;
  viewer v = view(t, words, at, &begun);
  const bool lives = begun && ask_viewer(&v, at, true);
  if (lives) ask_viewer(&v, at, false);
  const int code = stop_viewer(&v, begun ? SIGINT : 0);
  if (code != (lives ? 0 : 5) && !(begun && code == 0))
    fail_msg("view: allocation %zu refused: exit code %d", at, code);
  if (count_entries(t->temporary)) fail_msg("view: allocation %zu refused: a temporary folder is left", at);
  check_saved(words[2], at, lives, saved);
}

/* The request that needed the memory fails and the viewer goes on, or it ends as other commands do. */
static void check_viewer(const trial *t, size_t most) {
  char joint[700], file[700];
  const char *const words[] = {joint, "--save", file, "--threads", "1", NULL};
  size_t live, size;
  snprintf(joint, sizeof joint, "%s/blocks/joint.json", t->in);
  snprintf(file, sizeof file, "%s/saved.json", t->out);
  bool begun;
  viewer v = view(t, words, 0, &begun);
  assert_true(begun && ask_viewer(&v, 0, false));
  assert_int_equal(stop_viewer(&v, SIGINT), 0);
  char *saved = read_whole_file(file, &size);
  static chosen c;
  choose(t, read_count(t, &live), most, &c);
  for (size_t i = 0; i < c.count; ++i) refuse_viewer(t, words, c.at[i], saved);
  print_message("%6zu of %6zu allocations refused: view\n", c.count, c.made);
  free(saved);
}

void check_allocations(size_t of_each, bool slowest_too) {
  static trial t;
  t.only = getenv("SYNOVIA_ALLOCATIONS");
  t.by_paths = t.only != NULL;
  if (t.by_paths) of_each = SIZE_MAX;
  make_input(&t);
  setenv("SOURCE_DATE_EPOCH", "0", 1);
  setenv("TMPDIR", t.temporary, 1);
  setenv("FAILING_MALLOC_COUNT", t.count, 1);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
    if (can_refuse() || commands[i].manner != STARTS) check_command(&t, commands[i].words, commands[i].manner, of_each);
  check_methods(&t, of_each);
  if (is_tried(&t, "view")) check_viewer(&t, of_each);
  for (size_t i = 0; slowest_too && i < sizeof slowest / sizeof *slowest; ++i)
    check_command(&t, slowest[i].words, slowest[i].manner, of_each);
}
