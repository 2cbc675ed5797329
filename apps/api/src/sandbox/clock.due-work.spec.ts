import { dueDeliveries, settled, type DueWork } from './clock.due-work.js';

/** Pieces that wait; each that is done may make another wait elsewhere. */
class Pile implements DueWork {
  constructor(
    public waiting: number,
    private readonly then: () => void = () => undefined,
  ) {}
  async runDue(): Promise<{ ran: number; pending: number }> {
    const ran = this.waiting;
    this.waiting = 0;
    for (let piece = 0; piece < ran; piece++) this.then();
    return { ran, pending: 0 };
  }
  async countDue(): Promise<number> {
    return this.waiting;
  }
}

describe('Settling after the clock was moved', () => {
  it('goes on while one kind of work makes another due, in either order', async () => {
    const last = new Pile(0);
    const middle = new Pile(0, () => last.waiting++);
    const first = new Pile(3, () => middle.waiting++);
    expect(await settled([last, middle, first], 5_000)).toEqual({ ran: 9, pending: 0 });
  });

  it('waits for what another process has in hand', async () => {
    let inHand = 3;
    const elsewhere: DueWork = {
      runDue: async () => ({ ran: 0, pending: --inHand }),
      countDue: async () => inHand,
    };
    expect(await settled([new Pile(1), elsewhere], 5_000)).toEqual({ ran: 1, pending: 0 });
    expect(inHand).toBeLessThanOrEqual(0);
  });

  it('waits for webhooks that are due, and not for those of later', async () => {
    const dueAt = [10, 10, 30];
    const deliveries = { nextDueAt: async () => (dueAt.length > 1 ? dueAt.shift() : dueAt[0]) };
    const work = dueDeliveries(deliveries, { now: () => 20 });
    expect(await work.countDue()).toBe(1);
    expect(await settled([work], 5_000)).toEqual({ ran: 0, pending: 0 });
    expect(dueAt).toEqual([30]);
  });

  it('answers in time, and counts what is left, though one never comes back', async () => {
    const stuck: DueWork = { runDue: () => new Promise(() => undefined), countDue: async () => 2 };
    expect(await settled([stuck, new Pile(1)], 60)).toEqual({ ran: 1, pending: 2 });
  });

  it('gives each its turns though another is never done', async () => {
    const never: DueWork = { runDue: async () => ({ ran: 0, pending: 1 }), countDue: async () => 1 };
    expect(await settled([never, new Pile(2)], 30, 5)).toEqual({ ran: 2, pending: 1 });
  });

  it('fails where the work does', async () => {
    const broken: DueWork = {
      runDue: () => Promise.reject(new Error('the store is away')),
      countDue: async () => 0,
    };
    await expect(settled([broken], 1_000)).rejects.toThrow('the store is away');
  });
});
