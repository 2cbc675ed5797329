import type { Express } from 'express';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnswerAdapter } from './answer.adapter.js';

describe('the server under Nest', () => {
  const adapter = new AnswerAdapter();
  let app: Express;
  let server: Server;

  beforeAll(async () => {
    adapter.initHttpServer();
    app = adapter.getInstance<Express>();
    server = adapter.getHttpServer() as Server;
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('makes requests and responses with the prototypes that Express would give them, before Express has them', async () => {
    const born: unknown[] = [];
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      born.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    });
    app.get('/', (request, response) => {
      response.json({ query: request.query, app: request.app === app && response.app === app });
    });
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://localhost:${port}/?a=1`);
    expect(await answer.json()).toEqual({ query: { a: '1' }, app: true });
    expect(born[0]).toBe(app.request);
    expect(born[1]).toBe(app.response);
  });
});
