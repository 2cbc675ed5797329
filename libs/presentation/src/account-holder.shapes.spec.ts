import { accountHolderShape, tokenListItem } from './account-holder.shapes.js';

const id = 'pmt_tkn_01J0000000000000000000AT00';
const times = { createdAt: '2026-08-03T12:00:00.000Z', updatedAt: '2026-08-03T12:00:05.000Z' };
const billingContact = { name: 'A. Maple', countryCode: 'CA', zipCode: 'K1A 0B1' };

describe('An item of an account holder’s payment methods', () => {
  it('of a card has its masked number, its expiry and the billing contact', () => {
    const card = {
      id,
      currency: 'USD',
      description: 'Office',
      cardType: 'VISA',
      maskedCardNumber: '*4242',
    } as const;
    const item = tokenListItem({ ...card, accountType: 'Credit' }, { cardExpDate: '1228', billingContact });
    expect(item).toEqual({
      ...card,
      type: 'Token',
      accountType: 'Credit',
      cardExpDate: '1228',
      billingContact,
    });
    expect(Object.keys(item).slice(0, 3)).toEqual(['id', 'type', 'currency']);
  });

  it('of a bank account has the masked number and the account type', () => {
    const bank = { id, currency: 'CAD', accountType: 'Checking', accountNumber: '*6789' } as const;
    expect(tokenListItem(bank)).toEqual({ ...bank, type: 'Token' });
  });

  it('that was removed has the time of its removal and no number', () => {
    const listed = { id, currency: 'USD', cardType: 'VISA', maskedCardNumber: '*4242' } as const;
    const item = tokenListItem(
      { ...listed, dateDeleted: times.updatedAt },
      { cardExpDate: '1228', billingContact },
    );
    expect(item).toEqual({
      id,
      type: 'Token',
      currency: 'USD',
      dateDeleted: times.updatedAt,
      cardType: 'VISA',
    });
  });
});

describe('An account holder', () => {
  it('has the known personal data and nothing else', () => {
    const personal = {
      externalId: 'c-7',
      name: 'A. Maple',
      email: 'a@maple.example',
      phone: '1',
      billingContact,
    };
    const holder = accountHolderShape({ id: 'acc_1', ...times, personal });
    expect(holder).toEqual({ id: 'acc_1', ...personal, ...times });
    expect(Object.keys(holder)).toEqual([
      'id',
      'externalId',
      'name',
      'email',
      'phone',
      'billingContact',
      'createdAt',
      'updatedAt',
    ]);
    expect(accountHolderShape({ id: 'acc_1', ...times, personal: {} })).toEqual({ id: 'acc_1', ...times });
  });
});
