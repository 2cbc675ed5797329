import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '@tillstream/platform';
import { startTestApi, type Reply, type TestApi } from '../../testing/test.api.js';
import { removeSandbox } from '../../testing/test.sandbox.js';
import { removeStore } from '../../testing/test.store.js';
import { ACCOUNT, ACH, ANSWER, EFT, openBankForm, pass, RETURN } from './bank.testing.js';
import { ADDRESS } from '../form.testing.js';

const PERSON = 'Secret Accountholder';
const BROWSER = 'SecretBrowser/7.1';
const OTHER = '00077123456';
const NUMBERS = [ACCOUNT.changed, ACCOUNT.approved, OTHER];

let api: TestApi;
const logged: string[] = [];
const seen: Reply[] = [];
let metrics = '';

beforeAll(async () => {
  const log = createLog('debug', { write: (line: string) => void logged.push(line) });
  api = await startTestApi({}, log);
  const call = { headers: { 'user-agent': BROWSER } };
  const contact = { billingContact: { ...ADDRESS, name: PERSON } };
  for (const [kind, name] of [
    [ACH, 'virtual-sale'],
    [EFT, 'virtual-sale'],
    [ACH, 'token'],
  ] as const)
    for (const accountNumber of NUMBERS) {
      const form = await openBankForm(api, kind, { accountHolder: { externalId: 'someone' } }, name);
      const entered = { ...kind.entered(accountNumber, { name: PERSON }), ...contact };
      seen.push(await form.submit({ ...entered, card: { number: accountNumber } }, call));
      seen.push(await form.submit(entered, call), await form.submit(entered, call));
      seen.push(await api.get(`/v1/transactions/${form.id}/events`));
      if (name === 'token') {
        const paymentMethodId = (await form.look()).paymentMethod.id;
        seen.push(await api.operation('token-sale', { amount: 700, paymentMethodId }));
      }
    }
  await pass(api, ANSWER + 1);
  await pass(api, RETURN + 1);
  ({ text: metrics } = await api.get('/metrics', { key: null }));
  await api.stop({ keepData: true });
});
afterAll(async () => {
  await removeStore(api.dataDir);
  await removeSandbox(api.dataDir);
  rmSync(api.dataDir, { recursive: true, force: true });
});

const files = (directory: string): string[] =>
  readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });

/** The secrets that are in the log, the metrics, a response or a file, with the place. */
function found(secrets: readonly string[]): string[] {
  const places: (readonly [string, Buffer])[] = [
    ['log', Buffer.from(logged.join(''))],
    ['metrics', Buffer.from(metrics)],
    ['responses', Buffer.from(seen.map(({ text }) => text).join(''))],
    ...files(api.dataDir).map((file) => [file, readFileSync(file)] as const),
  ];
  return places.flatMap(([place, bytes]) =>
    secrets.filter((secret) => bytes.includes(secret)).map((secret) => `${secret} in ${place}`),
  );
}

describe('Of the bank account that a customer enters,', () => {
  it('the submission was taken', () => {
    expect(seen.filter(({ status }) => status === 200).length).toBeGreaterThan(20);
    expect(logged.join('')).toContain('"route":"/pay/:sessionId/submit"');
  });

  it('the number is nowhere but in the vault, encrypted', () => {
    expect(found(NUMBERS)).toEqual([]);
  });

  it('its holder, the address and the browser of the consent are nowhere in the clear', () => {
    const shownToMerchant = seen.some(({ text }) => text.includes(PERSON));
    expect(shownToMerchant).toBe(true);
    expect(found([PERSON, BROWSER]).filter((place) => !place.endsWith('in responses'))).toEqual([]);
  });
});
