import type { ErrorDetail, FormProgress, FormSession } from '@tillstream/contracts';
import { pause, pauseMs, type Pause } from './backoff.js';
import { mayTryAgain } from './decline.reason.js';
import type { Submission, Reply, SessionClient } from './session.client.js';
import { newSubmissionKey, submitRepeatedly, submittedOf, type Submitted } from './submission.js';

/** Why the form is shown again, or not at all. */
export type Notice =
  | { readonly kind: 'declined' }
  | { readonly kind: 'invalid'; readonly details: readonly ErrorDetail[] }
  | { readonly kind: 'limited'; readonly seconds: number | undefined }
  | { readonly kind: 'refused'; readonly code: number | undefined }
  | { readonly kind: 'busy' | 'lost' | 'notCancelled' };

/** `repeating`: the answer of a submission was lost. */
export type Activity = 'loading' | 'waiting' | 'submitting' | 'repeating' | 'cancelling';

export interface SessionState {
  readonly activity: Activity;
  readonly session?: FormSession;
  /** When the session was read, by `performance.now()`. */
  readonly readAtMs: number;
  readonly loadError?: 'unreachable' | 'notFound';
  readonly notice?: Notice;
}

export interface SessionTimers {
  readonly pause: Pause;
  /** Monotonic. */
  readonly nowMs: () => number;
}

/** What the service shows of it until the outcome is known. */
const UNKNOWN_OUTCOME = { status: 'Interrupted', resultCode: 9999, responseCode: 0 } as const;

/** How many times the session is read while another submission is in flight, or after a lost answer. */
const READINGS_AFTER_LOST_ANSWER = 8;

/** The form's session as this page knows it. `onChange` gets each new state. */
export class PaymentSession {
  state: SessionState = { activity: 'loading', readAtMs: 0 };
  private watched = false;
  /** Of the newest submission, for its challenge: it is stored nowhere, so a page that is loaded again has none. */
  private securityCode: string | undefined;
  private asking: Promise<void> | undefined;

  constructor(
    private readonly client: SessionClient,
    private readonly onChange: (state: SessionState) => void,
    private readonly timers: SessionTimers = { pause, nowMs: () => performance.now() },
  ) {}

  async load(): Promise<void> {
    this.set({ activity: 'loading', readAtMs: 0 });
    const reply = await this.client.session();
    if (reply.kind === 'success') {
      this.becomes(reply.body);
      return;
    }
    const notFound = reply.kind === 'error' && reply.httpStatus === 404;
    this.change({ activity: 'waiting', loadError: notFound ? 'notFound' : 'unreachable' });
  }

  /** Reads the session again while the form waits: it may have expired, or ended in another window. */
  async refresh(): Promise<void> {
    if (this.state.activity !== 'waiting') return;
    const session = await this.read();
    if (session && this.state.activity === 'waiting') {
      const { notice } = this.state;
      this.becomes(session, session.status === 'Pending' ? notice : undefined);
    }
  }

  async submit(submission: Submission): Promise<void> {
    if (this.state.activity !== 'waiting') return;
    this.set({ ...this.withoutNotice(), activity: 'submitting' });
    const key = newSubmissionKey();
    this.securityCode = submission.card?.cvv;
    let submitted = await this.send(submission, key);
    if (submitted.kind === 'lost' && (await this.isBack())) submitted = await this.send(submission, key);
    await this.settle(submitted);
  }

  /** Asks for the result of the challenge, as long as one is open. */
  async askChallenge(): Promise<void> {
    if (this.state.activity !== 'waiting' || this.asking) return;
    await this.ask();
  }

  /** The bank's page says that it is done: the payment goes on, and the page shows that. */
  async finishChallenge(): Promise<void> {
    // A request that was sent before the bank finished may be answered that the payment is still open.
    await this.asking;
    if (this.state.activity !== 'waiting' || !this.current().threeDsChallenge) return;
    this.set({ ...this.withoutNotice(), activity: 'submitting' });
    await this.ask();
  }

  private ask(): Promise<void> {
    this.asking = this.askOnce().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async askOnce(): Promise<void> {
    const { threeDsChallenge, triesLeft } = this.current();
    if (!threeDsChallenge) return;
    const submitted = submittedOf(await this.client.challenge(this.securityCode));
    if (submitted.kind === 'progress' || submitted.kind === 'interrupted') return this.settle(submitted);
    // The challenge may be over: by another window, or by a call whose answer was lost.
    const session = await this.read();
    if (!session) return this.change({ activity: 'waiting' });
    this.becomes(session);
    const goesOn = session.status === 'Pending' && !session.threeDsChallenge;
    if (!goesOn || session.triesLeft < triesLeft) return;
    this.change({ activity: 'repeating' });
    await this.awaitOther();
  }

  async cancel(): Promise<void> {
    if (this.state.activity !== 'waiting') return;
    this.set({ ...this.withoutNotice(), activity: 'cancelling' });
    const reply = await this.client.cancel();
    if (reply.kind === 'success') this.progresses(reply.body);
    else await this.readAfter({ kind: isBusy(reply) ? 'busy' : 'notCancelled' });
  }

  private send(submission: Submission, key: string): Promise<Submitted> {
    return submitRepeatedly(this.client, submission, key, {
      pause: this.timers.pause,
      onLost: () => this.change({ activity: 'repeating' }),
    });
  }

  private async settle(submitted: Submitted): Promise<void> {
    switch (submitted.kind) {
      case 'progress':
        return this.progresses(submitted.progress);
      case 'interrupted':
        return this.progresses({ ...this.current(), ...UNKNOWN_OUTCOME });
      case 'invalid':
        return this.change({ activity: 'waiting', notice: submitted });
      case 'busy':
        this.change({ activity: 'repeating' });
        return this.awaitOther();
      case 'limited':
      case 'refused':
      case 'lost':
        return this.readAfter(submitted);
    }
  }

  /** True once the service answers again. A submission without an answer is then repeated, to learn its outcome. */
  private async isBack(): Promise<boolean> {
    for (let reading = 0; reading < READINGS_AFTER_LOST_ANSWER; reading++) {
      const session = await this.read();
      if (session) return !this.isChanged(session);
      await this.timers.pause(pauseMs(reading));
    }
    return false;
  }

  /** Waits until the submission in flight has an outcome. */
  private async awaitOther(): Promise<void> {
    for (let reading = 0; reading < READINGS_AFTER_LOST_ANSWER; reading++) {
      await this.timers.pause(pauseMs(reading));
      const session = await this.read();
      if (session && this.isChanged(session)) return this.becomes(session);
    }
    return this.readAfter({ kind: 'busy' });
  }

  /** What the session says wins over the notice: the form may be over. */
  private async readAfter(notice: Notice): Promise<void> {
    const session = await this.read();
    // A refused submission may mean that the form is over.
    const unread: Notice = notice.kind === 'refused' ? { kind: 'lost' } : notice;
    if (!session) this.change({ activity: 'waiting', notice: unread });
    else this.becomes(session, this.isChanged(session) ? undefined : notice);
  }

  private isChanged(session: FormSession): boolean {
    const before = this.current();
    const isVerified = session.threeDsChallenge?.redirectUrl !== before.threeDsChallenge?.redirectUrl;
    return session.status !== 'Pending' || session.triesLeft < before.triesLeft || isVerified;
  }

  private async read(): Promise<FormSession | undefined> {
    const reply = await this.client.session();
    return reply.kind === 'success' ? reply.body : undefined;
  }

  private progresses(progress: FormProgress): void {
    const { responseCode: _code, redirectUrl: _url, threeDsChallenge: _challenge, ...rest } = this.current();
    const session = { ...rest, ...progress };
    const { readAtMs } = this.state;
    this.becomes(session, undefined, readAtMs);
  }

  private becomes(session: FormSession, notice?: Notice, readAtMs = this.timers.nowMs()): void {
    const shown = notice ?? (mayTryAgain(session) ? { kind: 'declined' as const } : undefined);
    this.set({ activity: 'waiting', session, readAtMs, ...(shown ? { notice: shown } : {}) });
    if (!session.threeDsChallenge) this.securityCode = undefined;
    if (session.status === 'Interrupted') void this.watch();
  }

  /** Reads the session until the outcome is known. The customer must not pay again in the meantime. */
  private async watch(): Promise<void> {
    if (this.watched) return;
    this.watched = true;
    const { triesLeft } = this.current();
    for (let reading = 0; this.current().status === 'Interrupted'; reading++) {
      await this.timers.pause(pauseMs(reading));
      const session = await this.read();
      const isKnown = session && (session.status !== 'Pending' || session.triesLeft < triesLeft);
      if (isKnown) this.becomes(session);
    }
    this.watched = false;
  }

  private current(): FormSession {
    if (!this.state.session) throw new Error('the session is not loaded');
    return this.state.session;
  }

  private withoutNotice(): SessionState {
    const { notice: _notice, ...state } = this.state;
    return state;
  }

  private change(part: Partial<SessionState>): void {
    this.set({ ...this.state, ...part });
  }

  private set(state: SessionState): void {
    this.state = state;
    this.onChange(state);
  }
}

function isBusy(reply: Reply<FormProgress>): boolean {
  return reply.kind === 'error' && reply.httpStatus === 409;
}
