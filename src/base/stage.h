/* Several files that appear together, and a lock that dies with its process.
 *
 * The files for a folder are written into a hidden folder inside it, under their own names, and replace the existing
 * ones when all are finished. Until then no existing file is touched, and after any failure removing the hidden folder
 * is the whole cleanup. A hidden folder left by a killed process is removed by the next process that opens or closes a
 * stage for the same folder: a lock shows whether it is still in use. */
#ifndef SYN_BASE_STAGE_H
#define SYN_BASE_STAGE_H

#include "base/status.h"

typedef struct syn_stage {
  const syn_context *context;
  char *folder; /* where the files belong */
  char *hidden; /* FOLDER/.synovia-XXXXXX: write them here */
  size_t there; /* how much of `folder` existed before */
  int lock;     /* held while the process lives; -1: none */
} syn_stage;

/* Makes the folder and its parents where `make` says so; SYN_IO_ERROR where nothing can be written there. */
syn_status syn_stage_open(const syn_context *context, const char *folder, bool make, syn_stage *stage,
                          syn_error *error);
/* Removes the hidden folder with all that is in it, and the folders that were made and are empty. Allocates nothing and
 * may be called by a signal handler. */
void syn_stage_remove(const syn_stage *stage);
/* The same, and releases. */
void syn_stage_close(syn_stage *stage);
/* Synchronises the names in `folder` to the disk; if that fails they are written a little later. */
void syn_stage_sync(const syn_stage *stage);

typedef struct syn_staged_file {
  const char *from, *to;
} syn_staged_file;
/* Publishes all files, in this order, or none if one fails: the earlier ones are restored. (On a file system that
 * cannot exchange two names, those published before the failure stay.) */
syn_status syn_publish(const syn_context *context, const syn_staged_file *files, size_t count, syn_error *error);

/* ---- locks --------------------------------------------------------------------------------------------------------
 */

typedef enum syn_lock_state {
  SYN_LOCKED,
  SYN_LOCK_BUSY,   /* another process has it */
  SYN_LOCK_NO_HELP /* this file system has no locks, or the file cannot be made */
} syn_lock_state;

/* Locks through the file `path`, which is made where it is missing and removed by syn_unlock. With `wait` it sleeps
 * until the other process is done or dead. *lock is a descriptor, -1 unless SYN_LOCKED. */
syn_lock_state syn_lock(const char *path, bool wait, int *lock);
void syn_unlock(const char *path, int lock);

#endif
