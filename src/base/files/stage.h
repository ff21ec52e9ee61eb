/* Atomic output of several files, and a lock that ends with its process.
 *
 * The files for a folder are written to a hidden temporary folder inside it, under their final names, and published
 * together when all are finished. Until then no existing file is touched, and after any failure removing the hidden
 * folder is the whole cleanup. A hidden folder left by a killed process is removed by the next process that opens or
 * closes a stage for the same folder: a lock shows whether it is still in use, and the content of the lock that this
 * library created it. No other folder is touched, whatever its name, and no link is followed.
 *
 * Before several files are published, a journal of them is synced to the disk. A process that finds a journal completes
 * the publication, so that the result is all old files or all new ones, never a mixture. */
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

/* Creates the folder and its parents if `make` is true; SYN_IO_ERROR if it is not writable. */
syn_status syn_stage_open(const syn_context *context, const char *folder, bool make, syn_stage *stage,
                          syn_error *error);
/* Removes the hidden folder with its content, and the created folders that are empty. Allocates nothing and may be
 * called by a signal handler. */
void syn_stage_remove(const syn_stage *stage);
/* Does the same, and releases the stage. */
void syn_stage_close(syn_stage *stage);
/* Completes the publication of a killed process in the folder, with a warning, and removes its temporary folders. A
 * missing folder is fine. */
syn_status syn_stage_tidy(const syn_context *context, const char *folder, syn_error *error);
/* Returns whether the name is reserved for hidden folders and their files. No result may have such a name. */
bool syn_stage_keeps_name(const char *name);

/* ---- publication ---------------------------------------------------------------------------------------------------
 */

/* From HIDDEN/NAME to FOLDER/NAME. */
typedef struct syn_staged_file {
  const char *from, *to;
} syn_staged_file;
/* Publishes all files, in this order, or none if one fails: the earlier ones are restored. (On a file system that
 * cannot exchange two names, those published before the failure stay.) Each folder has a journal of its own: after a
 * loss of power a publication in several folders may have to be completed in each of them. */
syn_status syn_stage_publish(const syn_context *context, const syn_staged_file *files, size_t count, syn_error *error);

/* Returns whether this hidden folder holds an unfinished publication. May be called by a signal handler. */
bool syn_has_journal(int hidden);
/* Ends the publication of the journal in the open folder `hidden`, called `name`: completes it, or rolls it back if the
 * rollback had started or completion is impossible. *settled is false if somebody has changed the files since: then all
 * files stay unchanged, with a warning. `path` is that of `folder`, for messages. */
syn_status syn_settle(const syn_context *context, const char *path, int folder, int hidden, const char *name,
                      bool *settled, syn_error *error);

/* ---- locks --------------------------------------------------------------------------------------------------------
 */

typedef enum syn_lock_state {
  SYN_LOCKED,
  SYN_LOCK_BUSY,   /* another process has it */
  SYN_LOCK_NO_HELP /* this file system has no locks, or the file cannot be created */
} syn_lock_state;

/* Locks the empty file `path`, which is created if it is missing and removed by syn_unlock; any other file, or a link,
 * is no lock. With `wait` the call sleeps until the other process releases the lock or ends. *lock is a descriptor, -1
 * unless SYN_LOCKED. */
syn_lock_state syn_lock(const char *path, bool wait, int *lock);
void syn_unlock(const char *path, int lock);

#endif
