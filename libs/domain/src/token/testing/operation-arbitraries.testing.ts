import fc from 'fast-check';
import type { ThreeDsStatus } from '../../shared/codes.js';
import {
  approve,
  challengeOpens,
  customerCancels,
  customerLeaves,
  customerSubmits,
  decline,
  formTimesOut,
  keysAreDestroyed,
  submit,
  terminalEnds,
  threeDsCompletes,
  toCloseNotExecuted,
  toInterrupt,
  toRecordNotSent,
  toRemove,
  toRequest,
  toUpdate,
  type DecisionFunction,
} from './commands.testing.js';
import { FORM, minutes, sealed, trx } from './histories.testing.js';

/* Arbitrary commands on a stored card, in any order, with repetitions. */

export interface TokenAction {
  readonly does: string;
  readonly decide: DecisionFunction;
  /** Of commands of clients and erasures. */
  readonly commandId?: string;
}

const commandId = fc.nat({ max: 12 }).map((number) => `command ${number}`);
const at = fc.nat({ max: 1000 }).map(minutes);
const holder = fc.constantFrom('acc_1', 'acc_2');
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const referenceId = optional(fc.constantFrom('mine', 'yours'));
/** Most commands are about the verification. */
const of = fc.record({
  operationId: fc.constantFrom(trx(0), trx(0), trx(0), trx(1), trx(5)),
  try: fc.constantFrom(1, 1, 1, 2),
  at,
});

const request = fc
  .record({
    commandId,
    at,
    referenceId,
    holder: optional(holder),
    byForm: fc.nat({ max: 9 }),
    bank: fc.boolean(),
  })
  .map(({ byForm, bank, holder: accountHolderId, referenceId: reference, ...rest }): TokenAction => ({
    does: 'request',
    commandId: rest.commandId,
    decide: toRequest({
      ...rest,
      channel: bank ? 'Ach' : byForm < 4 ? 'CardNotPresent' : 'CardPresent',
      ...(reference && { referenceId: reference }),
      ...(accountHolderId && { accountHolderId }),
      ...(byForm < 4 && { form: FORM }),
    }),
  }));

const update = fc
  .record({
    commandId,
    at,
    referenceId,
    holder: optional(holder),
    description: optional(fc.string()),
    changesExpiry: fc.boolean(),
  })
  .map(({ holder: accountHolderId, description, referenceId: reference, ...rest }): TokenAction => ({
    does: 'update',
    commandId: rest.commandId,
    decide: toUpdate({
      ...rest,
      ...(reference && { referenceId: reference }),
      ...(accountHolderId && { accountHolderId }),
      ...(description !== undefined && { description }),
      ...(rest.changesExpiry && { personal: sealed('changed') }),
    }),
  }));

const removal = fc
  .record({ commandId, at, erased: optional(holder) })
  .map(({ erased, ...rest }): TokenAction => ({
    does: 'remove',
    commandId: rest.commandId,
    decide: toRemove({ ...rest, ...(erased && { erasedHolderId: erased }) }),
  }));

const attemptAction = (
  does: string,
  decide: (step: { readonly at: string }) => DecisionFunction,
): fc.Arbitrary<TokenAction> => of.map((step) => ({ does, decide: decide(step) }));
const CONSENT = {
  version: '2026-11',
  language: 'en',
  text: 'I authorize debits.',
  personal: sealed('proof'),
} as const;
const submission = fc
  .record({ commandId, at, bank: fc.boolean() })
  .map(({ bank, ...submitted }): TokenAction => ({
    does: 'submit the form',
    commandId: submitted.commandId,
    decide: customerSubmits({ ...submitted, ...(bank && { consent: CONSENT }) }),
  }));
const threeDs = fc
  .record({
    of,
    status: fc.constantFrom<ThreeDsStatus>('Authenticated', 'NotAuthenticated', 'Failed', 'NotEnrolled'),
    challengeId: optional(fc.constant('challenge-1')),
  })
  .map(({ of: step, status, challengeId }): TokenAction => ({
    does: `complete 3-D Secure: ${status}`,
    decide: threeDsCompletes({ status }, { ...step, ...(challengeId && { challengeId }) }),
  }));
const constantAction = (does: string, decide: DecisionFunction): fc.Arbitrary<TokenAction> =>
  fc.constant({ does, decide });

const tokenAction: fc.Arbitrary<TokenAction> = fc.oneof(
  { weight: 2, arbitrary: request },
  { weight: 4, arbitrary: update },
  { weight: 2, arbitrary: removal },
  { weight: 5, arbitrary: attemptAction('approve', (step) => approve(step)) },
  { weight: 2, arbitrary: attemptAction('decline', (step) => decline(10, step)) },
  { weight: 5, arbitrary: submission },
  { weight: 1, arbitrary: at.map((time) => ({ does: 'leave the form', decide: customerLeaves(time) })) },
  { weight: 1, arbitrary: at.map((time) => ({ does: 'expire the form', decide: formTimesOut(time) })) },
  { weight: 1, arbitrary: constantAction('approve without a card', approve({}, {})) },
  { weight: 1, arbitrary: constantAction('submit', submit()) },
  { weight: 1, arbitrary: constantAction('end at the terminal', terminalEnds(1003)) },
  { weight: 1, arbitrary: constantAction('cancel', customerCancels()) },
  { weight: 2, arbitrary: attemptAction('interrupt', (step) => toInterrupt(step)) },
  { weight: 1, arbitrary: attemptAction('open a challenge', (step) => challengeOpens(step)) },
  { weight: 2, arbitrary: threeDs },
  { weight: 1, arbitrary: attemptAction('not sent', (step) => toRecordNotSent(step)) },
  { weight: 1, arbitrary: attemptAction('not executed', (step) => toCloseNotExecuted(step)) },
  { weight: 2, arbitrary: at.map((time) => ({ does: 'destroy keys', decide: keysAreDestroyed(time) })) },
);

export const tokenActions: fc.Arbitrary<readonly TokenAction[]> = fc
  .tuple(request, fc.array(tokenAction, { maxLength: 30, size: 'max' }))
  .map(([first, rest]) => [first, ...rest]);
