import type { Currency } from '@tillstream/domain';
import type { CalculatedFee, ExpectedItem } from '@tillstream/ledger';
import { money } from './findings.js';
import type { FoundItem } from './working.file.js';

/* Items and fees as people read them. */

type Named = Pick<FoundItem, 'operationId' | 'type' | 'returnId' | 'chargebackId'>;

export const itemName = ({ operationId, type, returnId, chargebackId }: Named): string =>
  [type, operationId, returnId ?? chargebackId].filter((part) => part !== undefined).join(' ');

export function nameOf({ operationId, type, takenBackId }: ExpectedItem): string {
  return [type, operationId, takenBackId].filter((part) => part !== undefined).join(' ');
}

export function namesOf(items: readonly FoundItem[]): string {
  return [...new Set(items.map(({ settlementId }) => settlementId))].join(', ');
}

/** `Interchange 180 bps + 0.10 = 1.90 USD`. */
export function feeText(fee: CalculatedFee | undefined, currency: Currency): string {
  if (!fee) return 'no fee';
  const lines = fee.lines.map(
    ({ type, rateBps, fixedAmount, amount }) =>
      `${type} ${rateBps} bps + ${money(fixedAmount)} = ${money(amount)}`,
  );
  return `${money(fee.amount, currency)} (${lines.join(', ')})`;
}
