import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ThreeDsStatus } from '@tillstream/domain';
import type {
  AuthenticationRequest,
  AuthenticationResult,
  ChallengeResult,
  ThreeDsServer,
} from '../../three-ds/three-ds.port.js';
import { newKey } from '../attempt-call.js';

/** One 3-D Secure server, and any number of adapters to it. */
export interface ThreeDsServerUnderTest {
  /** Makes a new adapter to the same server. */
  connect(): ThreeDsServer;
  /** Card numbers by the status that the server gives them without a challenge. */
  readonly cards: Readonly<Record<Exclude<ThreeDsStatus, 'Failed'>, string>>;
  /** The number of a card whose cardholder has to pass a challenge. */
  readonly challengedCard: string;
  /** Answers a challenge as its cardholder does. */
  answer(challengeId: string, isRight: boolean): Promise<void>;
  /** The service's clock, ms. */
  serviceNow(): number;
  /** Moves the service's clock. */
  advance(ms: number): Promise<void>;
  /** From now on the server answers no call. */
  breakDown(): Promise<void>;
  close(): Promise<void>;
}

const CHALLENGE_MS = 600_000;
const DEADLINE_MS = 5_000;
/** A server that can't be reached is noticed before this deadline or at it. */
const SHORT_DEADLINE_MS = 300;
const MARGIN_MS = 2_000;
const UNKNOWN_CHALLENGE = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const ECI: Readonly<Partial<Record<ThreeDsStatus, RegExp>>> = {
  Authenticated: /^0[25]$/,
  Attempted: /^0[16]$/,
  NotAuthenticated: /^0[07]$/,
};

/** The contract of every adapter of the port. The adapter's spec calls it in one line. */
export function threeDsServerContract(name: string, factory: () => Promise<ThreeDsServerUnderTest>): void {
  describe(`${name} keeps the contract of 3-D Secure servers`, () => {
    let underTest: ThreeDsServerUnderTest;
    let server: ThreeDsServer;
    beforeEach(async () => {
      underTest = await factory();
      server = underTest.connect();
    });
    afterEach(() => underTest.close());

    const request = (number: string, rest: Partial<AuthenticationRequest> = {}): AuthenticationRequest => ({
      key: newKey(),
      merchantId: 'mer_1',
      merchantName: 'Maple Street Books',
      amount: 1_250,
      currency: 'USD',
      card: { number, expDate: '1299' },
      challengeExpiresAt: new Date(underTest.serviceNow() + CHALLENGE_MS).toISOString(),
      deadlineMs: DEADLINE_MS,
      ...rest,
    });
    const resultOf = (key: string, challengeId: string, deadlineMs = DEADLINE_MS): Promise<ChallengeResult> =>
      server.challengeResult({ key, challengeId, deadlineMs });

    /** A challenge that waits for its cardholder. */
    const openChallenge = async () => {
      const asked = request(underTest.challengedCard);
      const result = await server.authenticate(asked);
      if (result.kind !== 'ChallengeRequired') throw new Error(`no challenge: ${JSON.stringify(result)}`);
      return { request: asked, key: asked.key, result, id: result.challengeId };
    };

    it.each(['Authenticated', 'Attempted', 'NotAuthenticated'] as const)(
      'a card that is %s without a challenge has the ECI of that, and the id of the directory server',
      async (status) => {
        const result = await server.authenticate(request(underTest.cards[status]));
        expect(result).toMatchObject({ kind: 'Completed', threeDs: { status } });
        const { threeDs } = result as Extract<AuthenticationResult, { kind: 'Completed' }>;
        expect(threeDs.eci).toMatch(ECI[status] ?? '');
        expect(threeDs.dsTransId).toMatch(/^\S{1,36}$/);
        expect(threeDs.cavv !== undefined).toBe(status !== 'NotAuthenticated');
      },
    );

    it.each(['Unavailable', 'NotEnrolled'] as const)(
      'a card that is %s has only this status',
      async (status) => {
        const result = await server.authenticate(request(underTest.cards[status]));
        expect(result).toEqual({ kind: 'Completed', threeDs: { status } });
      },
    );

    it('a card that is only stored is authenticated with the amount 0', async () => {
      const stored = request(underTest.cards.Authenticated, { amount: 0, currency: 'CAD' });
      expect(await server.authenticate(stored)).toMatchObject({ threeDs: { status: 'Authenticated' } });
    });

    it('a repeated key gets the first result, from another adapter too', async () => {
      for (const number of [underTest.cards.Authenticated, underTest.challengedCard]) {
        const asked = request(number);
        const first = await server.authenticate(asked);
        expect(await server.authenticate(asked)).toEqual(first);
        expect(await underTest.connect().authenticate(asked)).toEqual(first);
        expect(await server.authenticate(request(number))).not.toEqual(first);
      }
    });

    it('a challenge has an id for URLs and a page, and is open until it is answered', async () => {
      const { key, result, id } = await openChallenge();
      expect(id).toMatch(/^[\w-]{22,100}$/);
      expect(result.redirectUrl).toMatch(/^(\/|https?:\/\/)/);
      expect(await resultOf(key, id)).toEqual({ kind: 'Open' });
    });

    it('a passed challenge is Authenticated, with ECI and CAVV', async () => {
      const { key, id } = await openChallenge();
      await underTest.answer(id, true);
      const threeDs = {
        status: 'Authenticated',
        eci: expect.stringMatching(/^0[25]$/),
        cavv: expect.any(String),
      };
      expect(await resultOf(key, id)).toMatchObject({ kind: 'Completed', threeDs });
    });

    it('a failed challenge is Failed, with a reason and without a CAVV', async () => {
      const { key, id } = await openChallenge();
      await underTest.answer(id, false);
      const result = await resultOf(key, id);
      const reason = { threeDReasonId: expect.any(String), threeDReason: expect.any(String) };
      expect(result).toMatchObject({ kind: 'Completed', threeDs: { status: 'Failed', ...reason } });
      expect(result).not.toHaveProperty('threeDs.cavv');
    });

    it('a challenge without an answer is Failed at its expiry, and stays so after any later answer', async () => {
      const { key, id } = await openChallenge();
      await underTest.advance(CHALLENGE_MS);
      const expired = await resultOf(key, id);
      expect(expired).toMatchObject({ kind: 'Completed', threeDs: { status: 'Failed' } });
      await underTest.answer(id, true);
      expect(await resultOf(key, id)).toEqual(expired);
    });

    it('the result of a challenge never changes', async () => {
      const { request: asked, key, result, id } = await openChallenge();
      await underTest.answer(id, true);
      const first = await resultOf(key, id);
      await underTest.answer(id, false);
      await underTest.advance(2 * CHALLENGE_MS);
      expect(await resultOf(key, id)).toEqual(first);
      expect(await server.authenticate(asked)).toEqual(result);
    });

    it('an unknown challenge, or one of another key, is Unknown', async () => {
      const { key, id } = await openChallenge();
      expect(await resultOf(key, UNKNOWN_CHALLENGE)).toEqual({ kind: 'Unknown' });
      expect(await resultOf(newKey(), id)).toEqual({ kind: 'Unknown' });
    });

    it('a server that does not answer within the deadline gives NoAnswer; no call rejects', async () => {
      const { request: asked, key, id } = await openChallenge();
      await underTest.breakDown();
      const startedAt = performance.now();
      const late = { ...asked, deadlineMs: SHORT_DEADLINE_MS };
      const noAnswer = { kind: 'NoAnswer' };
      expect(await server.authenticate(late)).toEqual(noAnswer);
      expect(await server.authenticate({ ...late, key: newKey() })).toEqual(noAnswer);
      expect(await resultOf(key, id, SHORT_DEADLINE_MS)).toEqual(noAnswer);
      expect(performance.now() - startedAt).toBeLessThan(3 * SHORT_DEADLINE_MS + MARGIN_MS);
    });
  });
}
