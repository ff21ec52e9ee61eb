/* Many refusals in one run of the program: a fork of it has the allocation refused and goes on to its end, the program
 * itself then goes on to the next one. What comes before a refusal is computed once.
 *
 * FAILING_MALLOC_ORDERS is "IN OUT", two descriptors. From IN come lines "NUMBER FURTHER": which allocation, in
 * ascending order, and whether all later ones are refused too. To OUT go two lines for each: "PROCESS WAITS" when the
 * fork begins, and its status as waitpid has it when it has ended; or one with -1 for an allocation that was not
 * reached. When the next order comes, the folder FAILING_MALLOC_FOLDER is brought back to what it was before the fork,
 * from links in the folder FAILING_MALLOC_KEPT, and so is every open file, standard output among them. For programs
 * with one thread that only add to the files they write.
 *
 * A program that begins to wait for others (epoll_wait) has its forks for all later allocations there, and WAITS is 1:
 * whoever asks talks to the fork. */
#ifndef FORK_SERVER_H
#define FORK_SERVER_H

void begin_serving(void);
void end_serving(void);
int is_ordered(long number);
/* The number of the allocation to refuse in a fork, else 0. */
long serve(int *further);
/* The same where the program waits, for any later allocation. */
long serve_waiting(int *further);

#endif
