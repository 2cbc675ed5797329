import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase } from '@tillstream/sqlite-driver';
import { openSandbox, type Sandbox } from '../sandbox.js';
import { SandboxFixture, START } from '../sandbox.fixture.js';
import type { AuthenticationReaction, CardAuthentication } from './three-ds.simulator.js';
import { PASSING_CODE, THREE_DS_CARDS } from './three-ds.table.js';

const CHALLENGED = '4000000000003220';
const EXPIRES_AT = START + 600_000;
const CAVV = expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/) as unknown;
const DS_TRANS_ID = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;

let fixture: SandboxFixture;
let sandbox: Sandbox;
beforeEach(() => {
  fixture = new SandboxFixture();
  sandbox = fixture.open();
});
afterEach(() => fixture.remove());

const request = (cardNumber: string, key = fixture.key()): CardAuthentication => ({
  key,
  cardNumber,
  amount: 1_250,
  currency: 'USD',
  merchantName: 'Maple Street Books',
  challengeExpiresAt: EXPIRES_AT,
});
const authenticate = (cardNumber: string, key?: string): AuthenticationReaction =>
  sandbox.threeDs.authenticate(request(cardNumber, key));
const factsOf = (reaction: { kind: string }): unknown => (reaction as { threeDs?: unknown }).threeDs;

/** A challenge that waits for the cardholder. */
function openChallenge(cardNumber = CHALLENGED, key = fixture.key()) {
  const reaction = authenticate(cardNumber, key);
  if (reaction.kind !== 'ChallengeRequired') throw new Error(`no challenge: ${JSON.stringify(reaction)}`);
  return { key, id: reaction.challengeId };
}

describe('The 3-D Secure status of a card', () => {
  it.each([
    ['4242424242424242', { status: 'Authenticated', eci: '05', cavv: CAVV, dsTransId: DS_TRANS_ID }],
    ['5555555555554444', { status: 'Authenticated', eci: '02', cavv: CAVV, dsTransId: DS_TRANS_ID }],
    ['6759649826438453', { status: 'Authenticated', eci: '02', cavv: CAVV, dsTransId: DS_TRANS_ID }],
    ['6011111111111117', { status: 'Authenticated', eci: '05', cavv: CAVV, dsTransId: DS_TRANS_ID }],
    ['4111111111111111', { status: 'Authenticated', eci: '05', cavv: CAVV, dsTransId: DS_TRANS_ID }],
    ['4000000000003063', { status: 'Attempted', eci: '06', cavv: CAVV, dsTransId: DS_TRANS_ID }],
    ['5200000000003076', { status: 'Attempted', eci: '01', cavv: CAVV, dsTransId: DS_TRANS_ID }],
    ['4000008400001280', { status: 'Unavailable' }],
    ['4000000000003055', { status: 'NotEnrolled' }],
    ['4000000000003089', { status: 'NotAuthenticated', eci: '07', dsTransId: DS_TRANS_ID }],
    ['5200000000003084', { status: 'NotAuthenticated', eci: '00', xid: CAVV, dsTransId: DS_TRANS_ID }],
  ])('%s is %j, without a challenge', (number, facts) => {
    expect(factsOf(authenticate(number))).toEqual(facts);
  });

  it.each([CHALLENGED, '4000008400001629'])('%s needs a challenge', (number) => {
    expect(authenticate(number)).toEqual({ kind: 'ChallengeRequired', challengeId: expect.any(String) });
  });
});

describe('A repeated key', () => {
  it('gets the first result, from another process too, also with another card', () => {
    const key = fixture.key();
    const first = authenticate('4242424242424242', key);
    expect(authenticate('4000000000003055', key)).toEqual(first);
    expect(fixture.open().threeDs.authenticate(request('4242424242424242', key))).toEqual(first);
    expect(factsOf(authenticate('4242424242424242'))).not.toEqual(factsOf(first));
  });

  it('gets the first challenge, also after it was answered', () => {
    const { key, id } = openChallenge();
    sandbox.threeDs.answer(id, PASSING_CODE);
    expect(authenticate(CHALLENGED, key)).toEqual({ kind: 'ChallengeRequired', challengeId: id });
  });
});

describe('A challenge', () => {
  it('has an id that can not be guessed: 192 random bits', () => {
    const ids = Array.from({ length: 50 }, () => openChallenge().id);
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(id).toMatch(/^[\w-]{32}$/);
  });

  it('shows merchant, amount and the last four digits until it is answered', () => {
    const { key, id } = openChallenge();
    const shown = { key, merchantName: 'Maple Street Books', amount: 1_250, currency: 'USD' };
    const card = { maskedCardNumber: '************3220', expiresAt: EXPIRES_AT };
    expect(sandbox.threeDs.find(id)).toEqual({ ...shown, ...card, state: 'Open' });
    expect(sandbox.threeDs.result(key, id)).toEqual({ kind: 'Open' });
    expect(sandbox.threeDs.answer(id, PASSING_CODE)).toEqual({ ...shown, ...card, state: 'Passed' });
  });

  it.each([CHALLENGED, '4000008400001629'])('of %s is passed by 123456', (number) => {
    const { key, id } = openChallenge(number);
    sandbox.threeDs.answer(id, PASSING_CODE);
    const threeDs = { status: 'Authenticated', eci: '05', cavv: CAVV, dsTransId: DS_TRANS_ID };
    expect(sandbox.threeDs.result(key, id)).toEqual({ kind: 'Completed', threeDs });
  });

  it.each(['000000', '1234567', ' 123456', 'cancelled'])('is failed by %j, with reason 01', (code) => {
    const { key, id } = openChallenge();
    expect(sandbox.threeDs.answer(id, code)).toMatchObject({ state: 'Failed' });
    expect(factsOf(sandbox.threeDs.result(key, id))).toEqual({
      status: 'Failed',
      dsTransId: DS_TRANS_ID,
      threeDReasonId: '01',
      threeDReason: 'Card authentication failed',
    });
  });

  it('keeps its first answer, in every process', () => {
    const [passed, failed] = [openChallenge(), openChallenge()];
    sandbox.threeDs.answer(passed.id, PASSING_CODE);
    sandbox.threeDs.answer(failed.id, 'wrong');
    const first = sandbox.threeDs.result(passed.key, passed.id);
    const other = fixture.open();
    expect(other.threeDs.answer(passed.id, 'wrong')).toMatchObject({ state: 'Passed' });
    expect(other.threeDs.answer(failed.id, PASSING_CODE)).toMatchObject({ state: 'Failed' });
    fixture.setServiceTime(EXPIRES_AT);
    expect(other.threeDs.result(passed.key, passed.id)).toEqual(first);
  });

  it("fails at its expiry by the service's clock, with reason 14, and no later answer counts", () => {
    const { key, id } = openChallenge();
    fixture.setServiceTime(EXPIRES_AT - 1);
    expect(sandbox.threeDs.result(key, id)).toEqual({ kind: 'Open' });
    fixture.setServiceTime(EXPIRES_AT);
    expect(sandbox.threeDs.answer(id, PASSING_CODE)).toMatchObject({ state: 'Expired' });
    expect(factsOf(sandbox.threeDs.result(key, id))).toEqual({
      status: 'Failed',
      dsTransId: DS_TRANS_ID,
      threeDReasonId: '14',
      threeDReason: 'Transaction timed out at the ACS',
    });
  });

  it('stays expired, even for a process whose clock is behind', () => {
    const { key, id } = openChallenge();
    fixture.setServiceTime(EXPIRES_AT);
    const expired = sandbox.threeDs.result(key, id);
    fixture.setServiceTime(START);
    expect(sandbox.threeDs.answer(id, PASSING_CODE)).toMatchObject({ state: 'Expired' });
    expect(sandbox.threeDs.result(key, id)).toEqual(expired);
  });

  it('keeps an answer that another process stores while this one finds it expired', () => {
    const { key, id } = openChallenge();
    const serviceNow = (): number => {
      sandbox.threeDs.answer(id, PASSING_CODE);
      return EXPIRES_AT;
    };
    const late = openSandbox({ file: fixture.file, processorDeadlineMs: 10_000, serviceNow });
    expect(factsOf(late.threeDs.result(key, id))).toMatchObject({ status: 'Authenticated' });
    late.close();
  });

  it('is found by its id only, and its result by id and key only', () => {
    const [mine, other] = [openChallenge(), openChallenge()];
    expect(sandbox.threeDs.find('x')).toBeUndefined();
    expect(sandbox.threeDs.answer('x', PASSING_CODE)).toBeUndefined();
    expect(sandbox.threeDs.result(mine.key, 'x')).toEqual({ kind: 'Unknown' });
    expect(sandbox.threeDs.result(other.key, mine.id)).toEqual({ kind: 'Unknown' });
  });
});

it('The file of the 3-D Secure server has no card number', () => {
  const numbers = ['4242424242424242', ...THREE_DS_CARDS.keys()];
  for (const number of numbers) authenticate(number);
  const directory = dirname(fixture.file);
  const names = readdirSync(directory);
  const bytes = names.map((name) => readFileSync(join(directory, name)).toString('latin1')).join('\n');
  expect(bytes).toContain('************3220');
  expect(numbers.filter((number) => bytes.includes(number))).toEqual([]);
});

it('An older file gets the table when it is opened', () => {
  fixture.closeAll();
  const raw = openDatabase(fixture.file);
  raw.exec('DROP TABLE authentication');
  raw.pragma('user_version = 1');
  raw.close();
  sandbox = fixture.open();
  expect(factsOf(authenticate('4000000000003055'))).toEqual({ status: 'NotEnrolled' });
});
