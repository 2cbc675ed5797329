import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const BUILT = new URL('../../dist/', import.meta.url);

export const SESSION = `ses_${'aB3'.repeat(10)}xy`;

/** A page of a merchant and the form, each at its own origin. The form's page is empty: tests post its messages. */
export class TwoOrigins {
  /** What the form's server received: `GET /pay/ses_… referer=http://localhost:1/`. */
  readonly requests: string[] = [];

  private constructor(
    private readonly servers: readonly Server[],
    readonly shop: string,
    readonly form: string,
  ) {}

  static async open(): Promise<TwoOrigins> {
    const form = createServer((request, response) => {
      origins.requests.push(`${request.url} referer=${request.headers.referer}`);
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Form</title><p>Card number</p>');
    });
    const shop = createServer((request, response) => servePage(request, response, origins.form));
    const ports = await Promise.all([shop, form].map(listening));
    const [shopOrigin = '', formOrigin = ''] = [
      `http://localhost:${ports[0]}`,
      `http://127.0.0.1:${ports[1]}`,
    ];
    const origins = new TwoOrigins([shop, form], shopOrigin, formOrigin);
    return origins;
  }

  /** Of a new form each: `/pay/ses_…`. */
  get url(): string {
    return `${this.form}/pay/${SESSION}`;
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      await once(server.close(), 'close');
    }
  }
}

async function listening(server: Server): Promise<number> {
  await once(server.listen(0), 'listening');
  return (server.address() as AddressInfo).port;
}

const PAGES: Readonly<Record<string, string>> = {
  '/script': '<script src="/payment-form.js"></script>',
  '/module': '<script type="module" src="/module.js"></script>',
};
const MODULE = "import * as Tillstream from '/esm/index.js'; globalThis.Tillstream = Tillstream;";

/** With the Content-Security-Policy that docs/payment-form-script.md recommends. */
function servePage({ url = '' }: IncomingMessage, response: ServerResponse, form: string): void {
  const page = PAGES[url];
  if (page !== undefined) {
    response.setHeader('content-type', 'text/html');
    response.setHeader('content-security-policy', `default-src 'none'; script-src 'self'; frame-src ${form}`);
    response.end(`<!doctype html><title>Shop</title>${page}<div id="one"></div><div id="two"></div>`);
    return;
  }
  response.setHeader('content-type', 'text/javascript');
  if (url === '/module.js') response.end(MODULE);
  else if (url === '/payment-form.js') response.end(readFileSync(new URL('bundled/payment-form.js', BUILT)));
  else if (url.startsWith('/esm/')) response.end(readFileSync(new URL(url.slice('/esm/'.length), BUILT)));
  else response.writeHead(404).end();
}
