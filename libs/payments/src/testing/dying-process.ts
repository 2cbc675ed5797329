import { Crashed, type PaymentsTestSetup } from './payments.setup.js';

/**
 * Runs with a process that dies right before its `step`-th append or call of the vault (from 1) and does nothing any more
 * after it. False where it came to its end before that: every step has been tried.
 */
export async function crashBeforeStep(
  stage: PaymentsTestSetup,
  step: number,
  run: () => Promise<unknown>,
): Promise<boolean> {
  let steps = 0;
  const count = (): void => {
    steps++;
    if (steps >= step) throw new Crashed(`before step ${step}`);
  };
  stage.store.inject({ kind: 'Delay', ms: 0 }, { before: count, times: Number.POSITIVE_INFINITY });
  stage.vault.before('any', count, Number.POSITIVE_INFINITY);
  await run().catch((error: unknown) => {
    if (!(error instanceof Crashed)) throw error;
  });
  stage.store.clearFaults();
  stage.vault.clearFaults();
  stage.start();
  return steps >= step;
}
