import type {
  AttemptedOperation,
  AttemptSteps,
  Decision,
  Merchant,
  OperationId,
  OutcomeSource,
  TokenPersonal,
} from '@tillstream/domain';
import type {
  ProcessorResponse,
  AttemptCall,
  DefiniteResponse,
  Inquiry,
  PaymentRequest,
  Processor,
} from '@tillstream/processors';
import type { Cause } from '../stream-repository/event-metadata.js';
import type { StreamRepository, LoadedStream } from '../stream-repository/stream-repository.js';

/** What is opened from the vault for one call, and lives in its memory only: no event, log or error has it. */
export type PaymentSecret = Pick<PaymentRequest, 'card' | 'cardToken' | 'bankAccount' | 'billing'>;

/** An answer, and of which attempt it is. */
export interface ResponseToRecord {
  readonly merchant: Merchant;
  readonly operationId: OperationId;
  readonly number: number;
  readonly answer: DefiniteResponse;
  readonly source: OutcomeSource;
  readonly cause: Cause;
}

/** How an answer is recorded, once all that it brought besides is kept. */
export interface ResponseRecorder<State, Event, Refusal> {
  /** `at`: the service's time, RFC 3339. */
  decide(state: State, at: string): Decision<Event, Refusal, OperationId>;
  /** What was sealed with it: spares whoever answers the client a look into the vault. */
  readonly personal?: TokenPersonal;
}

/**
 * What the sender and the resolver of attempts have to know of an aggregate: a payment, a stored card. The protocol is
 * theirs, once for all of them. A third aggregate needs one of these, and a line in `withAttempt`.
 */
export interface AttemptAggregate<
  State,
  Event extends { readonly type: string; readonly data: object },
  Refusal,
> {
  readonly repository: StreamRepository<State, Event, Refusal, OperationId>;
  readonly steps: Pick<
    AttemptSteps<State, never, Event, Refusal>,
    'interrupt' | 'notSent' | 'closeNotExecuted' | 'resend'
  >;
  /** The type of the event that requests an attempt: it is durable before the attempt is sent. */
  readonly requestEventType: Event['type'];
  /** Undefined: the operation is of another aggregate. */
  streamName(operationId: OperationId): string | undefined;
  find(state: State, operationId: OperationId): AttemptedOperation | undefined;
  /** Whose it is, and where: part of every question to a processor. */
  inquiryContext(state: State): Pick<Inquiry, 'merchantId' | 'channel'> & { readonly terminalId?: string };
  /** Sending it again under its key finishes something begun; what takes a customer's money anew is stopped instead. */
  canResend(operation: AttemptedOperation): boolean;
  call(
    processor: Processor,
    state: State,
    operationId: OperationId,
    call: AttemptCall,
    secret: PaymentSecret,
  ): Promise<ProcessorResponse>;
  /** @throws VaultError: the answer can't be recorded now, and counts as not received. */
  prepareRecorder(
    known: LoadedStream<State>,
    recording: ResponseToRecord,
  ): Promise<ResponseRecorder<State, Event, Refusal>>;
  /** What people have to be told of what was recorded: limits of money that it broke. */
  newlyBrokenLimits(before: State, after: State): readonly string[];
  /** Brings the read models up to date with what was appended. Called before a client is answered, and by the resolver. */
  writeReadModels(loaded: LoadedStream<State>, operationId: OperationId): Promise<void>;
}
