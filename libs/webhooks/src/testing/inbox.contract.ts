import type { WebhookInbox } from '../inbox/inbox.js';

/** An empty inbox, and another one on the same events, as another process has it. */
export interface InboxUnderTest {
  readonly inbox: WebhookInbox;
  readonly other: WebhookInbox;
  close(): Promise<void>;
}

const NOW = 1_772_366_400_000;
const CLAIM = { now: NOW, until: NOW + 60_000 };
const LATER = { now: NOW + 60_000, until: NOW + 120_000 };

/** What every inbox does. `open` gives an empty one. */
export function inboxContract(open: () => Promise<InboxUnderTest>): void {
  let under: InboxUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => under.close());

  const save = (eventId: string, inbox = under.inbox, body: Uint8Array = Buffer.from(eventId)) =>
    inbox.save({ eventId, eventType: 'sale.completed', body, receivedAt: NOW });
  const claimed = async (time = CLAIM, inbox = under.inbox) => (await inbox.claim(time))?.eventId;

  it('saves an event once, also if several receivers save it', async () => {
    expect(await save('evt_1')).toBe('Saved');
    expect(await save('evt_1', under.inbox, Buffer.from('other bytes'))).toBe('Duplicate');
    expect(await save('evt_1', under.other)).toBe('Duplicate');
    expect(await save('evt_2', under.other)).toBe('Saved');
  });

  it('saves an event once when deliveries race', async () => {
    const inboxes = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? under.inbox : under.other));
    const outcomes = await Promise.all(inboxes.map((inbox) => save('evt_1', inbox)));
    expect(outcomes.filter((outcome) => outcome === 'Saved')).toHaveLength(1);
    expect(await claimed()).toBe('evt_1');
    expect(await claimed()).toBeUndefined();
  });

  it('keeps the bytes of the first delivery as they are', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    await save('evt_1', under.inbox, bytes);
    bytes.fill(0);
    const event = await under.other.claim(CLAIM);
    expect([...(event?.body ?? [])]).toEqual(Array.from({ length: 256 }, (_, at) => at));
  });

  it('gives events in the order of their arrival', async () => {
    for (const eventId of ['evt_b', 'evt_a', 'evt_c']) await save(eventId);
    expect([await claimed(), await claimed(), await claimed(), await claimed()]).toEqual([
      'evt_b',
      'evt_a',
      'evt_c',
      undefined,
    ]);
  });

  it('gives a claimed event again when the claim has ended, not before', async () => {
    await save('evt_1');
    expect(await claimed()).toBe('evt_1');
    expect(await claimed({ now: CLAIM.until - 1, until: CLAIM.until }, under.other)).toBeUndefined();
    expect(await claimed(LATER, under.other)).toBe('evt_1');
  });

  it('never gives an event that was handled', async () => {
    await save('evt_1');
    await claimed();
    await under.inbox.done('evt_1', NOW);
    await under.inbox.done('evt_1', NOW + 1);
    expect(await claimed(LATER)).toBeUndefined();
    expect(await save('evt_1')).toBe('Duplicate');
  });

  it('gives an event to one of those who claim at the same time', async () => {
    for (let at = 0; at < 20; at += 1) await save(`evt_${at}`);
    const inboxes = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? under.inbox : under.other));
    const given = await Promise.all(inboxes.map((inbox) => claimed(CLAIM, inbox)));
    // Two claims can look at the same event at the same time; the one that loses may go empty.
    const events = given.filter((eventId) => eventId !== undefined);
    expect(new Set(events).size).toBe(events.length);
    expect(events.length).toBeGreaterThan(0);
    for (let next = await claimed(); next !== undefined; next = await claimed()) events.push(next);
    expect(new Set(events).size).toBe(20);
  });

  it('forgets the bodies of handled events only, and keeps their ids', async () => {
    for (const eventId of ['evt_1', 'evt_2', 'evt_3']) await save(eventId);
    await under.inbox.done('evt_1', NOW);
    await under.inbox.done('evt_2', NOW + 10);
    expect(await under.inbox.forgetBodies(NOW + 10)).toBe(1);
    expect(await under.inbox.forgetBodies(NOW + 10)).toBe(0);
    expect(await save('evt_1')).toBe('Duplicate');
    expect(Buffer.from((await under.inbox.claim(LATER))?.body ?? []).toString()).toBe('evt_3');
  });
}
