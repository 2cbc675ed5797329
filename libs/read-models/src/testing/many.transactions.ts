import type { TransactionStatus, TransactionType } from '@tillstream/contracts';
import type { PresentedResult } from '@tillstream/presentation';
import { formatOperationId } from '@tillstream/domain';
import type { TransactionFilters } from '../read-models.types.js';
import type { TableRow } from '../projections/table.shape.js';
import { transactionRow } from '../projections/transactions/transaction.row.js';

/* Rows like those of a busy merchant, for benchmarks of lists. */

export const MERCHANT = 'mer_01JNB0K3QZ8X4T6V9W2Y5R7M1C';
const BEGAN = Date.parse('2026-01-05T08:00:00.000Z');
/** The number of rows with each rare value; it does not depend on the number of rows. */
const RARE_ROWS = 40;

/** Each filter with a value that many rows have. */
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
/** Each filter with a value that few rows have. */
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

/** The value that a random number from 0 to 1 selects. The weights add up to 1. */
function weighted<T>(random: number, values: readonly (readonly [weight: number, value: T])[]): T {
  let rest = random;
  for (const [weight, value] of values) {
    if (rest < weight) return value;
    rest -= weight;
  }
  return (values.at(-1) as readonly [number, T])[1];
}

/** The row of transaction `number` of `count` transactions of `MERCHANT`. The same arguments give the same row. */
export function manyTransactionsRow(number: number, count: number): TableRow {
  const isRare = (salt: number): boolean =>
    (number + salt) % Math.max(Math.floor(count / RARE_ROWS), 1) === 0;
  const random = (salt: number): number => {
    let mixed = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  /** Undefined, a value that half of all rows have, or one of 1000 values that few rows have. */
  const label = (salt: number, name: string): string | undefined =>
    isRare(salt)
      ? `${name}rare`
      : weighted(random(salt), [
          [0.4, undefined],
          [0.5, `${name}everywhere`],
          [0.1, `${name}${Math.floor(random(salt + 50) * 1_000)}`],
        ]);
  const type = weighted<TransactionType>(random(1), [
    [0.8, 'Sale'],
    [0.1, 'Auth'],
    [0.06, 'Capture'],
    [0.03, 'Refund'],
    [0.01, 'Void'],
  ]);
  const status = weighted<TransactionStatus>(random(2), [
    [0.967, 'Completed'],
    [0.01, 'Pending'],
    [0.01, 'Cancelled'],
    [0.009, 'Processing'],
    [0.004, 'Interrupted'],
  ]);
  const responseCode = weighted(random(3), [
    [0.9, 1],
    [0.02, 2],
    [0.05, 10],
    [0.02, 12],
    [0.01, 14],
  ]);
  const cardType = weighted(random(4), [
    [0.6, 'VISA'],
    [0.3, 'MASTERCARD'],
    [0.09, 'AMEX'],
    [0.01, 'DINERS'],
  ]);
  const currency = random(5) < 0.98 ? 'USD' : 'CAD';
  const createdAt = new Date(BEGAN + number * 50).toISOString();
  const updatedAt = new Date(BEGAN + number * 50 + Math.floor(random(6) * 86_400_000)).toISOString();
  const paymentMethodId = isRare(7)
    ? 'pmt_rare'
    : random(7) < 0.7
      ? `pmt_trm_${1 + Math.floor(random(8) ** 2 * 3)}`
      : `pmt_tkn_${Math.floor(random(9) * 1_000)}`;
  const paymentMethod = {
    id: paymentMethodId,
    type: 'Physical',
    currency,
    description: 'Front counter',
  } as const;
  /** As `label`, but the value that half of all rows have has no prefix. */
  const numberLabel = (salt: number, name: string): string | undefined =>
    label(salt, name)?.replace(`${name}everywhere`, 'everywhere');
  const given = numberLabel(10, 'reference-');
  const invoiceNumber = numberLabel(11, 'invoice-');
  const orderNumber = numberLabel(12, 'order-');
  const accountHolderId = label(13, 'acc_');
  const batchId = label(14, 'bat_');
  const settlementId = label(15, 'stl_');
  const original = isRare(16) ? trx(1) : random(16) < 0.5 ? trx(0) : trx(2 + Math.floor(random(17) * 1_000));
  const id = trx(number);
  const amount = 100 + Math.floor(random(18) * 100_000);
  const result: PresentedResult = {
    id,
    referenceId: given ?? `ref_${id.slice(4)}`,
    type,
    status,
    resultCode: 0,
    resultText: 'The request was successful. See each response code for approval or decline.',
    amount,
    currency,
    ...((isRare(16) || random(19) < 0.6) && { originalTransactionId: original }),
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
    tokenId: undefined,
    personal: undefined,
  });
}
