// test: slow
/* What a run leaves on the disk, whatever happens to it: all of its files or none, and never less than there was. */
#include <dirent.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* ---- looking ----------------------------------------------------------------------------------------------------- */

/* Entries of a folder, those that are hidden alone or all; -1 where there is no folder. */
static int entries(const char *folder, bool hidden_alone) {
  DIR *directory = opendir(folder);
  int count = 0;
  if (!directory) return -1;
  for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      count += !hidden_alone || entry->d_name[0] == '.';
  closedir(directory);
  return count;
}

static const char mark[] = "from an earlier run";

/* Writes the mark into every file of the folder; how many there are. */
static int mark_files(const char *folder) {
  DIR *directory = opendir(folder);
  int count = 0;
  char path[1024];
  assert_non_null(directory);
  for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
    if (entry->d_type == DT_REG) {
      snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
      write_text_file(path, mark);
      ++count;
    }
  closedir(directory);
  return count;
}

static int count_marks(const char *folder) {
  DIR *directory = opendir(folder);
  int count = 0;
  char path[1024];
  assert_non_null(directory);
  for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
    if (entry->d_type == DT_REG) {
      size_t size;
      snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
      char *text = read_whole_file(path, &size);
      count += strcmp(text, mark) == 0;
      free(text);
    }
  closedir(directory);
  return count;
}

/* "COMMAND; exec synovia WORDS" in a shell; the exit code, or 128 + the signal. */
static int run_after(const char *command, const char *words) {
  char line[2048];
  snprintf(line, sizeof line, "%s; exec '%s' %s >/dev/null 2>&1", command, SYN_PROGRAM, words);
  const int status = system(line);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- failing ----------------------------------------------------------------------------------------------------- */

/* As on a full disk: no file may be longer than 8 kB. */
static void a_run_that_fails_keeps_what_was_there(void **state) {
  (void)state;
  char folder[512], words[1024];
  snprintf(folder, sizeof folder, "%s", temporary_path("kept"));
  snprintf(words, sizeof words, "shape hip --resolution 3 -o '%s'", folder);
  assert_int_equal(run_after("true", words), 0);
  const int files = mark_files(folder);
  assert_int_equal(files, 7);
  assert_int_equal(run_after("ulimit -f 8", words), 5);
  assert_int_equal(count_marks(folder), files);
  assert_int_equal(entries(folder, false), files);
  assert_int_equal(run_after("true", words), 0);
  assert_int_equal(count_marks(folder), 0);
  assert_int_equal(entries(folder, false), files);
}

/* The table and the curve are shorter than that, the images and the page are not. */
static void a_probe_that_cannot_write_all_writes_nothing(void **state) {
  (void)state;
  char folder[512], words[1024];
  snprintf(folder, sizeof folder, "%s", temporary_path("felt"));
  snprintf(words, sizeof words, "haptics thigh --seconds 0.02 -o '%s'", folder);
  assert_int_equal(run_after("true", words), 0);
  const int files = mark_files(folder);
  assert_int_equal(files, 6);
  assert_int_equal(run_after("ulimit -f 8", words), 5);
  assert_int_equal(count_marks(folder), files);
  assert_int_equal(entries(folder, false), files);
}

/* The frames and the checkpoint are written as the run goes; the lists, the table and the page go together. */
static void a_simulation_that_cannot_write_all_replaces_nothing(void **state) {
  (void)state;
  static const char *const names[] = {"report.html", "result.json", "energy.csv", "beam.pvd"};
  char folder[512], words[1024], path[700];
  size_t size;
  snprintf(folder, sizeof folder, "%s", temporary_path("simulated"));
  snprintf(words, sizeof words, "simulate '%s/examples/scenes/beam.json' -o '%s'", SYN_SOURCE_DIR, folder);
  assert_int_equal(run_after("true", words), 0);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    write_text_file(path, mark);
  }
  assert_int_equal(run_after("ulimit -f 100", words), 5); /* the page alone is longer */
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    char *text = read_whole_file(path, &size);
    if (strcmp(text, mark) != 0) fail_msg("%s is new", names[i]);
    free(text);
  }
  assert_int_equal(entries(folder, true), 0);
  assert_int_equal(run_after("true", words), 0);
  assert_int_equal(count_marks(folder), 0);
}

/* In JSON as in words: the file that could not be written, under its own name and not that of the folder beside it. */
static void what_cannot_be_written_is_named(void **state) {
  (void)state;
  char folder[512], said[512], line[4096];
  snprintf(folder, sizeof folder, "%s", temporary_path("unwritten"));
  snprintf(said, sizeof said, "%s", temporary_path("said.json"));
  snprintf(line, sizeof line, "ulimit -f 8; exec '%s' shape hip --resolution 3 -o '%s' --json > '%s' 2> /dev/null",
           SYN_PROGRAM, folder, said);
  assert_int_equal(WEXITSTATUS(system(line)), 5);
  json_t *answer = json_load_file(said, 0, NULL);
  const char *file = json_string_value(json_at(answer, "error.file"));
  assert_non_null(file);
  assert_int_equal(strncmp(file, folder, strlen(folder)), 0);
  assert_non_null(strstr(file + strlen(folder), ".ply"));
  json_decref(answer);
}

static void a_study_names_its_files_as_the_user_does(void **state) {
  (void)state;
  char folder[512], said[512], study[512], line[4096];
  size_t size;
  snprintf(folder, sizeof folder, "%s", temporary_path("studied"));
  snprintf(said, sizeof said, "%s", temporary_path("said.txt"));
  snprintf(study, sizeof study, "%s", temporary_path("study.json"));
  write_text_file(study, "{\"synovia_study\":1,\"name\":\"s\",\"cases\":[{\"name\":\"a\",\"shape\":\"hip\","
                         "\"parameters\":{\"resolution\":2}}],\"analyses\":[\"center\"]}");
  snprintf(line, sizeof line, "'%s' study '%s' -o '%s' -q; ulimit -f 8; exec '%s' study '%s' -o '%s' -q 2>'%s'",
           SYN_PROGRAM, study, folder, SYN_PROGRAM, study, folder, said);
  assert_int_equal(WEXITSTATUS(system(line)), 5);
  char *text = read_whole_file(said, &size);
  assert_contains(text, "studied/report.html: writing failed");
  free(text);
}

static void a_run_that_fails_leaves_no_new_folder(void **state) {
  (void)state;
  char words[1024];
  snprintf(words, sizeof words, "shape hip --resolution 3 -o '%s/deep/er'", temporary_path("none"));
  assert_int_equal(run_after("ulimit -f 8", words), 5);
  assert_int_equal(entries(temporary_path("none"), false), -1);
}

/* A folder has the name of one of the files: what was put in place before it is taken back. */
static void what_cannot_be_put_in_place_puts_nothing_in_place(void **state) {
  (void)state;
  char folder[512], in_the_way[600];
  snprintf(folder, sizeof folder, "%s", temporary_path("way"));
  snprintf(in_the_way, sizeof in_the_way, "%s/joint.json", folder);
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "-o", folder, NULL);
  end_run(&run);
  unlink(in_the_way);
  assert_int_equal(mkdir(in_the_way, 0777), 0);
  const int files = mark_files(folder);
  run = run_synovia("shape", "hip", "--resolution", "2", "-o", folder, NULL);
  assert_int_equal(run.code, 5);
  assert_contains(run.err, in_the_way);
  end_run(&run);
  assert_int_equal(count_marks(folder), files);
  assert_int_equal(entries(folder, true), 0);
}

/* The folder is looked at before the meshes, which are not even there. */
static void the_target_is_checked_before_any_work(void **state) {
  (void)state;
  char file[512], inside[600], hidden[600];
  snprintf(file, sizeof file, "%s", temporary_path("a file"));
  snprintf(hidden, sizeof hidden, "%s", temporary_path(".synovia-mine.stl")); /* the next run might take it away */
  snprintf(inside, sizeof inside, "%s/x", file);
  write_text_file(file, mark);
  const char *const lines[][5] = {{"hip", "no.stl", "no.stl", "-o", file},
                                  {"rom", "no.json", "-o", file, NULL},
                                  {"rom", "no.json", "--csv", inside, NULL},
                                  {"fai", "no.json", "-o", inside, NULL},
                                  {"demo", "-o", file, NULL, NULL},
                                  {"study", "no.json", "-o", file, NULL},
                                  {"shape", "hip", "-o", inside, NULL},
                                  {"haptics", "no.json", "-o", file, NULL},
                                  {"pressure", "no.json", "-o", file, NULL},
                                  {"congruity", "no.json", "-o", file, NULL},
                                  {"skeleton", "no.json", "-o", file, NULL},
                                  {"surgery", "resect", "no.json", "-o", file},
                                  {"surgery", "osteotomy", "no.json", "-o", file},
                                  {"surgery", "ligament-rom", "no.json", "-o", file},
                                  {"surgery", "ligament-stiffness", "no.json", "-o", file},
                                  {"mesh", "layers", "no.json", "-o", file},
                                  {"report", "compare", "no", "no", "-o/no/such/folder/a.html"},
                                  {"mesh", "convert", "no.stl", inside, NULL},
                                  {"mesh", "convert", "no.stl", hidden, NULL},
                                  {"mesh", "repair", "no.stl", "/no/such/folder/a.stl", NULL},
                                  {"mesh", "convert", "no.stl", "/dev/null", NULL}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
    const char *const *w = lines[i];
    program_run run = run_synovia(w[0], w[1], w[2], w[3], w[4], NULL);
    if (run.code != 5 || run.out[0]) fail_msg("%s %s: exit code %d: %s%s", w[0], w[1], run.code, run.out, run.err);
    end_run(&run);
  }
  size_t size;
  char *text = read_whole_file(file, &size);
  assert_string_equal(text, mark);
  free(text);
}

/* A link has the name of an output, to a file, to nothing or, as the output folder, to a folder. */
static void a_link_is_replaced_and_its_file_stays(void **state) {
  (void)state;
  char folder[400], other[400], link[500], path[500];
  size_t size;
  struct stat info;
  snprintf(folder, sizeof folder, "%s", temporary_path("linked"));
  snprintf(other, sizeof other, "%s", temporary_path("linked to"));
  assert_int_equal(mkdir(folder, 0777), 0);
  write_text_file(other, mark);
  snprintf(link, sizeof link, "%s/cube.ply", folder);
  for (int dangling = 0; dangling < 2; ++dangling) {
    unlink(link);
    assert_int_equal(symlink(dangling ? "/no/such/file" : other, link), 0);
    program_run run = run_synovia("shape", "cube", "-o", folder, NULL);
    assert_int_equal(run.code, 0);
    end_run(&run);
    assert_true(lstat(link, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0);
    char *text = read_whole_file(other, &size);
    assert_string_equal(text, mark);
    free(text);
  }
  snprintf(link, sizeof link, "%s", temporary_path("a link"));
  assert_int_equal(symlink(folder, link), 0);
  snprintf(path, sizeof path, "%s/sphere.ply", folder);
  program_run run = run_synovia("shape", "sphere", "-o", link, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  assert_int_equal(access(path, F_OK), 0);
  assert_true(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
}

/* What a user keeps in a folder with such a name is none of the program's business. */
static void a_hidden_folder_of_a_user_stays(void **state) {
  (void)state;
  char folder[400], kept[500], notes[600];
  size_t size;
  snprintf(folder, sizeof folder, "%s", temporary_path("with settings"));
  snprintf(kept, sizeof kept, "%s/.synovia-settings", folder);
  snprintf(notes, sizeof notes, "%s/notes.txt", kept);
  assert_true(mkdir(folder, 0777) == 0 && mkdir(kept, 0777) == 0);
  write_text_file(notes, mark);
  program_run run = run_synovia("shape", "cube", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  char *text = read_whole_file(notes, &size);
  assert_string_equal(text, mark);
  free(text);
  assert_int_equal(entries(kept, false), 1);
  snprintf(notes, sizeof notes, "%s/.synovia-lock", folder);
  run = run_synovia("report", "compare", "no", "no", "-o", notes, NULL);
  assert_int_equal(run.code, 5);
  assert_contains(run.err, "choose another");
  end_run(&run);
}

/* ---- being stopped ----------------------------------------------------------------------------------------------- */

/* Starts `synovia WORDS…` with its output in files, or nowhere. */
static pid_t start(const char *out, const char *const *words) {
  const pid_t child = fork();
  if (child == 0) {
    char *argv[16] = {(char *)(uintptr_t) "synovia"};
    for (int i = 0; words[i]; ++i) argv[i + 1] = (char *)(uintptr_t)words[i];
    const int file = open(out ? out : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0600),
              null = open("/dev/null", O_WRONLY);
    dup2(file, 1);
    dup2(null, 2);
    execv(SYN_PROGRAM, argv);
    _exit(127);
  }
  return child;
}

static void wait_for_hidden(const char *folder) {
  for (int i = 0; i < 30000 && entries(folder, true) < 1; ++i) usleep(2000);
  assert_true(entries(folder, true) > 0);
}

static void a_run_that_is_stopped_leaves_nothing(void **state) {
  (void)state;
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
    char folder[512];
    snprintf(folder, sizeof folder, "%s", temporary_path("stopped"));
    const char *const words[] = {"demo", "-o", folder, NULL};
    int status;
    const pid_t child = start(NULL, words);
    wait_for_hidden(folder);
    kill(child, signals[i]);
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
    assert_int_equal(entries(folder, false), -1);
  }
}

/* All pairs of so many triangles in one place are 400 million contacts: nobody has to wait for them. */
static void a_search_that_takes_long_can_be_stopped(void **state) {
  (void)state;
  enum { TRIANGLES = 20000 };
  char path[512];
  snprintf(path, sizeof path, "%s", temporary_path("coincident.off"));
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "OFF\n3 %d 0\n0 0 0\n10 0 0\n0 10 0\n", TRIANGLES);
  for (int i = 0; i < TRIANGLES; ++i) fputs("3 0 1 2\n", file);
  assert_int_equal(fclose(file), 0);
  const char *const commands[][12] = {
      {"collide", "--fixed", path, "--mobile", path, "--center", "0,0,0", "--method", "obb", NULL},
      {"rom", "--fixed", path, "--mobile", path, "--center", "0,0,-30", "--axis", "1,0,0", NULL}};
  for (int i = 0; i < 2; ++i) {
    int status;
    const pid_t child = start(NULL, commands[i]);
    usleep(500000);
    kill(child, SIGINT);
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  }
}

static void what_a_killed_run_left_is_removed_by_the_next(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("killed"));
  const char *const words[] = {"demo", "-o", folder, NULL};
  const pid_t child = start(NULL, words);
  wait_for_hidden(folder);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  assert_int_equal(entries(folder, true), 1);
  program_run run = run_synovia("shape", "cube", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  assert_int_equal(entries(folder, false), 1); /* cube.ply */
}

/* ---- two processes on one study ---------------------------------------------------------------------------------- */

enum { CASES = 8 };

static void write_study(const char *path) {
  char text[4096] = "{\"synovia_study\":1,\"name\":\"both\",\"draws\":2,\"analyses\":[\"rom\"],\"cases\":[";
  for (int i = 0; i < CASES; ++i) {
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used,
             "%s{\"name\":\"case%d\",\"shape\":\"hip\",\"parameters\":{\"resolution\":2,\"ce\":%d}}", i ? "," : "", i,
             20 + i);
  }
  strcat(text, "]}");
  write_text_file(path, text);
}

static json_t *answer_in(const char *path) {
  json_error_t error;
  json_t *answer = json_load_file(path, 0, &error);
  if (!answer) fail_msg("%s: %s", path, error.text);
  return answer;
}

static void two_processes_share_the_cases_of_a_study(void **state) {
  (void)state;
  char study[512], folder[512], outs[2][512];
  snprintf(study, sizeof study, "%s", temporary_path("both.json"));
  snprintf(folder, sizeof folder, "%s", temporary_path("both"));
  write_study(study);
  pid_t children[2];
  const char *const words[] = {"study", study, "-o", folder, "--json", "--threads", "1", NULL};
  for (int i = 0; i < 2; ++i) {
    snprintf(outs[i], sizeof outs[i], "%s", temporary_path(i ? "second.json" : "first.json"));
    children[i] = start(outs[i], words);
  }
  double ran = 0;
  for (int i = 0; i < 2; ++i) {
    int status;
    waitpid(children[i], &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    json_t *answer = answer_in(outs[i]);
    assert_true(json_number_at(answer, "result.done") == CASES);
    ran += json_number_at(answer, "result.ran");
    json_decref(answer);
  }
  assert_true(ran == CASES);
  assert_int_equal(entries(folder, false), CASES + 3); /* and the summary */
}

static void what_a_killed_process_had_claimed_is_done_by_the_other(void **state) {
  (void)state;
  char study[512], folder[512], out[512], lock[600];
  snprintf(study, sizeof study, "%s", temporary_path("one.json"));
  snprintf(folder, sizeof folder, "%s", temporary_path("one"));
  snprintf(out, sizeof out, "%s", temporary_path("other.json"));
  snprintf(lock, sizeof lock, "%s/.case0.lock", folder);
  write_study(study);
  const char *const words[] = {"study", study, "-o", folder, "--json", "--threads", "1", NULL};
  const pid_t first = start(NULL, words);
  while (access(lock, F_OK) != 0 && entries(folder, false) < CASES) usleep(500);
  const pid_t second = start(out, words);
  kill(first, SIGKILL);
  waitpid(first, NULL, 0);
  int status;
  waitpid(second, &status, 0);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  json_t *answer = answer_in(out);
  assert_true(json_number_at(answer, "result.done") == CASES);
  json_decref(answer);
  assert_int_equal(entries(folder, false), CASES + 3);
}

/* An error that is retried and fails again, and a good result that a failure does not take away. */
static void a_case_that_fails_keeps_its_earlier_result(void **state) {
  (void)state;
  char study[512], folder[512], words[1200], result[600], error[600];
  snprintf(study, sizeof study, "%s", temporary_path("again.json"));
  snprintf(folder, sizeof folder, "%s", temporary_path("again"));
  write_study(study);
  snprintf(words, sizeof words, "study '%s' -o '%s'", study, folder);
  snprintf(result, sizeof result, "%s/case0/result.json", folder);
  snprintf(error, sizeof error, "%s/case0/error.json", folder);
  assert_int_equal(run_after("true", words), 0);
  size_t size, size_after;
  char *before = read_whole_file(result, &size);
  snprintf(words, sizeof words, "study '%s' -o '%s' --again", study, folder);
  assert_int_equal(run_after("ulimit -f 8", words), 5); /* the meshes are too large, then the summary */
  char *after = read_whole_file(result, &size_after);
  assert_int_equal(size, size_after);
  assert_memory_equal(before, after, size);
  assert_int_equal(access(error, F_OK), 0);
  free(before);
  free(after);
  snprintf(words, sizeof words, "study '%s' -o '%s'", study, folder);
  assert_int_equal(run_after("true", words), 0);
  assert_int_equal(access(error, F_OK), -1);
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

/* All that a terminal is sent. */
static void run_on_terminal(const char *const *words, char *screen, size_t room) {
  int terminal;
  const pid_t child = forkpty(&terminal, NULL, NULL, NULL);
  if (child == 0) {
    char *argv[16] = {(char *)(uintptr_t) "synovia"};
    for (int i = 0; words[i]; ++i) argv[i + 1] = (char *)(uintptr_t)words[i];
    execv(SYN_PROGRAM, argv);
    _exit(127);
  }
  size_t used = 0;
  for (ssize_t got; used + 1 < room && (got = read(terminal, screen + used, room - used - 1)) > 0;) used += (size_t)got;
  screen[used] = 0;
  waitpid(child, NULL, 0);
  close(terminal);
}

static void progress_is_erased_before_an_answer(void **state) {
  (void)state;
  static char screen[65536];
  char study[512], folder[512];
  snprintf(study, sizeof study, "%s", temporary_path("seen.json"));
  snprintf(folder, sizeof folder, "%s", temporary_path("seen"));
  write_study(study);
  const char *const words[] = {"study", study, "-o", folder, NULL};
  run_on_terminal(words, screen, sizeof screen);
  const char *answer = strstr(screen, "both: 8 of 8");
  if (!answer) fail_msg("no answer in '%s'", screen);
  assert_non_null(strstr(screen, "case 8 of 8"));
  assert_memory_equal(answer - 3, "\033[K", 3);
}

static void a_log_has_a_line_per_case(void **state) {
  (void)state;
  char study[512];
  snprintf(study, sizeof study, "%s", temporary_path("log.json"));
  write_study(study);
  program_run run = run_synovia("study", study, "-o", temporary_path("log"), NULL);
  assert_contains(run.err, "synovia: case 3 of 8, case2 25 %\n");
  end_run(&run);
  run = run_synovia("study", study, "-o", temporary_path("log"), "--again", "-q", NULL);
  assert_string_equal(run.err, "");
  end_run(&run);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* Little address space: fewer threads, or no memory, but never the answer "no". */
static void threads_that_cannot_be_made_are_no_answer(void **state) {
  (void)state;
  if (SANITIZED) SKIP("sanitizers need the address space for themselves");
  char words[1024], limit[64];
  program_run run = run_synovia("shape", "sphere", "-o", temporary_path("limits"), NULL);
  end_run(&run);
  snprintf(words, sizeof words, "mesh check '%s/sphere.ply' --threads 64", temporary_path("limits"));
  bool done = false;
  for (int megabytes = 24; megabytes <= 96; megabytes += 8) {
    snprintf(limit, sizeof limit, "ulimit -v %d000", megabytes);
    const int code = run_after(limit, words);
    if (code != 0 && code != 5 && code != 127) fail_msg("%s: exit code %d", limit, code); /* 127: not even loaded */
    done = done || code == 0;
  }
  assert_true(done);
}

/* meshoptimizer would end the process. */
static void decimation_without_memory_says_so(void **state) {
  (void)state;
  if (SANITIZED) SKIP("sanitizers need the address space for themselves");
  char words[1024], limit[64];
  program_run run = run_synovia("shape", "hip", "--resolution", "8", "-o", temporary_path("large"), NULL);
  end_run(&run);
  snprintf(words, sizeof words, "mesh decimate '%s/femur.ply' '%s' --triangles 40", temporary_path("large"),
           temporary_path("small.ply"));
  for (int kilobytes = 18000; kilobytes <= 30000; kilobytes += 1000) {
    snprintf(limit, sizeof limit, "ulimit -v %d", kilobytes);
    const int code = run_after(limit, words);
    if (code != 0 && code != 5 && code != 127) fail_msg("%s: exit code %d", limit, code);
  }
}

/* OpenBLAS would stop the process or try for ever, the library of OpenMP would end it with the answer "no". */
static void a_factorisation_without_memory_says_so(void **state) {
  (void)state;
  if (SANITIZED) SKIP("sanitizers need the address space for themselves");
  char words[1024], limit[64];
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "-o", temporary_path("pressed"), NULL);
  end_run(&run);
  snprintf(words, sizeof words, "pressure '%s/joint.json' --method fem --load standing --edge 8 --layers 1",
           temporary_path("pressed"));
  for (int megabytes = 40; megabytes <= 340; megabytes += 60) {
    snprintf(limit, sizeof limit, "ulimit -v %d000", megabytes);
    const int code = run_after(limit, words);
    if (code != 0 && code != 5) fail_msg("%s: exit code %d", limit, code);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_that_fails_keeps_what_was_there),
      cmocka_unit_test(a_probe_that_cannot_write_all_writes_nothing),
      cmocka_unit_test(what_cannot_be_written_is_named),
      cmocka_unit_test(a_study_names_its_files_as_the_user_does),
      cmocka_unit_test(a_run_that_fails_leaves_no_new_folder),
      cmocka_unit_test(what_cannot_be_put_in_place_puts_nothing_in_place),
      cmocka_unit_test(the_target_is_checked_before_any_work),
      cmocka_unit_test(a_simulation_that_cannot_write_all_replaces_nothing),
      cmocka_unit_test(a_link_is_replaced_and_its_file_stays),
      cmocka_unit_test(a_hidden_folder_of_a_user_stays),
      cmocka_unit_test(a_run_that_is_stopped_leaves_nothing),
      cmocka_unit_test(a_search_that_takes_long_can_be_stopped),
      cmocka_unit_test(what_a_killed_run_left_is_removed_by_the_next),
      cmocka_unit_test(two_processes_share_the_cases_of_a_study),
      cmocka_unit_test(what_a_killed_process_had_claimed_is_done_by_the_other),
      cmocka_unit_test(a_case_that_fails_keeps_its_earlier_result),
      cmocka_unit_test(progress_is_erased_before_an_answer),
      cmocka_unit_test(a_log_has_a_line_per_case),
      cmocka_unit_test(threads_that_cannot_be_made_are_no_answer),
      cmocka_unit_test(decimation_without_memory_says_so),
      cmocka_unit_test(a_factorisation_without_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
