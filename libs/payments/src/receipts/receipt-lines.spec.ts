import type { AttemptResponse, Merchant, Operation, Payment, ResponseFacts, Token } from '@tillstream/domain';
import { receiptLines, verificationReceiptLines } from './receipt-lines.js';

const AT = '2026-07-01T02:30:05.000Z';
const FACTS: ResponseFacts = {
  responseCode: 1,
  authCode: '004242',
  entryMode: 'Chip',
  card: {
    cardType: 'VISA',
    maskedCardNumber: '************4242',
    aid: 'A0000000031010',
    tvr: '0000008000',
  },
};
const approved = (amount: number, facts = FACTS): AttemptResponse => ({ kind: 'Approved', amount, facts });

const merchant = (fields: Partial<Merchant> = {}) =>
  ({ name: 'Corner shop', timeZone: 'America/Toronto', locale: 'en-CA', ...fields }) as Merchant;
const FRENCH = merchant({ locale: 'fr-CA' });

const payment = (fields: Partial<Payment> = {}) =>
  ({
    channel: 'CardPresent',
    currency: 'USD',
    paymentMethod: { id: 'pmt_trm_1', type: 'Physical', currency: 'USD', description: 'Front counter' },
    operations: [],
    ...fields,
  }) as unknown as Payment;

const operation = (fields: Partial<Operation> = {}) =>
  ({
    kind: 'Sale',
    amount: 2_550,
    amountBreakdown: { amountGoodsAndServices: 2_000, tax: 260, tip: 290, cashback: 0 },
    invoiceNumber: 'I7',
    orderNumber: 'O9',
    ...fields,
  }) as unknown as Operation;

const english = (answer: AttemptResponse, of: Operation = operation()) =>
  receiptLines(merchant(), { payment: payment(), operation: of }, answer, AT);

describe('The receipt of an operation at a terminal', () => {
  it('has merchant, local time, terminal, kind, card, chip data, amounts, outcome and numbers, in this order', () => {
    expect(english(approved(2_550))).toEqual([
      'Corner shop',
      '2026-06-30 22:30:05',
      'Terminal: Front counter',
      'SALE',
      'VISA ************4242',
      'Entry: chip',
      'AID: A0000000031010',
      'TVR: 0000008000',
      'Goods and services: 20.00 USD',
      'Tax: 2.60 USD',
      'Tip: 2.90 USD',
      'Total: 25.50 USD',
      'Auth code: 004242',
      'APPROVED',
      'Invoice: I7',
      'Order: O9',
    ]);
  });

  it('is in French for a CAD payment of a merchant with a French locale, and only then', () => {
    const cad = payment({ currency: 'CAD' });
    expect(receiptLines(FRENCH, { payment: cad, operation: operation() }, approved(2_550), AT)).toEqual([
      'Corner shop',
      '2026-06-30 22:30:05',
      'Terminal: Front counter',
      'ACHAT',
      'VISA ************4242',
      'Lecture: puce',
      'AID: A0000000031010',
      'TVR: 0000008000',
      'Biens et services: 20,00 $ CA',
      'Taxes: 2,60 $ CA',
      'Pourboire: 2,90 $ CA',
      'Total: 25,50 $ CA',
      'Autorisation: 004242',
      'APPROUVÉE',
      'Facture: I7',
      'Commande: O9',
    ]);
    const usd = receiptLines(FRENCH, { payment: payment(), operation: operation() }, approved(2_550), AT);
    expect(usd).toContain('APPROVED');
  });

  it('shows a partial approval with the approved amount, the missing part taken off the tip', () => {
    const lines = english(approved(2_500));
    expect(lines).toEqual(expect.arrayContaining(['Tip: 2.40 USD', 'Total: 25.00 USD', 'PARTLY APPROVED']));
  });

  it('says that a payment was declined, or is processed by a bank', () => {
    const declined = english({ kind: 'Declined', facts: { ...FACTS, responseCode: 51 as never } });
    expect(declined).toContain('DECLINED');
    expect(declined).not.toContain('APPROVED');
    expect(english({ kind: 'Submitted', facts: FACTS })).toContain('PROCESSING');
  });

  it('of a follow-up shows the card that paid', () => {
    const paidWith = payment({
      operations: [operation({ responses: [{ outcome: FACTS }] } as unknown as Partial<Operation>)],
    });
    const refund = operation({ kind: 'Refund' });
    const answer = approved(2_550, { responseCode: 1 });
    const lines = receiptLines(merchant(), { payment: paidWith, operation: refund }, answer, AT);
    expect(lines).toEqual(expect.arrayContaining(['REFUND', 'VISA ************4242']));
  });

  it('is empty where no card was present, and for a reversal', () => {
    const byToken = { payment: payment({ channel: 'Token' }), operation: operation() };
    expect(receiptLines(merchant(), byToken, approved(2_550), AT)).toEqual([]);
    expect(english(approved(2_550), operation({ kind: 'Reversal' }))).toEqual([]);
  });
});

describe('The receipt of a card verification at a terminal', () => {
  const token = {
    channel: 'CardPresent',
    currency: 'CAD',
    paymentMethod: { id: 'pmt_trm_1', type: 'Physical', currency: 'CAD', description: 'Front counter' },
  } as unknown as Token;

  it('shows no amount', () => {
    expect(verificationReceiptLines(FRENCH, token, approved(0), AT)).toEqual([
      'Corner shop',
      '2026-06-30 22:30:05',
      'Terminal: Front counter',
      'CARTE AU DOSSIER',
      'VISA ************4242',
      'Lecture: puce',
      'AID: A0000000031010',
      'TVR: 0000008000',
      'Autorisation: 004242',
      'APPROUVÉE',
    ]);
  });

  it('is empty without a terminal', () => {
    const virtual = { ...token, channel: 'CardNotPresent' } as Token;
    expect(verificationReceiptLines(FRENCH, virtual, approved(0), AT)).toEqual([]);
  });
});
