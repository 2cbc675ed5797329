/** Works off what the resolver's table says is due. */
export interface Resolver {
  start(): void;
  stop(): Promise<void>;
  /** Feeds the table to the head of the store, then works until nothing is due, or until `withinMs` of real time passed. */
  runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }>;
  /** What of the table has fallen due and is not done, by whomever. */
  countDue(): Promise<number>;
}
