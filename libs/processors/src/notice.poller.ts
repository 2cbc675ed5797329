import type { ProcessorInbox, ProcessorNotice, ProcessorNoticeSource } from './processor.inbox.js';

export interface NoticePoll {
  /** The processor's name. */
  readonly processor: string;
  /** From the end of one round to the start of the next, ms. */
  readonly everyMs: number;
  /** The notices that are not acknowledged yet. Has its own deadline; rejects if the response is missing or unreadable. */
  fetch(): Promise<readonly ProcessorNotice[]>;
  /** The processor may forget the notice. Rejects if that is not certain: then the processor sends the notice again. */
  acknowledge(id: string): Promise<void>;
  /** Logs one line for an operator. */
  report(reason: string): void;
}

/** Polls a processor for its notices, and acknowledges each one after `ProcessorInbox.receive` has stored it. */
export class NoticePoller implements ProcessorNoticeSource {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(private readonly poll: NoticePoll) {}

  listen(inbox: ProcessorInbox): void {
    this.timer = setTimeout(() => {
      this.round = this.runRound(inbox).finally(() => {
        if (!this.isStopped) this.listen(inbox);
      });
    }, this.poll.everyMs).unref();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private async runRound(inbox: ProcessorInbox): Promise<void> {
    for (const notice of await this.fetch()) {
      if (this.isStopped) return;
      try {
        await this.deliver(inbox, notice);
      } catch (error) {
        // A notice that can't be stored does not delay the others.
        this.poll.report(`the notice ${notice.id} of ${this.poll.processor} comes again: ${String(error)}`);
      }
    }
  }

  private async fetch(): Promise<readonly ProcessorNotice[]> {
    try {
      return await this.poll.fetch();
    } catch (error) {
      this.poll.report(`${this.poll.processor} could not be asked for its notices: ${String(error)}`);
      return [];
    }
  }

  private async deliver(inbox: ProcessorInbox, notice: ProcessorNotice): Promise<void> {
    const { processor } = this.poll;
    if ((await inbox.receive(processor, notice)) === 'Unknown') {
      this.poll.report(
        `the notice ${notice.id} of ${processor} is about ${notice.key}, which ${processor} was never given`,
      );
    }
    await this.poll.acknowledge(notice.id);
  }
}
