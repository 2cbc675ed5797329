import type { ProcessorInbox, ProcessorNotice, ProcessorNoticeSource } from './processor.inbox.js';

/** How a processor is asked what it has to say on its own. */
export interface NoticePoll {
  /** The name under which attempts keep it. */
  readonly processor: string;
  /** From the end of one round to the begin of the next, ms. */
  readonly everyMs: number;
  /** What was not acknowledged yet. Has a deadline of its own, and rejects where nothing readable came. */
  fetch(): Promise<readonly ProcessorNotice[]>;
  /** From here on the processor may forget it. Rejects where that is not certain: then the notice comes again. */
  acknowledge(id: string): Promise<void>;
  /** One line for an operator. */
  report(reason: string): void;
}

/** Asks a processor again and again, and acknowledges each notice once it is stored (`ProcessorInbox.receive`). */
export class NoticePoller implements ProcessorNoticeSource {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(private readonly poll: NoticePoll) {}

  listen(inbox: ProcessorInbox): void {
    this.timer = setTimeout(() => {
      this.round = this.once(inbox).finally(() => {
        if (!this.isStopped) this.listen(inbox);
      });
    }, this.poll.everyMs).unref();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private async once(inbox: ProcessorInbox): Promise<void> {
    for (const notice of await this.fetched()) {
      if (this.isStopped) return;
      try {
        await this.handIn(inbox, notice);
      } catch (error) {
        // One that can't be stored keeps no other one back.
        this.poll.report(`the notice ${notice.id} of ${this.poll.processor} comes again: ${String(error)}`);
      }
    }
  }

  private async fetched(): Promise<readonly ProcessorNotice[]> {
    try {
      return await this.poll.fetch();
    } catch (error) {
      this.poll.report(`${this.poll.processor} could not be asked for its notices: ${String(error)}`);
      return [];
    }
  }

  private async handIn(inbox: ProcessorInbox, notice: ProcessorNotice): Promise<void> {
    const { processor } = this.poll;
    const taken = await inbox.receive(processor, notice);
    if (taken === 'Unknown') {
      this.poll.report(
        `the notice ${notice.id} of ${processor} is about ${notice.key}, which ${processor} was never given`,
      );
    }
    await this.poll.acknowledge(notice.id);
  }
}
