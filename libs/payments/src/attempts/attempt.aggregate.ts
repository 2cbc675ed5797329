import type {
  AttemptedOperation,
  AttemptSteps,
  Decision,
  Merchant,
  OperationId,
  OutcomeSource,
  ThreeDsSteps,
  TokenPersonal,
} from '@tillstream/domain';
import type {
  ProcessorResponse,
  AttemptCall,
  AuthenticationRequest,
  DefiniteResponse,
  Inquiry,
  PaymentRequest,
  Processor,
} from '@tillstream/processors';
import type { Cause, StreamEvent } from '../stream-repository/event-metadata.js';
import type { StreamRepository, LoadedStream } from '../stream-repository/repositories.js';

/** Data decrypted from the vault for one call. It stays in memory: no event, log or error contains it. */
export type PaymentSecret = Pick<PaymentRequest, 'card' | 'cardToken' | 'bankAccount' | 'billing'>;

/** A processor's response and its attempt. */
export interface ResponseToRecord {
  readonly merchant: Merchant;
  readonly operationId: OperationId;
  readonly number: number;
  readonly answer: DefiniteResponse;
  readonly source: OutcomeSource;
  readonly cause: Cause;
  /** Of the process that sent the attempt. */
  readonly secret?: PaymentSecret;
}

/** Records a response, once its card is in the vault. */
export interface ResponseRecorder<State, Event, Rejection> {
  /** `at`: the service's time, RFC 3339. */
  decide(state: State, at: string): Decision<Event, Rejection, OperationId>;
  /** The sealed personal data, decrypted: the client's response needs no second read of the vault. */
  readonly personal?: TokenPersonal;
}

/**
 * The part of an aggregate (a payment or a token) that the attempt sender and the resolver use. The sender and the resolver
 * implement the payment protocol once for all aggregates. A third aggregate implements this interface and adds a line to
 * `withAttempt`.
 */
export interface AttemptAggregate<State, Event extends StreamEvent, Rejection> {
  readonly repository: StreamRepository<State, Event, Rejection, OperationId>;
  readonly steps: Pick<
    AttemptSteps<State, never, Event, Rejection>,
    'interrupt' | 'notSent' | 'closeNotExecuted' | 'resend'
  >;
  /** 3-D Secure at the aggregate's hosted forms. */
  readonly threeDs: ThreeDsSteps<State, Event, Rejection>;
  /** The type of the event that requests an attempt: it is durable before the attempt is sent. */
  readonly requestEventType: Event['type'];
  /** Undefined: the operation belongs to another aggregate. */
  streamName(operationId: OperationId): string | undefined;
  find(state: State, operationId: OperationId): AttemptedOperation | undefined;
  /** The merchant, channel and terminal of every inquiry. */
  inquiryContext(state: State): Pick<Inquiry, 'merchantId' | 'channel'> & { readonly terminalId?: string };
  /** True: the resolver may send the attempt again under its key. False if that could take a customer's money again. */
  canResend(operation: AttemptedOperation): boolean;
  /** True: the operation's last attempt is not sent before its cardholder is authenticated, which has not happened. */
  needsAuthentication(state: State, operationId: OperationId): boolean;
  authenticatedAmount(
    state: State,
    operationId: OperationId,
  ): Pick<AuthenticationRequest, 'amount' | 'currency'>;
  /** The vault's subject of what a customer entered in one attempt of a form. */
  attemptSubject(state: State, operationId: OperationId, number: number): string;
  call(
    processor: Processor,
    { state, operationId }: { readonly state: State; readonly operationId: OperationId },
    call: AttemptCall,
    secret: PaymentSecret,
  ): Promise<ProcessorResponse>;
  /** @throws VaultError: the response can't be recorded now, and counts as not received. */
  prepareRecorder(
    known: LoadedStream<State>,
    recording: ResponseToRecord,
  ): Promise<ResponseRecorder<State, Event, Rejection>>;
  /** Limits of money that the recorded events broke. An operator has to be alerted of each. */
  newlyBrokenLimits(before: State, after: State): readonly string[];
  /** Writes the appended events through to the read models. Called before a client's response, and by the resolver. */
  writeReadModels(loaded: LoadedStream<State>, operationId: OperationId): Promise<void>;
}

/** @throws Error: an attempt's operation is always in its stream */
export function requireOperation<Operation>(
  operation: Operation | undefined,
  operationId: OperationId,
): Operation {
  if (!operation) throw new Error(`operation ${operationId} is not in its stream`);
  return operation;
}
