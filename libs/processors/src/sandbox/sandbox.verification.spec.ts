import { CARDS } from '@tillstream/sandbox';
import type { Processor, VerifyRequest } from '../processor.port.js';
import { directoryBytes, SandboxFiles, keysUntilKilled } from './sandbox.fixture.js';
import { SandboxProcessor } from './sandbox.processor.js';
import { attemptCall, FaultyProcessor, inquiryFor, newKey } from '../testing/index.js';

const files = new SandboxFiles();
afterEach(() => files.removeAll());

const TERMINAL = 'pmt_trm_1';
const given = (number: string): VerifyRequest => ({
  merchantId: 'mer_1',
  account: 'acct',
  channel: 'CardNotPresent',
  currency: 'USD',
  card: { number, expDate: '1299', cvv: '123' },
});
const onTerminal = (currency: 'USD' | 'CAD' = 'USD'): VerifyRequest => ({
  merchantId: 'mer_1',
  account: 'acct',
  channel: 'CardPresent',
  currency,
  terminalId: TERMINAL,
});

describe('A verification by the sandbox', () => {
  it('returns card type, masked number, funding, network id, AVS and CVV', async () => {
    const processor = new SandboxProcessor({ sandbox: files.open() });
    const request = { ...given('4000056655665556'), billing: { zipCode: '99902' } };
    expect(await processor.verify(request, attemptCall(newKey()))).toMatchObject({
      kind: 'Approved',
      amount: 0,
      facts: {
        responseCode: 1,
        card: { cardType: 'VISA', maskedCardNumber: '************5556', fundingType: 'Debit' },
        accountType: 'Debit',
        authCode: expect.any(String),
        networkTransactionId: expect.any(String),
        avsResult: 'R',
        cvvResult: 'M',
      },
      credential: { number: '4000056655665556', expDate: '1299' },
    });
  });

  const declined: [string, number][] = [
    ['4000000000000002', 10],
    ['4000000000009995', 11],
    ['4000000000000069', 12],
    ['4100000000000019', 13],
    ['4000000000000127', 14],
    ['4506440000000009', 14],
    ['4000000000000119', 50],
    ['4000000000006918', 50],
    ['4000000000006926', 0],
  ];
  it.each(declined)('of %s is declined with %i', async (number, responseCode) => {
    const processor = new SandboxProcessor({ sandbox: files.open() });
    const answer = await processor.verify(given(number), attemptCall(newKey()));
    expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode } });
  });

  it.each(['4506440000000009', 'GIFT', 'CASH'])(
    'on a USD terminal of %s is declined with 18',
    async (card) => {
      const sandbox = files.open();
      sandbox.terminals.set(TERMINAL, { mode: 'Auto', card });
      const processor = new SandboxProcessor({ sandbox });
      const answer = await processor.verify(onTerminal(), attemptCall(newKey()));
      expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 18 } });
    },
  );

  it('ends if the terminal ends it', async () => {
    const sandbox = files.open();
    sandbox.terminals.set(TERMINAL, { mode: 'LowBattery', card: null });
    const processor = new SandboxProcessor({ sandbox });
    expect(await processor.verify(onTerminal(), attemptCall(newKey()))).toEqual({
      kind: 'TerminalEnded',
      resultCode: 3006,
      facts: { responseCode: 51, terminalId: TERMINAL },
    });
  });

  it('on an offline terminal is `NoAnswer` at the deadline of the call', async () => {
    const sandbox = files.open();
    sandbox.terminals.set(TERMINAL, { mode: 'Offline', card: null });
    const stayAwake = setInterval(() => undefined, 1_000);
    const call = attemptCall(newKey(), { deadlineMs: 30 });
    expect(await new SandboxProcessor({ sandbox }).verify(onTerminal(), call)).toEqual({ kind: 'NoAnswer' });
    clearInterval(stayAwake);
  });

  it('on a terminal that lost its link is found there when the link is back', async () => {
    const sandbox = files.open();
    const processor = new SandboxProcessor({ sandbox });
    sandbox.terminals.set(TERMINAL, { mode: 'LostLink', card: null });
    const key = newKey();
    expect(await processor.verify(onTerminal(), attemptCall(key))).toEqual({
      kind: 'NoAnswer',
      lostLink: true,
    });
    expect(await processor.lastTransaction(TERMINAL, inquiryFor(key))).toEqual({ kind: 'NoAnswer' });
    sandbox.terminals.set(TERMINAL, { mode: 'Auto', card: null });
    expect(await processor.lastTransaction(TERMINAL, inquiryFor(key))).toMatchObject({
      kind: 'Found',
      answer: { kind: 'Approved', amount: 0, credential: { number: '4242424242424242', expDate: '1234' } },
    });
  });

  it('under the key of an approved sale is declined with 0', async () => {
    const processor = new SandboxProcessor({ sandbox: files.open() });
    const key = newKey();
    await processor.sale({ ...given('4242424242424242'), amount: 100 }, attemptCall(key));
    expect(await processor.verify(given('4242424242424242'), attemptCall(key))).toMatchObject({
      kind: 'Declined',
      facts: { responseCode: 0 },
    });
  });
});

describe('A payment with a stored card', () => {
  it('sends its network transaction id to the acquirer', async () => {
    const sandbox = files.open();
    const processor = new SandboxProcessor({ sandbox });
    const verified = await processor.verify(given('4242424242424242'), attemptCall(newKey()));
    if (verified.kind !== 'Approved' || 'token' in verified.credential) throw new Error(verified.kind);
    const networkTransactionId = verified.facts.networkTransactionId ?? '';
    expect(networkTransactionId).not.toBe('');
    const key = newKey();
    const payment = {
      merchantId: 'mer_1',
      account: 'acct',
      channel: 'Token',
      currency: 'USD',
      amount: 1_000,
    } as const;
    await processor.sale({ ...payment, card: verified.credential, networkTransactionId }, attemptCall(key));
    expect(sandbox.ledger.requestOf(key)).toMatchObject({ channel: 'Token', networkTransactionId });
  });
});

describe('Card numbers', () => {
  it('are only in credentials: neither in the files, nor in another part of a response', async () => {
    const file = files.newFile();
    const sandbox = files.open(file);
    const processor = new FaultyProcessor(new SandboxProcessor({ sandbox }));
    const responses: string[] = [];
    for (const { number, only } of CARDS) {
      if (only !== 'Form') sandbox.terminals.set(TERMINAL, { mode: 'Auto', card: number });
      responses.push(...(await allResponses(processor, number)));
    }
    const whileOpen = directoryBytes(file);
    sandbox.close();
    responses.push(...(await allResponses(processor, '4242424242424242'))); // of a ledger that fails
    for (const text of [whileOpen, directoryBytes(file), responses.join('\n')]) {
      expect(text).toContain('************4242');
      expect(CARDS.filter(({ number }) => text.includes(number))).toEqual([]);
    }
  });
});

describe('kill -9', () => {
  it('after a process was killed while it verifies, each printed key is found with its credential', async () => {
    const file = files.newFile();
    const keys = await keysUntilKilled('verifying.child', file, 200);
    const sandbox = files.open(file);
    const processor = new SandboxProcessor({ sandbox });
    const found = await Promise.all(keys.map((key) => processor.inquire(inquiryFor(key))));
    const credential = { number: '4242424242424242', expDate: '1234' };
    for (const answer of found) {
      expect(answer).toMatchObject({ kind: 'Found', answer: { kind: 'Approved', credential } });
    }
    const checked = [...sandbox.ledger.verifications()].map(({ key }) => key);
    // The process may have verified one more card before it was killed.
    expect(checked.slice(0, keys.length)).toEqual(keys);
    expect(checked.length).toBeLessThanOrEqual(keys.length + 1);
    expect(directoryBytes(file)).not.toContain(credential.number);
  });
});

/** All responses about a card without their credentials, as they could be logged or recorded. */
async function allResponses(processor: FaultyProcessor, number: string): Promise<string[]> {
  const responses: unknown[] = [];
  const pays = ['sale', 'authorize', 'unreferencedRefund'] as const satisfies (keyof Processor)[];
  for (const request of [
    given(number),
    onTerminal(),
    onTerminal('CAD'),
    { ...given(number), channel: 'Token' as const },
  ]) {
    const late = attemptCall(newKey(), { sendBefore: 0 });
    const [key, lost] = [newKey(), newKey()];
    responses.push(await processor.verify(request, attemptCall(key)), await processor.verify(request, late));
    processor.inject('verify', 'NoAnswerAfter');
    responses.push(await processor.verify(request, attemptCall(lost)));
    responses.push(await processor.inquire(inquiryFor(lost)), await processor.annul(inquiryFor(key)));
    for (const pay of pays)
      responses.push(await processor[pay]({ ...request, amount: 1_000 }, attemptCall(newKey())));
  }
  return responses.map((response) =>
    JSON.stringify(response, (name, value: unknown) => (name === 'credential' ? '' : value)),
  );
}
