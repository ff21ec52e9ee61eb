#include "base/files/outbox.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/stage.h"
#include "base/memory.h"

/* One output folder. */
typedef struct staged_folder {
  syn_stage stage;
  char *prefix; /* "hip-output/", "" for the current folder: what stands before a file's name as the user gave it */
  struct staged_folder *next;
} staged_folder;

/* The lists that syn_outbox_remove walks through are volatile: a signal handler sees them in order. */
struct syn_outbox {
  const syn_context *context;
  syn_outbox *parent;
  syn_outbox *volatile children; /* the newest first */
  syn_outbox *sibling;
  staged_folder *volatile folders; /* the newest first */
  syn_staged_file *files;
  size_t file_count, file_capacity;
  size_t published; /* the first ones are in place */
  char **replaced;  /* paths to remove with the next publication */
  size_t replaced_count, replaced_capacity;
  char *hidden_path;
  int claim;
  volatile sig_atomic_t claimed;
  char claim_path[SYN_LONGEST_PATH];
};

/* ---- signals ------------------------------------------------------------------------------------------------------
 */

static sigset_t hold_signals(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  return before;
}

static void release_signals(sigset_t before) { pthread_sigmask(SIG_SETMASK, &before, NULL); }

/* Removes the folders last: those created by this run, if they are empty. */
void syn_outbox_remove(const syn_outbox *outbox) {
  for (const syn_outbox *child = outbox->children; child; child = child->sibling) syn_outbox_remove(child);
  if (outbox->claimed) unlink(outbox->claim_path);
  for (const staged_folder *folder = outbox->folders; folder; folder = folder->next) syn_stage_remove(&folder->stage);
}

/* ---- making one ---------------------------------------------------------------------------------------------------
 */

syn_status syn_outbox_create(const syn_context *context, syn_outbox *parent, syn_outbox **outbox, syn_error *error) {
  *outbox = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, outbox, 1, error));
  syn_outbox *made = *outbox;
  made->context = context;
  made->claim = -1;
  made->parent = parent;
  if (!parent) return SYN_OK;
  const sigset_t before = hold_signals();
  made->sibling = parent->children;
  parent->children = made;
  release_signals(before);
  return SYN_OK;
}

static void leave_parent(syn_outbox *outbox) {
  if (!outbox->parent) return;
  const sigset_t before = hold_signals();
  if (outbox->parent->children == outbox) outbox->parent->children = outbox->sibling;
  for (syn_outbox *at = outbox->parent->children; at; at = at->sibling)
    if (at->sibling == outbox) at->sibling = outbox->sibling;
  release_signals(before);
}

static void free_files_from(syn_outbox *outbox, size_t first) {
  for (size_t i = first; i < outbox->file_count; ++i) {
    syn_free_const(outbox->context, outbox->files[i].from);
    syn_free_const(outbox->context, outbox->files[i].to);
  }
  outbox->file_count = first;
}

static void forget_replaced(syn_outbox *outbox) {
  for (size_t i = 0; i < outbox->replaced_count; ++i) syn_free(outbox->context, outbox->replaced[i]);
  outbox->replaced_count = 0;
}

void syn_outbox_destroy(syn_outbox *outbox) {
  if (!outbox) return;
  syn_outbox_end_claim(outbox);
  syn_outbox_discard(outbox);
  leave_parent(outbox);
  free_files_from(outbox, 0);
  syn_free(outbox->context, outbox->replaced);
  syn_free(outbox->context, outbox->files);
  syn_free(outbox->context, outbox);
}

/* ---- staging ------------------------------------------------------------------------------------------------------
 */

/* "HEAD" + "MIDDLE" + "TAIL". */
static syn_status join(const syn_outbox *outbox, const char *head, size_t length, const char *middle, const char *tail,
                       char **text, syn_error *error) {
  const size_t size = length + strlen(middle) + strlen(tail) + 1;
  SYN_TRY(SYN_NEW(outbox->context, text, size, error));
  snprintf(*text, size, "%.*s%s%s", (int)length, head, middle, tail);
  return SYN_OK;
}

static staged_folder *find_folder(const syn_outbox *outbox, const char *prefix) {
  staged_folder *folder = outbox->folders;
  while (folder && strcmp(folder->prefix, prefix) != 0) folder = folder->next;
  return folder;
}

static syn_status open_folder(syn_outbox *outbox, const char *path, bool make, char *prefix, staged_folder **opened,
                              syn_error *error) {
  staged_folder *folder;
  SYN_TRY(SYN_NEW_ZEROED(outbox->context, &folder, 1, error));
  folder->prefix = prefix;
  const sigset_t before = hold_signals();
  const syn_status status = syn_stage_open(outbox->context, path, make, &folder->stage, error);
  if (status == SYN_OK) {
    folder->next = outbox->folders;
    outbox->folders = folder;
    *opened = folder;
  }
  release_signals(before);
  if (status != SYN_OK) syn_free(outbox->context, folder);
  return status;
}

/* Takes over `prefix`. */
static syn_status find_or_open(syn_outbox *outbox, const char *path, bool make, char *prefix, staged_folder **found,
                               syn_error *error) {
  *found = find_folder(outbox, prefix);
  const syn_status status = *found ? SYN_OK : open_folder(outbox, path, make, prefix, found, error);
  if (status != SYN_OK || (*found)->prefix != prefix) syn_free(outbox->context, prefix);
  return status;
}

syn_status syn_outbox_stage(syn_outbox *outbox, const char *path, const char **hidden, syn_error *error) {
  const size_t length = strlen(path);
  const bool ends_in_slash = length && path[length - 1] == '/';
  char *prefix;
  staged_folder *folder;
  SYN_TRY(join(outbox, path, length, ends_in_slash ? "" : "/", "", &prefix, error));
  SYN_TRY(find_or_open(outbox, path, true, prefix, &folder, error));
  if (hidden) *hidden = folder->stage.hidden;
  return SYN_OK;
}

static const char *name_in(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

syn_status syn_outbox_check_file(const char *path, syn_error *error) {
  struct stat info;
  const size_t length = (size_t)(name_in(path) - path);
  if (!path[length])
    return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1, "this is the name of a folder, not of a file");
  if (syn_stage_keeps_name(name_in(path)))
    return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1,
                       "names that begin so are those of unfinished files: choose another one");
  if (stat(path, &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1, "this is a folder: a file cannot take its place");
    if (!S_ISREG(info.st_mode))
      return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1, "this is a device or pipe, not a file that can be replaced");
  }
  char folder[SYN_LONGEST_PATH] = ".";
  if (length) snprintf(folder, sizeof folder, "%.*s", (int)length, path);
  if (length < sizeof folder && access(folder, W_OK | X_OK) == 0) return SYN_OK;
  if (length >= sizeof folder) errno = ENAMETOOLONG;
  return syn_fail_errno(error, SYN_IO_ERROR, path, "cannot write here");
}

syn_status syn_outbox_stage_file(syn_outbox *outbox, const char *path, const char **hidden, syn_error *error) {
  const char *name = name_in(path);
  const size_t length = (size_t)(name - path);
  char *prefix, *hidden_path;
  staged_folder *folder;
  SYN_TRY(syn_outbox_check_file(path, error));
  SYN_TRY(join(outbox, path, length, "", "", &prefix, error));
  SYN_TRY(find_or_open(outbox, length ? prefix : ".", false, prefix, &folder, error));
  if (!hidden) return SYN_OK;
  SYN_TRY(join(outbox, folder->stage.hidden, strlen(folder->stage.hidden), "/", name, &hidden_path, error));
  syn_free(outbox->context, outbox->hidden_path);
  *hidden = outbox->hidden_path = hidden_path;
  return SYN_OK;
}

/* ---- claims -------------------------------------------------------------------------------------------------------
 */

bool syn_outbox_claim(syn_outbox *outbox, const char *path, bool wait) {
  /* copied first, so that nothing can fail once the lock is held; so long a path cannot be opened either */
  if (strlen(path) >= sizeof outbox->claim_path) return true;
  snprintf(outbox->claim_path, sizeof outbox->claim_path, "%s", path);
  int lock;
  const sigset_t before = hold_signals();
  if (wait) release_signals(before);
  const syn_lock_state state = syn_lock(path, wait, &lock);
  if (state == SYN_LOCKED) {
    outbox->claim = lock;
    outbox->claimed = 1;
  }
  if (!wait) release_signals(before);
  return state != SYN_LOCK_BUSY;
}

void syn_outbox_end_claim(syn_outbox *outbox) {
  if (!outbox->claimed) return;
  outbox->claimed = 0;
  syn_unlock(outbox->claim_path, outbox->claim);
  outbox->claim = -1;
}

/* ---- what was made ------------------------------------------------------------------------------------------------
 */

static const staged_folder *folder_of(const syn_outbox *outbox, const char *hidden_path, size_t length) {
  const staged_folder *folder = outbox->folders;
  while (folder && (strlen(folder->stage.hidden) != length || memcmp(folder->stage.hidden, hidden_path, length) != 0))
    folder = folder->next;
  return folder;
}

static bool added_before(const syn_outbox *outbox, const char *to) {
  for (size_t i = outbox->published; i < outbox->file_count; ++i)
    if (strcmp(outbox->files[i].to, to) == 0) return true;
  return false;
}

syn_status syn_outbox_add(syn_outbox *outbox, const char *hidden_path, syn_error *error) {
  const char *name = name_in(hidden_path);
  const staged_folder *folder =
      name > hidden_path ? folder_of(outbox, hidden_path, (size_t)(name - hidden_path) - 1) : NULL;
  if (!folder)
    return syn_fail_at(error, SYN_BAD_ARGUMENT, hidden_path, 0, -1, "this file is in no folder that was staged");
  char *from, *to;
  SYN_TRY(SYN_RESERVE(outbox->context, &outbox->files, outbox->file_count, 1, &outbox->file_capacity, error));
  SYN_TRY(join(outbox, folder->prefix, strlen(folder->prefix), name, "", &to, error));
  if (added_before(outbox, to)) { /* written twice, such as a summary that had to be made again */
    syn_free(outbox->context, to);
    return SYN_OK;
  }
  const syn_status status = join(outbox, hidden_path, strlen(hidden_path), "", "", &from, error);
  if (status == SYN_OK)
    outbox->files[outbox->file_count++] = (syn_staged_file){from, to};
  else
    syn_free(outbox->context, to);
  return status;
}

syn_status syn_outbox_replace(syn_outbox *outbox, const char *path, syn_error *error) {
  char *copy;
  SYN_TRY(
      SYN_RESERVE(outbox->context, &outbox->replaced, outbox->replaced_count, 1, &outbox->replaced_capacity, error));
  SYN_TRY(join(outbox, path, strlen(path), "", "", &copy, error));
  outbox->replaced[outbox->replaced_count++] = copy;
  return SYN_OK;
}

size_t syn_outbox_count(const syn_outbox *outbox) { return outbox->file_count; }

const char *syn_outbox_file(const syn_outbox *outbox, size_t index) { return outbox->files[index].to; }

/* The hidden name and the slash after it, with the "./" before it where the user gave no folder. */
char *syn_outbox_unhide(const syn_outbox *outbox, char *text) {
  for (const staged_folder *folder = outbox->folders; folder; folder = folder->next) {
    const char *name = name_in(folder->stage.hidden);
    const size_t length = strlen(name);
    char *at = strstr(text, name);
    if (!at || at[length] != '/') continue;
    const char *rest = at + length + 1;
    if (!folder->prefix[0] && at - text >= 2 && memcmp(at - 2, "./", 2) == 0) at -= 2;
    memmove(at, rest, strlen(rest) + 1);
  }
  return text;
}

/* ---- the end ------------------------------------------------------------------------------------------------------
 */

syn_status syn_outbox_publish(syn_outbox *outbox, syn_error *error) {
  const size_t count = outbox->file_count - outbox->published;
  if (count == 0) return SYN_OK;
  const sigset_t before = hold_signals();
  const syn_status status = syn_stage_publish(outbox->context, outbox->files + outbox->published, count, error);
  if (status == SYN_OK) {
    outbox->published = outbox->file_count;
    for (size_t i = 0; i < outbox->replaced_count; ++i) unlink(outbox->replaced[i]);
    forget_replaced(outbox);
  }
  release_signals(before);
  return status;
}

void syn_outbox_discard(syn_outbox *outbox) {
  while (outbox->folders) {
    staged_folder *folder = outbox->folders;
    const sigset_t before = hold_signals();
    outbox->folders = folder->next;
    syn_stage_close(&folder->stage);
    release_signals(before);
    syn_free(outbox->context, folder->prefix);
    syn_free(outbox->context, folder);
  }
  free_files_from(outbox, outbox->published);
  forget_replaced(outbox);
  syn_free(outbox->context, outbox->hidden_path);
  outbox->hidden_path = NULL;
}
