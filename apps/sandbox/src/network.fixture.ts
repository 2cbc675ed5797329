import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noLog, type Log, type SandboxServiceConfig } from '@tillstream/platform';
import {
  bankNotices,
  networkBankMessages,
  NetworkSandboxControls,
  NetworkSandboxProcessor,
  SandboxClient,
  type NoticePoller,
  type PaymentRequest,
  type SandboxClientOptions,
} from '@tillstream/processors';
import { openFaultyProxy, type FaultyProxy, type ProxyFault } from '@tillstream/processors/testing';
import { openStandaloneSandbox, type StandaloneSandbox } from '@tillstream/sandbox';
import { startSandboxService, type RunningSandbox } from './sandbox.start.js';

export const SECRET = 'a-secret-of-the-tests';
export const CARD = { number: '4242424242424242', expDate: '1299', cvv: '123' };
export const TERMINAL = 'pmt_trm_1';

export const sale = (amount: number, rest: Partial<PaymentRequest> = {}): PaymentRequest => ({
  merchantId: 'mer_1',
  account: 'acct',
  channel: 'CardNotPresent',
  currency: 'USD',
  amount,
  card: CARD,
  ...rest,
});

export const terminalSale = (amount: number): PaymentRequest => ({
  merchantId: 'mer_1',
  account: 'acct',
  channel: 'CardPresent',
  currency: 'USD',
  amount,
  terminalId: TERMINAL,
});

/** A sandbox service with its own ledger, and its clients. */
export class NetworkFixture {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'sandbox-service-'));
  readonly reports: string[] = [];
  offsetMs = 0;
  private service: RunningSandbox | undefined;
  private readonly opened: { close(): void | Promise<void> }[] = [];

  constructor(
    private readonly settings: Partial<SandboxServiceConfig> = {},
    private readonly log: Log = noLog,
  ) {}

  async start(port = 0): Promise<void> {
    this.service = await startSandboxService(
      {
        port,
        host: '127.0.0.1',
        dataDir: this.dataDir,
        secret: SECRET,
        processorDeadline: 10_000,
        brokenWordDelay: 20_000,
        logLevel: 'silent',
        ...this.settings,
      },
      this.log,
    );
  }

  get port(): number {
    if (!this.service) throw new Error('the service is not running');
    return this.service.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  client(options: Partial<SandboxClientOptions> = {}): SandboxClient {
    const client = new SandboxClient({
      url: options.url ?? this.url,
      secret: SECRET,
      connections: 50,
      clockOffset: () => this.offsetMs,
      report: (reason) => void this.reports.push(reason),
      ...options,
    });
    this.opened.push(client);
    return client;
  }

  processor(options: Partial<SandboxClientOptions> = {}): NetworkSandboxProcessor {
    const report = (reason: string): void => void this.reports.push(reason);
    return new NetworkSandboxProcessor({ client: this.client(options), lateCallsMax: 10, report });
  }

  bankNotices(): NoticePoller {
    const report = (reason: string): void => void this.reports.push(reason);
    return bankNotices(networkBankMessages(this.client()), { processor: 'sandbox', everyMs: 60_000, report });
  }

  controls(options: Partial<SandboxClientOptions> = {}): NetworkSandboxControls {
    return new NetworkSandboxControls(this.client(options));
  }

  /** A proxy between client and service. */
  async faultyProxy(always?: ProxyFault): Promise<FaultyProxy & { readonly url: string }> {
    const proxy = await openFaultyProxy(this.port, always);
    this.opened.push(proxy);
    return Object.assign(proxy, { url: `http://127.0.0.1:${proxy.port}` });
  }

  /** Opens the acquirer's file. */
  openLedger(): StandaloneSandbox {
    const sandbox = openStandaloneSandbox({
      file: join(this.dataDir, 'sandbox.db'),
      processorDeadlineMs: 10_000,
    });
    this.opened.push(sandbox);
    return sandbox;
  }

  async get(path: string, secret = SECRET): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(this.url + path, { headers: { authorization: `Bearer ${secret}` } });
    return { status: response.status, text: await response.text() };
  }

  async stop(): Promise<void> {
    await this.service?.stop();
    this.service = undefined;
  }

  async end(): Promise<void> {
    for (const part of this.opened.splice(0).reverse()) await part.close();
    await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
