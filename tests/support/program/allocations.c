#include "allocations.h"

#include <dirent.h>
#include <unistd.h>

#include "program.h"
#include "refusing.h"
#include "trial.h"
#include "view_allocations.h"

/* "IN" is the folder with the input, "OUT" the one for files. The hip of blocks is the same work as the others on two
 * dozen triangles. */
typedef struct command {
  const char *words;
  manner manner;
} command;
static const command commands[] = {
    {"help", PLAIN},
    {"help --man", PLAIN},
    {"help --bash-completion", PLAIN},
    {"help hip", PLAIN},
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
    {"rom IN/lever/joint.json --title lever -o OUT", PLAIN},
    {"rom IN/blocks/joint.json --recording IN/motion.csv --draws 0", PLAIN},
    {"rom IN/blocks/joint.json --motion flexion --draws 0 --sweep 4 --csv OUT/a.csv --title blocks", PLAIN},
    {"shape", PLAIN},
    {"shape cube -o OUT", PLAIN},
    {"shape hip --resolution 2 -o OUT", PLAIN},
    {"center IN/hip/joint.json", PLAIN},
    {"measure IN/hip/joint.json --draws 1", PLAIN},
    {"rom IN/blocks/joint.json --motion flexion --draws 2 --map --step 30 --csv OUT/a.csv -o OUT", PLAIN},
    {"fai IN/blocks/joint.json -o OUT", PLAIN},
    {"hip IN/blocks/joint.json --draws 2 --title blocks -o OUT", PLAIN},
    {"study IN/study.json -o OUT", RESUMABLE},
    {"study IN/blocks.json -o OUT --again", RESUMABLE},
    {"study IN/pressed.json -o OUT --again", RESUMABLE},
    {"report compare IN/fai IN/fai -o OUT/a.html", PLAIN},
    {"collide --method list", PLAIN},
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
     "vdm --search 0 -o OUT",
     PLAIN},
    {"surgery graft IN/cube/cube.ply IN/cube/cube.ply --femur-outlet 20,0,0 --tibia-outlet -20,0,0 --to 1.5 "
     "--search 1 -o OUT",
     PLAIN},
    {"pressure IN/hip/joint.json --steps 1 --edge 6 --layers 1 -o OUT", PLAIN},
    {"pressure IN/hip/joint.json --nonlinear --load IN/loads.csv --edge 6 --layers 1", PLAIN},
    {"pressure IN/hip/joint.json --method fem --beside --load standing --edge 8 --layers 1 -o OUT", PLAIN},
    {"pressure IN/hip/joint.json --method fem --load standing --edge 8 --layers 1 --problem OUT/a.inp", PLAIN},
    {"pressure IN/pressures.csv --train --model OUT/a.json", PLAIN},
    {"pressure IN/hip/joint.json --method estimate --model IN/model.json -o OUT", PLAIN},
    {"simulate IN/scene.json -o OUT --restart", RESUMABLE},
    {"haptics --list", PLAIN},
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
    {"pressure IN/hip/joint.json --method fem --closed --load standing", STARTS},
    {"congruity IN/round/joint.json --motion flexion-rotation --step 90 --edge 0 --press 0.2 -o OUT", STARTS},
    {"surgery osteotomy IN/round/joint.json --varus 12 --step 90 --edge 9 --press 0.2 --rotation 1 --ligament "
     "pubofemoral -o OUT",
     STARTS},
};

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
  for (; count < TRIAL_WORDS; ++count) t->words[count] = NULL;
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
    assert_true(t->file_count < TRIAL_FILES);
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

/* Each alone, or with all later ones; `both`: one after the other. */
static void refuse_in_forks(const trial *t, chosen *c, bool both) {
  set_refused(t, SIZE_MAX, false);
  put_earlier_files(t);
  setenv("LD_PRELOAD", t->preload, 1);
  refusing r = start_refusing(t->words, t->changed, t->kept, -1);
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

static void check_command(const trial *folders, const char *words, manner how, size_t most) {
  trial t = *folders;
  if (!is_tried(&t, words)) return;
  t.manner = how;
  empty_folders(&t);
  take_words(&t, words);
  static chosen c;
  choose(&t, run_well(&t), most, &c);
  if (c.count && t.manner == THREADED)
    refuse_one_by_one(&t, &c);
  else if (c.count)
    refuse_in_forks(&t, &c, most == SIZE_MAX || c.count == c.made);
  print_message("%6zu of %6zu allocations refused: %s\n", c.count, c.made, words);
  for (size_t i = 0; i < t.file_count; ++i) free(t.bytes[i]);
  free(t.answer);
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
