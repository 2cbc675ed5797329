import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { startTestApi, type TestApi } from '../../testing/test.api.js';
import { TestForm } from '../form.testing.js';

const WIRE_BYTES_MAX = 200_000;

let api: TestApi;
let form: TestForm;
beforeAll(async () => {
  api = await startTestApi();
  form = await TestForm.open(api, 'virtual-sale');
});
afterAll(() => api.stop());

const page = (path = `/pay/${form.sessionId}`, headers = {}) => api.get(path, { key: null, headers });

/** As it is sent: `fetch` removes the compression. */
function sent(
  path: string,
  encoding: string,
): Promise<{ readonly bytes: Buffer; readonly encoding?: string | undefined }> {
  return new Promise((resolve, reject) => {
    const call = request(api.running.origin + path, { headers: { 'accept-encoding': encoding } });
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ bytes: Buffer.concat(chunks), encoding: response.headers['content-encoding'] }),
      );
    });
    call.on('error', reject).end();
  });
}

const assetsIn = (html: string): string[] =>
  [...html.matchAll(/"(\/pay\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');

async function allow(allowedOrigins?: readonly string[]): Promise<TestForm> {
  const merchant = api.running.facts.merchantId;
  const body = { type: 'Virtual', currency: 'USD', allowedOrigins };
  const reply = await api.call('POST', `/admin/v1/merchants/${merchant}/forms`, { body });
  const { id: paymentMethodId } = JSON.parse(reply.text) as { readonly id: string };
  return TestForm.open(api, 'virtual-sale', { paymentMethodId });
}

describe('The page of a form', () => {
  it('is served for its session without a key, and is not kept', async () => {
    const { status, headers, text } = await page();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(text).not.toContain(form.sessionId);
    expect(assetsIn(text).length).toBeGreaterThan(1);
    expect((await page(`/pay/${form.sessionId}?lang=fr`)).status).toBe(200);
  });

  it('is served when the form is over too: it shows how it ended', async () => {
    const over = await TestForm.open(api, 'virtual-sale');
    await over.cancel();
    expect((await page(`/pay/${over.sessionId}`)).status).toBe(200);
  });

  it.each(['ses_00000000000000000000000000000000', 'ses_x', 'sessions'])(
    'of the unknown session %s is a page that says so: 404',
    async (id) => {
      const { status, headers, text } = await page(`/pay/${id}`);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(text).toContain('This payment page does not exist');
      expect(text).not.toMatch(/<script|<style|style=/);
      const style = await page('/pay/assets/error-page.css');
      expect(text).toContain('href="/pay/assets/error-page.css"');
      expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    },
  );

  it('may be embedded by the registered origins of its payment method only, else by none', async () => {
    const { headers } = await page(`/pay/${(await allow()).sessionId}`);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    const embedded = await allow(['https://shop.example', 'http://localhost:8080']);
    const framed = await page(`/pay/${embedded.sessionId}`);
    expect(framed.headers.get('content-security-policy')).toMatch(
      /; frame-ancestors https:\/\/shop\.example http:\/\/localhost:8080$/,
    );
    // It can't name an origin, and would forbid the embedding in browsers that know both.
    expect(framed.headers.has('x-frame-options')).toBe(false);
  });

  it('loads its own files only, which a browser keeps for good', async () => {
    const { text } = await page();
    expect(text).not.toMatch(/<script(?![^>]* src="\/pay\/assets\/)|<style|style=|\son\w+=|https?:/);
    for (const path of assetsIn(text)) {
      const { status, headers } = await page(path);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers.get('content-type')).toMatch(
        /^(text\/(css|javascript); charset=utf-8|image\/svg\+xml)$/,
      );
      const again = await page(path, { 'if-none-match': headers.get('etag') ?? '' });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });

  it('has at most 200 kB over the wire with all its files, by either compression', async () => {
    const paths = [`/pay/${form.sessionId}`, ...assetsIn((await page()).text)];
    const decompress = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const encoding of ['br', 'gzip'] as const) {
      const files = await Promise.all(paths.map((path) => sent(path, encoding)));
      expect(files.map((file) => file.encoding)).toEqual(paths.map(() => encoding));
      const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
      expect(bytes).toBeLessThan(WIRE_BYTES_MAX);
      expect(decompress[encoding](files[0]?.bytes ?? Buffer.alloc(0)).toString()).toBe((await page()).text);
    }
    expect((await sent(paths[0] ?? '', 'identity')).encoding).toBeUndefined();
  });

  it('has no other files: nothing outside of its folder is served', async () => {
    for (const name of [
      'index.html',
      '..%2findex.html',
      '%2e%2e%2f%2e%2e%2fpackage.json',
      '..%5cindex.html',
      '.%00.js',
      'unknown.js',
      '%2fetc%2fpasswd',
      `${'x'.repeat(300)}.js`,
    ]) {
      const { status, text } = await page(`/pay/assets/${name}`);
      expect([name, status, (JSON.parse(text) as { readonly code: number }).code]).toEqual([name, 404, 4000]);
    }
  });
});

describe('The script for pages of merchants', () => {
  it('is served to every origin, and is looked at again after five minutes', async () => {
    const { status, headers, text } = await page('/payment-form.js', { origin: 'https://shop.example' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(text).toContain('Tillstream');
  });
});
