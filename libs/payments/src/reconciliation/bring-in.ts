import {
  bringIn,
  findOperation,
  isOpenAttempt,
  merchantStream,
  paymentStream,
  recordBankReturn,
  type BringIn,
  type Channel,
  type Merchant,
  type OperationId,
  type PaymentDecision,
  type PaymentMethodSnapshot,
  type PaymentState,
} from '@tillstream/domain';
import type { AttemptRecord, ReturnRecord } from '@tillstream/processors';
import { paymentMethodSnapshot } from '../payment-methods/payment-method.finder.js';
import { iso } from '../ports/clock.port.js';
import type { Ports } from '../parts.js';
import { receiptLines } from '../receipts/receipt-lines.js';
import type { Actor } from '../requests/request.types.js';
import {
  createMerchantStreams,
  createPaymentRepository,
  type LoadedPayment,
  type MerchantStreams,
  type PaymentRepository,
} from '../stream-repository/repositories.js';
import { idForCommand } from '../identifiers.js';
import {
  attemptsByOperation,
  parseAttemptKey,
  type AttemptKey,
  type RecordsOfStream,
} from './payment.records.js';

export interface BringInOptions {
  /** Who is recorded for the events, and why. */
  readonly actor: Actor;
  readonly reason: string;
  /** The configured name of the processor that made the records. */
  readonly processor: string;
}

type Operation = readonly (AttemptRecord & AttemptKey)[];

/** No record says which form, stored card or account a payment was made with. */
export const UNKNOWN_PAYMENT_METHOD = 'pmt_unknown';

/** Writes what a processor's records have and the history has not. It calls no processor: nothing is charged. */
export class BroughtInPayments {
  private readonly payments: PaymentRepository;
  private readonly merchants: MerchantStreams;

  constructor(
    private readonly ports: Pick<Ports, 'store' | 'clock' | 'timings'>,
    private readonly options: BringInOptions,
  ) {
    this.payments = createPaymentRepository(ports);
    this.merchants = createMerchantStreams(ports);
  }

  load(root: string): Promise<LoadedPayment> {
    return this.payments.load(paymentStream(root));
  }

  /**
   * Brings in an operation's attempts that are missing, in one append. A repetition adds nothing.
   * @returns undefined if they are in the history now; else why not, in a sentence
   */
  async bringIn(of: RecordsOfStream, operation: Operation): Promise<string | undefined> {
    const [first] = operation;
    if (!first) return undefined;
    const merchant = await this.merchant(first.merchantId);
    if (!merchant)
      return `Merchant ${first.merchantId} is not in the history: create it again, and enter the payment by hand.`;
    const command = this.commandOf(of, operation, merchant);
    return this.write(of.root, first, (state) => bringIn(state, command));
  }

  /** As `bringIn`, for a bank's return. */
  async bringInReturn(root: string, record: ReturnRecord): Promise<string | undefined> {
    const { returnId, code, reason, amount, at, originalKey } = record;
    const { operationId } = parseAttemptKey(originalKey);
    const data = { at: this.serviceTime(at), operationId, returnId, code, reason, amount };
    return this.write(root, { key: returnId, merchantId: record.merchantId }, (state) =>
      recordBankReturn(state, data),
    );
  }

  private async write(
    root: string,
    { key, merchantId }: Pick<AttemptRecord, 'key' | 'merchantId'>,
    decide: (state: PaymentState) => PaymentDecision,
  ): Promise<string | undefined> {
    const { actor, reason } = this.options;
    const cause = { merchantId, actor, causationId: key, reason };
    const written = await this.payments.transact(paymentStream(root), cause, decide);
    if (written.kind === 'Contended')
      return 'Others write to this payment at the moment; repeat the command.';
    return written.kind === 'Rejected' ? written.rejection.message : undefined;
  }

  private commandOf(of: RecordsOfStream, operation: Operation, merchant: Merchant): BringIn {
    const [first] = operation as readonly [AttemptRecord & AttemptKey];
    const { merchantId, currency, channel, terminalId, operationId, originalKey } = first;
    const original = originalKey === undefined ? undefined : parseAttemptKey(originalKey);
    const last = operation.at(-1) ?? first;
    const expiresAt = iso(Date.parse(this.serviceTime(last.at)) + this.ports.timings.authorizationLifetime);
    const paymentMethod = methodOf(merchant, first);
    return {
      operationId,
      commandId: idForCommand('bring-in-', operationId),
      attempts: operation.map((record) => this.attemptOf(record)) as unknown as BringIn['attempts'],
      opening: {
        ...{ merchantId, currency, channel, paymentMethod },
        ...(terminalId !== undefined && { terminalId }),
      },
      ...(original && { original: { operationId: original.operationId, try: original.number } }),
      wasReversed: wasReversed(of, last, this.ports.timings.authorizationLifetime),
      expiresAt,
      receiptLines: (payment, known, { answer, at }) =>
        receiptLines(merchant, { payment, operation: known }, answer, at),
    };
  }

  private attemptOf(record: AttemptRecord & AttemptKey): BringIn['attempts'][number] {
    const { number, executedAs, amount, at, account, answer } = record;
    const { processor } = this.options;
    return {
      ...{ number, executedAs, amount, answer, at: this.serviceTime(at), sentAt: iso(at) },
      account: { processor, processorAccount: account },
    };
  }

  private async merchant(merchantId: string): Promise<Merchant | undefined> {
    const { state } = await this.merchants.load(merchantStream(merchantId));
    return state.status === 'None' ? undefined : state;
  }

  /** In a sandbox the service's clock may be ahead of real time. How far it was ahead at that moment is not known. */
  private serviceTime(realMs: number): string {
    const { clock } = this.ports;
    return iso(realMs + clock.now() - clock.realNow());
  }
}

/**
 * Whether the service reversed the operation because it was executed too late. An authorization that was captured or voided,
 * or was older than its lifetime, was reversed because it had expired: it stays approved.
 */
function wasReversed(
  { attempts }: RecordsOfStream,
  { key, executedAs, at }: AttemptRecord,
  lifetimeMs: number,
): boolean {
  const reversal = attempts.find((one) => one.executedAs === 'Reverse' && one.originalKey === key);
  if (!reversal || reversal.answer.kind !== 'Approved') return false;
  if (executedAs !== 'Authorize') return true;
  const isUsed = attempts.some((one) => one !== reversal && one.originalKey === key);
  return !isUsed && reversal.at < at + lifetimeMs;
}

const METHOD_TYPES: Readonly<Record<Channel, PaymentMethodSnapshot['type']>> = {
  CardPresent: 'Physical',
  CardNotPresent: 'Virtual',
  Token: 'Token',
  Ach: 'VirtualAch',
  Eft: 'VirtualEft',
};

function methodOf(
  merchant: Merchant,
  { terminalId, channel, currency }: AttemptRecord,
): PaymentMethodSnapshot {
  const terminal = merchant.paymentMethods.find(({ id }) => id === terminalId);
  if (terminal) return { ...paymentMethodSnapshot(terminal), currency };
  return { id: terminalId ?? UNKNOWN_PAYMENT_METHOD, type: METHOD_TYPES[channel], currency };
}

/** The operations of the records that the payment has not, or without an attempt. */
export function missingOperations(
  { state }: LoadedPayment,
  { attempts }: RecordsOfStream,
): readonly Operation[] {
  return [...attemptsByOperation(attempts).entries()]
    .filter(([operationId, records]) => isMissing(state, operationId, records))
    .map(([, records]) => records);
}

/** An attempt without an outcome is brought in too: later operations may need it. */
function isMissing(state: PaymentState, operationId: OperationId, records: Operation): boolean {
  const operation = findOperation(state, operationId);
  const requested = operation?.attempt?.number ?? 0;
  const isOpen = operation !== undefined && isOpenAttempt(operation, requested);
  return (records.at(-1)?.number ?? 0) >= (isOpen ? requested : requested + 1);
}
