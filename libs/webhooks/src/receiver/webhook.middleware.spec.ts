import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import { legacyDelivery, managedDelivery, saleBody } from '../testing/deliveries.testing.js';
import { receiverUnderTest } from '../testing/receiver.testing.js';
import { webhookMiddleware } from './webhook.middleware.js';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** The origin of a server that listens on a free port. */
async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  open.push(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function post(url: string, body: string, headers = managedDelivery(body)): Promise<[number, unknown]> {
  const response = await fetch(url, { method: 'POST', headers, body });
  return [response.status, await response.json()];
}

const body = saleBody();
const { receiver: mounted } = receiverUnderTest();

/** Each gives the origin of a server that receives at `/webhooks`. */
const SERVERS: readonly (readonly [name: string, start: (under: typeof mounted) => Promise<string>])[] = [
  ['node:http', (receiver) => listening(createServer(webhookMiddleware(receiver)))],
  [
    'Express, before a parser of JSON',
    (receiver) => {
      const app = express().post('/webhooks', webhookMiddleware(receiver)).use(express.json());
      return listening(createServer(app));
    },
  ],
  [
    'Express, after express.raw()',
    (receiver) => {
      const app = express()
        .use(express.raw({ type: '*/*' }))
        .use('/webhooks', webhookMiddleware(receiver));
      return listening(createServer(app));
    },
  ],
  [
    'Nest with rawBody: true',
    async (receiver) => {
      const app = await nest(receiver, { rawBody: true });
      await app.listen(0, '127.0.0.1');
      return (await app.getUrl()).replace('[::1]', '127.0.0.1');
    },
  ],
];

async function nest(
  receiver: typeof mounted,
  options: { rawBody: boolean },
): Promise<NestExpressApplication> {
  class AppModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      consumer.apply(webhookMiddleware(receiver)).forRoutes('webhooks');
    }
  }
  Module({})(AppModule);
  const app = await NestFactory.create<NestExpressApplication>(AppModule, { ...options, logger: false });
  open.push(() => app.close());
  return app;
}

describe.each(SERVERS)('The middleware in %s', (_name, start) => {
  it('answers by what became of the delivery', async () => {
    const { receiver } = receiverUnderTest();
    const url = `${await start(receiver)}/webhooks`;
    expect(await post(url, body)).toEqual([200, { outcome: 'Saved' }]);
    expect(await post(url, body, { ...legacyDelivery(body) })).toEqual([200, { outcome: 'Duplicate' }]);
    expect(await post(url, `${body} `, managedDelivery(body))).toEqual([401, { outcome: 'Refused' }]);
    expect(await post(url, '[]', { ...legacyDelivery('[]'), 'content-type': 'application/json' })).toEqual([
      400,
      { outcome: 'Refused' },
    ]);
  });

  it('verifies the bytes as they were sent, spaces and escapes too', async () => {
    const { receiver } = receiverUnderTest();
    const spaced = `\t${JSON.stringify(JSON.parse(saleBody('evt_9')), null, 3)}\r\n`.replace(
      '"Sale"',
      '"S\\u0061le"',
    );
    expect(await post(`${await start(receiver)}/webhooks`, spaced)).toEqual([200, { outcome: 'Saved' }]);
  });
});

describe('The middleware', () => {
  it.each([
    [
      'Express',
      (receiver: typeof mounted) =>
        listening(createServer(express().use(express.json()).use(webhookMiddleware(receiver)))),
    ],
    [
      'Nest without rawBody',
      async (receiver: typeof mounted) => {
        const app = await nest(receiver, { rawBody: false });
        await app.listen(0, '127.0.0.1');
        return (await app.getUrl()).replace('[::1]', '127.0.0.1');
      },
    ],
  ] as const)('answers 500 and says what to do if %s parsed the body before', async (_name, start) => {
    const { receiver, problems } = receiverUnderTest();
    expect(await post(`${await start(receiver)}/webhooks`, body)).toEqual([500, { outcome: 'SetUp' }]);
    expect(problems).toEqual([
      {
        kind: 'SetUp',
        error: expect.objectContaining({ message: expect.stringContaining('rawBody: true') }),
      },
    ]);
  });

  it('answers 413 to a body of more than 100,000 bytes, and 200 to one below', async () => {
    const { receiver, problems } = receiverUnderTest();
    const origin = await listening(createServer(webhookMiddleware(receiver)));
    const long = (bytes: number) => body.slice(0, -1) + ' '.repeat(bytes - body.length) + '}';
    expect(Buffer.byteLength(long(99_000))).toBeLessThan(100_000);
    expect((await post(origin, long(99_000)))[0]).toBe(200);
    expect((await post(origin, long(100_001)))[0]).toBe(413);
    expect(problems).toEqual([]);
  });

  it('answers 405 to another method', async () => {
    const { receiver } = receiverUnderTest();
    const response = await fetch(await listening(createServer(webhookMiddleware(receiver))));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('stores nothing of a body that was cut off', async () => {
    const saved: string[] = [];
    const { receiver, problems } = receiverUnderTest();
    const received = receiver.receive.bind(receiver);
    receiver.receive = (request) => (saved.push('called'), received(request));
    const url = await listening(createServer(webhookMiddleware(receiver)));
    const headers = { ...managedDelivery(body), 'content-length': String(Buffer.byteLength(body)) };
    const cut = httpRequest(url, { method: 'POST', headers });
    cut.on('error', () => undefined);
    cut.write(body.slice(0, 50));
    await new Promise((resolve) => setTimeout(resolve, 50));
    cut.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([saved, problems]).toEqual([[], []]);
    expect((await post(url, body))[0]).toBe(200);
  });
});
