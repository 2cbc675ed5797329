/* What a transaction means for the shop (docs/spec/README.md#example): HTTP 200 does not mean approved. */

const DECLINES = new Map([
  [10, 'The issuer declined the card.'],
  [11, 'There is not enough money on the card.'],
  [12, 'The card has expired.'],
  [13, 'The issuer suspects fraud.'],
  [14, 'The issuer does not know this card.'],
  [15, 'The amount is above the limit of the card.'],
  [16, 'The card is not enrolled in 3-D Secure.'],
  [17, 'The bank could not verify the customer.'],
  [50, 'The issuer could not be reached.'],
]);

/** Of a bank account. */
const BANK_DECLINES = new Map([
  [10, 'The bank declined the payment.'],
  [11, 'There is not enough money in the account.'],
  [14, 'The bank does not know this account.'],
]);

const isByBank = ({ type, accountNumber }) =>
  type === 'VirtualAch' || type === 'VirtualEft' || accountNumber !== undefined;

/** `kind`: `approved`, `declined`, `processing`, `cancelled`, `waiting` or `unknown`. */
export function outcomeOf({ status, transactionResponses, paymentMethod }) {
  const declines = isByBank(paymentMethod) ? BANK_DECLINES : DECLINES;
  const [last] = transactionResponses;
  const isApproved = last?.responseCode === 1 || last?.responseCode === 2;
  switch (status) {
    case 'Completed':
      if (isApproved) return { kind: 'approved' };
      return { kind: 'declined', text: declines.get(last?.responseCode) ?? 'The payment was not approved.' };
    case 'Processing':
      return {
        kind: 'processing',
        text:
          'The bank answers 24 hours later, by the clock of the sandbox. To see it now, advance the clock as below, ' +
          'then read the transaction again.',
      };
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

/** `VISA ···· 4242` or `Checking ···· 6789` */
export function cardLabel({ cardType, maskedCardNumber = '', accountNumber, accountType }) {
  if (accountNumber !== undefined) return `${accountType ?? 'Account'} ···· ${accountNumber.slice(-4)}`;
  return `${cardType ?? 'Card'} ···· ${maskedCardNumber.slice(-4)}`;
}

/** Of an error envelope: the transaction whose outcome is not known. */
export function unknownTransaction({ status, errorDetails = [] }) {
  return status === 'Interrupted' ? errorDetails[0]?.details : undefined;
}
