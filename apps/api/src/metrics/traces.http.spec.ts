import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApi } from '../testing/test.api.js';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** A collector of OpenTelemetry: OTLP over HTTP, in JSON. */
class Collector {
  readonly received: Export[] = [];
  readonly texts: string[] = [];
  readonly paths = new Set<string>();
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      this.paths.add(`${request.url} ${request.headers['content-type']}`);
      this.texts.push(text);
      this.received.push(JSON.parse(text) as Export);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  spans(): readonly Span[] {
    return this.received.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const CALLERS_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLERS_SPAN = '00f067aa0ba902b7';
const attribute = (span: Span | undefined, key: string) => {
  const value = span?.attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

describe('The trace of a sale', () => {
  it('is sent to the collector: the request, the use case, the call to the processor and the appends', async () => {
    const collector = new Collector();
    const endpoint = await collector.listen();
    const api = await startTestApi({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const reply = await api.operation('physical-sale', { amount: 1_000, referenceId: 'my-secret-reference' });
    const called = await api.operation(
      'physical-sale',
      { amount: 1_001 },
      {
        headers: { traceparent: `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01` },
      },
    );
    const unsampled = 'a'.repeat(32);
    await api.operation(
      'physical-sale',
      { amount: 1_002 },
      {
        headers: { traceparent: `00-${unsampled}-${CALLERS_SPAN}-00` },
      },
    );
    // What was collected is sent before the stop is over.
    await api.stop();
    await collector.close();

    expect([...collector.paths]).toEqual(['/v1/traces application/json']);
    const traceId = reply.headers.get('x-trace-id');
    const spans = collector.spans();
    const own = spans.filter((span) => span.traceId === traceId);
    const named = (name: string) => own.filter((span) => span.name === name);
    const [request] = named('POST /v1/transactions/physical-sale');
    const [useCase] = named('physicalSale');
    const [call] = named('processor sale');
    expect(request?.parentSpanId ?? '').toBe('');
    expect(useCase?.parentSpanId).toBe(request?.spanId);
    expect(call?.parentSpanId).toBe(useCase?.spanId);
    // The claim of the reference, the request, its outcome.
    const appends = named('append');
    expect(appends.map((span) => [attribute(span, 'tillstream.category'), span.parentSpanId])).toEqual(
      ['reference', 'payment', 'payment'].map((category) => [category, useCase?.spanId]),
    );
    expect(attribute(request, 'http.response.status_code')).toBe(200);
    const { id } = JSON.parse(reply.text) as { id: string };
    expect(attribute(request, 'tillstream.transaction_id')).toBe(id);
    expect(attribute(call, 'tillstream.end')).toBe('Approved');

    expect(called.headers.get('x-trace-id')).toBe(CALLERS_TRACE);
    const callers = spans.filter((span) => span.traceId === CALLERS_TRACE);
    expect(callers.find(({ name }) => name.startsWith('POST'))?.parentSpanId).toBe(CALLERS_SPAN);
    expect(spans.filter((span) => span.traceId === unsampled)).toEqual([]);

    // Random ids and instants may hold any four digits.
    const all = collector.texts.join('\n').replace(/"\w+(?:Id|UnixNano)":"[0-9a-f]+"/g, '');
    expect(all).toContain('"tillstream-api"');
    expect(all).not.toContain('UnixNano');
    for (const secret of ['4242', 'my-secret-reference', api.key, api.adminKey, 'Maple Street']) {
      expect(all).not.toContain(secret);
    }
  });

  it.each([
    [
      'is not there',
      () => Promise.resolve({ endpoint: 'http://127.0.0.1:9', close: () => Promise.resolve() }),
    ],
    [
      'never answers',
      async () => {
        const server = createServer(() => undefined);
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as AddressInfo;
        return {
          endpoint: `http://127.0.0.1:${port}`,
          close: async () => {
            server.closeAllConnections();
            await new Promise((resolve) => server.close(resolve));
          },
        };
      },
    ],
  ])('does not slow requests if the collector %s', async (_what, open) => {
    const { endpoint, close } = await open();
    const api = await startTestApi({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    for (let n = 0; n < 20; n++) {
      expect((await api.operation('physical-sale', { amount: 1_000 })).status).toBe(200);
    }
    const began = performance.now();
    await api.stop();
    expect(performance.now() - began).toBeLessThan(15_000);
    await close();
  });
});
