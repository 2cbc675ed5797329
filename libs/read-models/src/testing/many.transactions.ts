import type { TransactionResult, TransactionStatus, TransactionType } from '@tillstream/contracts';
import { formatOperationId } from '@tillstream/domain';
import type { TransactionFilters } from '../read-models.types.js';
import type { FlatRow } from '../projections/table.shape.js';
import { transactionRow } from '../projections/transactions/transaction.row.js';

/* Rows of as many transactions as are asked for, for benchmarks of lists: they look like those of a busy merchant. */

export const MERCHANT = 'mer_01JNB0K3QZ8X4T6V9W2Y5R7M1C';
const BEGAN = Date.parse('2026-01-05T08:00:00.000Z');
/** Rows of each rare value, however many rows there are. */
const FEW = 40;

/** Each filter with a value that many rows have, and one that few have. */
export const FREQUENT: readonly TransactionFilters[] = [
  { type: ['Sale'] },
  { status: ['Completed'] },
  { responseCode: [1] },
  { cardType: ['VISA'] },
  { currency: ['USD'] },
  { paymentMethodId: ['pmt_trm_1'] },
  { accountHolderId: ['acc_everywhere'] },
  { invoiceNumber: ['everywhere'] },
  { orderNumber: ['everywhere'] },
  { referenceId: ['everywhere'] },
  { batchId: ['bat_everywhere'] },
  { settlementId: ['stl_everywhere'] },
  { originalTransactionId: [trx(0)] },
];
export const RARE: readonly TransactionFilters[] = [
  { type: ['Void'] },
  { status: ['Interrupted'] },
  { responseCode: [14] },
  { cardType: ['DINERS'] },
  { currency: ['CAD'] },
  { paymentMethodId: ['pmt_rare'] },
  { accountHolderId: ['acc_rare'] },
  { invoiceNumber: ['invoice-rare'] },
  { orderNumber: ['order-rare'] },
  { referenceId: ['reference-rare'] },
  { batchId: ['bat_rare'] },
  { settlementId: ['stl_rare'] },
  { originalTransactionId: [trx(1)] },
  { id: [trx(7)] },
];

function trx(number: number) {
  const root = `01JQ${(number >> 9).toString().padStart(19, '0')}`;
  return formatOperationId({ category: 'payment', root, number: number & 511 });
}

/** Some value of many, each as likely as its weight. */
function weighted<T>(chance: number, values: readonly (readonly [weight: number, value: T])[]): T {
  let rest = chance;
  for (const [weight, value] of values) {
    if (rest < weight) return value;
    rest -= weight;
  }
  return (values.at(-1) as readonly [number, T])[1];
}

/** The row of one of `count` transactions of `MERCHANT`. */
export function manyTransactionsRow(number: number, count: number): FlatRow {
  const isRare = (salt: number): boolean => (number + salt) % Math.max(Math.floor(count / FEW), 1) === 0;
  const chance = (salt: number): number => {
    let mixed = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  /** Nothing, the value that half of all have, or one of so many that a few rows each have. */
  const label = (salt: number, name: string): string | undefined =>
    isRare(salt)
      ? `${name}rare`
      : weighted(chance(salt), [
          [0.4, undefined],
          [0.5, `${name}everywhere`],
          [0.1, `${name}${Math.floor(chance(salt + 50) * 1_000)}`],
        ]);
  const type = weighted<TransactionType>(chance(1), [
    [0.8, 'Sale'],
    [0.1, 'Auth'],
    [0.06, 'Capture'],
    [0.03, 'Refund'],
    [0.01, 'Void'],
  ]);
  const status = weighted<TransactionStatus>(chance(2), [
    [0.967, 'Completed'],
    [0.01, 'Pending'],
    [0.01, 'Cancelled'],
    [0.009, 'Processing'],
    [0.004, 'Interrupted'],
  ]);
  const responseCode = weighted(chance(3), [
    [0.9, 1],
    [0.02, 2],
    [0.05, 10],
    [0.02, 12],
    [0.01, 14],
  ]);
  const cardType = weighted(chance(4), [
    [0.6, 'VISA'],
    [0.3, 'MASTERCARD'],
    [0.09, 'AMEX'],
    [0.01, 'DINERS'],
  ]);
  const currency = chance(5) < 0.98 ? 'USD' : 'CAD';
  const createdAt = new Date(BEGAN + number * 50).toISOString();
  const updatedAt = new Date(BEGAN + number * 50 + Math.floor(chance(6) * 86_400_000)).toISOString();
  const paymentMethodId = isRare(7)
    ? 'pmt_rare'
    : chance(7) < 0.7
      ? `pmt_trm_${1 + Math.floor(chance(8) ** 2 * 3)}`
      : `pmt_tkn_${Math.floor(chance(9) * 1_000)}`;
  const paymentMethod = {
    id: paymentMethodId,
    type: 'Physical',
    currency,
    description: 'Front counter',
  } as const;
  const given = label(10, 'reference-')?.replace('reference-everywhere', 'everywhere');
  const invoiceNumber = label(11, 'invoice-')?.replace('invoice-everywhere', 'everywhere');
  const orderNumber = label(12, 'order-')?.replace('order-everywhere', 'everywhere');
  const accountHolderId = label(13, 'acc_');
  const batchId = label(14, 'bat_');
  const settlementId = label(15, 'stl_');
  const original = isRare(16) ? trx(1) : chance(16) < 0.5 ? trx(0) : trx(2 + Math.floor(chance(17) * 1_000));
  const id = trx(number);
  const amount = 100 + Math.floor(chance(18) * 100_000);
  const result: TransactionResult = {
    id,
    referenceId: given ?? `ref_${id.slice(4)}`,
    type,
    status,
    resultCode: 0,
    resultText: 'The request was successful. See each response code for approval or decline.',
    amount,
    currency,
    ...((isRare(16) || chance(19) < 0.6) && { originalTransactionId: original }),
    ...(invoiceNumber !== undefined && { invoiceNumber }),
    ...(orderNumber !== undefined && { orderNumber }),
    transactionResponses: [
      {
        responseCode,
        amountApproved: amount,
        authCode: '483920',
        hostResponseText: 'APPROVED',
        paymentMethod: { ...paymentMethod, cardType, maskedCardNumber: '************4242' },
        cardType,
        receipt: { lines: Array.from({ length: 10 }, (_, line) => `Line ${line} of the receipt`) },
      },
    ],
    paymentMethod: { ...paymentMethod, cardType, maskedCardNumber: '************4242' },
    ...(accountHolderId !== undefined && { accountHolderId }),
    ...(batchId !== undefined && { batchId }),
    ...(settlementId !== undefined && { settlementId }),
    createdAt,
    updatedAt,
  };
  return transactionRow({
    merchantId: MERCHANT,
    revision: 1,
    result,
    paymentMethodId,
    givenReferenceId: given,
    channel: 'CardPresent',
    personal: undefined,
  });
}
