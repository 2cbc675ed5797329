import { ImpossibleHistory } from '../shared/aggregate.js';
import {
  APPLICATION_STEPS,
  STEP_STATUSES,
  takeApplicationStep,
  type ApplicationStep,
  type ApplicationStepName,
} from './merchant-application.decide.js';
import {
  foldMerchantApplication,
  merchantApplicationStream,
  merchantOfApplication,
  type MerchantApplication,
  type MerchantApplicationEvent,
} from './merchant-application.js';
import {
  APPLICATION,
  approved,
  given,
  minutes,
  started,
  stepOf,
  submitted,
} from './testing/histories.testing.js';

const take = (step: ApplicationStepName | ApplicationStep) => (application: MerchantApplication) =>
  takeApplicationStep(application, typeof step === 'string' ? stepOf(step, minutes(1)) : step);

describe('A merchant’s application', () => {
  it('goes from its start to its approval, with the status and the reason of its last step', () => {
    let history = given();
    for (const [step, status, reason] of [
      ['start', 'Started'],
      ['upload-info', 'InfoUploaded'],
      ['require-action', 'RequiresAction', 'The bank statement is missing.'],
      ['upload-info', 'InfoUploaded'],
      ['submit', 'Submitted'],
      ['change-status', 'UnderReview', 'An underwriter reads it.'],
      ['approve', 'Approved'],
    ] as const) {
      history = history.when(take(step)).and;
      expect(history.state).toEqual({
        id: APPLICATION,
        phase: expect.any(String) as string,
        status,
        ...(reason !== undefined && { reason }),
        ...(step === 'require-action' && { requiredActions: ['Upload a bank statement'] }),
        startedAt: minutes(1),
        updatedAt: minutes(1),
      });
    }
  });

  it.each<[string, readonly MerchantApplicationEvent[], readonly ApplicationStepName[]]>([
    ['that is not started', [], ['start']],
    ['that is prepared', [started], ['upload-info', 'require-action', 'submit']],
    ['that is in review', [started, submitted], ['change-status', 'approve', 'reject']],
    ['that is decided', [started, submitted, approved], []],
  ])('%s allows only its steps', (_name, history, allowed) => {
    for (const step of APPLICATION_STEPS) {
      const decided = given(...history).when(take(step));
      if (allowed.includes(step)) expect(decided.events).toHaveLength(1);
      else decided.thenRejected('StepNotAllowed');
    }
    const { decision } = given(...history).when(take(allowed.length === 1 ? 'approve' : 'start'));
    expect(decision).toMatchObject({
      rejection: {
        details: expect.stringMatching(new RegExp(`allowed (${allowed.join(', ') || 'no step'})$`)) as string,
      },
    });
  });

  it.each(STEP_STATUSES)('takes no %s as the status of a reviewer', (status) => {
    given(started, submitted)
      .when(take({ step: 'change-status', at: minutes(1), status }))
      .thenRejected('StatusReserved');
  });

  it('refuses a history that no decision made', () => {
    for (const history of [
      [submitted],
      [started, started],
      [started, approved],
      [started, submitted, submitted],
    ])
      expect(() => foldMerchantApplication(history)).toThrow(ImpossibleHistory);
  });

  it('has a stream with the merchant’s id', () => {
    expect(merchantOfApplication(merchantApplicationStream('mer_1'))).toBe('mer_1');
  });
});
