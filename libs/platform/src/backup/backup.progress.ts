/** What a backup or restore tells while it runs. */
export interface CopyProgress {
  /** A new step begins: a sentence's beginning, such as "Copying vault.db". */
  onStep?(step: string): void;
  /** Of the step. `total` is 0 if it is not known. */
  onBytes?(done: number, total: number): void;
  readonly signal?: AbortSignal;
}
