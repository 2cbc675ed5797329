import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { SandboxTerminal, TransactionResult } from '@tillstream/contracts';
import { emptyDirectory, ServiceProcess } from '../testing/service.process.js';

const dataDir = emptyDirectory();
const running: ServiceProcess[] = [];
afterAll(() => {
  for (const { process: one } of running) one.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

/** Deadlines that a test can wait for: the resolver asks about what was left behind soon after them. */
const FAST = { PROCESSOR_DEADLINE_MS: '300', TERMINAL_DEADLINE_MS: '3000', INQUIRY_MARGIN_MS: '100' };

async function started(): Promise<ServiceProcess> {
  const service = new ServiceProcess(dataDir, FAST);
  running.push(service);
  return service.started();
}

async function terminal(
  service: ServiceProcess,
  method = 'GET',
  rest = '',
  body?: object,
): Promise<SandboxTerminal> {
  const { adminBaseUrl, adminKey, paymentMethods } = service.facts;
  const id = paymentMethods.find(({ description }) => description === 'Front counter')?.id;
  const reply = await fetch(`${adminBaseUrl}/sandbox/terminals/${id}${rest}`, {
    method,
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(reply.status).toBe(200);
  return (await reply.json()) as SandboxTerminal;
}

/** Asks until there is something. */
async function eventually<T>(ask: () => Promise<T | undefined | null>): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== undefined && found !== null) return found;
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

describe('A service that is killed while a terminal waits', () => {
  it('finds after its restart the payment of the customer, charged once', async () => {
    const doomed = await started();
    await terminal(doomed, 'PUT', '', { mode: 'Manual' });
    const sale = doomed.sell({ amount: 1_250 });
    const lost = assert.rejects(sale);
    const { transactionId } = await eventually(async () => (await terminal(doomed)).waiting);
    await doomed.stop('SIGKILL');
    await lost;

    const next = await started();
    expect((await terminal(next)).waiting).toEqual({ transactionId, amount: 1_250, currency: 'USD' });
    await terminal(next, 'POST', '/customer', { action: 'Tap' });
    const { baseUrl, apiKey } = next.facts;
    const found = await eventually(async () => {
      const reply = await fetch(`${baseUrl}/transactions/${transactionId}`, {
        headers: { 'x-api-key': apiKey },
      });
      const seen = (await reply.json()) as TransactionResult;
      return seen.status === 'Completed' ? seen : undefined;
    });
    expect(found).toMatchObject({
      resultCode: 0,
      transactionResponses: [{ responseCode: 1, amountApproved: 1_250 }],
    });
  });
});
