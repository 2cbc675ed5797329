import {
  foldToken,
  type OperationId,
  type PaymentMethodSnapshot,
  type Token,
  type TokenEvent,
  type AttemptOutcome,
} from '@tillstream/domain';
import { tokenOperationResult } from './token-operation.result.js';
import type { PresentedResult } from './transaction.result.js';
import { at, charged, later, outcome, terminal } from './transaction.result.testing.js';

/* A card that a terminal stores, and the possible outcomes. */

export const tokenId = 'pmt_tkn_01J0000000000000000000AT00';
export const create: OperationId = 'trx_01J0000000000000000000AT00';
export const change: OperationId = 'trx_01J0000000000000000000AT01';
export const removal: OperationId = 'trx_01J0000000000000000000AT02';
export const personal = { keyId: tokenId, iv: 'secret-iv', ciphertext: 'secret-person' };
export const stored: PaymentMethodSnapshot = {
  id: tokenId,
  type: 'Token',
  currency: 'USD',
  description: 'Visa of the office',
  cardType: 'VISA',
  maskedCardNumber: '************4242',
  accountType: 'Credit',
  personal,
};

export const verified = (more: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  ...outcome({ gatewayTransactionId: 'gateway-1', ...more }),
  operationId: create,
});
export const tokenRequested: TokenEvent = {
  type: 'TokenRequested',
  data: {
    at,
    operationId: create,
    commandId: 'secret-command',
    referenceId: 'card-1',
    merchantId: 'mer_1',
    tokenId,
    channel: 'CardPresent',
    currency: 'USD',
    paymentMethod: terminal,
    accountHolderId: 'acc_1',
  },
};
export const verificationRequested: TokenEvent = {
  type: 'VerificationRequested',
  data: {
    at,
    operationId: create,
    commandId: 'secret-command',
    try: 1,
    sendBefore: later,
    answerBefore: later,
    processor: 'sandbox',
    processorAccount: 'secret-account',
  },
};
export const created: TokenEvent = { type: 'TokenCreated', data: { ...verified(), token: stored } };
export const declined: TokenEvent = {
  type: 'VerificationDeclined',
  data: { ...verified({ responseCode: 14 }), resultCode: 0 },
};
export const updated: TokenEvent = {
  type: 'TokenUpdated',
  data: {
    at: later,
    operationId: change,
    commandId: 'c2',
    referenceId: 'r2',
    description: 'Visa of the shop',
    accountHolderId: 'acc_2',
  },
};
export const removed: TokenEvent = {
  type: 'TokenRemoved',
  data: { at: later, operationId: removal, commandId: 'c3', referenceId: 'r3' },
};
export const history = [tokenRequested, verificationRequested, created, updated, removed];
export const ofCreation = { at: later, operationId: create, try: 1 };
export { charged, later };

export const presentedTokenResult = (events: readonly TokenEvent[], id = create): PresentedResult =>
  tokenOperationResult(foldToken(events) as Token, id);
