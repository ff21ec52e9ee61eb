/* Many refusals in one run of the program: a fork of it has the allocation refused and goes on to its end, the program
 * itself then goes on to the next one. What comes before a refusal is computed once.
 *
 * FAILING_MALLOC_ORDERS is "IN OUT", two descriptors. From IN come lines "NUMBER FURTHER": which allocation, in
 * ascending order, and whether all later ones are refused too. To OUT goes a line for each: the status of the fork as
 * waitpid has it, or -1 for an allocation that was not reached. A fork writes to the files FAILING_MALLOC_STDOUT and
 * FAILING_MALLOC_STDERR. When the next order comes, the folder FAILING_MALLOC_FOLDER is brought back to what it was
 * before the fork, from links in the folder FAILING_MALLOC_KEPT, and so is every open file. For programs with one
 * thread that only add to the files they write. */
#ifndef FORK_SERVER_H
#define FORK_SERVER_H

void begin_serving(void);
void end_serving(void);
int is_ordered(long number);
/* True in a fork, which has this allocation refused. */
int serve(long number, int *further);

#endif
