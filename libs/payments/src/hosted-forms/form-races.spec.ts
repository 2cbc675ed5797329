import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Processor } from '@tillstream/processors';
import { APPROVED, DECLINED, FormsTestSetup, statusAfter } from '../testing/forms.setup.js';
import { PaymentsTestSetup, requireOperationId } from '../testing/payments.setup.js';
import { OperatorActions } from '../testing/unknown-outcomes.setup.js';

const OTHER = '5555555555554444';
const declined = { kind: 'Declined', facts: { responseCode: 11 } } as const;

let setup: PaymentsTestSetup;
let forms: FormsTestSetup;
let id: string;
let session: string;
const operators = new OperatorActions(() => setup);
beforeEach(async () => {
  setup = await PaymentsTestSetup.open();
  forms = await FormsTestSetup.of(setup);
  const opened = await forms.sale(1_000);
  id = requireOperationId(opened);
  session = forms.sessionOf(opened);
});
afterEach(() => setup.close());

/** Attempt and card of each sale that reached the processor. */
const sent: string[] = [];
beforeEach(() => void sent.splice(0));

/** A moment that others wait for. */
class Signal {
  readonly reached: Promise<void>;
  reach: () => void = () => undefined;
  constructor() {
    this.reached = new Promise((resolve) => (this.reach = resolve));
  }
}

/** Replaces calls of the processor. */
function intercept(calls: Partial<Processor>): void {
  const { processor, processors } = setup;
  const intercepted = new Proxy(processor, {
    get(target, name) {
      const own: unknown = Reflect.get(calls, name) ?? Reflect.get(target, name);
      return typeof own === 'function' ? (own as () => unknown).bind(target) : own;
    },
  });
  setup.processors = { route: (origin) => processors.route(origin), named: () => intercepted };
}

describe('the sender of an earlier submission', () => {
  it('that was stalled does not send the next one with its own card', async () => {
    const stall = new Signal();
    const { processor } = setup;
    intercept({
      async sale(request, call) {
        sent.push(`${call.key.slice(-1)} ${request.card?.number}`);
        if (sent.length === 1) {
          await stall.reached;
          return declined;
        }
        await pause(60);
        return processor.sale(request, call);
      },
      inquire: () => Promise.resolve({ kind: 'Found', answer: declined }),
    });
    const first = forms.submit(session, APPROVED);
    await pause(10);
    await setup.untilResolved(2);
    expect((await setup.operation(id)).progress.status).toBe('AwaitingCustomer');
    const second = forms.submit(session, OTHER);
    await pause(20);
    stall.reach();
    expect([statusAfter(await first), statusAfter(await second)]).toEqual(['SubmissionInFlight', 'Approved']);
    expect(sent).toEqual([`1 ${APPROVED}`, `2 ${OTHER}`]);
  });

  it('that waited for the store does not close the next one as not sent', async () => {
    let second: ReturnType<typeof forms.submit> | undefined;
    setup.store.inject({ kind: 'Delay', ms: 0 });
    setup.store.inject(
      { kind: 'Delay', ms: 0 },
      {
        before: async () => {
          setup.store.clearFaults();
          await setup.untilResolved(2);
          setup.processor.inject('sale', { delayMs: 60 });
          second = forms.submit(session, OTHER);
          await pause(20);
        },
      },
    );
    await forms.submit(session, DECLINED);
    expect(second && statusAfter(await second)).toBe('Approved');
    expect(setup.processor.sent.filter((call) => call === `sale ${id}.2`)).toHaveLength(1);
    expect((await setup.operation(id)).responses[0]?.outcome.card?.maskedCardNumber).toContain('4444');
  });
});

describe('an inquiry that ends after a late answer and another submission', () => {
  it('does not send that submission, whose card it does not have', async () => {
    const inquiry = new Signal();
    const asked = new Signal();
    const { processor } = setup;
    let late: () => void = () => undefined;
    intercept({
      async sale(request, call) {
        sent.push(`${call.key.slice(-1)} ${request.card?.number}`);
        if (sent.length > 1) {
          await pause(60);
          return processor.sale(request, call);
        }
        late = () => call.onLateResponse?.(declined);
        return { kind: 'NoAnswer' };
      },
      async inquire() {
        asked.reach();
        await inquiry.reached;
        return { kind: 'Found', answer: declined };
      },
    });
    expect(await forms.submit(session, APPROVED)).toMatchObject({ kind: 'Interrupted' });
    const resolving = setup.untilResolved(1);
    await asked.reached;
    late();
    while ((await setup.operation(id)).progress.status !== 'AwaitingCustomer') await pause(5);
    const second = forms.submit(session, OTHER);
    await pause(20);
    inquiry.reach();
    await resolving;
    expect(statusAfter(await second)).toBe('Approved');
    expect(sent).toEqual([`1 ${APPROVED}`, `2 ${OTHER}`]);
  });
});

describe('a submission that an operator declined by mistake', () => {
  it('ends the form, is found by a late inquiry, and is reversed', async () => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    await forms.submit(session);
    operators.firstInquiry();
    expect((await operators.resolve(id, { outcome: 'Declined' })).kind).toBe('Known');
    expect(await forms.submit(session, OTHER)).toEqual({ kind: 'Spent' });
    for (let day = 0; day < 2; day++) {
      setup.clock.ahead += 25 * 3_600_000;
      await setup.untilResolved(3);
    }
    expect(await setup.eventTypes(id)).toContain('LateApprovalFound');
    expect(setup.chargedTotal()).toBe(0);
  });
});

describe('the record of a submission', () => {
  it('never shows the card of an earlier one', async () => {
    await forms.submit(session, DECLINED);
    await forms.submit(session, '4111111111111111');
    const { responses } = await setup.operation(id);
    expect(responses[0]?.outcome.card?.maskedCardNumber ?? '').not.toContain('0002');
    expect(responses[1]?.outcome.card?.maskedCardNumber).toContain('0002');
  });
});

describe('a form at the edges of time and store', () => {
  it('is not said to be unchanged if the append of its cancellation has no known result', async () => {
    setup.store.inject({ kind: 'LoseAnswer', written: true });
    setup.store.inject({ kind: 'LoseAnswer', written: false }, { times: 1_000 });
    await expect(forms.cancel(session)).rejects.toMatchObject({ code: 'Unknown' });
    setup.store.clearFaults();
    expect(statusAfter(await forms.cancel(session))).toBe('Cancelled');
  });

  it('expires although the clock was set back while the resolver ran', async () => {
    const claimDue = setup.workQueue.claimDue.bind(setup.workQueue);
    setup.workQueue.claimDue = async (...given) => {
      const due = await claimDue(...given);
      if (due.length > 0) setup.clock.real -= 100;
      return due;
    };
    forms.passLifetime();
    await setup.useCases.resolver.runDue(0);
    setup.workQueue.claimDue = claimDue;
    forms.passLifetime();
    await setup.useCases.resolver.runDue(0);
    expect((await setup.operation(id)).progress.status).toBe('FormExpired');
  });

  it('says at once that it has expired, if its time passed while the card was declined', async () => {
    setup.crash.runAt('after-answer', () => void (setup.clock.ahead += setup.timings.formLifetime));
    expect(statusAfter(await forms.submit(session, DECLINED))).toBe('Declined');
  });

  it('answers a repeated submission by its outcome, also while no route leads to a processor', async () => {
    await forms.submit(session, APPROVED, { key: 'k' });
    const { processors } = setup;
    setup.processors = { route: () => undefined, named: (name) => processors.named(name) };
    expect(statusAfter(await forms.submit(session, APPROVED, { key: 'k' }))).toBe('Approved');
  });
});
