import type {
  AttemptedOperation,
  Decision,
  Merchant,
  OperationId,
  PaymentEvent,
  TokenPersonal,
} from '@tillstream/domain';
import type { ProcessorResponse, DefiniteResponse, Processors } from '@tillstream/processors';
import { EventStoreError } from '@tillstream/event-store';
import { VaultError } from '@tillstream/vault';
import { iso, type Clock } from '../ports/clock.port.js';
import type { CrashPoints } from '../ports/crash-points.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import type { LoadedStream, WriteResult } from '../stream-repository/stream-repository.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { Timings } from '../timings.js';
import { processorCall } from './send-window.js';
import {
  requireOperation,
  type AttemptAggregate,
  type PaymentSecret,
  type ResponseRecorder,
  type ResponseToRecord,
} from './attempt.aggregate.js';
import type { OutcomeRetries } from './outcome-retries.js';

/** A received fact is appended after every conflict, however many there are. */
const UNTIL_WRITTEN = Number.POSITIVE_INFINITY;
const LATE_APPROVAL: PaymentEvent['type'] = 'LateApprovalFound';

export interface SendResult<State> {
  /** `Interrupted`: no outcome is recorded, or its append failed. The client gets the same response in both cases. */
  readonly kind: 'Ended' | 'Interrupted';
  /** The stream as it was last read. */
  readonly loaded: LoadedStream<State>;
  readonly personal?: TokenPersonal;
}

export interface AttemptSenderParts {
  readonly processors: Processors;
  readonly clock: Clock;
  readonly timings: Timings;
  readonly crashPoints: CrashPoints;
  readonly outcomes: OutcomeRetries;
  readonly log: PaymentsLog;
  onLateResponse(operationId: OperationId, number: number, answer: DefiniteResponse): void;
}

type AttemptCallResult = Omit<ResponseToRecord, 'answer'> & { readonly answer: ProcessorResponse };

/** Steps 2 to 4 of the payment protocol: calls the processor, appends the outcome, and only then returns it. */
export class AttemptSender<State, Event extends { readonly type: string; readonly data: object }, Rejection> {
  constructor(
    private readonly parts: AttemptSenderParts,
    readonly aggregate: AttemptAggregate<State, Event, Rejection>,
  ) {}

  /** Sends the operation's last attempt, which is durable, and every further attempt that its response requests. */
  async send(
    merchant: Merchant,
    known: LoadedStream<State>,
    operationId: OperationId,
    cause: Cause,
    startedAt: number,
    secret: PaymentSecret = {},
  ): Promise<SendResult<State>> {
    const { crashPoints, clock, outcomes } = this.parts;
    let loaded = known;
    let started = startedAt;
    for (;;) {
      const operation = requireOperation(this.aggregate.find(loaded.state, operationId), operationId);
      const number = operation.attempt?.number ?? 0;
      crashPoints.reached('before-send');
      const answer = await this.call(loaded.state, operation, started, secret);
      crashPoints.reached('after-answer');
      const outcome = { merchant, operationId, number, answer, source: 'Answer', cause } as const;
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
      // The resolver sent the same attempt again. It records the outcome.
      if (next.attempt?.number === number) return { ...ended, kind: 'Interrupted' };
      started = nextStart;
    }
  }

  /** Stores the response's card and appends the response, from any source. @throws VaultError: nothing was appended. */
  async record(
    known: LoadedStream<State>,
    recording: ResponseToRecord,
  ): Promise<WriteResult<State, Event, Rejection, OperationId>> {
    const { decide } = await this.aggregate.prepareRecorder(known, recording);
    return this.write(known, recording.operationId, recording.cause, decide);
  }

  /** Appends every response, so that no late approval is recorded without its alert (payment protocol 5). */
  private async write(
    known: LoadedStream<State>,
    operationId: OperationId,
    cause: Cause,
    decide: ResponseRecorder<State, Event, Rejection>['decide'],
  ): Promise<WriteResult<State, Event, Rejection, OperationId>> {
    const at = iso(this.parts.clock.now());
    const options = { known, decisionsMax: UNTIL_WRITTEN };
    const { repository } = this.aggregate;
    const written = await repository.transact(known.stream, cause, (state) => decide(state, at), options);
    const isLate = written.kind === 'Written' && written.events.some(({ type }) => type === LATE_APPROVAL);
    if (isLate) this.parts.log.error('late-approval-found', { operationId });
    if (written.kind === 'Written') {
      for (const reason of this.aggregate.newlyBrokenLimits(known.state, written.loaded.state))
        this.parts.log.error('limit-broken', { operationId, reason });
    }
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
    const call = processorCall(this.parts, id, attempt, startedAt, (answer) =>
      this.parts.onLateResponse(id, attempt.number, answer),
    );
    return this.aggregate.call(processor, state, id, call, secret);
  }
}
