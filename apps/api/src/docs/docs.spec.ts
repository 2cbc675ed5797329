import type { OpenApiDocument } from '../openapi/published.document.js';
import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const open = (path: string) => api.get(path, { key: null });
const documentAt = async (path: string): Promise<OpenApiDocument> =>
  JSON.parse((await api.get(path)).text) as OpenApiDocument;

describe('The description of the API', () => {
  it('is there for everybody, and names the address that the service listens at', async () => {
    const { status, headers, text } = await open('/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const { openapi, servers } = JSON.parse(text) as OpenApiDocument;
    expect([openapi, servers[0]?.url]).toEqual(['3.1.1', api.running.facts.baseUrl]);
  });

  it('has the operators’ part behind an admin key only', async () => {
    const path = '/admin/v1/openapi.json';
    expect(refusal(await open(path))).toBe('401 1000 Rejected');
    expect(refusal(await api.get(path, { key: api.key }))).toBe('401 1000 Rejected');
    const { servers } = await documentAt(path);
    expect(servers[0]?.url).toBe(api.running.facts.adminBaseUrl);
  });

  it('does not describe the endpoints of operators to merchants', async () => {
    const { paths } = await documentAt('/openapi.json');
    expect(Object.keys(paths).filter((path) => /admin|sandbox/.test(path))).toEqual([]);
  });

  it('has no place for a query', async () => {
    expect(refusal(await api.get('/admin/v1/openapi.json?of=x'))).toBe('400 2000 Rejected of');
  });
});

describe('The interactive reference', () => {
  const pages = ['/docs', '/docs/', '/docs/operators'];
  it.each(pages)('is a page at %s that loads only what this service has', async (path) => {
    const { status, headers, text } = await open(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const files = [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css|png))"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) expect([file, (await open(file)).status]).toEqual([file, 200]);
  });

  it('runs only its own scripts, and no page may frame it', async () => {
    const { headers, text } = await open('/docs');
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'/,
    );
    expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=/);
  });

  it('is sent again only where it changed', async () => {
    const first = await open('/docs/swagger-ui-bundle.js');
    expect(first.headers.get('cache-control')).toBe('public, max-age=86400');
    const etag = first.headers.get('etag') ?? '';
    const again = await api.get('/docs/swagger-ui-bundle.js', { headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('is compressed, scripts of Swagger UI too', async () => {
    const path = '/docs/swagger-ui-bundle.js';
    const plain = await api.get(path, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.has('content-encoding')).toBe(false);
    for (const encoding of ['br', 'gzip']) {
      const { headers, text } = await api.get(path, { headers: { 'accept-encoding': encoding } });
      expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([encoding, 'accept-encoding']);
      expect(Number(headers.get('content-length'))).toBeLessThan(plain.text.length / 3);
      expect(text).toBe(plain.text);
    }
  });

  it.each(['/docs/index.html', '/docs/package.json', '/docs/..%2Fpackage.json', '/docs/operators/x'])(
    'has nothing else to give away: %s',
    async (path) => expect(refusal(await open(path))).toBe('404 4000 Rejected'),
  );
});
