import type { PresentedResult } from './transaction.result.js';
import { withTokenDetails } from './token.details.js';
import {
  tokenRequested,
  create,
  created,
  history,
  later,
  removal,
  verificationRequested,
  presentedTokenResult,
  stored,
  tokenId,
} from './token-operation.result.testing.js';
import { approved, requested, presentedResult, attemptRequested } from './transaction.result.testing.js';

const billingContact = { name: 'A. Maple', countryCode: 'US', zipCode: '10001' };
const alive = { id: tokenId, cardExpDate: '1228', billingContact };
const result = presentedTokenResult([tokenRequested, verificationRequested, created]);
const methodsOf = ({ paymentMethod, transactionResponses }: PresentedResult) => [
  paymentMethod,
  ...transactionResponses.map((response) => response.paymentMethod),
];

describe('A result with the details of its token', () => {
  it('has expiry and billing contact on each payment method that is the token, in the order of the specification', () => {
    const methods = methodsOf(withTokenDetails(result, alive));
    expect(methods).toHaveLength(2);
    for (const method of methods) {
      expect(method).toMatchObject({ cardExpDate: '1228', billingContact });
      expect(Object.keys(method)).toEqual([
        'id',
        'type',
        'currency',
        'description',
        'billingContact',
        'cardType',
        'maskedCardNumber',
        'cardExpDate',
        'accountType',
      ]);
    }
  });

  it('has the same bytes for any order of a billing contact’s fields', () => {
    const { name, countryCode, zipCode } = billingContact;
    const turned = { ...alive, billingContact: { zipCode, countryCode, name } };
    expect(JSON.stringify(withTokenDetails(result, turned))).toBe(
      JSON.stringify(withTokenDetails(result, alive)),
    );
  });

  it('has no billing contact if none is given', () => {
    expect(JSON.stringify(withTokenDetails(result, { id: tokenId, cardExpDate: '1228' }))).not.toContain(
      'billingContact',
    );
  });

  it('of a removed token has the time of its removal, and no number, expiry or billing contact', () => {
    const withBank = {
      ...result,
      paymentMethod: { ...result.paymentMethod, accountNumber: '******6789', accountType: 'Checking' },
    };
    const removedResult = withTokenDetails(withTokenDetails(withBank, alive), {
      ...alive,
      dateDeleted: later,
    });
    for (const method of methodsOf(removedResult)) {
      expect(method).toMatchObject({ id: tokenId, dateDeleted: later, description: stored.description });
      for (const field of ['maskedCardNumber', 'cardExpDate', 'billingContact', 'accountNumber']) {
        expect(method).not.toHaveProperty(field);
      }
    }
    expect(removedResult.paymentMethod.accountType).toBe('Checking');
    expect(removedResult.transactionResponses[0]?.cardType).toBe('VISA');
  });

  it('does not lose a removal by older details', () => {
    const removedResult = presentedTokenResult(history, removal);
    expect(withTokenDetails(removedResult, alive)).toEqual(removedResult);
  });

  it('does not change by details of another token', () => {
    expect(withTokenDetails(result, { ...alive, id: 'pmt_tkn_01J0000000000000000000BT00' })).toEqual(result);
    const sale = presentedResult([requested(), attemptRequested(), ...approved]);
    expect(withTokenDetails(sale, { ...alive, id: sale.paymentMethod.id, dateDeleted: later })).toEqual(sale);
  });

  it('can be of a payment with the token', () => {
    const { personal: _sealed, ...method } = stored;
    const sale = presentedResult([requested({ channel: 'Token', paymentMethod: method })]);
    expect(withTokenDetails(sale, { id: tokenId, dateDeleted: later }).paymentMethod).toEqual({
      id: tokenId,
      type: 'Token',
      currency: 'USD',
      description: stored.description,
      dateDeleted: later,
      cardType: 'VISA',
      accountType: 'Credit',
    });
  });

  it('does not change the original result', () => {
    const before = JSON.stringify(result);
    withTokenDetails(result, { ...alive, dateDeleted: later });
    expect(JSON.stringify(result)).toBe(before);
    expect(result.id).toBe(create);
  });
});
