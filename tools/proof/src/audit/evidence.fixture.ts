import {
  capture,
  foldPayment,
  openPayment,
  openingOperationId,
  operationRoot,
  paymentStream,
  recordBankReturn,
  recordResponse,
  refund,
  type OperationId,
  type PaymentDecision,
  type PaymentEvent,
} from '@tillstream/domain';
import type { Movement, MovementKind, PaymentNet } from '@tillstream/sandbox';
import { newRequest, type ClientRequest, type PaymentRequestKind } from '../support/client.request.js';
import type { Evidence } from './deployment.audit.js';

const at = '2026-03-01T10:00:00.000Z';
const attemptPlan = { sendBefore: at, answerBefore: at, processor: 'sandbox', processorAccount: 'sandbox' };
const merchantId = 'mer_00000000000000000000000000';
const currency = 'USD' as const;
const paymentMethod = { id: 'pmt_trm_1', type: 'Physical' as const, currency };

/** Consistent evidence of one payment, made by the domain's rules, for tests to falsify. */
export class EvidenceFixture {
  readonly stream: string;
  readonly events: PaymentEvent[] = [];
  readonly requests: ClientRequest[] = [];
  readonly movements: Movement[] = [];

  constructor(chance = 1) {
    this.stream = paymentStream(operationRoot(Date.parse(at), new Uint8Array(13).fill(chance)));
  }

  open(kind: 'Sale' | 'Auth', amount: number): OperationId {
    const one = this.request(kind, { amount });
    const { referenceId } = one.body;
    const operationId = openingOperationId(this.stream);
    const command = {
      kind,
      operationId,
      commandId: referenceId,
      referenceId,
      at,
      merchantId,
      currency,
      amount,
    };
    this.take(
      openPayment(this.state, {
        ...command,
        channel: 'CardPresent',
        paymentMethod,
        attemptPlan,
        terminalId: 'pmt_trm_1',
      }),
    );
    this.approve(one, operationId, amount, kind === 'Sale' ? 'Captured' : 'Authorized');
    return operationId;
  }

  followUp(kind: 'Capture' | 'Refund', original: OperationId, amount: number): OperationId {
    const one = this.request(kind, { amount, originalTransactionId: original });
    const { referenceId } = one.body;
    const decide = kind === 'Capture' ? capture : refund;
    const command = {
      at,
      commandId: referenceId,
      referenceId,
      originalOperationId: original,
      amount,
      sendWindow: attemptPlan,
    };
    const operationId = this.take(decide(this.state, command));
    this.approve(one, operationId, amount, kind === 'Capture' ? 'Captured' : 'Voided', `${original}.1`);
    return operationId;
  }

  /** The bank takes a sale back. */
  takenBack(operationId: OperationId, amount: number): void {
    const returnId = `ret_${operationId}.1`;
    const command = { at, operationId, returnId, code: 'R01', reason: 'no funds', amount };
    this.take(recordBankReturn(this.state, command));
    const original = { root: `${operationId}.1`, originalKey: `${operationId}.1` };
    const movement = { key: returnId, kind: 'Returned', ...original, merchantId, currency, amount } as const;
    this.movements.push({ ...movement, at: Date.parse(at) });
  }

  /** @param net the net amount by the acquirer's own sums */
  evidence(net: number): Evidence {
    const { stream, events, movements, requests } = this;
    const times = events.map(() => Date.parse(at));
    const nets = movements.length === 0 ? [] : [this.netOf(net)];
    return { histories: [{ stream, events, times, state: this.state }], movements, nets, requests };
  }

  private netOf(net: number): PaymentNet {
    const sum = (kind: MovementKind): number =>
      this.movements.filter((one) => one.kind === kind).reduce((total, { amount }) => total + amount, 0);
    return {
      root: `${openingOperationId(this.stream)}.1`,
      merchantId,
      currency,
      authorized: sum('Authorized'),
      captured: sum('Captured'),
      released: sum('Released'),
      refunded: sum('Refunded'),
      voided: sum('Voided'),
      credited: 0,
      returned: sum('Returned'),
      net,
    };
  }

  private get state() {
    return foldPayment(this.events);
  }

  private request(
    kind: PaymentRequestKind,
    body: { readonly amount: number; readonly originalTransactionId?: string },
  ): ClientRequest {
    const one = newRequest(kind, body);
    this.requests.push(one);
    return one;
  }

  private take(decision: PaymentDecision): OperationId {
    if (decision.kind === 'Rejected') throw new Error(decision.rejection.message);
    this.events.push(...decision.events);
    return decision.value;
  }

  private approve(
    one: ClientRequest,
    operationId: OperationId,
    amount: number,
    kind: MovementKind,
    originalKey?: string,
  ): void {
    const answer = { kind: 'Approved', amount, facts: { responseCode: 1 } } as const;
    const ofTry = {
      at,
      operationId,
      try: 1,
      source: 'Answer' as const,
      answer,
      receiptLines: [],
      expiresAt: '2026-03-08T10:00:00.000Z',
    };
    this.take(recordResponse(this.state, { ...ofTry, nextWindow: attemptPlan }));
    const key = `${operationId}.1`;
    const root = `${openingOperationId(this.stream)}.1`;
    const movement = { key, kind, root, merchantId, currency, amount, at: Date.parse(at) };
    this.movements.push({ ...movement, ...(originalKey !== undefined && { originalKey }) });
    const transaction = {
      id: operationId,
      referenceId: one.body.referenceId,
      type: one.kind,
      status: 'Completed',
      amount,
      originalTransactionId: one.body.originalTransactionId,
      transactionResponses: [{ responseCode: 1, amountApproved: amount }],
    };
    const responses = {
      status: 200,
      text: JSON.stringify(transaction),
      replayed: false,
      sentAt: 0,
      receivedAt: 0,
    };
    one.responses.push(responses);
  }
}
