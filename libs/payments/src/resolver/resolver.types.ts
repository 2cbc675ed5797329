/** Processes the due items of the work queue. */
export interface Resolver {
  start(): void;
  stop(): Promise<void>;
  /** Updates the work queue to the head of the store, then works until nothing is due or `withinMs` of real time have passed. */
  runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }>;
  /** The number of due items, on all instances. */
  countDue(): Promise<number>;
}
