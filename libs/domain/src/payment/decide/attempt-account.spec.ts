import {
  approve,
  authorizationExpires,
  decline,
  toCapture,
  toReverseLateApproval,
  toVoid,
} from '../testing/commands.testing.js';
import { an, given } from '../testing/given-when-then.testing.js';
import { days, notExecuted, requested } from '../testing/histories.testing.js';

describe('the account of an attempt', () => {
  const atHarbor = requested({
    amount: 1000,
    kind: 'Auth',
    at: { processor: 'harbor', processorAccount: 'h-7' },
  });
  const authorized = given(atHarbor).when(approve(1000)).and;

  it('is recorded, and its capture, void and reversal go to the same account', () => {
    expect(authorized.operation(0)).toMatchObject({
      attempt: { processor: 'harbor', processorAccount: 'h-7' },
      accounts: [{ processor: 'harbor', processorAccount: 'h-7' }],
    });
    const there = { processor: 'harbor', processorAccount: 'h-7' };
    authorized.when(toCapture({ amount: 400 })).then(an('CaptureRequested'), an('TryRequested', there));
    authorized.when(toVoid()).then(an('VoidRequested'), an('TryRequested', there));
    authorized
      .when(authorizationExpires({ at: days(8) }))
      .then(an('AuthorizationExpired'), an('ReversalRequested'), an('TryRequested', there));
  });

  it('is in the outcome event', () => {
    given(atHarbor)
      .when(decline())
      .then(an('Declined', { processor: 'harbor', processorAccount: 'h-7' }));
  });

  it('of a late execution gets the reversal, even if a later attempt went to another account', () => {
    const late = given(atHarbor, notExecuted(0)).when(approve(1000, { source: 'LateAnswer' }));
    late.then(an('LateApprovalFound', { processor: 'harbor', processorAccount: 'h-7' }));
    late.and
      .when(toReverseLateApproval())
      .then(an('ReversalRequested'), an('TryRequested', { processor: 'harbor' }));
  });

  it('is the account that answered, if the stream has no such attempt; without it nothing is reversed', () => {
    const unknown = { try: 3, source: 'LateAnswer' } as const;
    const answeredBy = { processor: 'pier', processorAccount: 'p-1' };
    given(atHarbor, notExecuted(0))
      .when(approve(1000, { ...unknown, answeredBy }))
      .and.when(toReverseLateApproval())
      .then(an('ReversalRequested', { originalTry: 3 }), an('TryRequested', answeredBy));
    given(atHarbor, notExecuted(0))
      .when(approve(1000, unknown))
      .and.when(toReverseLateApproval())
      .thenRejected('StepOutOfOrder');
  });
});
