import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  foldPayment,
  openingOperationId,
  openPayment,
  operationRoot,
  paymentCodec,
  paymentStream,
  recordResponse,
  ResponseCode,
  type Decision,
  type Event,
  type EventCodec,
  type ResponseFacts,
  type OperationId,
  type PaymentDecision,
  type PaymentState,
} from '@tillstream/domain';
import { newEventId, type JsonObject, type NewEvent, type RecordedEvent } from '@tillstream/event-store';
import { fromRecorded } from '@tillstream/payments';

/* A terminal payment as the service writes it: the same decisions, shapes and appends. */

export const MERCHANT_ID = 'mer_01JNB0K3QZ8X4T6V9W2Y5R7M1C';
export const METHOD_ID = 'pmt_trm_01JNB0K3QZ8X4T6V9W2Y5R7M1D';
const SECOND = 1_000;
const WEEK = 604_800 * SECOND;

export interface SamplePayment {
  readonly merchantId: string;
  readonly kind: 'Sale' | 'Auth';
  readonly stream: string;
  readonly operationId: OperationId;
  readonly commandId: string;
  readonly amount: number;
  /** Unix ms. */
  readonly at: number;
}

export function newSample(kind: SamplePayment['kind']): SamplePayment {
  return createSample(kind, Date.now(), randomBytes(13), randomUUID());
}

/**
 * Returns the same payment for the same number, so that a file of a million payments needs no index. Even numbers are
 * sales.
 */
export function numberedSample(
  number: number,
  firstAt: number,
  {
    merchantId = MERCHANT_ID,
    everyMs = 50,
  }: { readonly merchantId?: string; readonly everyMs?: number } = {},
): SamplePayment {
  const random = createHash('sha256').update(String(number)).digest();
  const commandId = `${random.toString('hex', 16, 20)}-0000-4000-8000-${random.toString('hex', 20, 26)}`;
  const kind = number % 2 === 0 ? 'Sale' : 'Auth';
  return { ...createSample(kind, firstAt + number * everyMs, random.subarray(0, 13), commandId), merchantId };
}

function createSample(
  kind: SamplePayment['kind'],
  at: number,
  random: Uint8Array,
  commandId: string,
): SamplePayment {
  const stream = paymentStream(operationRoot(at, random));
  const amount = 100 + ((random[0] ?? 0) << 4);
  const operationId = openingOperationId(stream);
  return { merchantId: MERCHANT_ID, kind, stream, operationId, commandId, amount, at };
}

export function request(sample: SamplePayment, state: PaymentState): PaymentDecision {
  const { merchantId, kind, operationId, commandId, amount, at } = sample;
  return openPayment(state, {
    kind,
    operationId,
    commandId,
    amount,
    at: iso(at),
    merchantId,
    currency: 'USD',
    channel: 'CardPresent',
    paymentMethod: { id: METHOD_ID, type: 'Physical', currency: 'USD', description: 'Front counter' },
    terminalId: METHOD_ID,
    attemptPlan: attemptPlan(at, 130 * SECOND),
  });
}

export function outcome({ operationId, amount, at }: SamplePayment, state: PaymentState): PaymentDecision {
  return recordResponse(state, {
    at: iso(at + 40),
    operationId,
    try: 1,
    source: 'Answer',
    answer: { kind: 'Approved', amount, facts: factsOf(operationId) },
    receiptLines: receipt(amount, at),
    expiresAt: iso(at + WEEK),
    nextWindow: attemptPlan(at, 10 * SECOND),
  });
}

export function newEvents(decision: PaymentDecision, sample: SamplePayment): NewEvent[] {
  return encodedEvents(paymentCodec, eventsOf(decision), sample);
}

/** With the metadata that the service writes for a client's request. */
export function encodedEvents<One extends Event<string, object>>(
  codec: EventCodec<One>,
  events: readonly One[],
  { merchantId, commandId, at }: Pick<SamplePayment, 'merchantId' | 'commandId' | 'at'>,
): NewEvent[] {
  const shared = {
    merchantId,
    actor: { type: 'ApiKey', name: 'Demo', keyId: 'key_01JNB0K3QZ8X4T6V9W2Y5R7M1E' },
    serviceTime: iso(at),
    realTime: iso(at),
    traceId: commandId.replaceAll('-', ''),
    causationId: commandId,
  };
  return events.map((event) => {
    const { type, schemaVersion, data } = codec.encode(event);
    return { id: newEventId(), type, data: data as JsonObject, metadata: { ...shared, schemaVersion } };
  });
}

/** @throws if the decision was rejected */
export function eventsOf<One>(
  decision: Decision<One, { readonly message: string }, unknown>,
): readonly One[] {
  if (decision.kind === 'Rejected') throw new Error(`refused: ${decision.rejection.message}`);
  return decision.events;
}

/** Folds a stream from its first event, as the stream repository does. */
export function stateOf(history: readonly RecordedEvent[]): PaymentState {
  return foldPayment(history.map((recorded) => fromRecorded(paymentCodec, recorded)));
}

export function attemptPlan(at: number, deadline: number) {
  const [sendBefore, answerBefore] = [iso(at + 2 * SECOND), iso(at + 2 * SECOND + deadline)];
  return { sendBefore, answerBefore, processor: 'sandbox', processorAccount: 'sandbox' };
}

function factsOf(operationId: OperationId): ResponseFacts {
  return {
    responseCode: ResponseCode.Approved,
    gatewayTransactionId: `sbx_${operationId.slice(4)}.1`,
    hostCode: '00',
    hostText: 'APPROVED',
    authCode: '483920',
    networkTransactionId: '483920174653201',
    entryMode: 'Chip',
    terminalId: METHOD_ID,
    card: {
      cardType: 'VISA',
      maskedCardNumber: '************4242',
      fundingType: 'Credit',
      aid: 'A0000000031010',
      tvr: '0000008000',
    },
    accountType: 'Credit',
  };
}

function receipt(amount: number, at: number): readonly string[] {
  return [
    'Maple Street Books',
    iso(at).slice(0, 16).replace('T', ' '),
    'Terminal: Front counter',
    'SALE',
    'VISA ************4242',
    'Entry: Chip',
    'AID: A0000000031010',
    'TVR: 0000008000',
    `Total: ${(amount / 100).toFixed(2)} USD`,
    'Auth code: 483920',
    'APPROVED',
  ];
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
