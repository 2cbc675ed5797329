import {
  cancelForm,
  capture,
  changeHolder,
  closeNotExecuted,
  createHolder,
  eraseHolder,
  expireAuthorization,
  interrupt,
  openPayment,
  formatOperationId,
  putIntoBatch,
  recordResponse,
  recordBankReturn,
  recordVerification,
  refund,
  removeToken,
  requestToken,
  reverseLateApproval,
  submitForm,
  updateToken,
  closeVerificationNotExecuted,
  voidOperation,
  type HolderState,
  type OperationId,
  type PaymentState,
  type ResponseCode,
  type TokenState,
} from '@tillstream/domain';

/* Random commands and facts for a stream. Its decider may refuse them. */

/** A number from 0 up to, not including, `below`. */
export type RandomChoice = (below: number) => number;

/** The same numbers for the same seed. */
export function seededChoice(seed: number): RandomChoice {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

export const MERCHANTS = ['mer_A', 'mer_B'] as const;
const HOLDERS = ['acc_01JQ00000000000000000000H0', 'acc_01JQ00000000000000000000H1'] as const;
const sealed = (choose: RandomChoice) => ({
  keyId: `key-${choose(9)}`,
  iv: 'iv',
  ciphertext: `text-${choose(1000)}`,
});
const CONSENT = {
  consent: { version: '1', language: 'en', text: 'yes', personal: { keyId: 'k', iv: 'i', ciphertext: 'c' } },
} as const;
const SOME_TIME = '2026-03-01T00:00:00.000Z';
const plan = {
  sendBefore: SOME_TIME,
  answerBefore: SOME_TIME,
  processor: 'sandbox',
  processorAccount: 'account',
};
export const pickRandom = <T>(choose: RandomChoice, values: readonly T[]): T =>
  values[choose(values.length)] as T;

function references(choose: RandomChoice) {
  return {
    ...(choose(3) === 0 && { referenceId: `order-${choose(5)}` }),
    ...(choose(4) === 0 && { invoiceNumber: `invoice-${choose(4)}` }),
    ...(choose(4) === 0 && { orderNumber: `order-${choose(4)}` }),
  };
}

function facts(choose: RandomChoice, responseCode: ResponseCode) {
  const card = {
    cardType: pickRandom(choose, ['VISA', 'MASTERCARD'] as const),
    maskedCardNumber: '************4242',
  };
  return { responseCode, gatewayTransactionId: `gateway-${choose(1000)}`, ...(choose(3) > 0 && { card }) };
}

function randomOpening(state: PaymentState, at: string, choose: RandomChoice, stream: string) {
  const commandId = `command-${choose(1_000_000_000)}`;
  const byForm = choose(4) === 0;
  const byToken = !byForm && choose(2) === 0;
  const method = byToken
    ? {
        id: `pmt_tkn_${choose(3)}`,
        type: 'Token' as const,
        ...(choose(2) === 0 && { personal: sealed(choose) }),
      }
    : byForm
      ? { id: `pmt_frm_${choose(2)}`, type: 'Virtual' as const }
      : { id: `pmt_trm_${choose(2)}`, type: 'Physical' as const };
  const currency = pickRandom(choose, ['USD', 'CAD'] as const);
  return openPayment(state, {
    ...references(choose),
    kind: pickRandom(choose, ['Sale', 'Auth', 'Auth', 'UnreferencedRefund'] as const),
    at,
    commandId,
    operationId: formatOperationId({ category: 'payment', root: stream.slice('payment-'.length), number: 0 }),
    merchantId: pickRandom(choose, MERCHANTS),
    amount: 1 + choose(pickRandom(choose, [10, 2000])),
    currency,
    channel: byToken ? (choose(4) === 0 ? 'Ach' : 'Token') : byForm ? 'CardNotPresent' : 'CardPresent',
    paymentMethod: { ...method, currency },
    ...(choose(3) === 0 && { accountHolderId: pickRandom(choose, HOLDERS) }),
    ...(byForm
      ? { form: { ...FORM, expiresAt: new Date(Date.parse(at) + 1_800_000).toISOString() } }
      : { attemptPlan: plan }),
  });
}

export function randomPaymentDecision(state: PaymentState, at: string, choose: RandomChoice, stream: string) {
  if (state.status === 'None') return randomOpening(state, at, choose, stream);
  const commandId = `command-${choose(1_000_000_000)}`;
  const operation = pickRandom(choose, state.operations);
  const of = { at, operationId: operation.id, try: operation.attempt?.number ?? 1 };
  const followUp = {
    ...references(choose),
    at,
    commandId,
    sendWindow: plan,
    originalOperationId: operation.id,
  };
  const amount = 1 + choose(operation.amount);
  switch (choose(22)) {
    case 0:
    case 1:
      return capture(state, choose(2) === 0 ? followUp : { ...followUp, amount });
    case 2:
      return refund(state, choose(2) === 0 ? followUp : { ...followUp, amount });
    case 3:
      return voidOperation(state, choose(2) === 0 ? followUp : { ...followUp, amount });
    case 4:
      return interrupt(state, {
        ...of,
        cause: pickRandom(choose, ['NoAnswer', 'Abandoned'] as const),
        lostLink: false,
      });
    case 5:
      return closeNotExecuted(state, { ...of, source: 'Annul' });
    case 6:
      return submitForm(state, { at, operationId: operation.id, commandId, attemptPlan: plan, ...CONSENT });
    case 7:
      return choose(4) === 0
        ? cancelForm(state, { at, operationId: operation.id })
        : putIntoBatch(state, {
            at,
            operationId: operation.id,
            batchId: `bat_${choose(2)}`,
            closing: 1 + choose(2),
            ...(choose(3) === 0 && { returnId: operation.returns[0]?.id ?? 'R0' }),
          });
    case 8:
      return expireAuthorization(state, { at, operationId: operation.id, commandId, sendWindow: plan });
    case 9:
      return choose(2) === 0
        ? reverseLateApproval(state, { at, operationId: operation.id, commandId, sendWindow: plan })
        : recordBankReturn(state, {
            at,
            operationId: operation.id,
            returnId: `R${choose(3)}`,
            code: 'R01',
            reason: 'none',
            amount,
          });
    default:
      return recordResponse(state, {
        ...of,
        source: pickRandom(choose, ['Answer', 'LateAnswer', 'Inquiry', 'Bank'] as const),
        answer: randomAnswer(operation.amount, choose),
        receiptLines: [`line ${choose(10)}`],
        expiresAt: new Date(Date.parse(at) + 7 * 86_400_000).toISOString(),
        nextWindow: plan,
      });
  }
}

function randomAnswer(amount: number, choose: RandomChoice) {
  switch (choose(8)) {
    case 0:
      return { kind: 'Declined' as const, facts: facts(choose, pickRandom(choose, [10, 12, 14] as const)) };
    case 1:
      return { kind: 'Submitted' as const, facts: facts(choose, 57) };
    case 2:
      return { kind: 'TerminalEnded' as const, resultCode: 3005 as const, facts: facts(choose, 0) };
    case 3:
      return { kind: 'ProcessorBatchClosed' as const, facts: facts(choose, 20) };
    case 4:
      return { kind: 'Approved' as const, amount: Math.ceil(amount / 2), facts: facts(choose, 2) };
    default:
      return { kind: 'Approved' as const, amount, facts: facts(choose, 1) };
  }
}

const FORM = {
  sessionHash: 'a'.repeat(64),
  useJavaScriptCallback: false,
  billingInfoCaptureLevel: 'Full',
  enable3DSecure: false,
  piiFields: [],
} as const;

export function randomTokenDecision(state: TokenState, at: string, choose: RandomChoice, stream: string) {
  const commandId = `command-${choose(1_000_000_000)}`;
  if (state.status === 'None') {
    return requestToken(state, {
      root: stream.slice('token-'.length),
      at,
      commandId,
      merchantId: pickRandom(choose, MERCHANTS),
      channel: pickRandom(choose, ['CardPresent', 'CardNotPresent'] as const),
      currency: 'USD',
      paymentMethod: { id: 'pmt_trm_0', type: 'Physical', currency: 'USD' },
      ...(choose(2) === 0 && { accountHolderId: pickRandom(choose, HOLDERS) }),
      ...(choose(3) === 0 && { referenceId: `order-${choose(5)}` }),
      attemptPlan: plan,
    });
  }
  const first = state.operations[0]?.id as OperationId;
  const of = { at, operationId: first, try: 1 };
  switch (choose(6)) {
    case 0:
      return closeVerificationNotExecuted(state, { ...of, source: 'Annul' });
    case 1:
      return removeToken(state, { at, commandId });
    case 2:
      return updateToken(state, {
        at,
        commandId,
        description: `card ${choose(5)}`,
        accountHolderId: pickRandom(choose, HOLDERS),
        changesExpiry: false,
        personal: sealed(choose),
      });
    default:
      return recordVerification(state, {
        ...of,
        source: 'Answer',
        answer:
          choose(4) === 0
            ? { kind: 'Declined', facts: facts(choose, 10) }
            : { kind: 'Approved', amount: 0, facts: facts(choose, 1) },
        receiptLines: [],
        personal: sealed(choose),
      });
  }
}

export function randomHolderDecision(state: HolderState, at: string, choose: RandomChoice, stream: string) {
  const commandId = `command-${choose(1_000_000_000)}`;
  const externalIdHash = choose(2) === 0 ? { externalIdHash: `hash-${choose(3)}` } : {};
  if (state.status === 'None') {
    const holderId = `acc_${stream.slice('holder-'.length)}`;
    const merchantId = pickRandom(choose, MERCHANTS);
    return createHolder(state, {
      at,
      commandId,
      holderId,
      merchantId,
      personal: sealed(choose),
      ...externalIdHash,
    });
  }
  return choose(5) === 0
    ? eraseHolder(state, { at, commandId })
    : changeHolder(state, { at, commandId, personal: sealed(choose), ...externalIdHash });
}
