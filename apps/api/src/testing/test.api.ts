import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ErrorEnvelope,
  ListPage,
  PaymentMethodListItem,
  SandboxTerminal,
  TransactionResult,
} from '@tillstream/contracts';
import type { MerchantSettings } from '@tillstream/domain';
import type { Actor } from '@tillstream/payments';
import { noLog, readConfig, type Config, type Log, type ProcessorFactory } from '@tillstream/platform';
import { startApi, type RunningApi } from '../start/api.start.js';
import { checkContract } from './contract.check.js';
import { removeSandbox, sandboxSettings } from './test.sandbox.js';
import { removeStore, storeSettings } from './test.store.js';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Call {
  /** Sent as JSON, unless it is a text: then as it is. */
  readonly body?: unknown;
  /** Left out: the demo merchant's, or the operator's under /admin. Null: none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

interface OtherSettings extends Partial<Omit<MerchantSettings, 'rateLimitPerSecond'>> {
  /** `default`: the service's. */
  readonly rateLimitPerSecond?: number | 'default';
}

export interface OtherMerchant {
  readonly id: string;
  readonly key: string;
  readonly terminal: string;
}

const tester: Actor = { type: 'Operator', name: 'tester' };
const ordinary: MerchantSettings = {
  name: 'Other shop',
  currencies: ['USD', 'CAD'],
  timeZone: 'America/New_York',
  cutOff: '22:00',
  locale: 'en-US',
  fundingType: 'Net',
  managedWebhooks: false,
  unreferencedRefunds: { enabled: false },
};

/** Short enough for a test to wait for an unknown outcome. */
export const FAST = {
  PORT: '0',
  SEND_WITHIN_MS: '1000',
  PROCESSOR_DEADLINE_MS: '300',
  TERMINAL_DEADLINE_MS: '2500',
  INQUIRY_MARGIN_MS: '100',
};

/** The whole service in this process, on a directory of its own: real stores, real processor, real HTTP. */
export async function startTestApi(
  settings: Record<string, string> = {},
  log: Log = noLog,
  openings?: readonly ProcessorFactory[],
): Promise<TestApi> {
  const dataDir = settings.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'tillstream-api-'));
  const store = await storeSettings(dataDir);
  const sandbox = await sandboxSettings(dataDir, settings);
  const given = { ...FAST, ...store, ...sandbox, DATA_DIR: dataDir, ...settings };
  const config = readConfig(given, openings);
  return new TestApi(await startApi(config, log, openings), dataDir, config);
}

export class TestApi {
  constructor(
    readonly running: RunningApi,
    readonly dataDir: string,
    readonly config: Config,
  ) {}

  get key(): string {
    return this.running.facts.apiKey;
  }

  get adminKey(): string {
    return this.running.facts.adminKey;
  }

  /** Another merchant, with a key and a USD terminal. */
  async otherMerchant(
    { rateLimitPerSecond = 0, ...settings }: OtherSettings = {},
    { isDefault = true } = {},
  ): Promise<OtherMerchant> {
    const { provisioning } = this.running;
    const merchant = await provisioning.createMerchant(tester, {
      ...ordinary,
      ...settings,
      ...(rateLimitPerSecond !== 'default' && { rateLimitPerSecond }),
    });
    const terminal = await provisioning.addPaymentMethod(tester, merchant.id, {
      type: 'Physical',
      currency: 'USD',
      isDefault,
    });
    return { id: merchant.id, key: await this.keyOf(merchant.id), terminal: terminal.id };
  }

  async keyOf(merchantId: string, { readOnly = false } = {}): Promise<string> {
    const key = { name: 'Till', readOnly, mode: 'test' } as const;
    return (await this.running.provisioning.issueApiKey(tester, merchantId, key)).key;
  }

  method(description: string): PaymentMethodListItem {
    const found = this.running.facts.paymentMethods.find((one) => one.description === description);
    if (!found) throw new Error(`the demo merchant has no ${description}`);
    return found;
  }

  async call(method: string, path: string, { body, key, headers = {} }: Call = {}): Promise<Reply> {
    const usual = path.startsWith('/admin') ? this.adminKey : this.key;
    const sentKey = key === undefined ? usual : key;
    const response = await fetch(this.running.origin + path, {
      method,
      headers: {
        ...(sentKey !== null && { 'x-api-key': sentKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const reply = { status: response.status, headers: response.headers, text: await response.text() };
    await checkContract(method, path, reply);
    return reply;
  }

  get(path: string, call: Call = {}): Promise<Reply> {
    return this.call('GET', path, call);
  }

  /** A request for money: `physical-sale` and the like. */
  operation(name: string, body: unknown, call: Call = {}): Promise<Reply> {
    return this.call('POST', `/v1/transactions/${name}`, { body, ...call });
  }

  async transaction(name: string, body: unknown, call: Call = {}): Promise<TransactionResult> {
    return resultOf(await this.operation(name, body, call));
  }

  /** Has the card at a terminal stored. */
  store(body: unknown = {}, call: Call = {}): Promise<Reply> {
    return this.call('POST', '/v1/payment-methods/physical', { body, ...call });
  }

  /** The id of a card that was stored at a terminal. */
  async token(body: unknown = {}, call: Call = {}): Promise<string> {
    return resultOf(await this.store(body, call)).paymentMethod.id;
  }

  change(tokenId: string, body: unknown, call: Call = {}): Promise<Reply> {
    return this.call('PUT', `/v1/payment-methods/token/${tokenId}`, { body, ...call });
  }

  remove(tokenId: string, call: Call = {}): Promise<Reply> {
    return this.call('DELETE', `/v1/payment-methods/token/${tokenId}`, call);
  }

  /** A page of any list: `/v1/transactions?limit=1`. */
  async list<Item = TransactionResult>(path: string, call: Call = {}): Promise<ListPage<Item>> {
    const reply = await this.get(path, call);
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    return JSON.parse(reply.text) as ListPage<Item>;
  }

  async look(id: string): Promise<TransactionResult> {
    return resultOf(await this.get(`/v1/transactions/${id}`));
  }

  async setTerminal(id: string, settings: { mode?: string; card?: string | null }): Promise<SandboxTerminal> {
    const reply = await this.call('PUT', `/admin/v1/sandbox/terminals/${id}`, { body: settings });
    if (reply.status !== 200) throw new Error(reply.text);
    return JSON.parse(reply.text) as SandboxTerminal;
  }

  async stop({ keepData = false } = {}): Promise<void> {
    await this.running.stop();
    if (keepData) return;
    await removeStore(this.dataDir);
    await removeSandbox(this.dataDir);
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

export function resultOf(reply: Reply): TransactionResult {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return JSON.parse(reply.text) as TransactionResult;
}

export function envelopeOf(reply: Reply): ErrorEnvelope {
  return JSON.parse(reply.text) as ErrorEnvelope;
}

/** `400 2012 Rejected amount`: status, code, execution status, and the fields that are wrong. */
export function refusal(reply: Reply): string {
  const { code, status, errorDetails } = envelopeOf(reply);
  const fields = errorDetails.flatMap(({ field }) => (field === undefined ? [] : [field]));
  return [reply.status, code, status, ...fields].join(' ');
}
