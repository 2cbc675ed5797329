import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newLegacySecret, newManagedSecret, signLegacy, signManaged } from '@tillstream/webhooks';
import { openDatabase, receiverApp, type Database, type ReceiverApp } from './index.js';

const managed = newManagedSecret();
const legacy = newLegacySecret();

function saleBody(eventId: string, responseCode = 1): string {
  const number = eventId.slice('evt_'.length);
  const event = { id: eventId, type: 'sale.completed', timestamp: '2026-03-01T12:00:00.000Z' };
  return JSON.stringify({
    event: { ...event, merchantId: 'mer_1', sequence: 1 },
    originalResponse: {
      id: `trx_${number}`,
      referenceId: `order-${number}`,
      currency: 'USD',
      transactionResponses: [{ responseCode, amountApproved: responseCode === 1 ? 1250 : 0 }],
    },
  });
}

function managedHeaders(body: string): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const signature = signManaged({ id: 'msg_1', timestampSeconds, body, secrets: [managed] });
  return {
    'hook-id': 'msg_1',
    'hook-timestamp': String(timestampSeconds),
    'hook-signature': signature,
    'content-type': 'application/json',
  };
}

const legacyHeaders = (body: string) => ({
  'x-legacy-wh-chksm': signLegacy(body, legacy),
  'content-type': 'application/json',
});

async function deliver(origin: string, body: string, headers = managedHeaders(body)) {
  const response = await fetch(`${origin}/webhooks`, { method: 'POST', headers, body });
  return [response.status, ((await response.json()) as { outcome: string }).outcome];
}

async function paid(origin: string): Promise<string[]> {
  const orders = (await (await fetch(`${origin}/paid-orders`)).json()) as { referenceId: string }[];
  return orders.map(({ referenceId }) => referenceId);
}

/** Rejects after 30 s: longer than the lease of an event that a killed process had begun. */
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !(await holds()); await setTimeout(10)) {
    if (Date.now() > end) throw new Error(`Not within 30 s: ${holds}`);
  }
}

describe('The example receiver', () => {
  let folder = '';
  let database: Database;
  let running: ReceiverApp;
  let server: Server;
  let origin = '';
  const lines: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'webhook-receiver-'));
    database = await openDatabase(join(folder, 'shop.db'));
    running = receiverApp(database, { managed, legacy }, (line) => void lines.push(line));
    running.receiver.start();
    server = running.app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await running.receiver.stop();
    database.close();
    rmSync(folder, { recursive: true });
  });

  it('records the order of an approved sale once, however often and by which method it is delivered', async () => {
    const body = saleBody('evt_1');
    expect(await deliver(origin, body)).toEqual([200, 'Saved']);
    expect(await deliver(origin, body)).toEqual([200, 'Duplicate']);
    expect(await deliver(origin, body, legacyHeaders(body))).toEqual([200, 'Duplicate']);
    await until(async () => (await paid(origin)).length > 0);
    expect(await paid(origin)).toEqual(['order-1']);
    expect(lines).toEqual(['sale.completed evt_1: order-1 is paid, 1250 USD']);
  });

  it('records no order of a declined sale', async () => {
    lines.length = 0;
    expect(await deliver(origin, saleBody('evt_2', 11))).toEqual([200, 'Saved']);
    await until(() => lines.length === 1);
    expect(lines).toEqual(['sale.completed evt_2']);
    expect(await paid(origin)).not.toContain('order-2');
  });

  it('refuses a delivery that it can not verify', async () => {
    lines.length = 0;
    expect(await deliver(origin, saleBody('evt_3'), managedHeaders(saleBody('evt_4')))).toEqual([
      401,
      'Refused',
    ]);
    expect(lines).toEqual(['Refused: WebhookRefusedError: No known secret made this signature.']);
  });
});

describe('The example receiver as a process', () => {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  let folder = '';
  const children: ChildProcess[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'webhook-receiver-'));
  });
  afterAll(() => {
    children.forEach((child) => child.kill('SIGKILL'));
    rmSync(folder, { recursive: true });
  });

  const start = async (): Promise<{ child: ChildProcess; origin: string }> => {
    const settings = { PORT: '0', DATABASE: join(folder, 'shop.db') };
    const env = { ...process.env, ...settings, WEBHOOK_SECRET: managed, LEGACY_WEBHOOK_SECRET: legacy };
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    let printed = '';
    child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
    await until(() => printed.includes('/webhooks') || child.exitCode !== null);
    return { child, origin: /http:\/\/[\d.:]+/.exec(printed)?.[0] ?? '' };
  };

  it('loses no event that it answered with 200, whenever it is killed, and records each order once', async () => {
    const answered: string[] = [];
    let delivered = 0;
    for (let round = 0; round < 4; round += 1) {
      const { child, origin } = await start();
      const killed = once(child, 'exit');
      const burst = Array.from({ length: 25 }, async () => {
        const number = (delivered += 1);
        const [status] = await deliver(origin, saleBody(`evt_${number}`));
        if (status === 200) answered.push(`order-${number}`);
      });
      await until(() => answered.length >= round * 25 + 5 || child.exitCode !== null);
      child.kill('SIGKILL');
      await Promise.allSettled(burst);
      await killed;
    }
    const { child, origin } = await start();
    await until(() => includesAll(origin, answered));
    const orders = await paid(origin);
    expect(new Set(orders).size).toBe(orders.length);
    expect(answered.length).toBeGreaterThanOrEqual(20);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

async function includesAll(origin: string, expected: readonly string[]): Promise<boolean> {
  const orders = new Set(await paid(origin));
  return expected.every((order) => orders.has(order));
}
