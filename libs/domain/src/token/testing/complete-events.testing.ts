import type { CompleteExamples } from '../../shared/testing/codec-contract.testing.js';
import { completeEvents as ofPayments } from '../../payment/testing/complete-events.testing.js';
import type { TokenEvent } from '../token.events.js';

/* One example of each event with every field filled. The frozen files in `fixtures/` are these. */

const { at } = ofPayments.SaleRequested;
const operationId = 'trx_01JQ0000000000000000000T00';
const tokenId = 'pmt_tkn_01JQ0000000000000000000T00';
const commandId = '0195537a-0000-7000-8000-000000000001';
const accountHolderId = 'acc_01JQ0000000000000000000000';
const terminalId = 'pmt_trm_01JQ0000000000000000000000';
const personal = { keyId: tokenId, iv: 'aXY=', ciphertext: 'Y2lwaGVydGV4dA==' };
const { paymentMethod: example, form } = ofPayments.SaleRequested;
const { threeDs, resumes: window } = ofPayments.ThreeDsCompleted;

const token = { ...example, id: tokenId, personal };
const paymentMethod = {
  ...example,
  id: terminalId,
  type: 'Physical',
  description: 'Counter',
  personal,
} as const;
const { resultCode: _resultCode, ...fields } = ofPayments.Declined;
const outcome = { ...fields, operationId, commandId, paymentMethod } as const;
const ofTry = { at, operationId, try: 1 } as const;

export const completeTokenEvents: CompleteExamples<TokenEvent> = {
  TokenRequested: {
    at,
    operationId,
    commandId,
    referenceId: 'card 7',
    merchantId: 'mer_01JQ0000000000000000000000',
    tokenId,
    channel: 'CardPresent',
    currency: 'USD',
    paymentMethod,
    terminalId,
    description: 'Visa of Ms. Maple',
    accountHolderId,
    form,
  },
  StorageConsentGiven: {
    ...ofTry,
    version: '2026-11',
    language: 'fr',
    text: 'En soumettant ce formulaire, j’autorise Maple Street Books à débiter mon compte bancaire.',
    personal,
  },
  VerificationRequested: {
    ...ofTry,
    commandId,
    ...window,
    processor: 'sandbox',
    processorAccount: 'acct-1',
    personal,
  },
  VerificationNotSent: { ...ofTry, reason: 'sendBefore has passed' },
  VerificationInterrupted: { ...ofTry, cause: 'Abandoned', lostLink: true },
  VerificationThreeDsCompleted: { ...ofTry, threeDs, resumes: window },
  VerificationChallengeOpened: {
    ...ofTry,
    challengeId: 'challenge-1',
    redirectUrl: '/sandbox/acs/challenge-1',
    expiresAt: '2026-03-01T12:10:00.000Z',
    threeDsServer: 'sandbox',
    personal,
  },
  VerificationChallengeEnded: { ...ofTry, challengeId: 'challenge-1', threeDs, resumes: window },
  VerificationFailed: { ...outcome, resultCode: 6900 },
  VerificationFormExpired: { at, operationId },
  TokenCreated: { ...outcome, token },
  VerificationDeclined: { ...outcome, resultCode: 6900 },
  VerificationCancelled: {
    ...ofTry,
    by: 'Terminal',
    source: 'Answer',
    resultCode: 1003,
    responseCode: 53,
    hostText: 'terminal busy',
    terminalId,
  },
  VerificationNotExecuted: { ...ofTry, source: 'Operator', reason: 'the acquirer never got it' },
  TokenUpdated: {
    at,
    operationId: 'trx_01JQ0000000000000000000T01',
    commandId,
    referenceId: 'change 7',
    description: 'Visa of the shop',
    accountHolderId,
    personal,
  },
  TokenRemoved: {
    at,
    operationId: 'trx_01JQ0000000000000000000T02',
    commandId,
    referenceId: 'removal 7',
    erasedHolderId: accountHolderId,
  },
  TokenKeysDestroyed: { at, operationId: 'trx_01JQ0000000000000000000T02' },
};
