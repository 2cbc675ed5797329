import { english, type Texts } from './texts.en.js';

/** Of a form for bank accounts. */
export const englishOfBanks: Texts = {
  ...english,
  intent: { ...english.intent, TokenCreate: 'Save a bank account' },
  title: {
    ...english.title,
    TokenCreate: (merchant: string) => `Save a bank account for ${merchant}`,
  },
  explanation: {
    ...english.explanation,
    Sale: 'The amount is taken from your bank account.',
    TokenCreate: 'Nothing is taken now. The merchant can take payments later, as you agreed with them.',
  },
  privacy: (merchant: string) =>
    `Your account details are encrypted in transit. ${merchant} does not see them.`,
  nothing: { ...english.nothing, TokenCreate: 'The account was not saved.' },
  section: { ...english.section, account: 'Bank account' },
  field: { ...english.field, name: 'Account holder’s name' },
  error: { ...english.error, nameMissing: 'Enter the name of the account holder.' },
  submit: {
    ...english.submit,
    Sale: (amount: string) => `Authorize and pay ${amount}`,
    TokenCreate: () => 'Authorize and save account',
  },
  notice: {
    ...english.notice,
    declined: { ...english.notice.declined, TokenCreate: 'The account was not accepted' },
    busyTitle: 'Your payment is already being processed',
    refusedTitle: 'Your payment was not processed',
  },
  reason: {
    ...english.reason,
    declined: 'The bank declined the payment. Use another account, or contact your bank.',
    insufficientFunds: 'There is not enough money in this account. Use another account.',
    wrongDetails: 'Some account details are not right. Check the numbers.',
    limitExceeded: 'This goes over the limit of the account. Use another account.',
    cardNotAllowed: 'This account cannot be used here. Use another account.',
  },
  ending: {
    ...english.ending,
    approved: { ...english.ending.approved, TokenCreate: 'Account saved' },
    approvedText: {
      ...english.ending.approvedText,
      TokenCreate: (merchant: string) => `${merchant} can use this account for your payments.`,
    },
    processing: 'Payment sent to your bank',
    processingText: (merchant: string) =>
      `Your bank answers in a few business days. ${merchant} will learn the result; you do not have to do anything.`,
  },
};
