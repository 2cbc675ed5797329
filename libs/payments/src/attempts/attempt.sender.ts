import {
  pick,
  type AttemptedOperation,
  type Decision,
  type Merchant,
  type OperationId,
  type PaymentEvent,
  type TokenPersonal,
} from '@tillstream/domain';
import type { ProcessorResponse, DefiniteResponse } from '@tillstream/processors';
import { EventStoreError } from '@tillstream/event-store';
import { VaultError } from '@tillstream/vault';
import { iso } from '../ports/clock.port.js';
import type { Cause, StreamEvent } from '../stream-repository/event-metadata.js';
import { UNTIL_WRITTEN, type LoadedStream, type WriteResult } from '../stream-repository/repositories.js';
import { CardholderAuthentication, type AuthenticationStep } from '../three-ds/cardholder-authentication.js';
import { processorCall } from './send-window.js';
import {
  requireOperation,
  type AttemptAggregate,
  type PaymentSecret,
  type ResponseRecorder,
  type ResponseToRecord,
} from './attempt.aggregate.js';
import type { Parts } from '../parts.js';

const LATE_APPROVAL: PaymentEvent['type'] = 'LateApprovalFound';

export interface SendResult<State> {
  /** `Interrupted`: no outcome is recorded, or its append failed. The client gets the same response in both cases. */
  readonly kind: 'Ended' | 'Interrupted';
  /** The stream as it was last read. */
  readonly loaded: LoadedStream<State>;
  readonly personal?: TokenPersonal;
}

type AttemptSenderParts = Pick<
  Parts,
  | 'processors'
  | 'threeDsServer'
  | 'challengeCvvs'
  | 'vault'
  | 'clock'
  | 'timings'
  | 'crashPoints'
  | 'outcomes'
  | 'log'
  | 'waitForProcessor'
>;

/** Called with a definite response that arrives after the deadline. */
export type OnLateResponse = (operationId: OperationId, number: number, answer: DefiniteResponse) => void;

/** An operation whose last attempt is durable and not sent. */
export interface AttemptToSend<State> {
  readonly merchant: Merchant;
  readonly loaded: LoadedStream<State>;
  readonly operationId: OperationId;
  readonly cause: Cause;
  /** Monotonic, ms. */
  readonly startedAt: number;
  readonly secret?: PaymentSecret;
}

type AttemptCallResult = Omit<ResponseToRecord, 'answer'> & { readonly answer: ProcessorResponse };

/**
 * Steps 2 to 4 of `docs/adr/0004-requests-attempts-and-outcomes.md#payment-protocol`: calls the processor, appends the outcome,
 * and only then returns it.
 */
export class AttemptSender<State, Event extends StreamEvent, Rejection> {
  readonly authentication: CardholderAuthentication<State, Event, Rejection>;

  constructor(
    private readonly parts: AttemptSenderParts,
    readonly aggregate: AttemptAggregate<State, Event, Rejection>,
    private readonly onLateResponse: OnLateResponse,
  ) {
    this.authentication = new CardholderAuthentication(parts, aggregate);
  }

  /** Sends the operation's last attempt, which is durable, and every further attempt that its response requests. */
  async send(request: AttemptToSend<State>): Promise<SendResult<State>> {
    const { crashPoints, clock, outcomes } = this.parts;
    const { merchant, operationId, cause, secret = {} } = request;
    const authenticated = await this.authenticate(request);
    if (authenticated.kind === 'Ended') return authenticated;
    if (authenticated.kind !== 'GoesOn') return { ...authenticated, kind: 'Interrupted' };
    let { loaded, startedAt } = authenticated;
    for (;;) {
      const operation = requireOperation(this.aggregate.find(loaded.state, operationId), operationId);
      const number = operation.attempt?.number ?? 0;
      crashPoints.reached('before-send');
      const endWait = this.parts.waitForProcessor?.(merchant.id);
      const answer = await this.call(loaded.state, operation, startedAt, secret).finally(endWait);
      crashPoints.reached('after-answer');
      const outcome = { merchant, operationId, number, answer, source: 'Answer', cause, secret } as const;
      const { decide, personal } = await this.prepareRecording(loaded, outcome);
      crashPoints.reached('before-outcome');
      const nextStart = clock.monotonicNow();
      const from = loaded;
      const written = await outcomes.writeOrRetry(operationId, () =>
        this.write(from, operationId, cause, decide),
      );
      if (written?.kind !== 'Written') return { kind: 'Interrupted', loaded };
      crashPoints.reached('after-outcome');
      loaded = written.loaded;
      const next = requireOperation(this.aggregate.find(loaded.state, operationId), operationId);
      const { status } = next.progress;
      const ended = { kind: 'Ended', loaded, ...(personal && { personal }) } as const;
      if (status === 'Interrupted') return { ...ended, kind: 'Interrupted' };
      if (status !== 'InFlight') return ended;
      // Only an attempt that this append requested is sent here: any other one has a sender of its own.
      const isOwn = written.events.some(({ type }) => type === this.aggregate.requestEventType);
      if (!isOwn) return { ...ended, kind: 'Interrupted' };
      startedAt = nextStart;
    }
  }

  /** Authenticates the cardholder, if the attempt needs it. */
  private async authenticate(request: AttemptToSend<State>): Promise<AuthenticationStep<State>> {
    const { loaded, startedAt, operationId, secret = {} } = request;
    if (!this.aggregate.needsAuthentication(loaded.state, operationId))
      return { kind: 'GoesOn', loaded, startedAt };
    const operation = requireOperation(this.aggregate.find(loaded.state, operationId), operationId);
    const attempt = pick(request, 'merchant', 'loaded', 'operationId', 'cause');
    return this.authentication.authenticate({ ...attempt, number: operation.attempt?.number ?? 0 }, secret);
  }

  /** Stores the response's card and appends the response, from any source. @throws VaultError: nothing was appended. */
  async record(
    known: LoadedStream<State>,
    recording: ResponseToRecord,
  ): Promise<WriteResult<State, Event, Rejection, OperationId>> {
    const { decide } = await this.aggregate.prepareRecorder(known, recording);
    return this.write(known, recording.operationId, recording.cause, decide);
  }

  /** Appends every response, so that no late execution is recorded without its alert. */
  private async write(
    known: LoadedStream<State>,
    operationId: OperationId,
    cause: Cause,
    decide: ResponseRecorder<State, Event, Rejection>['decide'],
  ): Promise<WriteResult<State, Event, Rejection, OperationId>> {
    const at = iso(this.parts.clock.now());
    const written = await this.aggregate.repository.transact(known, cause, (state) => decide(state, at), {
      decisionsMax: UNTIL_WRITTEN,
    });
    if (written.kind !== 'Written') return written;
    const { log } = this.parts;
    if (written.events.some(({ type }) => type === LATE_APPROVAL))
      log.error('late-approval-found', { operationId });
    for (const reason of this.aggregate.newlyBrokenLimits(known.state, written.loaded.state))
      log.error('limit-broken', { operationId, reason });
    return written;
  }

  /** If the vault or store fails, records that no response came. The resolver's inquiry returns the response and its card again. */
  private async prepareRecording(
    known: LoadedStream<State>,
    { answer, ...attempt }: AttemptCallResult,
  ): Promise<ResponseRecorder<State, Event, Rejection>> {
    if (answer.kind === 'NotSent' || answer.kind === 'NoAnswer')
      return this.recordNoResponse(attempt, answer);
    try {
      return await this.aggregate.prepareRecorder(known, { ...attempt, answer });
    } catch (error) {
      if (!(error instanceof VaultError) && !(error instanceof EventStoreError)) throw error;
      this.parts.log.error('card-not-kept', { operationId: attempt.operationId, reason: error.code });
      return this.recordNoResponse(attempt, { kind: 'NoAnswer' });
    }
  }

  private recordNoResponse(
    { operationId, number }: Pick<ResponseToRecord, 'operationId' | 'number'>,
    answer: Extract<ProcessorResponse, { kind: 'NotSent' | 'NoAnswer' }>,
  ): ResponseRecorder<State, Event, Rejection> {
    const { notSent, interrupt } = this.aggregate.steps;
    return {
      decide: (state, at): Decision<Event, Rejection, OperationId> => {
        const command = { at, operationId, try: number };
        return answer.kind === 'NotSent'
          ? notSent(state, { ...command, reason: answer.reason })
          : interrupt(state, { ...command, cause: 'NoAnswer', lostLink: answer.lostLink ?? false });
      },
    };
  }

  private async call(
    state: State,
    { id, attempt }: AttemptedOperation,
    startedAt: number,
    secret: PaymentSecret,
  ): Promise<ProcessorResponse> {
    if (!attempt) return { kind: 'NotSent', reason: 'the operation has no attempt' };
    const processor = this.parts.processors.named(attempt.processor);
    if (!processor) {
      return { kind: 'NotSent', reason: `no processor "${attempt.processor}" is configured` };
    }
    const call = processorCall(this.parts, { operationId: id, attempt, startedAt }, this.onLateResponse);
    return this.aggregate.call(processor, { state, operationId: id }, call, secret);
  }
}
