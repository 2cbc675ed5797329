import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '@tillstream/event-store';
import type { ProcessorResponse, AttemptCall, Processor } from '@tillstream/processors';
import { ProcessorGuards } from './processor.guards.js';
import { noLog } from '../logging/log.js';

const sale = {
  merchantId: 'mer_1',
  account: 'a',
  channel: 'CardPresent',
  amount: 100,
  currency: 'USD',
} as const;
const inquiry = { ...sale, key: 'trx_1.1', deadlineMs: 100 } as const;
const ada = { actor: { type: 'Operator', name: 'Ada' }, reason: 'double charges' } as const;

/** Answers sales with `answer`, and records the calls. */
class Scripted {
  readonly sent: string[] = [];
  answer: ProcessorResponse = { kind: 'Declined', facts: { responseCode: 10 } };
  readonly processor: Processor;
  constructor(readonly name: string) {
    const called = <Given>(call: string, given: () => Given) => {
      return (): Promise<Given> => {
        this.sent.push(call);
        return Promise.resolve(given());
      };
    };
    this.processor = {
      name,
      sale: called('sale', () => this.answer),
      inquire: called('inquire', () => ({ kind: 'NotFound' }) as const),
    } as unknown as Processor;
  }
}

describe('Guards of two processors', () => {
  let a: Scripted;
  let b: Scripted;
  let guards: ProcessorGuards;
  beforeEach(() => {
    [a, b] = [new Scripted('a'), new Scripted('b')];
    const breaker = { failures: 2, percent: 50, windowMs: 30_000, openMs: 10_000 };
    const now = (): number => Date.now();
    const clock = { now, realNow: now, monotonicNow: () => performance.now() };
    const observe = () => () => () => undefined;
    const parts = { store: new MemoryEventStore(), clock, breaker, log: noLog, observe };
    guards = new ProcessorGuards(parts, [a.processor, b.processor], [{ processor: 'a', account: 'a-1' }]);
  });

  const call = (): AttemptCall => ({
    key: 'trx_1.1',
    sendBefore: Date.now() + 2_000,
    startedAt: performance.now(),
    sendWithinMs: 2_000,
    deadlineMs: 100,
  });
  const sell = (name: string) => guards.named(name)?.sale(sale, call());
  const stateOf = async (name: string) => (await guards.statusOf(name)).state;

  it('open only the breaker of the processor that does not answer', async () => {
    a.answer = { kind: 'NoAnswer' };
    for (let time = 0; time < 3; time++) await sell('a');
    expect([await stateOf('a'), await stateOf('b')]).toEqual(['Open', 'Closed']);
    expect(await sell('a')).toMatchObject({
      kind: 'NotSent',
      reason: expect.stringContaining('processor a'),
    });
    expect(await sell('b')).toMatchObject({ kind: 'Declined' });
    expect([a.sent, b.sent]).toEqual([['sale', 'sale'], ['sale']]);
  });

  it('stop the processor that an operator names, but pass inquiries to it', async () => {
    await guards.stop('b', ada);
    expect(await sell('b')).toMatchObject({
      kind: 'NotSent',
      reason: expect.stringMatching(/processor b .*Ada|double/),
    });
    expect(await sell('a')).toMatchObject({ kind: 'Declined' });
    expect(await guards.named('b')?.inquire(inquiry)).toEqual({ kind: 'NotFound' });
    expect([a.sent, b.sent]).toEqual([['sale'], ['inquire']]);
  });

  it('have no processor of a name that is not configured', () => {
    expect(guards.named('c')).toBeUndefined();
    expect(guards.has('c')).toBe(false);
    expect(guards.route(sale)).toMatchObject({ processor: 'a', account: 'a-1' });
  });
});
