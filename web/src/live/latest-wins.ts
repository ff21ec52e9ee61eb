/** One request at a time; of those that come meanwhile only the last is sent. */
export class LatestWins<T> {
  private waiting: T | null = null;
  private busy = false;
  constructor(private readonly send: (what: T) => Promise<void>) {}

  async ask(what: T): Promise<void> {
    this.waiting = what;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.waiting !== null) {
        const next: T = this.waiting;
        this.waiting = null;
        await this.send(next);
      }
    } finally {
      this.busy = false;
    }
  }
}
