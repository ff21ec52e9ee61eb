#pragma GCC diagnostic ignored "-Wframe-larger-than=" /* 32 tasks have an error each, 25 KB */
#include "base/parallel.h"

#include "base/platform.h"
#include "base/thread_pool.h"

#if !SYN_HAS_THREADS
int syn_processor_count(void) { return 1; }
bool syn_in_pool(void) { return true; }
void syn_pool_run(size_t count, size_t grain, int threads, void (*body)(void *user, size_t begin, size_t end),
                  void *user) {
  (void)grain;
  (void)threads;
  body(user, 0, count);
}
#endif

int syn_thread_count(const syn_context *context) {
  context = syn_context_or_default(context);
  return context->threads > 0 ? context->threads : syn_processor_count();
}

void syn_parallel_for(const syn_context *context, size_t count, size_t grain,
                      void (*body)(void *user, size_t begin, size_t end), void *user) {
  if (grain == 0) grain = 1;
  const size_t ranges = count / grain + (count % grain != 0);
  int threads = syn_in_pool() ? 1 : syn_thread_count(context);
  if ((size_t)threads > ranges) threads = (int)ranges;
  if (threads > 1) {
    syn_pool_run(count, grain, threads, body, user);
    return;
  }
  for (size_t begin = 0; begin < count; begin += grain)
    body(user, begin, count - begin < grain ? count : begin + grain);
}

/* ---- tasks --------------------------------------------------------------------------------------------------------
 */

enum { TASKS_AT_ONCE = 32 }; /* errors are large: so many live on the stack */

typedef struct task_list {
  syn_status (*task)(void *user, size_t i, syn_error *error);
  void *user;
  size_t first;
  syn_status status[TASKS_AT_ONCE];
  syn_error errors[TASKS_AT_ONCE];
} task_list;

static void run_tasks(void *user, size_t begin, size_t end) {
  task_list *list = user;
  for (size_t i = begin; i < end; ++i) {
    list->errors[i].byte = -1;
    list->status[i] = list->task(list->user, list->first + i, &list->errors[i]);
  }
}

static syn_status run_in_turn(size_t count, syn_status (*task)(void *user, size_t i, syn_error *error), void *user,
                              syn_error *error) {
  for (size_t i = 0; i < count; ++i) SYN_TRY(task(user, i, error));
  return SYN_OK;
}

syn_status syn_parallel_tasks(const syn_context *context, size_t count,
                              syn_status (*task)(void *user, size_t i, syn_error *error), void *user,
                              syn_error *error) {
  const bool own_allocator = syn_context_or_default(context)->reallocate != NULL;
  if (own_allocator || syn_in_pool() || syn_thread_count(context) == 1) return run_in_turn(count, task, user, error);
  task_list list = {.task = task, .user = user};
  for (; list.first < count; list.first += TASKS_AT_ONCE) {
    const size_t now = count - list.first < TASKS_AT_ONCE ? count - list.first : TASKS_AT_ONCE;
    syn_parallel_for(context, now, 1, run_tasks, &list);
    for (size_t i = 0; i < now; ++i) {
      if (list.status[i] == SYN_OK) continue;
      if (error) *error = list.errors[i];
      return list.status[i];
    }
  }
  return SYN_OK;
}

/* ---- sums ---------------------------------------------------------------------------------------------------------
 */

/* Terms are added in blocks of fixed length, and the block sums pairwise: neither depends on the thread that computed
 * them. */
enum { SUM_BLOCK = 1024, SUM_BLOCKS = 256 };

typedef struct sum_job {
  double (*term)(const void *user, size_t index);
  const void *user;
  size_t first_block, count;
  double blocks[SUM_BLOCKS];
} sum_job;

static void sum_blocks(void *user, size_t begin, size_t end) {
  sum_job *job = user;
  for (size_t block = begin; block < end; ++block) {
    const size_t first = (job->first_block + block) * SUM_BLOCK;
    const size_t last = job->count - first < SUM_BLOCK ? job->count : first + SUM_BLOCK;
    double sum = 0;
    for (size_t i = first; i < last; ++i) sum += job->term(job->user, i);
    job->blocks[block] = sum;
  }
}

static double sum_pairwise(const double *values, size_t count) {
  if (count <= 2) return count == 0 ? 0 : count == 1 ? values[0] : values[0] + values[1];
  return sum_pairwise(values, count / 2) + sum_pairwise(values + count / 2, count - count / 2);
}

double syn_parallel_sum(const syn_context *context, size_t count, double (*term)(const void *user, size_t index),
                        const void *user) {
  const size_t blocks = count / SUM_BLOCK + (count % SUM_BLOCK != 0);
  sum_job job = {.term = term, .user = user, .count = count};
  double total = 0;
  for (job.first_block = 0; job.first_block < blocks; job.first_block += SUM_BLOCKS) {
    const size_t now = blocks - job.first_block < SUM_BLOCKS ? blocks - job.first_block : SUM_BLOCKS;
    syn_parallel_for(context, now, 1, sum_blocks, &job);
    total += sum_pairwise(job.blocks, now);
  }
  return total;
}
