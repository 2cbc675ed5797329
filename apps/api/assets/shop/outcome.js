/* What a transaction means for the shop (docs/spec/README.md#example): HTTP 200 does not mean approved. */

const DECLINES = new Map([
  [10, 'The issuer declined the card.'],
  [11, 'There is not enough money on the card.'],
  [12, 'The card has expired.'],
  [13, 'The issuer suspects fraud.'],
  [14, 'The issuer does not know this card.'],
  [15, 'The amount is above the limit of the card.'],
  [50, 'The issuer could not be reached.'],
]);

/** `kind`: `approved`, `declined`, `cancelled`, `waiting` or `unknown`. */
export function outcomeOf({ status, transactionResponses }) {
  const [last] = transactionResponses;
  const isApproved = last?.responseCode === 1 || last?.responseCode === 2;
  switch (status) {
    case 'Completed':
      if (isApproved) return { kind: 'approved' };
      return { kind: 'declined', text: DECLINES.get(last?.responseCode) ?? 'The payment was not approved.' };
    case 'Processing':
      return { kind: 'approved', text: 'The bank decides within a day.' };
    case 'Cancelled':
      return { kind: 'cancelled', text: 'Nothing was charged.' };
    case 'Expired':
      return { kind: 'cancelled', text: 'The form was open for too long. Nothing was charged.' };
    case 'Pending':
      return { kind: 'waiting' };
    default:
      return { kind: 'unknown' };
  }
}

/** `VISA ···· 4242` */
export function cardLabel({ cardType, maskedCardNumber = '' }) {
  return `${cardType ?? 'Card'} ···· ${maskedCardNumber.slice(-4)}`;
}

/** Of an error envelope: the transaction whose outcome is not known. */
export function unknownTransaction({ status, errorDetails = [] }) {
  return status === 'Interrupted' ? errorDetails[0]?.details : undefined;
}
