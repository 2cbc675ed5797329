import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Module, type INestApplication } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { noLog } from '@tillstream/platform';
import { LOG } from '../api.parts.js';
import { startTestApi, type TestApi } from '../testing/test.api.js';
import { JsonAdapter } from './json.adapter.js';
import { notFound } from './api.error.js';
import type { ApiRequest } from './api.request.js';
import { ErrorFilter } from './error.filter.js';
import { Page, pageHeaders } from './page.headers.js';

const NOT_FRAMED = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'none'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');
const STRICTEST = {
  'content-security-policy': NOT_FRAMED,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
const NAMES = Object.keys(STRICTEST);
const sent = (headers: Headers) =>
  Object.fromEntries(NAMES.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : [])));

describe('Each page of the service', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.stop());

  const withImages = NOT_FRAMED.replace("img-src 'self'", "img-src 'self' data:");
  it.each([
    ['/sandbox', { 'cache-control': 'no-cache' }],
    ['/sandbox/terminals/unknown', { 'cache-control': 'no-cache' }],
    ['/sandbox/files/terminal.js', { 'cache-control': 'no-cache' }],
    ['/sandbox/webhooks', { 'cache-control': 'no-cache' }],
    ['/docs', { 'cache-control': 'no-cache', 'content-security-policy': withImages }],
    ['/docs/reference.js', { 'cache-control': 'no-cache', 'content-security-policy': withImages }],
    [
      '/docs/swagger-ui-bundle.js',
      { 'cache-control': 'public, max-age=86400', 'content-security-policy': withImages },
    ],
  ])('%s has the strictest headers but for what its route names', async (path, named) => {
    const { headers } = await api.get(path, { key: null });
    expect(sent(headers)).toEqual({ ...STRICTEST, ...named });
  });

  it('has them with an error too, which is not kept', async () => {
    const { status, headers } = await api.get('/docs/unknown.js', { key: null });
    expect(status).toBe(404);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toBe(withImages);
  });

  it('says them and an answer of the API does not', async () => {
    const { headers } = await api.get('/v1/payment-methods');
    expect(sent(headers)).toEqual({ 'cache-control': 'no-store' });
  });
});

/** Stands for the merchant's registered origins, which differ from one hosted form to the next. */
const ORIGINS: Readonly<Record<string, readonly string[]>> = {
  one: ['https://shop.example'],
  two: ['https://shop.example', 'http://localhost:8080'],
  broken: ["https://shop.example; script-src 'unsafe-inline'"],
};

@Controller('pages/:form')
@Page()
class Pages {
  @Get()
  strict(): object {
    return {};
  }

  @Get('framed')
  @Page(({ params }: ApiRequest) => ({
    framedBy: ORIGINS[String(params.form)] ?? [],
    sources: { 'frame-src': ['https://acs.example'], 'connect-src': ["'self'", 'https://acs.example'] },
    referrer: 'strict-origin',
  }))
  framed({ fails = false } = {}): object {
    if (fails) throw notFound('no page');
    return {};
  }
}

describe('A page of its own', () => {
  let app: INestApplication<Server>;
  beforeAll(async () => {
    const providers = [
      { provide: APP_FILTER, useClass: ErrorFilter },
      { provide: LOG, useValue: noLog },
    ];

    @Module({ controllers: [Pages], providers })
    class Served {}

    const options = { logger: false, abortOnError: false, bodyParser: false } as const;
    app = await NestFactory.create<INestApplication<Server>>(Served, new JsonAdapter(), options);
    app.use((request: ApiRequest, _response: unknown, next: () => void) => {
      request.logged = {};
      next();
    });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  const headersOf = async (path: string) => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const { status, headers } = await fetch(`http://127.0.0.1:${port}/pages/${path}`);
    return { status, headers: sent(headers) };
  };
  const ancestors = async (form: string) =>
    /frame-ancestors (.*)$/.exec(
      String((await headersOf(`${form}/framed`)).headers['content-security-policy']),
    )?.[1];

  it('is as strict as can be where its route names nothing', async () => {
    expect((await headersOf('one')).headers).toEqual(STRICTEST);
  });

  it('may be framed by the origins of this very request, and by no other', async () => {
    expect(await ancestors('one')).toBe('https://shop.example');
    expect(await ancestors('two')).toBe('https://shop.example http://localhost:8080');
    expect(await ancestors('three')).toBe("'none'");
    expect((await headersOf('one/framed')).headers).not.toHaveProperty('x-frame-options');
    expect((await headersOf('three/framed')).headers).toHaveProperty('x-frame-options', 'DENY');
  });

  it('has the sources and the referrer of its route instead of its controller’s', async () => {
    const { headers } = await headersOf('one/framed');
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://acs.example; ");
    expect(headers['content-security-policy']).toContain('frame-src https://acs.example; ');
    expect(headers['content-security-policy']).toContain("script-src 'self'; ");
    expect(headers['referrer-policy']).toBe('strict-origin');
  });

  it('that anyone may frame has no other source than the strictest', () => {
    expect(pageHeaders({ framedBy: 'anyone' })['content-security-policy']).toBe(
      NOT_FRAMED.replace("frame-ancestors 'none'", 'frame-ancestors *'),
    );
    expect(pageHeaders({ framedBy: 'anyone' })).not.toHaveProperty('x-frame-options');
  });

  it('is not sent at all with a source that would write a directive of its own', async () => {
    expect((await headersOf('broken/framed')).status).toBe(500);
    for (const source of [
      '*',
      'https:',
      'https://*.example',
      'https://shop.example/',
      "'none'",
      'https://a b',
      'https://a;b',
      'HTTPS://SHOP.EXAMPLE',
      '',
    ]) {
      expect(() => pageHeaders({ framedBy: [source] })).toThrow('is no source of a page');
    }
  });
});
