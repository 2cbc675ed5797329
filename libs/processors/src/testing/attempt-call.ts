import type { AttemptCall, Inquiry } from '../processor.port.js';

let lastKey = 0;

/** A key that is unique in this process and sorts after the earlier ones. */
export function newKey(): string {
  lastKey++;
  return `trx_${Date.now().toString(36).toUpperCase()}${String(lastKey).padStart(8, '0')}P00.1`;
}

/** A call with a send window of two seconds from now. */
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
