#define _GNU_SOURCE /* renameat2 */
#include "base/stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

static const char prefix[] = ".synovia-", lock_name[] = "lock";

/* ---- locks --------------------------------------------------------------------------------------------------------
 */

static bool flock_patiently(int descriptor, int operation) {
  while (flock(descriptor, operation) != 0)
    if (errno != EINTR) return false;
  return true;
}

/* Does the name still refer to the locked file? The previous holder of the lock may have removed it. */
static bool still_named(int descriptor, const char *path) {
  struct stat held, named;
  return fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino &&
         held.st_dev == named.st_dev;
}

syn_lock_state syn_lock(const char *path, bool wait, int *lock) {
  *lock = -1;
  for (;;) {
    /* open for writing: locks over a network want that */
    const int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) return SYN_LOCK_NO_HELP;
    if (!flock_patiently(descriptor, wait ? LOCK_EX : LOCK_EX | LOCK_NB)) {
      const bool busy = errno == EWOULDBLOCK;
      close(descriptor);
      return busy ? SYN_LOCK_BUSY : SYN_LOCK_NO_HELP;
    }
    if (still_named(descriptor, path)) {
      *lock = descriptor;
      return SYN_LOCKED;
    }
    close(descriptor);
  }
}

void syn_unlock(const char *path, int lock) {
  if (lock < 0) return;
  unlink(path);
  close(lock);
}

/* ---- removing -----------------------------------------------------------------------------------------------------
 */

/* The hidden folder of a process that ended: its lock is free. */
static void remove_if_left(const char *folder, const char *name) {
  char path[SYN_LONGEST_PATH], lock_path[SYN_LONGEST_PATH + 8];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return;
  snprintf(lock_path, sizeof lock_path, "%s/%s", path, lock_name);
  int lock = open(lock_path, O_RDWR | O_CLOEXEC);
  if (lock < 0) {
    if (rmdir(path) == 0) return; /* killed before it made the lock, or about to make it: that one tries again */
    lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666); /* killed while it was removing all this */
    if (lock < 0) return;
  }
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) syn_remove_folder(path);
  close(lock);
}

static void remove_what_was_left(const char *folder) {
  DIR *entries = opendir(folder);
  if (!entries) return;
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
    if (strncmp(entry->d_name, prefix, sizeof prefix - 1) == 0) remove_if_left(folder, entry->d_name);
  closedir(entries);
}

/* ---- opening ------------------------------------------------------------------------------------------------------
 */

/* Makes the hidden folder and locks it; false where another process took it for one that was left. */
static bool try_hidden(syn_stage *stage, size_t name_at, char *lock_path, size_t room, bool *failed) {
  memcpy(stage->hidden + name_at + sizeof prefix - 1, "XXXXXX", 7);
  if (!mkdtemp(stage->hidden)) {
    *failed = true;
    return false;
  }
  snprintf(lock_path, room, "%s/%s", stage->hidden, lock_name);
  return syn_lock(lock_path, false, &stage->lock) != SYN_LOCK_BUSY && access(stage->hidden, F_OK) == 0;
}

static syn_status make_hidden(syn_stage *stage, syn_error *error) {
  const size_t length = strlen(stage->folder), room = length + sizeof prefix + sizeof lock_name + 16;
  char *lock_path;
  bool made = false, failed = false;
  SYN_TRY(SYN_NEW(stage->context, &stage->hidden, room, error));
  SYN_TRY(SYN_NEW(stage->context, &lock_path, room, error));
  snprintf(stage->hidden, room, "%s%s%sXXXXXX", stage->folder, stage->folder[length - 1] == '/' ? "" : "/", prefix);
  const size_t name_at = strlen(stage->hidden) - 6 - (sizeof prefix - 1);
  for (int attempt = 0; attempt < 100 && !made && !failed; ++attempt) {
    made = try_hidden(stage, name_at, lock_path, room, &failed);
    if (!made && stage->lock >= 0) close(stage->lock);
    if (!made) stage->lock = -1;
  }
  const syn_status status =
      made ? SYN_OK : syn_fail_errno(error, SYN_IO_ERROR, stage->folder, "cannot write into this folder");
  syn_free(stage->context, lock_path);
  return status;
}

static syn_status open_folder(syn_stage *stage, bool make, syn_error *error) {
  if (make) {
    SYN_TRY(syn_make_folders(stage->folder, &stage->there, error));
  } else {
    struct stat info;
    if (stat(stage->folder, &info) != 0) return syn_fail_errno(error, SYN_IO_ERROR, stage->folder, "cannot write here");
    if (!S_ISDIR(info.st_mode))
      return syn_fail_at(error, SYN_IO_ERROR, stage->folder, 0, -1,
                         "this is not a folder: nothing can be written in it");
  }
  remove_what_was_left(stage->folder);
  return make_hidden(stage, error);
}

syn_status syn_stage_open(const syn_context *context, const char *folder, bool make, syn_stage *stage,
                          syn_error *error) {
  const size_t length = strlen(folder);
  *stage = (syn_stage){.context = context, .there = length, .lock = -1};
  if (length == 0) return syn_fail(error, SYN_BAD_ARGUMENT, "the name of the folder is empty");
  SYN_TRY(SYN_NEW(context, &stage->folder, length + 1, error));
  memcpy(stage->folder, folder, length + 1);
  const syn_status status = open_folder(stage, make, error);
  if (status != SYN_OK) {
    syn_remove_made_folders(stage->folder, stage->there);
    syn_free(context, stage->folder);
    syn_free(context, stage->hidden);
    *stage = (syn_stage){.lock = -1};
  }
  return status;
}

void syn_stage_remove(const syn_stage *stage) {
  if (!stage->hidden) return;
  syn_remove_folder(stage->hidden);
  syn_remove_made_folders(stage->folder, stage->there);
}

void syn_stage_close(syn_stage *stage) {
  syn_stage_remove(stage);
  if (stage->folder) remove_what_was_left(stage->folder); /* of a process that was killed meanwhile */
  if (stage->lock >= 0) close(stage->lock);
  syn_free(stage->context, stage->folder);
  syn_free(stage->context, stage->hidden);
  *stage = (syn_stage){.lock = -1};
}

void syn_stage_sync(const syn_stage *stage) {
  const int folder = open(stage->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

/* ---- publishing ---------------------------------------------------------------------------------------------------
 */

typedef enum outcome { NOT_PUT, PUT, EXCHANGED } outcome;

static outcome put(const syn_staged_file *file) {
  struct stat info;
  const bool taken = lstat(file->to, &info) == 0;
  if (taken && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return NOT_PUT;
  }
  if (taken && renameat2(AT_FDCWD, file->from, AT_FDCWD, file->to, RENAME_EXCHANGE) == 0) return EXCHANGED;
  return rename(file->from, file->to) == 0 ? PUT : NOT_PUT;
}

static void take_back(const syn_staged_file *file, outcome how, bool replaced) {
  if (how == EXCHANGED)
    renameat2(AT_FDCWD, file->from, AT_FDCWD, file->to, RENAME_EXCHANGE);
  else if (!replaced)
    unlink(file->to);
}

syn_status syn_publish(const syn_context *context, const syn_staged_file *files, size_t count, syn_error *error) {
  struct {
    outcome how;
    bool replaced;
  } * done;
  syn_status status = SYN_OK;
  SYN_TRY(SYN_NEW(context, &done, count, error));
  size_t i = 0;
  for (; i < count; ++i) {
    done[i].replaced = access(files[i].to, F_OK) == 0;
    done[i].how = put(&files[i]);
    if (done[i].how == NOT_PUT) break;
  }
  if (i < count) {
    status = syn_fail_errno(error, SYN_IO_ERROR, files[i].to, "cannot put the finished file in place");
    while (i-- > 0) take_back(&files[i], done[i].how, done[i].replaced);
  }
  syn_free(context, done);
  return status;
}
