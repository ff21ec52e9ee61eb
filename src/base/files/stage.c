#include "base/files/stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"

static const char prefix[] = ".synovia-", lock_name[] = ".synovia-lock";
/* Content of the lock of a hidden folder: the mark that the folder was created by this library. */
static const char mark[] = "Unfinished files of synovia. The next run in the folder above removes them.\n";

/* ---- locks --------------------------------------------------------------------------------------------------------
 */

static bool flock_patiently(int descriptor, int operation) {
  while (flock(descriptor, operation) != 0)
    if (errno != EINTR) return false;
  return true;
}

/* Returns whether the name still refers to the locked file. The previous holder of the lock may have removed it. */
static bool still_named(int descriptor, const char *path) {
  struct stat held, named;
  return fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino &&
         held.st_dev == named.st_dev;
}

/* A lock is an empty file: syn_unlock removes no other. */
static bool can_be_lock(int descriptor) {
  struct stat info;
  return fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0;
}

syn_lock_state syn_lock(const char *path, bool wait, int *lock) {
  *lock = -1;
  for (;;) {
    /* open for writing: locks over a network want that */
    const int descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (descriptor < 0) return SYN_LOCK_NO_HELP;
    if (!can_be_lock(descriptor)) {
      close(descriptor);
      return SYN_LOCK_NO_HELP;
    }
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

/* ---- hidden folders ------------------------------------------------------------------------------------------------
 */

bool syn_stage_keeps_name(const char *name) { return strncmp(name, prefix, sizeof prefix - 1) == 0; }

/* Returns whether mkdtemp could have created this name. */
static bool is_hidden_name(const char *name) {
  if (!syn_stage_keeps_name(name)) return false;
  const char *letters = name + sizeof prefix - 1;
  size_t count = 0;
  for (; letters[count]; ++count)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", letters[count])) return false;
  return count == 6;
}

/* Removes the lock last: until then its mark distinguishes the folder from a user's. */
static void empty_hidden(int hidden) {
  syn_remove_entries(hidden, lock_name);
  unlinkat(hidden, lock_name, 0);
}

static void remove_hidden(const char *path) {
  const int hidden = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (hidden < 0) return;
  const bool is_needed = syn_has_journal(hidden); /* its files could neither be published nor rolled back */
  if (!is_needed) empty_hidden(hidden);
  close(hidden);
  if (!is_needed) rmdir(path);
}

/* ---- what was left -------------------------------------------------------------------------------------------------
 */

typedef struct left_folder {
  int folder, hidden, lock;
  const char *name;    /* of the hidden one */
  bool has_first_mode; /* as mkdtemp makes it */
} left_folder;

static bool is_marked(int lock) {
  char text[sizeof mark];
  return pread(lock, text, sizeof text, 0) == (ssize_t)sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0;
}

static bool is_empty(int lock) {
  struct stat info;
  return fstat(lock, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0;
}

/* Empties only a folder with the mark. If its creator was killed before it wrote the mark, the folder has a name of
 * mkdtemp and contains at most an empty lock. */
static syn_status remove_left(const syn_context *context, const char *path, const left_folder *left, syn_error *error) {
  if (left->lock < 0) {
    if (errno == ENOENT && left->has_first_mode) unlinkat(left->folder, left->name, AT_REMOVEDIR);
    return SYN_OK;
  }
  if (flock(left->lock, LOCK_EX | LOCK_NB) != 0) return SYN_OK; /* at work */
  bool is_settled = is_empty(left->lock) && left->has_first_mode;
  if (is_settled) {
    unlinkat(left->hidden, lock_name, 0);
  } else if (is_marked(left->lock)) {
    SYN_TRY(syn_settle(context, path, left->folder, left->hidden, left->name, &is_settled, error));
    if (is_settled) empty_hidden(left->hidden);
  }
  if (is_settled) unlinkat(left->folder, left->name, AT_REMOVEDIR);
  return SYN_OK;
}

/* Does not follow links, and skips files of other users. */
static syn_status look_at(const syn_context *context, const char *path, int folder, const char *name,
                          syn_error *error) {
  struct stat info;
  if (!is_hidden_name(name)) return SYN_OK;
  left_folder left = {.folder = folder, .name = name, .lock = -1};
  left.hidden = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (left.hidden < 0) return SYN_OK;
  syn_status status = SYN_OK;
  if (fstat(left.hidden, &info) == 0 && info.st_uid == geteuid()) {
    left.has_first_mode = (info.st_mode & 0777) == 0700;
    left.lock = openat(left.hidden, lock_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    status = remove_left(context, path, &left, error);
  }
  if (left.lock >= 0) close(left.lock);
  close(left.hidden);
  return status;
}

syn_status syn_stage_tidy(const syn_context *context, const char *folder, syn_error *error) {
  DIR *entries = opendir(folder);
  if (!entries) return SYN_OK;
  syn_status status = SYN_OK;
  for (const struct dirent *entry; status == SYN_OK && (entry = readdir(entries)) != NULL;)
    status = look_at(context, folder, dirfd(entries), entry->d_name, error);
  closedir(entries);
  return status;
}

/* ---- opening ------------------------------------------------------------------------------------------------------
 */

/* Creates the lock with its mark in a new folder. Returns false if another process took the folder for an abandoned
 * one, or, with *failed, if it is not writable. */
static bool mark_hidden(int hidden, int *lock, bool *failed) {
  struct stat info;
  *lock = openat(hidden, lock_name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (*lock < 0) {
    *failed = errno != ENOENT;
    return false;
  }
  if (!flock_patiently(*lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
    return false; /* or the file system has no locks */
  if (fstat(*lock, &info) != 0 || info.st_nlink == 0) return false;
  errno = ENOSPC; /* after a short write */
  *failed = write(*lock, mark, sizeof mark - 1) != (ssize_t)sizeof mark - 1;
  return !*failed;
}

/* Creates the hidden folder and locks it. */
static bool try_hidden(syn_stage *stage, size_t name_at, bool *failed) {
  memcpy(stage->hidden + name_at + sizeof prefix - 1, "XXXXXX", 7);
  if (!mkdtemp(stage->hidden)) {
    *failed = true;
    return false;
  }
  const int hidden = open(stage->hidden, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (hidden < 0) {
    *failed = errno != ENOENT;
    return false;
  }
  const bool made = mark_hidden(hidden, &stage->lock, failed);
  const int why = errno;
  close(hidden);
  if (*failed) remove_hidden(stage->hidden);
  errno = why;
  return made;
}

static syn_status make_hidden(syn_stage *stage, syn_error *error) {
  const size_t length = strlen(stage->folder), room = length + sizeof prefix + 16;
  bool made = false, failed = false;
  SYN_TRY(SYN_NEW(stage->context, &stage->hidden, room, error));
  snprintf(stage->hidden, room, "%s%s%sXXXXXX", stage->folder, stage->folder[length - 1] == '/' ? "" : "/", prefix);
  const size_t name_at = strlen(stage->hidden) - 6 - (sizeof prefix - 1);
  for (int attempt = 0; attempt < 100 && !made && !failed; ++attempt) {
    made = try_hidden(stage, name_at, &failed);
    const int why = errno;
    if (!made && stage->lock >= 0) close(stage->lock);
    if (!made) stage->lock = -1;
    errno = why;
  }
  return made ? SYN_OK : syn_fail_errno(error, SYN_IO_ERROR, stage->folder, "cannot write into this folder");
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
  SYN_TRY(syn_stage_tidy(stage->context, stage->folder, error));
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
  remove_hidden(stage->hidden);
  syn_remove_made_folders(stage->folder, stage->there);
}

void syn_stage_close(syn_stage *stage) {
  syn_stage_remove(stage);
  if (stage->folder) syn_stage_tidy(stage->context, stage->folder, NULL); /* of a process that was killed meanwhile */
  if (stage->lock >= 0) close(stage->lock);
  syn_free(stage->context, stage->folder);
  syn_free(stage->context, stage->hidden);
  *stage = (syn_stage){.lock = -1};
}
