import type { AttemptOutcome } from '../../attempt/index.js';
import type { Channel } from '../../shared/codes.js';
import { formatOperationId, formatTokenId, type OperationId } from '../../shared/ids.js';
import type { HostedForm } from '../../hosted-form/index.js';
import type { Encrypted, PaymentMethodSnapshot } from '../../shared/event.shapes.js';
import type { TokenEvent, TokenRemoved, TokenRequested, TokenUpdated } from '../token.events.js';
import { foldToken } from '../token.evolve.js';
import type { Token, TokenState } from '../token.state.js';
import { givenBy, type ExpectedEvent } from '../../shared/testing/given-when-then.testing.js';

/* Past events of a stored card. Operations are named by their number. */

export const given = givenBy<TokenState, TokenEvent>(foldToken);
export const ROOT = '01JQ0000000000000000000';
export const TOKEN_ID = formatTokenId(ROOT);
export const trx = (number: number): OperationId =>
  formatOperationId({ category: 'token', root: ROOT, number });
export const minutes = (count: number): string =>
  new Date(Date.UTC(2026, 2, 1, 12) + count * 60_000).toISOString();

export const TERMINAL: PaymentMethodSnapshot = { id: 'pmt_trm_1', type: 'Physical', currency: 'USD' };
export const CARD = { cardType: 'VISA', maskedCardNumber: '************4242' } as const;
export const PLAN = {
  sendBefore: minutes(1),
  answerBefore: minutes(2),
  processor: 'sandbox',
  processorAccount: 'acct',
};
export const FORM: HostedForm = {
  sessionHash: 'a'.repeat(64),
  expiresAt: minutes(30),
  useJavaScriptCallback: false,
  billingInfoCaptureLevel: 'Full',
  enable3DSecure: false,
  piiFields: [],
};
export const sealed = (text: string): Encrypted => ({ keyId: TOKEN_ID, iv: 'aXY=', ciphertext: text });
const STORED: PaymentMethodSnapshot = {
  id: TOKEN_ID,
  type: 'Token',
  currency: 'USD',
  ...CARD,
  personal: sealed('first'),
};

export function an<Type extends TokenEvent['type']>(
  type: Type,
  data: Partial<Extract<TokenEvent, { type: Type }>['data']> = {},
): ExpectedEvent {
  return { type, data };
}

export function tokenRequested(more: Partial<TokenRequested> = {}): TokenEvent {
  return {
    type: 'TokenRequested',
    data: {
      at: minutes(0),
      operationId: trx(0),
      commandId: 'command-0',
      referenceId: 'ref-0',
      merchantId: 'mer_1',
      tokenId: TOKEN_ID,
      channel: 'CardPresent',
      currency: 'USD',
      paymentMethod: TERMINAL,
      ...more,
    },
  };
}

const verificationRequested: TokenEvent = {
  type: 'VerificationRequested',
  data: { at: minutes(0), operationId: trx(0), commandId: 'command-0', try: 1, ...PLAN },
};

/** With an open verification. */
export const requested = (more: Partial<TokenRequested> = {}): TokenEvent[] => [
  tokenRequested(more),
  verificationRequested,
];

const outcome = (more: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  at: minutes(1),
  operationId: trx(0),
  commandId: 'command-0',
  try: 1,
  source: 'Answer',
  responseCode: 1,
  channel: 'CardPresent',
  paymentMethod: { ...TERMINAL, ...CARD },
  card: CARD,
  receiptLines: [],
  ...more,
});

export const interrupted: TokenEvent = {
  type: 'VerificationInterrupted',
  data: { at: minutes(1), operationId: trx(0), try: 1, cause: 'NoAnswer', lostLink: false },
};
export const declined: TokenEvent = {
  type: 'VerificationDeclined',
  data: { ...outcome({ responseCode: 10 }), resultCode: 0 },
};
/** A declined submission of a form. */
export const failedTry = (number: number): TokenEvent => ({
  type: 'VerificationFailed',
  data: { ...outcome({ responseCode: 10, try: number }), resultCode: 6900 },
});
export const notSent: TokenEvent = {
  type: 'VerificationNotSent',
  data: { at: minutes(1), operationId: trx(0), try: 1, reason: 'late' },
};
export const notExecuted: TokenEvent = {
  type: 'VerificationNotExecuted',
  data: { at: minutes(1), operationId: trx(0), try: 1, source: 'Annul' },
};
export const cancelled: TokenEvent = {
  type: 'VerificationCancelled',
  data: { at: minutes(1), operationId: trx(0), try: 1, by: 'Customer', source: 'Answer', resultCode: 0 },
};

/** An active token. */
export function stored(
  more: Partial<TokenRequested> = {},
  token: Partial<PaymentMethodSnapshot> = {},
): TokenEvent[] {
  return [
    ...requested(more),
    { type: 'TokenCreated', data: { ...outcome(), token: { ...STORED, ...token } } },
  ];
}

export const bankAccount = (channel: Channel): TokenEvent[] =>
  stored({ channel }, { accountNumber: '******6789', accountType: 'Checking' });

export function updated(number: number, more: Partial<TokenUpdated> = {}): TokenEvent {
  const ids = { operationId: trx(number), commandId: `command-${number}`, referenceId: `ref-${number}` };
  return { type: 'TokenUpdated', data: { at: minutes(number + 1), ...ids, ...more } };
}

export function removed(number: number, more: Partial<TokenRemoved> = {}): TokenEvent {
  const ids = { operationId: trx(number), commandId: `command-${number}`, referenceId: `ref-${number}` };
  return { type: 'TokenRemoved', data: { at: minutes(number + 1), ...ids, ...more } };
}

export const keysDestroyed = (number: number): TokenEvent => ({
  type: 'TokenKeysDestroyed',
  data: { at: minutes(number + 2), operationId: trx(number) },
});

export const tokenOf = (state: TokenState): Token => {
  if (state.status === 'None') throw new Error('nothing was requested');
  return state;
};
