import type {
  CardType,
  Cents,
  Channel,
  Currency,
  OperationId,
  PaymentEvent,
  PaymentEvents,
} from '@tillstream/domain';

/* What the ledger reads of a payment's events. Small and flat, because an audit sorts millions of them. */

export interface MoneyEvent {
  readonly type: PaymentEvent['type'];
  /** Service clock. */
  readonly at: string;
  readonly operationId: OperationId;
  /** Orders all events of the store. */
  readonly place: number;
  readonly amount?: Cents;
  readonly originalOperationId?: OperationId;
  readonly originalTry?: number;
  readonly try?: number;
  readonly executedAs?: PaymentEvents['TryRequested']['executedAs'];
  readonly cause?: string;
  readonly processor?: string;
  readonly merchantId?: string;
  readonly currency?: Currency;
  readonly channel?: Channel;
  readonly cardType?: CardType;
  readonly batchId?: string;
  readonly closing?: number;
  readonly returnId?: string;
  readonly chargebackId?: string;
}

/** Whether it moves money, or begins or ends an operation. The amount of an expired authorization is in its reversal. */
const IS_MONEY: Readonly<Record<PaymentEvent['type'], boolean>> = {
  SaleRequested: true,
  AuthorizationRequested: true,
  UnreferencedRefundRequested: true,
  CaptureRequested: true,
  RefundRequested: true,
  VoidRequested: true,
  ReversalRequested: true,
  TryRequested: true,
  NotSent: true,
  Submitted: true,
  TryFailed: true,
  Authorized: true,
  Captured: true,
  Refunded: true,
  Voided: true,
  Reversed: true,
  Declined: true,
  Cancelled: true,
  FormExpired: true,
  NotExecuted: true,
  LateApprovalFound: true,
  Batched: true,
  LeftForNextBatch: true,
  BankReturned: true,
  ChargebackReceived: true,
  ConsentGiven: false,
  ResendRequested: false,
  Interrupted: false,
  ThreeDsCompleted: false,
  ChallengeOpened: false,
  ChallengeEnded: false,
  AuthorizationExpired: false,
  NoticeOfChangeReceived: false,
};

/** The fields that are taken over as they are. */
const FIELDS = [
  'at',
  'operationId',
  'amount',
  'originalOperationId',
  'originalTry',
  'try',
  'executedAs',
  'cause',
  'processor',
  'merchantId',
  'currency',
  'channel',
  'batchId',
  'closing',
  'returnId',
  'chargebackId',
] as const;

/** Undefined for an event that the ledger does not need. `place`: of the event in the store. */
export function moneyEvent({ type, data }: PaymentEvent, place: number): MoneyEvent | undefined {
  if (!IS_MONEY[type]) return undefined;
  const fields = data as unknown as Readonly<Record<string, unknown>>;
  const taken = FIELDS.filter((field) => fields[field] !== undefined).map((field) => [field, fields[field]]);
  const cardType = cardTypeOf(data);
  return { type, place, ...Object.fromEntries(taken), ...(cardType && { cardType }) } as MoneyEvent;
}

function cardTypeOf(data: PaymentEvent['data']): CardType | undefined {
  const { card, paymentMethod } = data as {
    readonly card?: { readonly cardType: CardType };
    readonly paymentMethod?: { readonly cardType?: CardType };
  };
  return card?.cardType ?? paymentMethod?.cardType;
}
