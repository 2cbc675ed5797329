import { LoopLoad } from './loop.load.js';
import { MerchantUsage } from './merchant.usage.js';

export interface TurnLimits {
  /** Requests of one merchant that are received, wait for their turn or are worked on; 0: no limit. */
  readonly inFlightMax: number;
  /** Requests of one merchant that are worked on at once. */
  readonly workingMax: number;
  /** `workingMax` while other merchants send requests too. */
  readonly workingMaxBeside: number;
  /** `workingMax` of a merchant that uses more than its share while other merchants send requests. */
  readonly workingMaxShared: number;
  /** As `workingMaxShared`, while the event loop is busy. There is then also a pause after each start. */
  readonly workingMaxBusy: number;
  /** The longest pause after a start. */
  readonly pauseMaxMs: number;
  /**
   * `workingMaxShared` and `workingMaxBusy` apply only while, on average, at least this many other merchants have a request in
   * flight. A merchant that always has one counts as 1.
   */
  readonly activeOthersMin: number;
  /** The longest wait for a turn. */
  readonly queuedMaxMs: number;
}

export const TURN_LIMITS: Omit<TurnLimits, 'inFlightMax'> = {
  workingMax: 64,
  workingMaxBeside: 32,
  workingMaxShared: 4,
  workingMaxBusy: 2,
  pauseMaxMs: 1_000,
  activeOthersMin: 0.5,
  queuedMaxMs: 10_000,
};

/** With those that wait for a processor: a terminal waits for its customer for up to 130 s. */
const WAITING_FACTOR = 10;

/** The requests of one merchant. */
interface Share {
  readonly merchantId: string;
  /** All of them, until their work has ended. */
  inFlight: number;
  /** Those that got their turn. */
  started: number;
  /** Calls of a processor that have no response yet. */
  atProcessor: number;
  /** Those that wait for their turn, oldest first. */
  readonly queue: Turn[];
  /** The end of the pause after the last start. */
  pauseEndsAt: number;
  /** Starts the next one at that time. */
  timer: NodeJS.Timeout | undefined;
}

export interface TurnSummary {
  readonly queued: number;
  /** Of the merchant that has the most. */
  readonly mostInFlight: number;
  readonly merchantsAtLimit: number;
}

/**
 * The turns of merchants' requests on this instance (docs/adr/0040). Each merchant has its own queue and its own number of
 * requests that are worked on at once, so a merchant who sends many requests waits for itself. A request that waits for a
 * processor is not worked on.
 */
export class MerchantTurns {
  private readonly shares = new Map<string, Share>();
  private readonly usage: MerchantUsage;

  constructor(
    private readonly limits: TurnLimits,
    private readonly load: Pick<LoopLoad, 'isBusy'> = new LoopLoad(),
    private readonly now: () => number = () => performance.now(),
  ) {
    this.usage = new MerchantUsage(now);
  }

  /** Undefined: the merchant has too many requests in flight. */
  enter(merchantId: string): Turn | undefined {
    this.usage.add(merchantId, 0);
    const share = this.shares.get(merchantId) ?? newShare(merchantId);
    if (this.isFull(share)) return undefined;
    this.shares.set(merchantId, share);
    share.inFlight += 1;
    this.countInFlight(share);
    return new Turn(this, share, this.limits.queuedMaxMs);
  }

  /** A request of the merchant begins to wait for a processor. @returns ends the wait */
  readonly waitForProcessor = (merchantId: string): (() => void) => {
    const share = this.shares.get(merchantId);
    // The resolver calls processors without a request.
    if (!share) return () => undefined;
    share.atProcessor += 1;
    this.countInFlight(share);
    this.startNext(share);
    return () => {
      share.atProcessor -= 1;
      this.countInFlight(share);
    };
  };

  summary(): TurnSummary {
    const shares = [...this.shares.values()];
    return {
      queued: shares.reduce((sum, { queue }) => sum + queue.length, 0),
      mostInFlight: shares.reduce((most, { inFlight }) => Math.max(most, inFlight), 0),
      merchantsAtLimit: shares.filter((share) => this.isFull(share)).length,
    };
  }

  /** For `Turn`. */
  startNext(share: Share): void {
    while (share.queue.length > 0) {
      const pauseMs = this.pauseOf(share);
      if (pauseMs > 0) return this.startAfter(share, pauseMs);
      share.queue.shift()?.begin();
    }
  }

  /** For `Turn`. */
  begin(share: Share, cost: number): void {
    const { merchantId } = share;
    share.started += 1;
    this.usage.add(merchantId, cost);
    // A merchant with twice its share pauses for as long as this request takes, one with its share does not.
    const pauseMs = Math.min(this.limits.pauseMaxMs, cost * this.usage.excess(merchantId));
    share.pauseEndsAt = this.now() + pauseMs;
  }

  /** For `Turn`. */
  leave(share: Share): void {
    share.inFlight -= 1;
    this.countInFlight(share);
    if (share.inFlight > 0) return this.startNext(share);
    clearTimeout(share.timer);
    this.shares.delete(share.merchantId);
  }

  /** How long the next request of the merchant has to wait. Infinite: until another one ends. */
  private pauseOf(share: Share): number {
    const working = Math.max(0, share.started - share.atProcessor);
    const max = this.workingMaxOf(share.merchantId);
    if (working >= max) return Infinity;
    return max === this.limits.workingMaxBusy ? share.pauseEndsAt - this.now() : 0;
  }

  private startAfter(share: Share, pauseMs: number): void {
    if (pauseMs === Infinity || share.timer) return;
    share.timer = setTimeout(() => {
      share.timer = undefined;
      this.startNext(share);
    }, Math.ceil(pauseMs)).unref();
  }

  private workingMaxOf(merchantId: string): number {
    const { workingMax, workingMaxBeside, workingMaxShared, workingMaxBusy } = this.limits;
    if (this.usage.isAlone(merchantId)) return workingMax;
    if (this.usage.excess(merchantId) === 0 || !this.othersWait(merchantId)) return workingMaxBeside;
    return this.load.isBusy() ? workingMaxBusy : workingMaxShared;
  }

  private othersWait(merchantId: string): boolean {
    return this.usage.activeOthers(merchantId) >= this.limits.activeOthersMin;
  }

  private countInFlight({ merchantId, inFlight, atProcessor }: Share): void {
    this.usage.setActive(merchantId, inFlight > atProcessor);
  }

  private isFull({ inFlight, atProcessor }: Share): boolean {
    const { inFlightMax } = this.limits;
    if (inFlightMax === 0) return false;
    return inFlight - atProcessor >= inFlightMax || inFlight >= WAITING_FACTOR * inFlightMax;
  }
}

/** One request's place among its merchant's requests. It has to be ended, however the request ends. */
export class Turn {
  private state: 'Entered' | 'Queued' | 'Started' | 'Ended' = 'Entered';
  private settle: ((started: boolean) => void) | undefined;
  private timeout: NodeJS.Timeout | undefined;
  private cost = 0;

  constructor(
    private readonly turns: MerchantTurns,
    private readonly share: Share,
    private readonly queuedMaxMs: number,
  ) {}

  /**
   * Waits for the turn. False: it did not come in time, or the client is gone; then the turn has ended.
   * @param cost about how many ms of the event loop the request takes
   */
  start(cost: number): true | Promise<boolean> {
    this.cost = cost;
    if (this.state !== 'Entered') return Promise.resolve(this.state === 'Started');
    this.state = 'Queued';
    this.share.queue.push(this);
    this.turns.startNext(this.share);
    if (this.hasStarted()) return true;
    this.timeout = setTimeout(() => this.end(), this.queuedMaxMs).unref();
    return new Promise((settle) => (this.settle = settle));
  }

  /** For `MerchantTurns`. */
  begin(): void {
    this.state = 'Started';
    this.turns.begin(this.share, this.cost);
    this.settled(true);
  }

  /** The client closed the connection. A request that has started goes on and keeps its place until its work has ended. */
  abandon(): void {
    if (this.state !== 'Started') this.end();
  }

  /** The work has ended. Repeated calls do nothing. */
  end(): void {
    const { state, share } = this;
    if (state === 'Ended') return;
    this.state = 'Ended';
    if (state === 'Started') share.started -= 1;
    if (state === 'Queued') share.queue.splice(share.queue.indexOf(this), 1);
    this.settled(false);
    this.turns.leave(share);
  }

  private hasStarted(): boolean {
    return this.state === 'Started';
  }

  private settled(started: boolean): void {
    clearTimeout(this.timeout);
    this.settle?.(started);
    this.settle = undefined;
  }
}

function newShare(merchantId: string): Share {
  return { merchantId, inFlight: 0, started: 0, atProcessor: 0, queue: [], pauseEndsAt: 0, timer: undefined };
}
