import type { WebhookPayload } from '@tillstream/contracts';
import type { StoredEvent, WebhookInbox } from '../inbox/inbox.js';
import { payloadOf } from '../signature/payload.js';

/**
 * Your part. It can run more than once for one event: after a crash, after it threw, or when it took longer than the lease.
 * An event counts as handled when the promise resolves.
 */
export type WebhookHandler = (payload: WebhookPayload) => Promise<void> | void;

export interface InboxWorkerOptions {
  readonly inbox: WebhookInbox;
  readonly handle: WebhookHandler;
  readonly handleTests: boolean;
  /** How long another process waits for this one to finish an event; also the pause before a failed one is handled again. */
  readonly leaseMs: number;
  /** How often it looks for events that others saved, or that a process left when it died. */
  readonly pollMs: number;
  readonly now: () => number;
  /** `eventId` is missing if the inbox failed. */
  readonly onFailure: (error: unknown, eventId?: string) => void;
}

/** Hands the events of the inbox to the handler, one at a time, in the order of their arrival. */
export class InboxWorker {
  private running: Promise<void> | undefined;
  private stopped = false;
  /** An event was saved after the last look into the inbox began. */
  private woken = false;
  private wakeUp: (() => void) | undefined;

  constructor(private readonly options: InboxWorkerOptions) {}

  start(): void {
    if (this.stopped) return;
    this.running ??= this.run();
  }

  /** An event was saved: it is handled at once. Does nothing before `start`. */
  wake(): void {
    this.woken = true;
    this.wakeUp?.();
  }

  /** Resolves when the event that is being handled is finished. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wakeUp?.();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.woken = false;
      const found = await this.handleOldest();
      if (!found && !this.stopped && !this.woken) await this.pause();
    }
  }

  /** False if there was nothing to handle, or the inbox failed. */
  private async handleOldest(): Promise<boolean> {
    const { inbox, leaseMs, now, onFailure } = this.options;
    let event: StoredEvent | undefined;
    try {
      event = await inbox.claim({ now: now(), until: now() + leaseMs });
      if (event === undefined) return false;
      await this.handle(event);
      await inbox.done(event.eventId, now());
      return true;
    } catch (error) {
      onFailure(error, event?.eventId);
      return event !== undefined;
    }
  }

  private async handle({ body }: StoredEvent): Promise<void> {
    const payload = payloadOf(body);
    if (payload.event.test === true && !this.options.handleTests) return;
    await this.options.handle(payload);
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.options.pollMs);
      // The server of the receiver keeps the process alive, not this timer.
      timer.unref();
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
