import { givenBy } from '../../shared/testing/given-when-then.testing.js';
import { foldMerchantApplication, type MerchantApplicationEvent } from '../merchant-application.js';
import type { ApplicationStep, ApplicationStepName } from '../merchant-application.decide.js';

export const given = givenBy(foldMerchantApplication);

export const APPLICATION = 'app_01JQ0000000000000000000000';

/** Minutes after noon. */
export const minutes = (count: number): string =>
  new Date(Date.parse('2026-03-01T12:00:00.000Z') + count * 60_000).toISOString();

/** Each step with its fields. */
export function stepOf(step: ApplicationStepName, at: string): ApplicationStep {
  switch (step) {
    case 'start':
      return { step, at, applicationId: APPLICATION };
    case 'require-action':
      return {
        step,
        at,
        reason: 'The bank statement is missing.',
        requiredActions: ['Upload a bank statement'],
      };
    case 'change-status':
      return { step, at, status: 'UnderReview', reason: 'An underwriter reads it.' };
    case 'reject':
      return { step, at, reason: 'The business is not supported.' };
    case 'upload-info':
    case 'submit':
    case 'approve':
      return { step, at };
  }
}

const at = minutes(0);
export const started: MerchantApplicationEvent = {
  type: 'MerchantApplicationStarted',
  data: { at, applicationId: APPLICATION },
};
export const submitted: MerchantApplicationEvent = { type: 'MerchantApplicationSubmitted', data: { at } };
export const approved: MerchantApplicationEvent = { type: 'MerchantApproved', data: { at } };
