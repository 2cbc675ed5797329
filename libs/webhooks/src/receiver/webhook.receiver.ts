import type { WebhookInbox } from '../inbox/inbox.js';
import { webhookVerifier } from '../signature/verify.js';
import type { VerifiedWebhook, WebhookRequest, WebhookSecrets } from '../signature/verify.js';
import { WebhookRefusedError } from '../webhook.errors.js';
import { InboxWorker } from './inbox.worker.js';
import type { WebhookHandler } from './inbox.worker.js';

/** Something to log. `error` has neither a secret nor a part of the body. */
export interface WebhookProblem {
  readonly kind:
    /** The request was not verified; answered with 401 or 400. */
    | 'Refused'
    /** The inbox failed or was too slow; answered with 503, so the service delivers again. */
    | 'NotSaved'
    /** The handler or the inbox failed; the event is handled again after the lease. */
    | 'NotHandled'
    /** The program is set up wrongly; answered with 500. */
    | 'SetUp';
  readonly error: unknown;
  readonly eventId?: string;
}

export interface WebhookReceiverOptions {
  readonly secrets: WebhookSecrets;
  readonly inbox: WebhookInbox;
  readonly handle: WebhookHandler;
  /** Write it to your log. */
  readonly onProblem: (problem: WebhookProblem) => void;
  /** Test events (`event.test`) go to the handler too. By default they are stored and answered only. */
  readonly handleTests?: boolean;
  /** See `VerifyOptions`; default 300. */
  readonly toleranceSeconds?: number;
  /** Less than the 15 s after which the service counts the delivery as failed; default 10,000. */
  readonly saveTimeoutMs?: number;
  /** See `InboxWorkerOptions`; default 60,000. */
  readonly leaseMs?: number;
  /** See `InboxWorkerOptions`; default 5,000. */
  readonly pollMs?: number;
  /** Unix milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

/** What to answer, and why. */
export interface WebhookAnswer {
  readonly status: number;
  readonly outcome: 'Saved' | 'Duplicate' | 'Refused' | 'NotSaved' | 'SetUp';
}

/**
 * Verifies a delivery, stores its event once, answers, and then hands the event to the handler. Throws `WebhookSetupError` if
 * a secret is malformed.
 */
export class WebhookReceiver {
  private readonly verify: (request: WebhookRequest, now?: number) => VerifiedWebhook;
  private readonly worker: InboxWorker;
  private readonly now: () => number;

  constructor(private readonly options: WebhookReceiverOptions) {
    this.verify = webhookVerifier(options);
    this.now = options.now ?? Date.now;
    this.worker = new InboxWorker({
      inbox: options.inbox,
      handle: options.handle,
      handleTests: options.handleTests ?? false,
      leaseMs: options.leaseMs ?? 60_000,
      pollMs: options.pollMs ?? 5_000,
      now: this.now,
      onFailure: (error, eventId) => this.report('NotHandled', error, eventId),
    });
  }

  /** Begins to handle events, with those that an earlier process left. */
  start(): void {
    this.worker.start();
  }

  /** Resolves when the event that is being handled is finished. Later events are stored, and handled by the next process. */
  stop(): Promise<void> {
    return this.worker.stop();
  }

  /** Never rejects: every failure has an answer, and `onProblem` receives it. */
  async receive(request: WebhookRequest): Promise<WebhookAnswer> {
    let webhook: VerifiedWebhook;
    try {
      webhook = this.verify(request, this.now());
    } catch (error) {
      return this.refuse(error);
    }
    const { id: eventId, type: eventType } = webhook.payload.event;
    try {
      const event = { eventId, eventType, body: webhook.body, receivedAt: this.now() };
      const outcome = await this.inTime(this.options.inbox.save(event));
      this.worker.wake();
      return { status: 200, outcome };
    } catch (error) {
      this.report('NotSaved', error, eventId);
      return { status: 503, outcome: 'NotSaved' };
    }
  }

  /** For a middleware that can't get at the bytes of the body. */
  setUpWrongly(error: unknown): WebhookAnswer {
    this.report('SetUp', error);
    return { status: 500, outcome: 'SetUp' };
  }

  private refuse(error: unknown): WebhookAnswer {
    if (!(error instanceof WebhookRefusedError)) return this.setUpWrongly(error);
    this.report('Refused', error);
    return { status: error.code === 'PayloadInvalid' ? 400 : 401, outcome: 'Refused' };
  }

  private report(kind: WebhookProblem['kind'], error: unknown, eventId?: string): void {
    try {
      this.options.onProblem({ kind, error, ...(eventId !== undefined && { eventId }) });
    } catch {
      // A log that fails must not change the answer.
    }
  }

  private async inTime<T>(saving: Promise<T>): Promise<T> {
    const { saveTimeoutMs = 10_000 } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`Not stored within ${saveTimeoutMs} ms.`)), saveTimeoutMs);
    });
    try {
      return await Promise.race([saving, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }
}
