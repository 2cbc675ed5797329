import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FormMessage } from '@tillstream/contracts';
import type { Page } from 'playwright-core';

export interface ReceivedMessage extends FormMessage {
  /** Of the window that posted it. */
  readonly origin: string;
}

const PAGE = `<!doctype html><title>Shop</title><script>
received = [];
addEventListener('message', ({ data, origin }) => received.push({ ...data, origin }));
function frame(address) {
  const iframe = document.createElement('iframe');
  iframe.src = address;
  iframe.width = 420;
  iframe.height = 760;
  document.body.append(iframe);
}
addEventListener('load', () => {
  const framed = new URLSearchParams(location.search).get('frame');
  if (framed) frame(framed);
});
</script>`;

/** A merchant's site on an origin of its own. Its page keeps all messages that its window gets. */
export class MerchantSite {
  /** Paths and queries that were asked for, without those of the page that embeds. */
  readonly visits: string[] = [];

  private constructor(
    private readonly server: Server,
    /** Differs from the service's origin, and from that of every other site. */
    readonly origin: string,
  ) {}

  static async open(host: 'localhost' | '127.0.0.1' = '127.0.0.1'): Promise<MerchantSite> {
    const server = createServer(({ url = '/' }, response) => site.answer(url, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const site = new MerchantSite(server, `http://${host}:${(server.address() as AddressInfo).port}`);
    return site;
  }

  /** Of the page with this address in an iframe. */
  embedding(address: string): string {
    return `${this.origin}/?frame=${encodeURIComponent(address)}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }

  private answer(url: string, response: ServerResponse): void {
    if (!url.startsWith('/?frame=') && url !== '/favicon.ico') this.visits.push(url);
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  }
}

export function receivedBy(on: Pick<Page, 'evaluate'>): Promise<ReceivedMessage[]> {
  return on.evaluate<ReceivedMessage[]>('received');
}
