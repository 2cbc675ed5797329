import { WakeSignal } from './wake-signal.js';

const LONG_MS = 60_000;

describe('WakeSignal', () => {
  let signal: WakeSignal;
  beforeEach(() => {
    signal = new WakeSignal();
  });

  const measureWaitMs = async (timeoutMs: number): Promise<number> => {
    const startedAt = performance.now();
    await signal.wait(timeoutMs);
    return performance.now() - startedAt;
  };

  it('ends a wait when it is woken', async () => {
    const waited = measureWaitMs(LONG_MS);
    signal.wake();
    expect(await waited).toBeLessThan(5_000);
  });

  it('ends a wait at its timeout, if no wake-up arrives', async () => {
    expect(await measureWaitMs(30)).toBeGreaterThanOrEqual(25);
  });

  it('keeps an earlier wake-up for the next wait', async () => {
    signal.wake();
    expect(await measureWaitMs(LONG_MS)).toBeLessThan(5_000);
  });

  it('waits again after a reset', async () => {
    signal.wake();
    signal.reset();
    expect(await measureWaitMs(30)).toBeGreaterThanOrEqual(25);
  });
});
