import { setTimeout } from 'node:timers/promises';
import {
  foldPayment,
  formatOperationId,
  noPayment,
  openPayment,
  paymentCodec,
  recordResponse,
  type OperationId,
  type PaymentDecision,
  type PaymentEvent,
} from '@tillstream/domain';
import { EndpointHistories } from './endpoint.histories.testing.js';
import {
  deterministicEventId,
  MemoryEventStore,
  type EventStore,
  type JsonObject,
  type NewEvent,
} from '@tillstream/event-store';

const plan = {
  sendBefore: '2026-03-01T00:00:00.000Z',
  answerBefore: '2026-03-01T00:00:00.000Z',
  processor: 'sandbox',
  processorAccount: 'account',
};

/** The events of an approved sale with a stored card: its request, the attempt, `Authorized` and `Captured`. */
export function approvedSale(root: string, merchantId: string, at: string): PaymentEvent[] {
  const operationId = operationOf(root);
  const requested = accepted(
    openPayment(noPayment, {
      kind: 'Sale',
      at,
      commandId: `command-${root}`,
      operationId,
      merchantId,
      amount: 1_299,
      currency: 'USD',
      channel: 'Token',
      paymentMethod: { id: 'pmt_tkn_1', type: 'Token', currency: 'USD', cardType: 'VISA' },
      attemptPlan: plan,
    }),
  );
  const answered = accepted(
    recordResponse(foldPayment(requested), {
      at,
      operationId,
      try: 1,
      source: 'Answer',
      answer: {
        kind: 'Approved',
        amount: 1_299,
        facts: {
          responseCode: 1,
          authCode: '123456',
          gatewayTransactionId: `gw-${root}`,
          hostText: 'APPROVED',
        },
      },
      receiptLines: [],
      expiresAt: at,
      nextWindow: plan,
    }),
  );
  return [...requested, ...answered];
}

export const operationOf = (root: string): OperationId =>
  formatOperationId({ category: 'payment', root, number: 0 });

/** The root of a payment's stream, by its number in a test. */
export const rootOf = (number: number): string => `01JR${String(number).padStart(19, '0')}`;

/** Appends a sale whole, and returns its operation. */
export async function appendSale(
  store: Pick<EventStore, 'append'>,
  number: number,
  merchantId: string,
  at: string,
): Promise<OperationId> {
  const root = rootOf(number);
  await store.append({
    stream: `payment-${root}`,
    expected: 'none',
    events: approvedSale(root, merchantId, at).map((event, revision) =>
      toNewEvent(event, `${root} ${revision}`),
    ),
  });
  return operationOf(root);
}

/** Every process makes the same events of the same sales. */
function toNewEvent(event: PaymentEvent, name: string): NewEvent {
  const { type, schemaVersion, data } = paymentCodec.encode(event);
  return {
    id: deterministicEventId(name),
    type,
    data: JSON.parse(JSON.stringify(data)) as JsonObject,
    metadata: { schemaVersion },
  };
}

function accepted(decision: PaymentDecision): readonly PaymentEvent[] {
  if (decision.kind === 'Rejected') throw new Error(decision.rejection.message);
  return decision.events;
}

/** A history with a managed and a legacy endpoint, and sales of one merchant, the same in every process. */
export async function salesHistory(
  sales: number,
): Promise<{ readonly store: MemoryEventStore; readonly endpointIds: readonly string[] }> {
  const store = new MemoryEventStore();
  const endpointIds = await appendEndpoints(store);
  for (let number = 1; number <= sales; number++) await appendSale(store, number, 'mer_A', second(number));
  return { store, endpointIds };
}

/** A managed and a legacy endpoint of `mer_A`. */
export async function appendEndpoints(store: Pick<EventStore, 'append'>): Promise<string[]> {
  const endpoints = new EndpointHistories(store);
  const managed = await endpoints.create('mer_A', second(0));
  return [managed, await endpoints.create('mer_A', second(0), { method: 'Legacy' })];
}

/** RFC 3339, seconds after the beginning of the history. */
export function second(number: number): string {
  return new Date(Date.UTC(2026, 2, 1) + number * 1_000).toISOString();
}

const REPEATS_MAX = 100;
const REPEATED_AFTER_MS = 20;

/** Repeats an append, as it is, whose result is not known. */
export async function definitely(append: () => Promise<unknown>): Promise<void> {
  for (let repeats = 0; ; repeats++) {
    try {
      await append();
      return;
    } catch (error) {
      if (repeats === REPEATS_MAX) throw error;
      await setTimeout(REPEATED_AFTER_MS);
    }
  }
}
