/** What is left to be done with an answer; it waits until the next question is on its way, so that both go on together. */
export type Rest = (() => void) | void;

/** One request at a time; of those that come meanwhile only the last is sent. */
export class LatestWins<T> {
  private waiting: T | null = null;
  private busy = false;
  constructor(private readonly send: (what: T) => Promise<Rest>) {}

  async ask(what: T): Promise<void> {
    this.waiting = what;
    if (this.busy) return;
    this.busy = true;
    try {
      let rest: Rest = undefined;
      while (this.waiting !== null) {
        const next: T = this.waiting;
        this.waiting = null;
        const answered = this.send(next);
        rest?.();
        rest = await answered;
        if (this.waiting === null) {
          rest?.();
          rest = undefined;
        }
      }
    } finally {
      this.busy = false;
    }
  }
}
