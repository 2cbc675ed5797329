import { setTimeout } from 'node:timers/promises';
import { MemoryInbox } from '../inbox/memory.inbox.js';
import { legacyDelivery, managedDelivery, saleBody, SIGNED_AT } from '../testing/deliveries.testing.js';
import { receiverUnderTest, until } from '../testing/receiver.testing.js';
import type { IncomingEvent, WebhookInbox } from '../inbox/inbox.js';

const managed = (eventId: string, event: object = {}) => {
  const body = saleBody(eventId, event);
  return { headers: managedDelivery(body), body };
};
const legacy = (eventId: string) => ({ headers: legacyDelivery(saleBody(eventId)), body: saleBody(eventId) });

/** An inbox in memory, with some of its calls replaced. */
const inboxWith = (replaced: Partial<WebhookInbox>): WebhookInbox => {
  const inbox = new MemoryInbox();
  return {
    save: (event) => inbox.save(event),
    claim: (time) => inbox.claim(time),
    done: (eventId, now) => inbox.done(eventId, now),
    forgetBodies: (before) => inbox.forgetBodies(before),
    ...replaced,
  };
};

describe('A receiver', () => {
  it('answers 200 after the event was stored, and then hands it to the handler', async () => {
    const { receiver, handled, problems } = receiverUnderTest();
    receiver.start();
    expect(await receiver.receive(managed('evt_1'))).toEqual({ status: 200, outcome: 'Saved' });
    await until(() => handled.length === 1);
    expect(handled).toEqual(['evt_1']);
    expect(problems).toEqual([]);
    await receiver.stop();
  });

  it('answers 200 to an event that it has, and handles it once: a retry, a replay, the other method', async () => {
    const { receiver, handled } = receiverUnderTest();
    receiver.start();
    const outcomes = [];
    for (const delivery of [managed('evt_1'), managed('evt_1'), legacy('evt_1'), legacy('evt_2')]) {
      outcomes.push(await receiver.receive(delivery));
    }
    expect(outcomes.map(({ status, outcome }) => [status, outcome])).toEqual([
      [200, 'Saved'],
      [200, 'Duplicate'],
      [200, 'Duplicate'],
      [200, 'Saved'],
    ]);
    await until(() => handled.length === 2);
    await setTimeout(30);
    expect(handled).toEqual(['evt_1', 'evt_2']);
    await receiver.stop();
  });

  it('does not answer before the inbox has stored the event', async () => {
    let stored: () => void = () => undefined;
    const save = () => new Promise<'Saved'>((resolve) => (stored = () => resolve('Saved')));
    const { receiver } = receiverUnderTest({ inbox: inboxWith({ save }) });
    let answered = false;
    const answer = receiver.receive(managed('evt_1')).then((given) => {
      answered = true;
      return given;
    });
    await setTimeout(20);
    expect(answered).toBe(false);
    stored();
    expect(await answer).toEqual({ status: 200, outcome: 'Saved' });
  });

  it('answers 503 if the event could not be stored, and 200 when it could', async () => {
    let disk = 'full';
    const inbox = new MemoryInbox();
    const { receiver, problems } = receiverUnderTest({
      inbox: inboxWith({
        save: (event) => (disk === 'full' ? Promise.reject(new Error('disk full')) : inbox.save(event)),
      }),
    });
    expect(await receiver.receive(managed('evt_1'))).toEqual({ status: 503, outcome: 'NotSaved' });
    expect(problems).toEqual([{ kind: 'NotSaved', error: new Error('disk full'), eventId: 'evt_1' }]);
    disk = 'free';
    expect(await receiver.receive(managed('evt_1'))).toEqual({ status: 200, outcome: 'Saved' });
  });

  it('answers 503 before the service gives up, if the inbox does not answer', async () => {
    const { receiver, kinds } = receiverUnderTest({
      inbox: inboxWith({ save: () => new Promise(() => undefined) }),
      saveTimeoutMs: 20,
    });
    expect(await receiver.receive(managed('evt_1'))).toEqual({ status: 503, outcome: 'NotSaved' });
    expect(kinds()).toEqual(['NotSaved']);
  });

  it('answers 503 if the inbox throws instead of rejecting', async () => {
    const save = () => {
      throw new Error('no such table');
    };
    const { receiver } = receiverUnderTest({ inbox: inboxWith({ save }) });
    expect((await receiver.receive(managed('evt_1'))).status).toBe(503);
  });

  it('refuses a wrong signature with 401 and a wrong payload with 400, and stores neither', async () => {
    const saved: string[] = [];
    const save = ({ eventId }: IncomingEvent) => {
      saved.push(eventId);
      return Promise.resolve('Saved' as const);
    };
    const { receiver, problems } = receiverUnderTest({ inbox: inboxWith({ save }) });
    const { headers } = managed('evt_1');
    expect((await receiver.receive({ headers, body: saleBody('evt_2') })).status).toBe(401);
    expect((await receiver.receive({ headers: {}, body: saleBody() })).status).toBe(401);
    expect((await receiver.receive({ headers: legacyDelivery('{}'), body: '{}' })).status).toBe(400);
    expect(problems.map(({ error }) => (error as { code: string }).code)).toEqual([
      'SignatureWrong',
      'SignatureMissing',
      'PayloadInvalid',
    ]);
    expect(saved).toEqual([]);
  });

  it('refuses a managed delivery that is repeated after the tolerance', async () => {
    const { receiver } = receiverUnderTest({ now: () => (SIGNED_AT + 301) * 1000 });
    expect((await receiver.receive(managed('evt_1'))).status).toBe(401);
  });

  it('answers although its log fails', async () => {
    const { receiver } = receiverUnderTest({
      onProblem: () => {
        throw new Error('no log');
      },
    });
    expect((await receiver.receive({ headers: {}, body: '' })).status).toBe(401);
  });

  it('stores test events and does not hand them to the handler, unless it asks for them', async () => {
    const test = managed('evt_1', { test: true, sequence: undefined });
    for (const [handleTests, expected] of [
      [false, ['evt_2']],
      [true, ['evt_1', 'evt_2']],
    ] as const) {
      const { receiver, handled } = receiverUnderTest({ handleTests });
      receiver.start();
      expect((await receiver.receive(test)).outcome).toBe('Saved');
      await receiver.receive(managed('evt_2'));
      await until(() => handled.includes('evt_2'));
      expect(handled).toEqual(expected);
      await receiver.stop();
    }
  });
});

describe('The handler', () => {
  it('gets what an earlier process stored and did not handle', async () => {
    const inbox = new MemoryInbox();
    const earlier = receiverUnderTest({ inbox });
    await earlier.receiver.receive(managed('evt_1'));
    const later = receiverUnderTest({ inbox });
    later.receiver.start();
    await until(() => later.handled.length === 1);
    expect([earlier.handled, later.handled]).toEqual([[], ['evt_1']]);
    await later.receiver.stop();
  });

  it('gets an event again after it threw, when the lease has ended, and other events meanwhile', async () => {
    let now = SIGNED_AT * 1000;
    const seen: string[] = [];
    const { receiver, problems } = receiverUnderTest({
      now: () => now,
      leaseMs: 60_000,
      handle: ({ event }) => {
        seen.push(event.id);
        if (seen.length === 1) throw new Error('the order is locked');
      },
    });
    receiver.start();
    await receiver.receive(managed('evt_1'));
    await receiver.receive(managed('evt_2'));
    await until(() => seen.length === 2);
    await setTimeout(50);
    expect(seen).toEqual(['evt_1', 'evt_2']);
    now += 60_000;
    await until(() => seen.length === 3);
    expect(seen).toEqual(['evt_1', 'evt_2', 'evt_1']);
    expect(problems).toEqual([
      { kind: 'NotHandled', error: new Error('the order is locked'), eventId: 'evt_1' },
    ]);
    await receiver.stop();
  });

  it('goes on after the inbox failed', async () => {
    const inbox = new MemoryInbox();
    let failures = 2;
    const { receiver, handled, kinds } = receiverUnderTest({
      inbox: inboxWith({
        save: (event) => inbox.save(event),
        claim: (time) => (failures-- > 0 ? Promise.reject(new Error('no connection')) : inbox.claim(time)),
        done: (eventId, at) => inbox.done(eventId, at),
      }),
    });
    await receiver.receive(managed('evt_1'));
    receiver.start();
    await until(() => handled.length === 1);
    expect(kinds()).toEqual(['NotHandled', 'NotHandled']);
    await receiver.stop();
  });

  it('handles one event at a time, and finishes it before the receiver stops', async () => {
    let running = 0;
    const finished: string[] = [];
    const { receiver } = receiverUnderTest({
      handle: async ({ event }) => {
        running += 1;
        expect(running).toBe(1);
        await setTimeout(20);
        running -= 1;
        finished.push(event.id);
      },
    });
    receiver.start();
    await receiver.receive(managed('evt_1'));
    await receiver.receive(managed('evt_2'));
    await until(() => running === 1);
    await receiver.stop();
    expect(finished).toEqual(['evt_1']);
    expect(await receiver.receive(managed('evt_3'))).toEqual({ status: 200, outcome: 'Saved' });
    await setTimeout(40);
    expect(finished).toEqual(['evt_1']);
  });
});
