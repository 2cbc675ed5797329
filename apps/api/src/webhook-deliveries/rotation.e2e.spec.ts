import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListPage, WebhookDelivery, WebhookEndpointWithSecret } from '@tillstream/contracts';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { eventually } from '../testing/eventually.js';
import { emptyDirectory, ServiceProcess } from '../testing/service.process.js';

const LIMIT_MS = 120_000;
const SALES = 400;
const AT_ONCE = 8;
const ROTATIONS = 3;
const ENDPOINTS = '/webhook-endpoints';

/** A receiver that knows the secrets that its developer has given it, and accepts what one of them verifies. */
class Receiver {
  readonly server: Server;
  readonly accepted = new Map<string, number>();
  readonly refused: string[] = [];
  /** Distinct sets of secrets that verified a delivery: their indexes. */
  readonly verifiedBy = new Set<string>();
  secrets: string[] = [];

  constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        const headers = request.headers as Record<string, string>;
        const fitting = this.secrets.flatMap((secret, index) =>
          verifies(secret, body, headers) ? [index] : [],
        );
        const id = headers['hook-id'] ?? '';
        this.verifiedBy.add(fitting.join('+'));
        if (fitting.length === 0) this.refused.push(id);
        else this.accepted.set(id, (this.accepted.get(id) ?? 0) + 1);
        response.writeHead(fitting.length === 0 ? 401 : 204).end();
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }
}

function verifies(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new StandardWebhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

let service: ServiceProcess;
const receiver = new Receiver();
beforeAll(async () => {
  await once(receiver.server.listen(0, '127.0.0.1'), 'listening');
  service = await new ServiceProcess(emptyDirectory(), { WEBHOOK_DISPATCHER: 'beside' }).started();
}, LIMIT_MS);
afterAll(async () => {
  await service.stop();
  receiver.server.close();
  receiver.server.closeAllConnections();
  rmSync(service.dataDir, { recursive: true, force: true });
});

it(
  'A rotation under load loses nothing: a receiver that learns each new secret later accepts every delivery',
  async () => {
    const body = { url: receiver.url, eventTypes: ['sale.completed'] };
    const { id, secret } = await service.call<WebhookEndpointWithSecret>('POST', ENDPOINTS, body);
    receiver.secrets = [secret];
    let sold = 0;
    const till = async (): Promise<void> => {
      while (sold < SALES) {
        sold += 1;
        expect((await service.sell({ amount: 100 + sold })).status).toBe(200);
      }
    };
    const selling = Promise.all(Array.from({ length: AT_ONCE }, till));
    for (let rotation = 1; rotation <= ROTATIONS; rotation++) {
      const wanted = (rotation * SALES) / (ROTATIONS + 1);
      while (receiver.accepted.size < wanted) await sleep(5);
      const rotated = await service.call<WebhookEndpointWithSecret>(
        'POST',
        `${ENDPOINTS}/${id}/rotate-secret`,
      );
      // The developer needs a while to install it: until then the receiver verifies by the old one alone.
      await sleep(200);
      receiver.secrets = [...receiver.secrets.slice(-1), rotated.secret];
    }
    await selling;
    await eventually(() => Promise.resolve(receiver.accepted.size === SALES));
    expect(receiver.refused).toEqual([]);
    expect([...receiver.accepted.values()].filter((times) => times !== 1)).toEqual([]);
    // By the old one alone before it knew the new one, and by both while both sign.
    expect([...receiver.verifiedBy].toSorted()).toEqual(expect.arrayContaining(['0', '0+1']));
    const failed = `${ENDPOINTS}/${id}/deliveries?status=Failed&status=Exhausted&status=Pending`;
    await eventually(
      async () => (await service.call<ListPage<WebhookDelivery>>('GET', failed)).data.length === 0,
    );
  },
  LIMIT_MS,
);
