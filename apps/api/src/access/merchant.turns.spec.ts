import { setTimeout as sleep } from 'node:timers/promises';
import { MerchantTurns, type Turn, type TurnLimits } from './merchant.turns.js';

const LIMITS: TurnLimits = {
  inFlightMax: 10,
  workingMax: 5,
  workingMaxBeside: 4,
  workingMaxShared: 3,
  workingMaxBusy: 2,
  pauseMaxMs: 0,
  activeOthersMin: 0,
  queuedMaxMs: 60_000,
};
const LONG_MS = 1_900;
const IDLE = { queued: 0, mostInFlight: 0, merchantsAtLimit: 0 };

interface Setup {
  readonly turns: MerchantTurns;
  now: number;
  busy: boolean;
}

function setup(limits: Partial<TurnLimits> = {}): Setup {
  const made = { now: 0, busy: true };
  const load = { isBusy: () => made.busy };
  const turns = new MerchantTurns({ ...LIMITS, ...limits }, load, () => made.now);
  return Object.assign(made, { turns });
}

const enter = ({ turns }: Setup, merchantId = 'mer_A'): Turn => {
  const turn = turns.enter(merchantId);
  if (!turn) throw new Error('the request was refused');
  return turn;
};

/** A request of each of two merchants. Both merchants have been active for long. */
function enterBoth(made: Setup): readonly [small: Turn, large: Turn] {
  const both = [enter(made, 'mer_B'), enter(made)] as const;
  made.now = LONG_MS;
  return both;
}

/** Whether each of them has started, once the turn of the event loop is over. */
async function startAll(turns: readonly Turn[]): Promise<() => Promise<number>> {
  let started = 0;
  for (const turn of turns)
    void Promise.resolve(turn.start(1)).then((isStarted) => (started += isStarted ? 1 : 0));
  await Promise.resolve();
  return async () => {
    await new Promise((resume) => setImmediate(resume));
    return started;
  };
}

describe('The turns of a merchant’s requests', () => {
  it('are taken in their order, a few at once, and the next one when a request ends', async () => {
    const made = setup();
    const turns = Array.from({ length: 6 }, () => enter(made));
    const started = await startAll(turns);
    expect(await started()).toBe(5);
    expect(made.turns.summary()).toEqual({ queued: 1, mostInFlight: 6, merchantsAtLimit: 0 });
    turns[0]?.end();
    turns[0]?.end();
    expect(await started()).toBe(6);
    for (const turn of turns) turn.end();
    expect(await started()).toBe(6);
    expect(made.turns.summary()).toEqual(IDLE);
  });

  it('are fewer for a merchant above its share, the more so while the process is busy', async () => {
    const made = setup();
    const [small, large] = enterBoth(made);
    expect([small.start(1), large.start(5)]).toEqual([true, true]);
    const turns = Array.from({ length: 6 }, () => enter(made));
    const started = await startAll(turns);
    expect(await started()).toBe(1);
    made.busy = false;
    large.end();
    expect(await started()).toBe(3);
    // The other merchant has as many as before.
    made.busy = true;
    const others = await startAll(Array.from({ length: 6 }, () => enter(made, 'mer_B')));
    expect(await others()).toBe(3);
  });

  it('come after a pause for a merchant above its share while the process is busy', async () => {
    const made = setup({ pauseMaxMs: 1_000 });
    // It has used half as much again as its share of 20 ms, so it pauses for half of its cost.
    const [small, large] = enterBoth(made);
    expect([small.start(10), large.start(30)]).toEqual([true, true]);
    const started = await startAll([enter(made)]);
    made.now = LONG_MS + 14;
    await sleep(30);
    expect(await started()).toBe(0);
    made.now = LONG_MS + 15;
    await sleep(10);
    expect(await started()).toBe(1);
    const others = await startAll([enter(made, 'mer_B'), enter(made, 'mer_B')]);
    expect(await others()).toBe(2);
  });

  it('come after no pause once the process is not busy', async () => {
    const made = setup({ pauseMaxMs: 1_000 });
    const [small, large] = enterBoth(made);
    expect([small.start(10), large.start(30)]).toEqual([true, true]);
    made.busy = false;
    const started = await startAll([enter(made)]);
    expect(await started()).toBe(1);
  });

  it('come after the longest pause at the latest', async () => {
    const made = setup({ pauseMaxMs: 5 });
    const [small, large] = enterBoth(made);
    expect([small.start(10), large.start(3_000)]).toEqual([true, true]);
    const started = await startAll([enter(made)]);
    expect(await started()).toBe(0);
    made.now = LONG_MS + 5;
    await sleep(20);
    expect(await started()).toBe(1);
  });

  it('are those of a merchant below its share while other merchants seldom have a request in flight', async () => {
    const made = setup({ activeOthersMin: 0.5 });
    enter(made, 'mer_B');
    expect(enter(made).start(5)).toBe(true);
    made.now = 150;
    const beforeLong = await startAll(Array.from({ length: 6 }, () => enter(made)));
    expect(await beforeLong()).toBe(3);
    made.now = 1_900;
    const afterLong = await startAll([enter(made, 'mer_A')]);
    expect(await afterLong()).toBe(0);
  });

  it('are more soon after the other merchant has stopped, however many requests it had', async () => {
    const made = setup({ activeOthersMin: 0.5, inFlightMax: 100 });
    const flood = Array.from({ length: 60 }, () => enter(made, 'mer_B'));
    const large = enter(made);
    expect(large.start(5)).toBe(true);
    made.now = 1_500;
    const started = await startAll(Array.from({ length: 6 }, () => enter(made)));
    expect(await started()).toBe(1);
    for (const turn of flood) turn.end();
    made.now = 1_800;
    large.end();
    expect(await started()).toBe(4);
  });

  it('are as many as before some time after the other merchant has stopped', async () => {
    const made = setup();
    const [other] = enterBoth(made);
    const shared = await startAll(Array.from({ length: 6 }, () => enter(made)));
    expect(await shared()).toBe(2);
    other.end();
    made.now = 5_000;
    const alone = await startAll(Array.from({ length: 6 }, () => enter(made, 'mer_C')));
    expect(await alone()).toBe(5);
  });

  it('are not used by requests that wait for a processor', async () => {
    const made = setup({ workingMax: 1, workingMaxBusy: 1, inFlightMax: 2 });
    const first = enter(made);
    expect(first.start(1)).toBe(true);
    const started = await startAll([enter(made)]);
    expect(await started()).toBe(0);
    expect(made.turns.enter('mer_A')).toBeUndefined();
    const endWait = made.turns.waitForProcessor('mer_A');
    expect(await started()).toBe(1);
    expect(made.turns.enter('mer_A')).toBeDefined();
    endWait();
    expect(made.turns.enter('mer_A')).toBeUndefined();
  });

  it('are refused to a merchant with too many requests, of which ten times as many may wait for processors', () => {
    const made = setup({ inFlightMax: 3, workingMax: 100 });
    const waiting = Array.from({ length: 30 }, () => {
      const turn = enter(made);
      expect(turn.start(1)).toBe(true);
      return { turn, end: made.turns.waitForProcessor('mer_A') };
    });
    expect(made.turns.enter('mer_A')).toBeUndefined();
    expect(made.turns.summary().merchantsAtLimit).toBe(1);
    expect(made.turns.enter('mer_B')).toBeDefined();
    waiting[0]?.end();
    waiting[0]?.turn.end();
    expect(made.turns.enter('mer_A')).toBeDefined();
  });

  it('are never refused without a limit', () => {
    const made = setup({ inFlightMax: 0 });
    for (let count = 0; count < 1_000; count++) enter(made);
    expect(made.turns.summary()).toMatchObject({ mostInFlight: 1_000, merchantsAtLimit: 0 });
  });

  it('end when the client goes, unless the request has started: then its place is kept until its work has ended', async () => {
    const made = setup({ workingMax: 1, workingMaxBusy: 1 });
    const [received, queued, working] = [enter(made), enter(made), enter(made)];
    expect(working.start(1)).toBe(true);
    const started = queued.start(1);
    for (const turn of [received, queued, working]) turn.abandon();
    expect(await started).toBe(false);
    expect(await received.start(1)).toBe(false);
    expect(made.turns.summary().mostInFlight).toBe(1);
    working.end();
    expect(made.turns.summary()).toEqual(IDLE);
  });

  it('do not come after the longest wait', async () => {
    const made = setup({ workingMax: 1, workingMaxBusy: 1, queuedMaxMs: 10 });
    expect(enter(made).start(1)).toBe(true);
    expect(await enter(made).start(1)).toBe(false);
    expect(made.turns.summary()).toEqual({ queued: 0, mostInFlight: 1, merchantsAtLimit: 0 });
  });
});
