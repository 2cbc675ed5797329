import type { AttemptResult } from '../delivery.types.js';
import { FinishedResults, type StoredHealth } from './finished.results.js';

const WELL: StoredHealth = { failingSince: null, exhausted: false };
const failed = (at: number, kind: 'Failed' | 'Exhausted' = 'Failed', status?: number): AttemptResult => ({
  deliveryId: `dlv_${at}`,
  attempt: { at, durationMs: 1, error: 'refused', ...(status !== undefined && { status }) },
  outcome: kind === 'Failed' ? { kind, nextTryAt: at + 1 } : { kind },
});
const succeeded = (at: number): AttemptResult => ({
  deliveryId: `dlv_${at}`,
  attempt: { at, durationMs: 1, status: 200 },
  outcome: { kind: 'Succeeded' },
});
const after = (stored: StoredHealth, isReplay: boolean, ...results: AttemptResult[]) => {
  const finished = new FinishedResults();
  for (const result of results) finished.add('whe_1', stored, result, isReplay);
  return {
    ...finished.health.get('whe_1'),
    changes: finished.finished.health.get('whe_1') ?? [],
    since: finished.finished.failingSince.get('whe_1'),
  };
};

describe('The health of an endpoint after results', () => {
  it('fails since its first failure, and is exhausted by the end of a schedule', () => {
    expect(after(WELL, false, failed(5), failed(6, 'Exhausted'))).toEqual({
      failingSince: 5,
      exhausted: true,
      changes: ['StartedFailing', 'Exhausted'],
      since: 5,
    });
  });

  it('is not exhausted by the end of a replay, nor by an endpoint that is gone', () => {
    expect(after(WELL, true, failed(5, 'Exhausted'))).toMatchObject({ exhausted: false });
    expect(after(WELL, false, failed(5, 'Exhausted', 410))).toMatchObject({ exhausted: false });
  });

  it('is well after a success, and a failure and success together change nothing', () => {
    const failing = { failingSince: 3, exhausted: true };
    expect(after(failing, false, succeeded(6))).toEqual({
      ...WELL,
      changes: ['Recovered'],
      since: undefined,
    });
    expect(after(WELL, false, failed(5), succeeded(6))).toEqual({ ...WELL, changes: [], since: undefined });
  });
});
