import type { AttemptCall, Inquiry } from '../processor.port.js';

let lastKey = 0;

/** A key that no other call of this process has, and that sorts behind the earlier ones. */
export function newKey(): string {
  lastKey++;
  return `trx_${Date.now().toString(36).toUpperCase()}${String(lastKey).padStart(8, '0')}P00.1`;
}

/** A call that may be sent now, for two seconds. */
export function attemptCall(key: string, rest: Partial<AttemptCall> = {}): AttemptCall {
  return {
    key,
    sendBefore: Date.now() + 2_000,
    startedAt: performance.now(),
    sendWithinMs: 2_000,
    deadlineMs: 10_000,
    ...rest,
  };
}

export function inquiryFor(key: string): Inquiry {
  return { merchantId: 'mer_1', account: 'acct', channel: 'CardNotPresent', key, deadlineMs: 10_000 };
}
