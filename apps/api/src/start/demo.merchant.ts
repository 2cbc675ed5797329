import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxFacts } from '@tillstream/contracts';
import { merchantCodec, merchantStream, type Merchant } from '@tillstream/domain';
import { readWholeStream, type EventStore } from '@tillstream/event-store';
import {
  fromRecorded,
  type Actor,
  type Authentication,
  type NewPaymentMethod,
  type PaymentsUseCases,
  type PricingTemplateRegistry,
  type Provisioning,
  type WebhookEndpointRegistry,
} from '@tillstream/payments';
import { replacePrivateFile, type Adapters, type Config } from '@tillstream/platform';
import { paymentMethodListItem } from '@tillstream/presentation';
import type { DemoFacts } from '../api.parts.js';
import { provideTesterEndpoint } from '../sandbox/webhook-tester/tester.endpoint.js';
import { provideDemoPricing } from './demo.pricing.js';

const actor: Actor = { type: 'System', name: 'first start' };

type DemoMethod = NewPaymentMethod & { readonly currency: 'USD' | 'CAD' };

const PAYMENT_METHODS: readonly DemoMethod[] = [
  { type: 'Physical', currency: 'USD', description: 'Front counter', isDefault: true },
  { type: 'Physical', currency: 'CAD', description: 'Mobile', isDefault: false },
  { type: 'Virtual', currency: 'USD', description: 'Card form', isDefault: true },
  { type: 'VirtualAch', currency: 'USD', description: 'ACH form', isDefault: false },
  { type: 'VirtualEft', currency: 'CAD', description: 'EFT form', isDefault: false },
];

type DemoUseCases = Pick<PaymentsUseCases, 'provisioning' | 'authentication'> & {
  readonly webhookEndpoints: WebhookEndpointRegistry;
  readonly pricingTemplates: PricingTemplateRegistry;
};

/** Provides the demo merchant and its keys, and writes them to `sandbox.json`. */
export async function provisionDemo(
  { dataDir, sandboxTerminals, publicUrl }: Config,
  { store }: Adapters,
  { provisioning, authentication, webhookEndpoints, pricingTemplates }: DemoUseCases,
  origin: string,
): Promise<SandboxFacts> {
  const before = readSandboxFile(dataDir);
  const merchant = await demoMerchant(store, provisioning, authentication, sandboxTerminals);
  const own = [...ownOrigins(origin), ...ownOrigins(publicUrl)];
  await allowOwnOrigins({ store, provisioning }, merchant, { old: ownOrigins(before.baseUrl), own });
  const keys = await demoKeys(before, merchant.id, provisioning, authentication);
  await provideDemoPricing(pricingTemplates, merchant.id);
  await provideTesterEndpoint(webhookEndpoints, merchant.id, origin);
  const facts: SandboxFacts = {
    baseUrl: `${origin}/v1`,
    adminBaseUrl: `${origin}/admin/v1`,
    ...keys,
    merchantId: merchant.id,
    paymentMethods: merchant.paymentMethods.filter(({ disabled }) => !disabled).map(paymentMethodListItem),
  };
  // Readable by its owner only; a reader sees the old or the new one, whole.
  replacePrivateFile(fileOf(dataDir), `${JSON.stringify(facts, null, 2)}\n`);
  return facts;
}

/**
 * The demo merchant of the sandbox, made in an empty store (`docs/spec/service.md#first-start`). Run again it makes
 * what was never made, so a first start that was killed is finished by the next; what an operator changed since stays
 * as it is. One process at a time.
 */
async function demoMerchant(
  store: EventStore,
  provisioning: Provisioning,
  authentication: Authentication,
  extraTerminals: number,
): Promise<Merchant> {
  const merchant = (await firstMerchant(store, authentication)) ?? (await createDemoMerchant(provisioning));
  const known = await everAdded(store, merchant.id);
  const lanes = Array.from({ length: extraTerminals }, (_, index): DemoMethod => {
    return { type: 'Physical', currency: 'USD', description: `Lane ${index + 1}`, isDefault: false };
  });
  const missing = [...PAYMENT_METHODS, ...lanes].filter(
    ({ description, currency }) => !known.has(description) && merchant.currencies.includes(currency),
  );
  const added = await provisioning.addPaymentMethods(actor, merchant.id, missing);
  return { ...merchant, paymentMethods: [...merchant.paymentMethods, ...added] };
}

/** The ids of payment methods by the descriptions that they were added with. */
async function everAdded(
  store: EventStore,
  merchantId: string,
): Promise<ReadonlyMap<string | undefined, string>> {
  const history = await readWholeStream(store, merchantStream(merchantId));
  const events = history.map((one) => fromRecorded(merchantCodec, one));
  return new Map(
    events.flatMap(({ type, data }) =>
      type === 'PaymentMethodAdded' ? [[data.description, data.paymentMethodId] as const] : [],
    ),
  );
}

/**
 * The shop of the sandbox embeds the demo merchant's forms, so they allow the origins of this start in place of those of
 * the last one. Origins that an operator registered stay.
 */
async function allowOwnOrigins(
  { store, provisioning }: { readonly store: EventStore; readonly provisioning: Provisioning },
  merchant: Merchant,
  { old, own }: { readonly old: readonly string[]; readonly own: readonly string[] },
): Promise<void> {
  const merchantId = merchant.id;
  const added = await everAdded(store, merchantId);
  for (const { type, description } of PAYMENT_METHODS) {
    const form = merchant.paymentMethods.find(({ id }) => id === added.get(description));
    if (type === 'Physical' || !form) continue;
    const others = (form.allowedOrigins ?? []).filter((one) => !old.includes(one) && !own.includes(one));
    const allowedOrigins = [...new Set([...own, ...others])];
    await provisioning.changePaymentMethod(
      actor,
      { merchantId, paymentMethodId: form.id },
      { allowedOrigins },
    );
  }
}

/** A browser on this machine knows the service by both names. */
function ownOrigins(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const own = new URL(address);
  const numeric = new URL(address);
  if (own.hostname === 'localhost') numeric.hostname = '127.0.0.1';
  return [...new Set([own.origin, numeric.origin])];
}

/** Keys of the demo, as they were written down for its user; new ones where they are lost or open nothing any more. */
async function demoKeys(
  known: { readonly apiKey?: string; readonly adminKey?: string },
  merchantId: string,
  provisioning: Provisioning,
  authentication: Authentication,
): Promise<{ readonly apiKey: string; readonly adminKey: string }> {
  const merchant = known.apiKey === undefined ? undefined : await authentication.authenticate(known.apiKey);
  const opens = merchant?.kind === 'Merchant' && merchant.merchant.id === merchantId;
  const operator =
    known.adminKey === undefined ? undefined : await authentication.authenticate(known.adminKey);
  // Made before there was a list of admin keys.
  if (operator?.kind === 'Operator' && known.adminKey !== undefined) {
    await provisioning.adoptAdminKey(actor, known.adminKey);
  }
  const demo = { name: 'Demo', readOnly: false, mode: 'test' } as const;
  return {
    apiKey:
      opens && known.apiKey !== undefined
        ? known.apiKey
        : (await provisioning.issueApiKey(actor, merchantId, demo)).key,
    adminKey:
      operator?.kind === 'Operator' && known.adminKey !== undefined
        ? known.adminKey
        : (await provisioning.issueAdminKey(actor, { name: 'Demo operator' })).key,
  };
}

/** The store was empty when the demo merchant was made, so it is the first. */
async function firstMerchant(
  store: EventStore,
  authentication: Authentication,
): Promise<Merchant | undefined> {
  const { events } = await store.readAll({ categories: ['merchant'], limit: 1 });
  const first = events[0] && fromRecorded(merchantCodec, events[0]);
  return first?.type === 'MerchantCreated' ? authentication.findMerchant(first.data.merchantId) : undefined;
}

function createDemoMerchant(provisioning: Provisioning): Promise<Merchant> {
  return provisioning.createMerchant(actor, {
    name: 'Maple Street Books',
    currencies: ['USD', 'CAD'],
    timeZone: 'America/New_York',
    cutOff: '22:00',
    locale: 'en-US',
    fundingType: 'Net',
    managedWebhooks: true,
    unreferencedRefunds: { enabled: true },
    rateLimitPerSecond: 0,
  });
}

/** @throws Error before the first start wrote them */
export function demoFacts(dataDir: string): ReturnType<DemoFacts> {
  const { apiKey, merchantId } = readSandboxFile(dataDir);
  if (apiKey === undefined || merchantId === undefined) throw new Error('there is no demo merchant yet');
  return { apiKey, merchantId };
}

const fileOf = (dataDir: string): string => join(dataDir, 'sandbox.json');

/** What the last start wrote; nothing where it is missing or broken. */
function readSandboxFile(dataDir: string): Partial<SandboxFacts> {
  try {
    const facts: unknown = JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
    const { apiKey, adminKey, baseUrl, merchantId } = (facts ?? {}) as Readonly<Record<string, unknown>>;
    return {
      ...(typeof baseUrl === 'string' && { baseUrl }),
      ...(typeof apiKey === 'string' && { apiKey }),
      ...(typeof adminKey === 'string' && { adminKey }),
      ...(typeof merchantId === 'string' && { merchantId }),
    };
  } catch {
    return {};
  }
}
