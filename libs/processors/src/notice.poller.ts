import type { ProcessorInbox, ProcessorNotice, ProcessorNoticeSource } from './processor.inbox.js';

export interface NoticePoll {
  /** The processor's name. */
  readonly processor: string;
  /** From the end of one round to the start of the next, ms. */
  readonly everyMs: number;
  /**
   * Some of the notices that are due and not acknowledged. If several processes poll, the processor keeps what it gave to
   * one of them from the others for a while. Has its own deadline; rejects if the response is missing or unreadable.
   */
  fetch(): Promise<readonly ProcessorNotice[]>;
  /** Rejects if it is not certain that the processor knows it: then the processor sends the notices again. */
  settle(delivered: DeliveredNotices): Promise<void>;
  /** Notices that are due and not acknowledged, those that another process fetched too. */
  countDue(): Promise<number>;
  /** Logs one line for an operator. */
  report(reason: string): void;
}

/** What became of fetched notices, by id. */
export interface DeliveredNotices {
  /** Stored: the processor may forget them. */
  readonly acknowledged: readonly string[];
  /** Not stored: the processor sends them again. */
  readonly refused: readonly string[];
}

/** Bounds the appends that wait at once; with fewer, the store's group commits are not full. */
const CONCURRENT_DELIVERIES_MAX = 32;

/** Polls a processor for its notices, and acknowledges those that `ProcessorInbox.receive` has stored, in batches. */
export class NoticePoller implements ProcessorNoticeSource {
  private inbox: ProcessorInbox | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** One round at a time. It never rejects. */
  private round: Promise<void> = Promise.resolve();
  private isStopped = false;
  private deliveries = 0;

  constructor(private readonly poll: NoticePoll) {}

  listen(inbox: ProcessorInbox): void {
    this.inbox = inbox;
    this.timer = setTimeout(() => {
      void this.runRound(inbox).finally(() => {
        if (!this.isStopped) this.listen(inbox);
      });
    }, this.poll.everyMs).unref();
  }

  async deliverDue(): Promise<number> {
    const before = this.deliveries;
    if (this.inbox && !this.isStopped) await this.runRound(this.inbox);
    return this.deliveries - before;
  }

  async countDue(): Promise<number> {
    try {
      return await this.poll.countDue();
    } catch (error) {
      this.reportUnreachable(error);
      return 0;
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private runRound(inbox: ProcessorInbox): Promise<void> {
    this.round = this.round.then(() => this.deliverUntilNoneIsDue(inbox));
    return this.round;
  }

  private async deliverUntilNoneIsDue(inbox: ProcessorInbox): Promise<void> {
    while (!this.isStopped) {
      const notices = await this.fetch();
      if (notices.length === 0) return;
      const delivered = await this.deliverAll(inbox, notices);
      this.deliveries += delivered.acknowledged.length;
      try {
        await this.poll.settle(delivered);
      } catch (error) {
        this.poll.report(`${this.poll.processor} sends notices again: ${String(error)}`);
        return;
      }
      // What no inbox stores now waits for the next round.
      if (delivered.acknowledged.length === 0) return;
    }
  }

  private async fetch(): Promise<readonly ProcessorNotice[]> {
    try {
      return await this.poll.fetch();
    } catch (error) {
      this.reportUnreachable(error);
      return [];
    }
  }

  private async deliverAll(
    inbox: ProcessorInbox,
    notices: readonly ProcessorNotice[],
  ): Promise<DeliveredNotices> {
    const acknowledged: string[] = [];
    const refused: string[] = [];
    const waiting = notices.values();
    const deliverNext = async (): Promise<void> => {
      for (const notice of waiting) {
        const isStored = !this.isStopped && (await this.deliver(inbox, notice));
        (isStored ? acknowledged : refused).push(notice.id);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_DELIVERIES_MAX }, deliverNext));
    return { acknowledged, refused };
  }

  /** A notice that can't be stored does not delay the others. */
  private async deliver(inbox: ProcessorInbox, notice: ProcessorNotice): Promise<boolean> {
    const { processor, report } = this.poll;
    try {
      if ((await inbox.receive(processor, notice)) === 'Unknown') {
        report(
          `the notice ${notice.id} of ${processor} is about ${notice.key}, which ${processor} was never given`,
        );
      }
      return true;
    } catch (error) {
      report(`the notice ${notice.id} of ${processor} comes again: ${String(error)}`);
      return false;
    }
  }

  private reportUnreachable(error: unknown): void {
    this.poll.report(`${this.poll.processor} could not be asked for its notices: ${String(error)}`);
  }
}
