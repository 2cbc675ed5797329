import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Token } from '@tillstream/domain';
import {
  RoutedProcessors,
  SandboxProcessor,
  type PaymentRequest,
  type Processor,
} from '@tillstream/processors';
import { FaultyProcessor, TokenizingProcessor } from '@tillstream/processors/testing';
import { openSandbox, type Sandbox } from '@tillstream/sandbox';
import { requireAnswered, requireAnsweredToken, PaymentsTestSetup } from '../testing/payments.setup.js';

/** `harbor` returns tokens, `sandbox` returns card numbers. */
describe('a card that a processor returned as a token', () => {
  let setup: PaymentsTestSetup;
  let harbor: FaultyProcessor;
  let books: Sandbox;
  let folder: string;
  let requests: PaymentRequest[];

  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
    folder = mkdtempSync(join(tmpdir(), 'tillstream-harbor-'));
    const { processorDeadline: processorDeadlineMs } = setup.timings;
    books = openSandbox({ file: join(folder, 'harbor.db'), processorDeadlineMs });
    const now = () => ({ realMs: setup.clock.real, monotonicMs: setup.clock.monotonic });
    const behind = new TokenizingProcessor().wrap(
      new SandboxProcessor({ sandbox: books, name: 'harbor', now }),
    );
    requests = [];
    harbor = new FaultyProcessor(
      Object.assign(Object.create(behind) as Processor, {
        sale: ((request, call) => {
          requests.push(request);
          return behind.sale(request, call);
        }) satisfies Processor['sale'],
      }),
    );
    lead('harbor', 'h-7');
  });
  afterEach(async () => {
    await setup.close();
    books.close();
    rmSync(folder, { recursive: true });
  });

  const lead = (processor: string, account: string, all = [setup.processor, harbor]): void =>
    void (setup.processors = new RoutedProcessors(all, [{ processor, account }]));
  const kept = (token: Token) => setup.vault.openCard(token.id);

  it('is stored as a token in the vault only, and shown like any other card', async () => {
    const token = await setup.storedCard();
    expect(await kept(token)).toBe('token:tok_1');
    expect(token.paymentMethod).toMatchObject({ cardType: 'VISA', maskedCardNumber: '************4242' });
    const sale = await setup.tokenSale(token, 700);
    expect(sale).toMatchObject({ facts: { cardExpDate: '1234' } });
    const said = JSON.stringify([(await setup.memory.readAll()).events, setup.logged, sale]);
    expect(said).not.toContain('tok_1');
  });

  it('pays at its own processor under the account of its verification, also after the routes changed', async () => {
    const token = await setup.storedCard();
    lead('sandbox', 'acct');
    expect(requireAnswered(await setup.tokenSale(token, 700)).operation).toMatchObject({
      progress: { status: 'Approved', amount: 700 },
      attempt: { processor: 'harbor', processorAccount: 'h-7' },
    });
    expect(requests).toMatchObject([{ account: 'h-7', channel: 'Token', cardToken: { token: 'tok_1' } }]);
    expect(requests[0]).not.toHaveProperty('card');
    expect(setup.processor.sent).toEqual([]);
  });

  it('is rejected if its processor is not configured: no other processor gets a request', async () => {
    const token = await setup.storedCard();
    lead('sandbox', 'acct', [setup.processor]);
    expect(await setup.tokenSale(token, 700)).toMatchObject({
      kind: 'Rejected',
      rejection: { code: 'NoProcessor' },
    });
    expect(setup.processor.sent).toEqual([]);
  });

  it('is not stored if the processor’s token is malformed', async () => {
    for (const token of ['', 'a token', 'x'.repeat(201)]) {
      const answer = { kind: 'Approved', amount: 0, facts: { responseCode: 1 } } as const;
      harbor.inject('verify', { answer: { ...answer, credential: { token, expDate: '1234' } } });
      const { token: stored } = requireAnsweredToken(await setup.storeCard());
      expect(stored.operations[0]?.progress).toMatchObject({ status: 'Declined' });
      expect(await kept(stored)).toBeUndefined();
    }
  });

  it('does not affect a card with a stored number, which follows the routes', async () => {
    lead('sandbox', 'acct');
    const token = await setup.storedCard();
    expect(await kept(token)).toBe('4242424242424242');
    lead('harbor', 'h-7');
    expect(requireAnswered(await setup.tokenSale(token, 700)).operation.attempt).toMatchObject({
      processor: 'harbor',
    });
    expect(requests).toMatchObject([{ card: { number: '4242424242424242' } }]);
  });
});
