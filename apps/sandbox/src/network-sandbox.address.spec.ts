import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { attemptCall, inquiryFor, newKey } from '@tillstream/processors/testing';
import { NetworkFixture, sale, TERMINAL } from './network.fixture.js';

const fixture = new NetworkFixture();
beforeAll(() => fixture.start());
afterAll(() => fixture.end());

describe('A wrong address, at which another program answers 404', () => {
  it.each<[string, (callId: string, key: string) => object | string]>([
    ['with a page', () => '<h1>Not Found</h1>'],
    ['without a body', () => ''],
    ['with an error in JSON', () => ({ statusCode: 404, message: 'Not Found' })],
    ['with a refusal that names no call', () => ({ refused: 'there is no such path' })],
    ['with a refusal of another call', () => ({ callId: 'f'.repeat(32), refused: 'there is no such path' })],
    ['with a result of this call', (callId, key) => ({ callId, key, found: { kind: 'NotFound' } })],
    ['with an annulment of this call', (callId, key) => ({ callId, key, found: { kind: 'Annulled' } })],
  ])('%s: the outcome is unknown, and never "not found" or "not sent"', async (_, bodyOf) => {
    const { url, close } = await otherProgram((callId, key) => {
      const body = bodyOf(callId, key);
      return typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
    });
    const processor = fixture.processor({ url });
    const query = inquiryFor(newKey());
    expect(await processor.inquire(query)).toEqual({ kind: 'NoAnswer' });
    expect(await processor.lastTransaction(TERMINAL, query)).toEqual({ kind: 'NoAnswer' });
    expect(await processor.annul(query)).toEqual({ kind: 'NoAnswer' });
    expect(await processor.sale(sale(1_000), attemptCall(newKey()))).toEqual({ kind: 'NoAnswer' });
    expect(await fixture.controls({ url }).state()).toEqual({ kind: 'NoSandbox' });
    close();
  });
});

it('An inquiry that the sandbox refuses has an unknown outcome', async () => {
  const processor = fixture.processor({ secret: 'another-secret-of-tests' });
  expect(await processor.inquire(inquiryFor(newKey()))).toEqual({ kind: 'NoAnswer' });
  expect(await processor.annul(inquiryFor(newKey()))).toEqual({ kind: 'NoAnswer' });
});

/** A server that answers every call with status 404 and a body of its own. */
async function otherProgram(bodyOf: (callId: string, key: string) => string) {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.once('end', () => {
      const { key = '' } = JSON.parse(text) as { key?: string };
      response.writeHead(404).end(bodyOf(String(request.headers['x-call-id']), key));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
