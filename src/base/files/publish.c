/* Publishes files: exchanges the finished files with existing ones of the same names, all or none. A journal lets the
 * next process complete an interrupted publication. */
#define _GNU_SOURCE /* renameat2 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/rename_exchange.h"
#include "base/files/stage.h"
#include "base/memory.h"

/* The second name means that the publication is being rolled back. */
static const char journal_name[] = ".synovia-journal", undo_name[] = ".synovia-undo";
static const char journal_head[] = "synovia-journal 1";
enum { LONGEST_JOURNAL = 1 << 26 };

/* Two open folders: the hidden one and its parent. */
typedef struct publication {
  int hidden, folder;
  size_t path_length; /* of the hidden folder, in the paths of its files */
} publication;

/* A file during publication. Its inode number distinguishes it from the file that it replaces. */
typedef struct moving_file {
  const publication *within;
  const char *name;
  ino_t inode;
  bool replaces; /* the name existed before */
} moving_file;

/* ---- one file ------------------------------------------------------------------------------------------------------
 */

typedef enum move_state { WAITING, IN_PLACE, UNKNOWN } move_state;

static bool inode_of(int folder, const char *name, ino_t *inode) {
  struct stat info;
  if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0) return false;
  *inode = info.st_ino;
  return true;
}

static move_state state_of(const moving_file *file) {
  ino_t hidden = 0, visible = 0;
  const bool is_hidden = inode_of(file->within->hidden, file->name, &hidden);
  if (is_hidden && hidden == file->inode) return WAITING;
  return inode_of(file->within->folder, file->name, &visible) && visible == file->inode ? IN_PLACE : UNKNOWN;
}

/* An existing file of the name moves to the hidden folder, if the file system can exchange two names. */
static bool put_in_place(const moving_file *file) {
  struct stat info;
  const int hidden = file->within->hidden, folder = file->within->folder;
  const bool taken = fstatat(folder, file->name, &info, AT_SYMLINK_NOFOLLOW) == 0;
  if (taken && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return false;
  }
  if (taken && renameat2(hidden, file->name, folder, file->name, RENAME_EXCHANGE) == 0) return true;
  return renameat(hidden, file->name, folder, file->name) == 0;
}

/* Does nothing if the file is not in place. A file replaced without an exchange is lost: the new one stays. */
static bool take_back(const moving_file *file) {
  const int hidden = file->within->hidden, folder = file->within->folder;
  if (state_of(file) != IN_PLACE) return true;
  if (!file->replaces) return unlinkat(folder, file->name, 0) == 0;
  return renameat(hidden, file->name, folder, file->name) == 0 || errno == ENOENT;
}

/* ---- journals ------------------------------------------------------------------------------------------------------
 */

/* Syncs the folder, so that names reach the disk in the order of the operations, if the system supports that. */
static bool sync_folder(int folder) {
  return fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS || errno == EBADF;
}

bool syn_has_journal(int hidden) {
  return faccessat(hidden, journal_name, F_OK, 0) == 0 || faccessat(hidden, undo_name, F_OK, 0) == 0;
}

/* From here on the publication is rolled back, also by the next process. */
static void begin_undo(const publication *p) {
  if (renameat(p->hidden, journal_name, p->hidden, undo_name) == 0) sync_folder(p->hidden);
}

static void remove_journal(const publication *p) {
  unlinkat(p->hidden, journal_name, 0);
  unlinkat(p->hidden, undo_name, 0);
}

/* "INODE REPLACES NAME" for each file, terminated by a zero byte: a name may contain any other byte. */
static syn_status write_journal(const syn_context *context, const char *hidden_path, const publication *p,
                                const moving_file *files, size_t count, syn_error *error) {
  char path[SYN_LONGEST_PATH];
  syn_output out;
  if (snprintf(path, sizeof path, "%.*s/%s", (int)p->path_length, hidden_path, journal_name) >= (int)sizeof path)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the name of a folder is longer than %zu bytes", sizeof path);
  SYN_TRY(syn_output_open(context, path, &out, error));
  fwrite(journal_head, sizeof journal_head, 1, out.stream);
  for (size_t i = 0; i < count; ++i)
    if (files[i].within == p)
      fprintf(out.stream, "%llu %d %s%c", (unsigned long long)files[i].inode, files[i].replaces, files[i].name, 0);
  SYN_TRY(syn_output_commit(&out, error));
  if (sync_folder(p->hidden) && sync_folder(p->folder)) return SYN_OK;
  return syn_fail_errno(error, SYN_IO_ERROR, path, "writing failed");
}

/* Reads the whole file and appends a zero byte; NULL if it does not exist or cannot be read. */
static syn_status read_journal(const syn_context *context, int hidden, const char *name, char **text, size_t *size,
                               syn_error *error) {
  struct stat info;
  *text = NULL;
  const int file = openat(hidden, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return SYN_OK;
  syn_status status = SYN_OK;
  if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= LONGEST_JOURNAL)
    status = SYN_NEW(context, text, (size_t)info.st_size + 1, error);
  *size = 0;
  for (ssize_t got; *text && (got = read(file, *text + *size, (size_t)info.st_size - *size)) > 0;) *size += (size_t)got;
  if (*text) (*text)[*size] = 0;
  close(file);
  return status;
}

static size_t count_zeros(const char *text, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; ++i) count += !text[i];
  return count;
}

/* Parses one entry of a journal. A name that points to another folder is invalid. */
static bool parse_file(char *line, const publication *p, moving_file *file) {
  char *end;
  errno = 0;
  const unsigned long long inode = strtoull(line, &end, 10);
  if (errno || end == line || end[0] != ' ' || (end[1] != '0' && end[1] != '1') || end[2] != ' ' || !end[3])
    return false;
  *file = (moving_file){.within = p, .name = end + 3, .inode = (ino_t)inode, .replaces = end[1] == '1'};
  return !strchr(file->name, '/') && strcmp(file->name, ".") != 0 && strcmp(file->name, "..") != 0 &&
         !syn_stage_keeps_name(file->name);
}

/* *count is 0 if this is not a journal. */
static syn_status parse_journal(const syn_context *context, char *text, size_t size, const publication *p,
                                moving_file **files, size_t *count, syn_error *error) {
  *files = NULL;
  *count = 0;
  if (size <= sizeof journal_head || text[size - 1] || memcmp(text, journal_head, sizeof journal_head) != 0)
    return SYN_OK;
  const size_t lines = count_zeros(text, size) - 1;
  SYN_TRY(SYN_NEW(context, files, lines, error));
  char *at = text + sizeof journal_head;
  size_t i = 0;
  for (; i < lines && parse_file(at, p, &(*files)[i]); ++i) at += strlen(at) + 1;
  *count = i == lines ? lines : 0;
  return SYN_OK;
}

/* ---- after a process that was killed -------------------------------------------------------------------------------
 */

static bool undo_all(const publication *p, const moving_file *files, size_t count) {
  bool done = true;
  for (size_t i = count; i-- > 0;) done = take_back(&files[i]) && done;
  return done && sync_folder(p->folder);
}

/* Returns false and does nothing if a file is neither waiting nor in place: somebody has changed it since. */
static bool are_all_known(const moving_file *files, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (state_of(&files[i]) == UNKNOWN) return false;
  return count > 0;
}

static bool complete_all(const publication *p, const moving_file *files, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (state_of(&files[i]) == WAITING && !put_in_place(&files[i])) return false;
  return sync_folder(p->folder);
}

typedef enum settlement { COMPLETED, TAKEN_BACK, LEFT_ALONE } settlement;

static settlement settle_files(const publication *p, bool is_undo, const moving_file *files, size_t count) {
  if (!is_undo && !are_all_known(files, count)) return LEFT_ALONE;
  if (!is_undo && complete_all(p, files, count)) return COMPLETED;
  if (!is_undo) begin_undo(p);
  return count && undo_all(p, files, count) ? TAKEN_BACK : LEFT_ALONE;
}

static void tell(const syn_context *context, settlement how, const char *path, const char *name) {
  if (how == COMPLETED)
    syn_warn(context, "%s: a run was stopped while it put its files in place; this was completed", path);
  else if (how == TAKEN_BACK)
    syn_warn(context, "%s: a run was stopped while it put its files in place; the earlier files are back", path);
  else
    syn_warn(context,
             "%s/%s: a run was stopped while it put its files in place, and some of them were changed since: what it "
             "left is still there. Remove that folder when its files are of no more use",
             path, name);
}

static syn_status settle_journal(const syn_context *context, const publication *p, bool is_undo, settlement *how,
                                 syn_error *error) {
  char *text;
  moving_file *files = NULL;
  size_t size = 0, count = 0;
  *how = LEFT_ALONE;
  SYN_TRY(read_journal(context, p->hidden, is_undo ? undo_name : journal_name, &text, &size, error));
  const syn_status status = text ? parse_journal(context, text, size, p, &files, &count, error) : SYN_OK;
  if (status == SYN_OK) *how = settle_files(p, is_undo, files, count);
  syn_free(context, files);
  syn_free(context, text);
  return status;
}

syn_status syn_settle(const syn_context *context, const char *path, int folder, int hidden, const char *name,
                      bool *settled, syn_error *error) {
  const publication p = {.hidden = hidden, .folder = folder};
  settlement how;
  *settled = true;
  if (!syn_has_journal(hidden)) return SYN_OK;
  *settled = false;
  SYN_TRY(settle_journal(context, &p, faccessat(hidden, undo_name, F_OK, 0) == 0, &how, error));
  tell(context, how, path, name);
  *settled = how != LEFT_ALONE;
  if (*settled) remove_journal(&p);
  return SYN_OK;
}

/* ---- publishing ----------------------------------------------------------------------------------------------------
 */

typedef struct publisher {
  const syn_context *context;
  const syn_staged_file *files;
  size_t count;
  moving_file *moving;
  publication *publications; /* one for each hidden folder */
  const char **paths;        /* that begin with it */
  size_t publication_count;
} publisher;

static syn_status fail_file(const publisher *p, size_t i, syn_error *error) {
  return syn_fail_errno(error, SYN_IO_ERROR, p->files[i].to, "cannot put the finished file in place");
}

/* A folder with write but without read permission can receive names, but cannot be synced. */
static int open_above(int hidden) {
  const int folder = openat(hidden, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
#ifdef O_PATH
  if (folder < 0 && errno == EACCES) return openat(hidden, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
#endif
  return folder;
}

/* The folders of this path, opened once. */
static publication *find_publication(publisher *p, const char *from) {
  const size_t length = (size_t)(strrchr(from, '/') - from);
  for (size_t i = 0; i < p->publication_count; ++i)
    if (p->publications[i].path_length == length && memcmp(p->paths[i], from, length) == 0) return &p->publications[i];
  char path[SYN_LONGEST_PATH];
  if (snprintf(path, sizeof path, "%.*s", (int)length, from) >= (int)sizeof path) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  const int hidden = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (hidden < 0) return NULL;
  p->paths[p->publication_count] = from;
  p->publications[p->publication_count] =
      (publication){.hidden = hidden, .folder = open_above(hidden), .path_length = length};
  return &p->publications[p->publication_count++];
}

/* Checks what can be checked before any change. */
static syn_status find_file(publisher *p, size_t i, syn_error *error) {
  struct stat info;
  const publication *within = find_publication(p, p->files[i].from);
  if (!within || within->folder < 0) return fail_file(p, i, error);
  const char *name = p->files[i].from + within->path_length + 1;
  moving_file *file = &p->moving[i];
  *file = (moving_file){.within = within, .name = name};
  if (!inode_of(within->hidden, name, &file->inode)) return fail_file(p, i, error);
  file->replaces = fstatat(within->folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
  if (!file->replaces || !S_ISDIR(info.st_mode)) return SYN_OK;
  errno = EISDIR;
  return fail_file(p, i, error);
}

/* A single file needs no journal: its rename is one step. */
static syn_status write_journals(const publisher *p, syn_error *error) {
  syn_status status = SYN_OK;
  for (size_t k = 0; p->count > 1 && status == SYN_OK && k < p->publication_count; ++k)
    status = write_journal(p->context, p->paths[k], &p->publications[k], p->moving, p->count, error);
  return status;
}

static syn_status move_all(const publisher *p, syn_error *error) {
  syn_status status = SYN_OK;
  size_t i = 0;
  /* Move the files until one fails. */
  while (i < p->count && put_in_place(&p->moving[i])) ++i;
  if (i < p->count) {
    /* Roll back the earlier ones, in reverse order. */
    status = fail_file(p, i, error);
    for (size_t k = 0; k < p->publication_count; ++k) begin_undo(&p->publications[k]);
    while (i-- > 0) take_back(&p->moving[i]);
  }
  for (size_t k = 0; k < p->publication_count; ++k) sync_folder(p->publications[k].folder);
  return status;
}

static syn_status publish_all(publisher *p, syn_error *error) {
  for (size_t i = 0; i < p->count; ++i) SYN_TRY(find_file(p, i, error));
  syn_status status = write_journals(p, error);
  if (status == SYN_OK) status = move_all(p, error);
  for (size_t k = 0; k < p->publication_count; ++k) remove_journal(&p->publications[k]);
  return status;
}

syn_status syn_stage_publish(const syn_context *context, const syn_staged_file *files, size_t count, syn_error *error) {
  publisher p = {.context = context, .files = files, .count = count};
  syn_status status = SYN_NEW(context, &p.moving, count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &p.publications, count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &p.paths, count, error);
  if (status == SYN_OK) status = publish_all(&p, error);
  for (size_t k = 0; k < p.publication_count; ++k) {
    close(p.publications[k].hidden);
    if (p.publications[k].folder >= 0) close(p.publications[k].folder);
  }
  syn_free(context, p.moving);
  syn_free(context, p.publications);
  syn_free_const(context, p.paths);
  return status;
}
