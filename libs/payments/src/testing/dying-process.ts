import { Crashed, type PaymentsTestSetup } from './payments.setup.js';

/**
 * Runs `run` in a process that dies right before its append or vault call number `step` (from 1). False if `run` ended
 * before that step, so that a test has tried every step.
 */
export async function crashBeforeStep(
  setup: PaymentsTestSetup,
  step: number,
  run: () => Promise<unknown>,
): Promise<boolean> {
  let steps = 0;
  const count = (): void => {
    steps++;
    if (steps >= step) throw new Crashed(`before step ${step}`);
  };
  setup.store.inject({ kind: 'Delay', ms: 0 }, { before: count, times: Number.POSITIVE_INFINITY });
  setup.vault.before('any', count, Number.POSITIVE_INFINITY);
  await run().catch((error: unknown) => {
    if (!(error instanceof Crashed)) throw error;
  });
  setup.store.clearFaults();
  setup.vault.clearFaults();
  setup.start();
  return steps >= step;
}
