import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessorNoticeSource } from '@tillstream/processors';
import type { DeliveryStore } from '@tillstream/webhook-delivery';

/**
 * Work that falls due by the service's clock, in this process or in another. `dueWork` of the API's parts lists it, so that
 * the response to a move of the clock waits until it is done (`docs/spec/sandbox.md#clock`).
 */
export interface DueWork {
  /** Does what is due, or waits for another process that does it, until nothing is left or `withinMs` of real time have passed. */
  runDue(withinMs: number): Promise<DueWorkDone>;
  /** Pieces that are due and not done, by any process. */
  countDue(): Promise<number>;
}

export interface DueWorkDone {
  /** Work items that were finished. */
  readonly ran: number;
  /** Pieces that are due and not done, including those that another process is doing. */
  readonly pending: number;
}

const RECHECK_AFTER_MS = 20;

/** The notices of processors, such as a bank's answers: their delivery may make work for the resolver due. */
export function dueNotices(notices: Pick<ProcessorNoticeSource, 'deliverDue' | 'countDue'>): DueWork {
  return {
    runDue: async () => {
      const ran = await notices.deliverDue();
      const pending = await notices.countDue();
      // Another process delivers the rest, or the inbox refused it.
      if (ran === 0 && pending > 0) await pause(RECHECK_AFTER_MS);
      return { ran, pending };
    },
    countDue: () => notices.countDue(),
  };
}

/** Deliveries of webhooks, which the dispatcher sends. One piece: whether any is due that is not on its way. */
export function dueDeliveries(
  deliveries: Pick<DeliveryStore, 'nextDueAt'>,
  clock: { now(): number },
): DueWork {
  const countDue = async (): Promise<number> => {
    const nextDueAt = await deliveries.nextDueAt();
    return nextDueAt !== undefined && nextDueAt <= clock.now() ? 1 : 0;
  };
  return {
    runDue: async () => {
      const pending = await countDue();
      if (pending > 0) await pause(RECHECK_AFTER_MS);
      return { ran: 0, pending };
    },
    countDue,
  };
}

/** One kind of work may make another due: each runs this often. */
const TURN_MS = 2_000;

/** Runs until a whole round finds and does nothing, or `withinMs` have passed, even if a piece of work hangs. */
export async function settled(
  dueWork: readonly DueWork[],
  withinMs: number,
  turnMs = TURN_MS,
): Promise<DueWorkDone> {
  const until = performance.now() + withinMs;
  let ran = 0;
  for (;;) {
    const left = until - performance.now();
    if (left <= 0) return { ran, pending: await pendingIn(dueWork) };
    const round = await Promise.all(dueWork.map((work) => turn(work, Math.min(left, turnMs), left)));
    const done = round.reduce((sum, one) => sum + (one?.ran ?? 0), 0);
    ran += done;
    const isOver = round.every((one) => one?.pending === 0);
    // What one did last may have made work for another that had looked before.
    if (isOver && (done === 0 || dueWork.length === 1)) return { ran, pending: 0 };
  }
}

export async function pendingIn(dueWork: readonly DueWork[]): Promise<number> {
  const counts = await Promise.all(dueWork.map((work) => work.countDue()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Undefined: it did not end in time, and goes on in the background. */
async function turn(work: DueWork, turnMs: number, leftMs: number): Promise<DueWorkDone | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, leftMs, undefined)));
  try {
    return await Promise.race([work.runDue(turnMs), late]);
  } finally {
    clearTimeout(timer);
  }
}
