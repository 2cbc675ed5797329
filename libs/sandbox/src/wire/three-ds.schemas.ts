import type { Currency, ThreeDsStatus } from '@tillstream/domain';
import type { ChallengeState } from '../three-ds/three-ds.simulator.js';
import { integer, matching, oneOf, oneOfValues, orNull, shape, text, type Check } from './wire.checks.js';
import type { AuthenticationLine, ChallengeLine, ChallengeResultLine } from './wire.shapes.js';

/* The schemas of the 3-D Secure messages; see `wire.schemas.ts`. */

const id = text(100);
const kind = text(30);
const cents = integer(0, 999_999_999);
const time = integer(0, Number.MAX_SAFE_INTEGER);
const currency = oneOfValues<Currency>({ USD: true, CAD: true });
const merchantName = text(1_000);
/** As `ThreeDsServer` limits it. */
const challengeId = matching(/^[\w-]{1,100}$/);
const kindOnly = shape({ kind });

/* Bodies of requests. */

export const AUTHENTICATE_BODY = shape({
  key: id,
  cardNumber: text(30),
  amount: cents,
  currency,
  merchantName,
  challengeExpiresAt: time,
});
export const CHALLENGE_RESULT_BODY = shape({ key: id, challengeId: id });
export const CHALLENGE_BODY = shape({ challengeId: id });
export const ANSWER_CHALLENGE_BODY = shape({ challengeId: id, code: text(100) });

/* Lines of responses. */

const threeDs = shape({
  status: oneOfValues<ThreeDsStatus>({
    Authenticated: true,
    Attempted: true,
    NotAuthenticated: true,
    Failed: true,
    Unavailable: true,
    NotEnrolled: true,
  }),
  'cavv?': id,
  'eci?': text(2),
  'xid?': id,
  'dsTransId?': id,
  'threeDReasonId?': text(10),
  'threeDReason?': text(200),
});
const completed = shape({ kind, threeDs });
const authentication = oneOf('kind', {
  Completed: completed,
  ChallengeRequired: shape({ kind, challengeId }),
});
const result = oneOf('kind', { Completed: completed, Open: kindOnly, Unknown: kindOnly });
const challenge = shape({
  key: id,
  state: oneOfValues<ChallengeState>({ Open: true, Passed: true, Failed: true, Expired: true }),
  merchantName,
  amount: cents,
  currency,
  maskedCardNumber: text(30),
  expiresAt: time,
});

const lineOf =
  <Line>(check: Check) =>
  (value: unknown): value is Line =>
    check(value) === undefined;

export const isAuthenticationLine = lineOf<AuthenticationLine>(
  shape({ callId: id, key: id, authentication }),
);
export const isChallengeResultLine = lineOf<ChallengeResultLine>(shape({ callId: id, key: id, result }));
export const isChallengeLine = lineOf<ChallengeLine>(shape({ callId: id, challenge: orNull(challenge) }));
