import type {
  AccountType,
  AvsResult,
  CardType,
  Channel,
  CvvResult,
  EntryMode,
  ResponseCode,
  ResultCode,
} from '../shared/codes.js';
import type {
  CommandEventData,
  OperationEventData,
  PaymentMethodSnapshot,
  ThreeDsFacts,
} from '../shared/event.shapes.js';
import type { ProcessorAccount, SendWindow } from './attempt.js';

/*
 * The data of events about attempts, for all aggregates that have attempts. Storage: these shapes never change
 * (docs/adr/0014).
 */

/** The source of a fact. `Service`: decided without a processor. */
export type OutcomeSource =
  'Answer' | 'LateAnswer' | 'Inquiry' | 'Annul' | 'LastTransaction' | 'Bank' | 'Operator' | 'Service';

export interface AttemptEventData extends OperationEventData {
  /** From 1; the processor's key is `<operation id>.<try>`. 0 if no attempt was sent. */
  readonly try: number;
}

export interface AttemptRequested extends CommandEventData, AttemptEventData, SendWindow, ProcessorAccount {}

/** The resolver sends an attempt again under its own key. From here on a `NotSent` of the first sender does not count. */
export interface ResendRequested extends AttemptEventData, SendWindow {}

export interface NotSent extends AttemptEventData {
  readonly reason: string;
}

/** Version 2. Version 1 had no `cause`; it always meant `NoAnswer`. */
export interface Interrupted extends AttemptEventData {
  /** `NoAnswer`: the sender's deadline passed. `Abandoned`: the sender's process must have ended, as after a crash. */
  readonly cause: 'NoAnswer' | 'Abandoned';
  /** The connection to the terminal was lost. The resolver asks the terminal for its last transaction. */
  readonly lostLink: boolean;
}

/** The processor has not executed the attempt and never will. */
export interface NotExecuted extends AttemptEventData {
  readonly source: OutcomeSource;
  readonly reason?: string;
}

export interface Cancelled extends AttemptEventData {
  readonly by: 'Terminal' | 'Customer' | 'Merchant';
  readonly source: OutcomeSource;
  readonly resultCode: ResultCode;
  /** Absent if a form was cancelled before its first attempt. */
  readonly responseCode?: ResponseCode;
  readonly hostText?: string;
  readonly terminalId?: string;
}

/** The processor's raw codes and texts are kept, so that reports and fees need no other event. */
export interface ResponseFacts {
  readonly responseCode: ResponseCode;
  readonly gatewayTransactionId?: string;
  readonly hostCode?: string;
  readonly hostText?: string;
  readonly authCode?: string;
  readonly networkTransactionId?: string;
  readonly entryMode?: EntryMode;
  readonly terminalId?: string;
  readonly card?: {
    readonly cardType: CardType;
    readonly maskedCardNumber: string;
    readonly fundingType?: 'Credit' | 'Debit';
    readonly aid?: string;
    readonly tvr?: string;
  };
  readonly accountType?: AccountType;
  readonly avsResult?: AvsResult;
  readonly cvvResult?: CvvResult;
  readonly threeDs?: ThreeDsFacts;
}

/** A processor's answer to an attempt; the `try` of an answer by the service is 0. */
export interface AttemptOutcome
  extends CommandEventData, AttemptEventData, Partial<ProcessorAccount>, ResponseFacts {
  readonly source: OutcomeSource;
  /** The operator's reason of a manual resolution. */
  readonly reason?: string;
  readonly channel: Channel;
  readonly paymentMethod: PaymentMethodSnapshot;
  /** The terminal's receipt, without the cardholder's name. */
  readonly receiptLines: readonly string[];
}
