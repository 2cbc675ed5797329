import { ApiClient, describeResponse } from '../support/api.client.js';
import { randomUpTo } from '../support/concurrency.js';
import { sandboxFacts, type Deployment } from '../support/deployment.js';
import type { ClientRequest } from '../support/client.request.js';
import { PaymentClient } from '../support/payment.trial.js';

/* Merchants of several currencies, time zones, funding types and prices. */

const DAY_MS = 86_400_000;
/** The second template of a shop is in effect this long after the first. */
const SECOND_PRICES_AFTER_DAYS = 3;
const CURRENCIES = ['USD', 'CAD'] as const;
/** A terminal presents its card to each payment. */
const CARDS = ['4242424242424242', '5555555555554444', '378282246310005', '4000056655665556'] as const;
/** Of Canadian terminals. */
const INTERAC = '4506440000000009';

interface ShopPlan {
  readonly name: string;
  readonly fundingType: 'Net' | 'Gross';
  readonly timeZone: string;
  readonly cutOff: string;
  /** Basis points that often give half a cent, and rules of every specificity. */
  readonly rules?: readonly PlannedRule[];
}

interface PlannedRule {
  readonly feeType: 'Interchange' | 'Scheme' | 'Markup';
  readonly rateBps: number;
  readonly fixedAmount: number;
  readonly channel?: 'CardPresent' | 'Token';
  readonly cardType?: string;
}

const PLANS: readonly ShopPlan[] = [
  {
    ...{ name: 'Harbour Outfitters', fundingType: 'Net', timeZone: 'America/New_York', cutOff: '22:00' },
    rules: [
      { feeType: 'Interchange', rateBps: 150, fixedAmount: 10 },
      { feeType: 'Interchange', rateBps: 125, fixedAmount: 7, channel: 'CardPresent' },
      { feeType: 'Interchange', rateBps: 225, fixedAmount: 12, cardType: 'AMEX' },
      { feeType: 'Interchange', rateBps: 205, fixedAmount: 11, channel: 'Token', cardType: 'AMEX' },
      { feeType: 'Interchange', rateBps: 0, fixedAmount: 4, cardType: 'INTERAC' },
      { feeType: 'Scheme', rateBps: 13, fixedAmount: 2 },
      { feeType: 'Markup', rateBps: 50, fixedAmount: 0, channel: 'Token' },
    ],
  },
  {
    ...{ name: 'Prairie Grocers', fundingType: 'Gross', timeZone: 'America/Edmonton', cutOff: '23:30' },
    rules: [
      { feeType: 'Interchange', rateBps: 175, fixedAmount: 0 },
      { feeType: 'Scheme', rateBps: 5, fixedAmount: 1, cardType: 'MASTERCARD' },
      { feeType: 'Markup', rateBps: 30, fixedAmount: 5, channel: 'CardPresent' },
    ],
  },
  { name: 'Lakeside Bakery', fundingType: 'Net', timeZone: 'America/Toronto', cutOff: '03:15' },
];

/** A merchant as its programs and the operator know it. */
export interface Shop {
  readonly merchantId: string;
  readonly client: PaymentClient;
  readonly api: ApiClient;
  readonly lanes: readonly Lane[];
}

/** A terminal takes one payment at a time. */
export interface Lane {
  readonly client: PaymentClient;
  readonly terminalId: string;
}

/** @param requests gets every request of the shops, for the audit */
export async function openShops(
  deployment: Deployment,
  origin: string,
  requests: ClientRequest[],
  lanesPerCurrency: number,
): Promise<readonly Shop[]> {
  const operator = new Operator(deployment, origin);
  const shops: Shop[] = [];
  for (const { rules, ...settings } of PLANS) {
    const { id: merchantId } = await operator.post<{ id: string }>('merchants', { ...settings });
    const { key: apiKey } = await operator.post<{ key: string }>(`merchants/${merchantId}/api-keys`, {
      name: 'proof',
    });
    if (rules) await approvePrices(operator, merchantId, rules);
    const { adminKey } = sandboxFacts(deployment);
    const client = new PaymentClient([origin], { apiKey, adminKey }, requests);
    const lanes: Lane[] = [];
    for (const currency of CURRENCIES)
      for (let lane = 0; lane < lanesPerCurrency; lane++) {
        const card = currency === 'CAD' && lane === 0 ? INTERAC : (CARDS[lane % CARDS.length] ?? CARDS[0]);
        lanes.push({ client, terminalId: await operator.terminal(merchantId, currency, card) });
      }
    shops.push({ merchantId, client, api: new ApiClient({ apiKey, adminKey }), lanes });
  }
  return shops;
}

/** One template from now on, and another, dearer one some days later. */
async function approvePrices(
  operator: Operator,
  merchantId: string,
  rules: readonly PlannedRule[],
): Promise<void> {
  const later = new Date(Date.now() + SECOND_PRICES_AFTER_DAYS * DAY_MS).toISOString();
  const dearer = rules.map((rule) => ({ ...rule, fixedAmount: rule.fixedAmount + randomUpTo(3) }));
  for (const template of [
    { name: 'First', rules },
    { name: 'Second', rules: dearer, validFrom: later },
  ]) {
    const { id } = await operator.post<{ id: string }>(`merchants/${merchantId}/pricing-templates`, {
      ...{ monthlyFee: 995, returnFee: 500, chargebackFee: 1_500 },
      ...template,
    });
    await operator.post(`pricing-templates/${id}/approve`, {});
  }
}

/** Calls the operator API. */
export class Operator {
  private readonly api: ApiClient;

  constructor(
    deployment: Deployment,
    private readonly origin: string,
  ) {
    this.api = new ApiClient(sandboxFacts(deployment));
  }

  async terminal(merchantId: string, currency: string, card: string): Promise<string> {
    const { id } = await this.post<{ id: string }>(`merchants/${merchantId}/terminals`, { currency });
    await this.call('PUT', `sandbox/terminals/${id}`, { mode: 'Auto', card });
    return id;
  }

  /** @returns the batches of all currencies that are still not empty or not closed */
  async closeBatches(merchantId: string): Promise<number> {
    const path = `/admin/v1/merchants/${merchantId}/batches/close`;
    const response = await this.api.send(this.origin, 'POST', path, { body: {} });
    if (response?.status !== 200) return CURRENCIES.length;
    const { data } = JSON.parse(response.text) as {
      readonly data: readonly { readonly status: string; readonly transactionCount: number }[];
    };
    return data.filter(({ status, transactionCount }) => status !== 'Open' || transactionCount > 0).length;
  }

  post<Answer>(path: string, body: object): Promise<Answer> {
    return this.call('POST', path, body);
  }

  /** @throws unless the answer is 200 */
  private async call<Answer>(method: 'POST' | 'PUT', path: string, body: object): Promise<Answer> {
    const response = await this.api.send(this.origin, method, `/admin/v1/${path}`, { body });
    if (response?.status !== 200) throw new Error(`${path} was answered with ${describeResponse(response)}`);
    return JSON.parse(response.text) as Answer;
  }
}
