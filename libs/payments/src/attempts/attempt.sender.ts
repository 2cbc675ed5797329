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
import type {
  AttemptAggregate,
  ResponseRecorder,
  ResponseToRecord,
  PaymentSecret,
} from './attempt.aggregate.js';
import type { OutcomeRetries } from './outcome-retries.js';

/** A fact that was received is decided anew as often as others are faster. */
const UNTIL_WRITTEN = Number.POSITIVE_INFINITY;
const LATE_APPROVAL: PaymentEvent['type'] = 'LateApprovalFound';

/** Beside each, the stream as it was last known. */
export interface SendResult<State> {
  /** `Interrupted`: no outcome is recorded, or the store did not take it: the client gets the same answer. */
  readonly kind: 'Ended' | 'Interrupted';
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

/** Steps 2 to 4 of the payment protocol: call, append what came of it, and only then say so. */
export class AttemptSender<State, Event extends { readonly type: string; readonly data: object }, Refusal> {
  constructor(
    private readonly parts: AttemptSenderParts,
    readonly aggregate: AttemptAggregate<State, Event, Refusal>,
  ) {}

  /** Sends the operation's last attempt, which is durable, and those that follow from its answer at once. */
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
      const operation = this.operationOf(loaded.state, operationId);
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
      const next = this.operationOf(loaded.state, operationId);
      const { status } = next.progress;
      const ended = { kind: 'Ended', loaded, ...(personal && { personal }) } as const;
      if (status === 'Interrupted') return { ...ended, kind: 'Interrupted' };
      if (status !== 'InFlight') return ended;
      // The resolver has sent it again meanwhile, and records the outcome.
      if (next.attempt?.number === number) return { ...ended, kind: 'Interrupted' };
      started = nextStart;
    }
  }

  /** Keeps and appends an answer, wherever it comes from. @throws VaultError: nothing was appended. */
  async record(
    known: LoadedStream<State>,
    recording: ResponseToRecord,
  ): Promise<WriteResult<State, Event, Refusal, OperationId>> {
    const { decide } = await this.aggregate.prepareRecorder(known, recording);
    return this.write(known, recording.operationId, recording.cause, decide);
  }

  /** Every answer is appended here, so that no late approval is recorded without its alert (payment protocol 5). */
  private async write(
    known: LoadedStream<State>,
    operationId: OperationId,
    cause: Cause,
    decide: ResponseRecorder<State, Event, Refusal>['decide'],
  ): Promise<WriteResult<State, Event, Refusal, OperationId>> {
    const at = iso(this.parts.clock.now());
    const options = { known, attempts: UNTIL_WRITTEN };
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

  /** An answer that can't be kept now is recorded as none: the resolver inquires, and gets it again, card and all. */
  private async prepareRecording(
    known: LoadedStream<State>,
    { answer, ...of }: AttemptCallResult,
  ): Promise<ResponseRecorder<State, Event, Refusal>> {
    if (answer.kind === 'NotSent' || answer.kind === 'NoAnswer') return this.recordNoResponse(of, answer);
    try {
      return await this.aggregate.prepareRecorder(known, { ...of, answer });
    } catch (error) {
      if (!(error instanceof VaultError) && !(error instanceof EventStoreError)) throw error;
      this.parts.log.error('card-not-kept', { operationId: of.operationId, reason: error.code });
      return this.recordNoResponse(of, { kind: 'NoAnswer' });
    }
  }

  private recordNoResponse(
    { operationId, number }: Pick<ResponseToRecord, 'operationId' | 'number'>,
    answer: Extract<ProcessorResponse, { kind: 'NotSent' | 'NoAnswer' }>,
  ): ResponseRecorder<State, Event, Refusal> {
    const { notSent, interrupt } = this.aggregate.steps;
    return {
      decide: (state, at): Decision<Event, Refusal, OperationId> => {
        const ofAttempt = { at, operationId, try: number };
        return answer.kind === 'NotSent'
          ? notSent(state, { ...ofAttempt, reason: answer.reason })
          : interrupt(state, { ...ofAttempt, cause: 'NoAnswer', lostLink: answer.lostLink ?? false });
      },
    };
  }

  private async call(
    state: State,
    { id, attempt: attempt }: AttemptedOperation,
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

  private operationOf(state: State, operationId: OperationId): AttemptedOperation {
    const operation = this.aggregate.find(state, operationId);
    if (!operation) throw new Error(`operation ${operationId} is not in its stream`);
    return operation;
  }
}
