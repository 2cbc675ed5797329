import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '@tillstream/platform';
import { startTestApi, type Reply, type TestApi } from '../testing/test.api.js';

const CARD = '4242424242424242';
const person = {
  externalId: 'customer-secret-7',
  name: 'Secret Person',
  email: 'secret.person@example.com',
  phone: '+1 613 555 7777',
  billingContact: { address: '7 Secret Street', countryCode: 'US', zipCode: '90210-7777' },
};

let api: TestApi;
const logged: string[] = [];
const answers: Reply[] = [];
beforeAll(async () => {
  const line = (event: string, fields?: object): void => void logged.push(JSON.stringify([event, fields]));
  const log: Log = { debug: line, info: line, warn: line, error: line, flush: () => undefined };
  api = await startTestApi({}, log);
  const say = async (answering: Promise<Reply>): Promise<{ id: string; paymentMethod: { id: string } }> => {
    const reply = await answering;
    answers.push(reply);
    return JSON.parse(reply.text) as { id: string; paymentMethod: { id: string } };
  };
  const headers = { 'idempotency-key': 'sealed' };
  const stored = await say(api.store({ accountHolder: person }, { headers }));
  const paymentMethodId = stored.paymentMethod.id;
  await say(api.change(paymentMethodId, { cardExpDate: '0739', billingContact: person.billingContact }));
  const sale = await say(api.operation('token-sale', { amount: 500, paymentMethodId }));
  for (const { id } of [stored, sale]) {
    await say(api.get(`/v1/transactions/${id}`));
    await say(api.get(`/v1/transactions/${id}/events`));
  }
  await say(api.get('/v1/transactions'));
  await say(api.get('/v1/account-holders'));
  await say(api.get(`/v1/payment-methods/account-holder/${person.externalId}`));
  await say(
    api.call('PUT', `/v1/account-holders/${person.externalId}`, { body: { phone: '+1 613 555 8888' } }),
  );
  await say(api.operation('token-sale', { amount: 1, paymentMethodId: CARD }));
  await say(api.get(`/v1/account-holders/${CARD}`));
  await say(api.get(`/v1/transactions?id=${CARD}&sort=${CARD}`));
  await say(api.change(CARD, { cardExpDate: CARD, [CARD]: CARD }));
});
afterAll(() => api.stop());

const files = (directory: string): string[] =>
  readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });

describe('A card number', () => {
  it('is in no answer, wherever it was put', () => {
    for (const { text } of answers) expect(text).not.toContain(CARD);
  });

  it('is in no line of the log', () => {
    expect(logged.length).toBeGreaterThan(answers.length);
    expect(logged.join('\n')).not.toContain(CARD);
  });

  it('is in no file', () => {
    for (const file of files(api.dataDir)) {
      expect(readFileSync(file).includes(CARD) ? file : '').toBe('');
    }
  });
});

describe('What is personal', () => {
  const texts = [person.externalId, person.name, person.email, person.phone, '7 Secret Street', '90210-7777'];

  it('is in no line of the log', () => {
    for (const text of texts) expect(logged.join('\n')).not.toContain(text);
  });

  it('is in no file in the clear, nor is the expiry', () => {
    for (const file of files(api.dataDir)) {
      const bytes = readFileSync(file);
      for (const text of [...texts, '"0739"']) {
        expect(bytes.includes(text) ? `${text} in ${file}` : '').toBe('');
      }
    }
  });

  it('is not in a history', () => {
    const events = answers.filter(({ text }) => text.includes('"sequence"'));
    expect(events).toHaveLength(2);
    for (const { text } of events) expect(text).not.toMatch(/cardExpDate|ciphertext|personal|Secret/);
  });
});
