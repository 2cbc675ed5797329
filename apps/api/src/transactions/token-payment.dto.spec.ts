import { bodyErrors } from '../testing/body.errors.js';
import { TokenPaymentDto } from './token-payment.dto.js';

const pay = (body: object) =>
  bodyErrors(TokenPaymentDto, { amount: 100, paymentMethodId: 'pmt_tkn_1', ...body });

describe('A payment with a token', () => {
  it('names its token: 2000, field paymentMethodId', () => {
    expect(pay({})).toBe('fine');
    for (const paymentMethodId of [undefined, null, '', 7, 'p'.repeat(36)]) {
      expect(pay({ paymentMethodId })).toBe('2000 paymentMethodId');
    }
    expect(pay({ paymentMethodId: 'p'.repeat(35) })).toBe('fine');
  });

  it('has an amount: 2012', () => {
    for (const amount of [undefined, 0, 1_000_000_000, '1', 1.5]) expect(pay({ amount })).toBe('2012 amount');
    expect(pay({ amount: 999_999_999 })).toBe('fine');
  });

  it('has a breakdown that sums to it: 2012', () => {
    expect(pay({ amountBreakdown: { tip: 40, amountGoodsAndServices: 60 } })).toBe('fine');
    expect(pay({ amountBreakdown: { tip: 40 } })).toBe('2012 amountBreakdown');
    expect(pay({ amountBreakdown: { tip: -1 } })).toBe('2012 amountBreakdown.tip');
  });

  it.each(['invoiceNumber', 'orderNumber'])('has a %s of at most 100 letters and digits', (field) => {
    expect(pay({ [field]: 'a'.repeat(100) })).toBe('fine');
    expect(pay({ [field]: 'a'.repeat(101) })).toBe(`2000 ${field}`);
    expect(pay({ [field]: 'a-b' })).toBe(`2000 ${field}`);
  });

  it('has a referenceId of at most 100 characters, not of our form', () => {
    expect(pay({ referenceId: '€'.repeat(100) })).toBe('fine');
    expect(pay({ referenceId: '€'.repeat(101) })).toBe('2000 referenceId');
    expect(pay({ referenceId: `ref_01J${'A'.repeat(23)}` })).toBe('2000 referenceId');
  });

  it.each(['returnUrl', 'formConfig', 'accountHolder', 'useJavaScriptCallback'])(
    'has no %s: that is for forms',
    (field) => {
      expect(pay({ [field]: 'x' })).toBe(`2000 ${field}`);
    },
  );
});

describe('Who initiates a payment', () => {
  it('is the customer or the merchant', () => {
    for (const initiator of ['Customer', 'Merchant']) expect(pay({ initiator })).toBe('fine');
    for (const initiator of ['merchant', '', 1]) expect(pay({ initiator })).toBe('2000 initiator');
  });

  it('has a reason only where it is the merchant: 2000, field reason', () => {
    for (const reason of ['Recurring', 'Installment', 'Unscheduled']) {
      expect(pay({ initiator: 'Merchant', reason })).toBe('fine');
      expect(pay({ initiator: 'Customer', reason })).toBe('2000 reason');
      expect(pay({ reason })).toBe('2000 reason');
    }
    expect(pay({ initiator: 'Merchant', reason: 'Other' })).toBe('2000 reason');
    expect(pay({ initiator: 'Nobody', reason: 'Recurring' })).toBe('2000 initiator');
  });
});
