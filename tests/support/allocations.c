#include "allocations.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "block_hip.h"
#include "program.h"
#include "viewer.h"

enum { MOST_WORDS = 24, MOST_FILES = 16, MOST_PATHS = 16384 };

/* "IN" is the folder with the input, "OUT" the one for files. What takes long is tried on a few allocations only; the
 * hip of blocks is the same work on two dozen triangles. */
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
    {"mesh layers IN/hip/joint.json --edge 8 --layers 1 -o OUT", false},
    {"mesh tet IN/cube/cube.ply OUT/a.vtu", true},
    {"distance IN/hip/pelvis.ply IN/hip/femur.ply", false},
    {"rom --fixed IN/hip/pelvis.ply --mobile IN/hip/femur.ply --center 0,0,0 --axis 1,0,0", false},
    {"rom IN/hip/joint.json --motion flexion,squat --draws 2", false},
    {"rom IN/hip/joint.json --motion flexion --draws 2 --map --step 30 --csv OUT/a.csv -o OUT", true},
    {"shape", false},
    {"shape cube -o OUT", false},
    {"shape hip --resolution 2 -o OUT", false},
    {"center IN/hip/joint.json", false},
    {"measure IN/hip/joint.json --draws 1", false},
    {"fai IN/hip/joint.json -o OUT", true},
    {"hip IN/hip/joint.json --draws 2 -o OUT", true},
    {"rom IN/blocks/joint.json --motion flexion --draws 2 --map --step 30 --csv OUT/a.csv -o OUT", false},
    {"fai IN/blocks/joint.json -o OUT", false},
    {"hip IN/blocks/joint.json --draws 2 -o OUT", false},
    {"study IN/study.json -o OUT", false},
    {"study IN/blocks.json -o OUT", false},
    {"report compare IN/fai IN/fai -o OUT/a.html", false},
    {"collide --self IN/beam/beam.vtu --method hash", false},
    {"collide --fixed IN/cube/cube.ply --mobile IN/cube/cube.ply --volume "
     "--pose 1,0,0,0.3,0,1,0,0.2,0,0,1,0.1,0,0,0,1 --out OUT/a.vtp --report OUT/a.html",
     false},
    {"collide IN/blocks/joint.json --together --turn flexion=10", false},
    {"center --motion IN/motion.csv", false},
    {"center IN/blocks/joint.json --motion IN/motion.csv", false},
    {"skeleton IN/leg.json --set knee_angle_r=20", false},
    {"skeleton IN/lever.json --meshes IN/lever --set stroke=8 --method cylindrical --rom stroke -o OUT", false},
    {"surgery resect IN/hip/joint.json --depth 1 --step 1 --edge 5 --draws 2 --every-cut -o OUT", false},
    {"surgery resect IN/hip/joint.json --cut rim --depth 1 --step 1 --edge 5 --draws 0", false},
    {"pressure IN/hip/joint.json --steps 1 --edge 6 --layers 1 -o OUT", false},
    {"surgery graft IN/cube/cube.ply IN/cube/cube.ply --femur-outlet 20,0,0 --tibia-outlet -20,0,0 --to 1.5 --model "
     "vdm "
     "--search 0",
     false},
};
/* Takes some seconds. */
static const char slowest[] = "demo --resolution 2 --draws 2 -o OUT";

static const char study[] =
    "{\"synovia_study\":1,\"name\":\"s\",\"draws\":2,\"cases\":[{\"name\":\"a\",\"shape\":\"hip\","
    "\"parameters\":{\"resolution\":2}}],\"analyses\":[\"center\"]}";
static const char block_study[] =
    "{\"synovia_study\":1,\"name\":\"s\",\"draws\":2,\"cases\":[{\"name\":\"a\",\"joint\":"
    "\"blocks/joint.json\"}],\"analyses\":[\"center\",\"fai\"]}";

typedef struct trial {
  char in[512], out[512], temporary[512], count[512], preload[512];
  char text[1024];
  char *words[MOST_WORDS];
  bool by_paths;    /* the paths of calls are noted */
  const char *only; /* "all", or words of the commands that are tried; NULL: all */
  bool is_study;    /* its cases appear one by one */
  char *answer;     /* of the run that goes well */
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
}

/* A caller that gets an error object has returned through every function. (Where a JSON text cannot be made the program
 * ends on the spot.) */
static void check_leaks(const trial *t, const program_run *run, size_t at) {
  size_t live;
  read_count(t, &live);
  if (strstr(run->out, "\"error\"") && live > t->live)
    fail_msg("%s: allocation %zu refused: %zu blocks are left, not %zu", t->text, at, live, t->live);
}

/* `further`: all later ones are refused as well. */
static void refuse(trial *t, size_t at, bool further) {
  set_refused(t, at, further);
  put_earlier_files(t);
  program_run run = run_once(t);
  const bool went_well = run.code == t->code;
  if (!went_well && run.code != 5 && !(t->is_study && run.code == 1))
    fail_msg("%s: allocation %zu refused: exit code %d: %s%s", t->text, at, run.code, run.out, run.err);
  if (went_well && !t->is_study && strcmp(run.out, t->answer) != 0)
    fail_msg("%s: allocation %zu refused: another answer: %s", t->text, at, run.out);
  check_leaks(t, &run, at);
  end_run(&run);
  check_files(t, at, went_well);
}

/* How many allocations the run makes that goes well. The second is the one that counts: now the files are there. */
static size_t run_well(trial *t) {
  set_refused(t, 0, false);
  for (int i = 0; i < 2; ++i) {
    program_run run = run_once(t);
    if (run.code > 1) fail_msg("%s: exit code %d: %s%s", t->text, run.code, run.out, run.err);
    free(t->answer);
    t->code = run.code;
    t->answer = run.out;
    free(run.err);
  }
  take_files(t);
  return read_count(t, &t->live);
}

static void empty_out(const trial *t) {
  char clean[1100];
  snprintf(clean, sizeof clean, "rm -rf '%s' && mkdir '%s'", t->out, t->out);
  assert_int_equal(system(clean), 0);
}

static bool is_tried(const trial *t, const char *words) {
  return !t->only || strcmp(t->only, "all") == 0 || strstr(words, t->only);
}

static void check_command(const trial *folders, const char *words, size_t most) {
  trial t = *folders;
  if (!is_tried(&t, words)) return;
  empty_out(&t);
  take_words(&t, words);
  static chosen c;
  choose(&t, run_well(&t), most, &c);
  for (size_t i = 0; i < c.count; ++i) {
    refuse(&t, c.at[i], i % 2);
    if (most == SIZE_MAX || c.count == c.made) refuse(&t, c.at[i], i % 2 == 0);
  }
  print_message("%6zu of %6zu allocations refused: %s\n", c.count, c.made, words);
  for (size_t i = 0; i < t.file_count; ++i) free(t.bytes[i]);
  free(t.answer);
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

static void make_input(trial *t) {
  enum { FOLDERS = 5 };
  char path[FOLDERS][600];
  snprintf(t->in, sizeof t->in, "%s", temporary_path("in"));
  snprintf(t->out, sizeof t->out, "%s", temporary_path("out"));
  snprintf(t->temporary, sizeof t->temporary, "%s", temporary_path("temporary"));
  snprintf(t->count, sizeof t->count, "%s", temporary_path("count"));
  /* the linker takes a blank in the name for the end of it, and a clone may lie anywhere */
  snprintf(t->preload, sizeof t->preload, "%s", temporary_path("failing_malloc.so"));
  if (can_refuse()) assert_int_equal(symlink(SYN_FAILING_MALLOC, t->preload), 0);
  mkdir(t->in, 0777);
  mkdir(t->temporary, 0777);
  put_blocks(t);
  put_motion(t);
  put_skeletons(t);
  static const char *const names[FOLDERS] = {"hip", "beam", "cube", "fai", "lever"};
  for (int i = 0; i < FOLDERS; ++i) snprintf(path[i], sizeof *path, "%s/%s", t->in, names[i]);
  char joint[700], file[700];
  snprintf(joint, sizeof joint, "%s/joint.json", path[0]);
  snprintf(file, sizeof file, "%s/study.json", t->in);
  write_text_file(file, study);
  program_run runs[] = {
      run_synovia("shape", "hip", "--resolution", "2", "-o", path[0], NULL),
      run_synovia("shape", "beam", "-o", path[1], NULL), run_synovia("shape", "cube", "-o", path[2], NULL),
      run_synovia("fai", joint, "-o", path[3], NULL), run_synovia("shape", "lever", "-o", path[4], NULL)};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    assert_int_equal(runs[i].code, 0);
    end_run(&runs[i]);
  }
}

static void check_methods(const trial *t, size_t most) {
  static const char pair[] = "--fixed IN/hip/pelvis.ply --mobile IN/hip/femur.ply --angle 60 --out OUT/a.vtp",
                    volume[] = "--fixed IN/beam/beam.vtu --mobile IN/beam/beam.vtu --angle 30 --max-contacts 9";
  char words[300];
  for (size_t i = 0; i < syn_method_count(); ++i) {
    const syn_method_info info = syn_method_at(i);
    snprintf(words, sizeof words, "collide --method %s %s --center 0,0,0 --axis 1,0,0 --threshold 30", info.name,
             info.needs_volume ? volume : pair);
    check_command(t, words, most);
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
  empty_out(t);
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
  char joint[600], file[600];
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

void check_allocations(size_t of_short, size_t of_long, size_t of_slowest) {
  static trial t;
  t.only = getenv("SYNOVIA_ALLOCATIONS");
  t.by_paths = t.only != NULL;
  if (t.by_paths) of_short = SIZE_MAX;
  make_input(&t);
  setenv("SOURCE_DATE_EPOCH", "0", 1);
  setenv("TMPDIR", t.temporary, 1);
  setenv("FAILING_MALLOC_COUNT", t.count, 1);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
    if (can_refuse() || !commands[i].takes_long)
      check_command(&t, commands[i].words, commands[i].takes_long ? of_long : of_short);
  check_methods(&t, of_short);
  if (is_tried(&t, "view")) check_viewer(&t, of_short);
  if (of_slowest) check_command(&t, slowest, of_slowest);
}
