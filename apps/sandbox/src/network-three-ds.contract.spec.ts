import { NetworkThreeDsServer, type AuthenticationRequest } from '@tillstream/processors';
import {
  newKey,
  SANDBOX_THREE_DS_CARDS,
  threeDsServerContract,
  type ProxyFault,
} from '@tillstream/processors/testing';
import { NetworkFixture } from './network.fixture.js';

threeDsServerContract('The 3-D Secure server of the sandbox over a network', async () => {
  const fixture = new NetworkFixture();
  await fixture.start();
  return {
    ...SANDBOX_THREE_DS_CARDS,
    connect: () => new NetworkThreeDsServer({ client: fixture.client() }),
    answer: async (challengeId, isRight) => {
      await fixture.controls().challenges.answer(challengeId, isRight ? '123456' : '000000');
    },
    serviceNow: () => Date.now() + fixture.offsetMs,
    advance: async (ms) => void (fixture.offsetMs += ms),
    breakDown: () => fixture.stop(),
    close: () => fixture.end(),
  };
});

const CHALLENGED = '4000000000003220';
const asked = (number: string, rest: Partial<AuthenticationRequest> = {}): AuthenticationRequest => ({
  key: newKey(),
  merchantId: 'mer_1',
  merchantName: 'Maple Street Books',
  amount: 1_250,
  currency: 'USD',
  card: { number, expDate: '1299' },
  challengeExpiresAt: new Date(Date.now() + 600_000).toISOString(),
  deadlineMs: 5_000,
  ...rest,
});

describe('The 3-D Secure server of the sandbox over a network', () => {
  let fixture: NetworkFixture;
  beforeEach(async () => {
    fixture = new NetworkFixture();
    await fixture.start();
  });
  afterEach(() => fixture.end());

  it.each<[ProxyFault]>([
    ['ResetBefore'],
    ['ResetAfter'],
    ['CutOff'],
    ['Garbled'],
    ['BadGateway'],
    [{ anotherIn: 'callId' }],
    [{ anotherIn: 'key' }],
    [{ delayMs: 2_000 }],
  ])('a fault of the network (%j) is NoAnswer, and the repeated key has one result', async (fault) => {
    const proxy = await fixture.faultyProxy();
    const server = new NetworkThreeDsServer({ client: fixture.client({ url: proxy.url }) });
    const request = asked(CHALLENGED, { deadlineMs: 1_000 });
    proxy.inject(fault);
    expect(await server.authenticate(request)).toEqual({ kind: 'NoAnswer' });
    const result = await server.authenticate(request);
    expect(result).toMatchObject({ kind: 'ChallengeRequired' });
    const { challengeId } = result as Extract<typeof result, { kind: 'ChallengeRequired' }>;
    const query = { key: request.key, challengeId, deadlineMs: 1_000 };
    proxy.inject(fault);
    expect(await server.challengeResult(query)).toEqual({ kind: 'NoAnswer' });
    expect(await server.challengeResult(query)).toEqual({ kind: 'Open' });
    expect(fixture.reports.join()).not.toMatch(/400000000000|3220/);
  });

  it('shows a challenge to its page, and nothing of an unknown one', async () => {
    const { challenges } = fixture.controls();
    const server = new NetworkThreeDsServer({ client: fixture.client() });
    const request = asked(CHALLENGED);
    const result = await server.authenticate(request);
    if (result.kind !== 'ChallengeRequired') throw new Error(result.kind);
    expect(result.redirectUrl).toBe(`/sandbox/acs/${result.challengeId}`);
    expect(await challenges.find(result.challengeId)).toEqual({
      key: request.key,
      state: 'Open',
      merchantName: 'Maple Street Books',
      amount: 1_250,
      currency: 'USD',
      maskedCardNumber: '************3220',
      expiresAt: Date.parse(request.challengeExpiresAt),
    });
    expect(await challenges.answer(result.challengeId, '123456')).toMatchObject({ state: 'Passed' });
    expect(await challenges.find('unknown')).toBeUndefined();
    expect(await challenges.answer('unknown', '123456')).toBeUndefined();
  });

  it('does not answer without the secret', async () => {
    const server = new NetworkThreeDsServer({ client: fixture.client({ secret: 'another' }) });
    expect(await server.authenticate(asked(CHALLENGED))).toEqual({ kind: 'NoAnswer' });
  });
});
