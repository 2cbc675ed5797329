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

/** `harbor` gives tokens, `sandbox` gives numbers. */
describe('a card of which a processor gave a token', () => {
  let stage: PaymentsTestSetup;
  let harbor: FaultyProcessor;
  let books: Sandbox;
  let folder: string;
  let requests: PaymentRequest[];

  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
    folder = mkdtempSync(join(tmpdir(), 'tillstream-harbor-'));
    const { processorDeadline: processorDeadlineMs } = stage.timings;
    books = openSandbox({ file: join(folder, 'harbor.db'), processorDeadlineMs });
    const now = () => ({ realMs: stage.clock.real, monotonicMs: stage.clock.monotonic });
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
    await stage.close();
    books.close();
    rmSync(folder, { recursive: true });
  });

  const lead = (processor: string, account: string, all = [stage.processor, harbor]): void =>
    void (stage.processors = new RoutedProcessors(all, [{ processor, account }]));
  const kept = (token: Token) => stage.vault.openCard(token.id);

  it('is kept as a token in the vault alone, and shown as any other', async () => {
    const token = await stage.storedCard();
    expect(await kept(token)).toBe('token:tok_1');
    expect(token.paymentMethod).toMatchObject({ cardType: 'VISA', maskedCardNumber: '************4242' });
    const sale = await stage.tokenSale(token, 700);
    expect(sale).toMatchObject({ facts: { cardExpDate: '1234' } });
    const said = JSON.stringify([(await stage.memory.readAll()).events, stage.logged, sale]);
    expect(said).not.toContain('tok_1');
  });

  it('pays where it came from, under the account that it came to, wherever the routes lead now', async () => {
    const token = await stage.storedCard();
    lead('sandbox', 'acct');
    expect(requireAnswered(await stage.tokenSale(token, 700)).operation).toMatchObject({
      progress: { status: 'Approved', amount: 700 },
      attempt: { processor: 'harbor', processorAccount: 'h-7' },
    });
    expect(requests).toMatchObject([{ account: 'h-7', channel: 'Token', cardToken: { token: 'tok_1' } }]);
    expect(requests[0]).not.toHaveProperty('card');
    expect(stage.processor.sent).toEqual([]);
  });

  it('is refused where its processor is not configured: no other is asked', async () => {
    const token = await stage.storedCard();
    lead('sandbox', 'acct', [stage.processor]);
    expect(await stage.tokenSale(token, 700)).toMatchObject({
      kind: 'Rejected',
      rejection: { code: 'NoProcessor' },
    });
    expect(stage.processor.sent).toEqual([]);
  });

  it('whose token can not be kept is no stored card: no token came', async () => {
    for (const token of ['', 'a token', 'x'.repeat(201)]) {
      const answer = { kind: 'Approved', amount: 0, facts: { responseCode: 1 } } as const;
      harbor.inject('verify', { answer: { ...answer, credential: { token, expDate: '1234' } } });
      const { token: stored } = requireAnsweredToken(await stage.storeCard());
      expect(stored.operations[0]?.progress).toMatchObject({ status: 'Declined' });
      expect(await kept(stored)).toBeUndefined();
    }
  });

  it('beside it, a card whose number is kept follows the routes', async () => {
    lead('sandbox', 'acct');
    const token = await stage.storedCard();
    expect(await kept(token)).toBe('4242424242424242');
    lead('harbor', 'h-7');
    expect(requireAnswered(await stage.tokenSale(token, 700)).operation.attempt).toMatchObject({
      processor: 'harbor',
    });
    expect(requests).toMatchObject([{ card: { number: '4242424242424242' } }]);
  });
});
