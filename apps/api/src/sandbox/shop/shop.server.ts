import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ListPage, PaymentMethodDetails, PaymentMethodListItem } from '@tillstream/contracts';
import { ADDRESS, DEMO_FACTS, type DemoFacts, type ListeningAddress } from '../../api.parts.js';
import { interrupted, notFound } from '../../http/api.error.js';
import { bookOf, type BookId } from './books.table.js';
import type { PaidWith } from './shop.dto.js';

/** A call of the shop's server and its response. The shop shows both to the developer who tries it; never the key. */
export interface ShopExchange {
  readonly request: { readonly method: string; readonly path: string; readonly body?: object };
  readonly status: number;
  /** The response as the API sent it, an error envelope included. */
  readonly response: unknown;
}

/** The one customer of the demo shop, by the shop's own id. */
const CUSTOMER = { externalId: 'demo-reader', name: 'Robin Reader' };
/** Longer than a payment takes, its unknown outcome included. */
const ANSWERED_WITHIN_MS = 45_000;
/** What the shop asks for in the form: country and ZIP code. Forms for bank accounts ask for the whole address. */
const MINIMAL = { billingInfoCaptureLevel: 'Minimal' };
const FORM = { useJavaScriptCallback: true, formConfig: MINIMAL };
const BANK_FORM = { UsAccount: 'VirtualAch', CanadianAccount: 'VirtualEft' } as const;

/**
 * The server of the demo merchant's shop: it knows the prices and has the API key, and calls the public API over HTTP as
 * the server of any merchant does.
 */
@Injectable()
export class ShopServer {
  constructor(
    @Inject(DEMO_FACTS) private readonly demo: DemoFacts,
    @Inject(ADDRESS) private readonly address: ListeningAddress,
  ) {}

  /** @param verified by 3-D Secure */
  checkout(book: BookId, verified: boolean): Promise<ShopExchange> {
    const form = verified ? { ...FORM, formConfig: { ...MINIMAL, enable3DSecure: true } } : FORM;
    return this.sell(book, form);
  }

  /** The same price in USD and in CAD. */
  async checkoutByBank(book: BookId, paidWith: Exclude<PaidWith, 'Card'>): Promise<ShopExchange> {
    const paymentMethodId = await this.formOf(BANK_FORM[paidWith]);
    return this.sell(book, { paymentMethodId, useJavaScriptCallback: true });
  }

  saveCard(): Promise<ShopExchange> {
    const accountHolder = CUSTOMER;
    return this.post('/payment-methods/virtual', {
      description: `Card of ${CUSTOMER.name}`,
      accountHolder,
      ...FORM,
    });
  }

  async saveAccount(): Promise<ShopExchange> {
    return this.post('/payment-methods/virtual', {
      paymentMethodId: await this.formOf('VirtualAch'),
      description: `Account of ${CUSTOMER.name}`,
      accountHolder: CUSTOMER,
      useJavaScriptCallback: true,
    });
  }

  /**
   * @param key the same for a repeat of a call whose answer was lost: it charges once
   * @throws ApiError 404 if the card or bank account is not one of this customer
   */
  async payWithCard(tokenId: string, book: BookId, key?: string): Promise<ShopExchange> {
    const cards = await this.savedCards();
    if (!cards.some(({ id }) => id === tokenId)) throw notFound('This customer has no such card.');
    const { price: amount } = bookOf(book);
    // The repeat has to be the same request, so its order number follows from the key.
    const order =
      key === undefined
        ? orderNumber()
        : `MSB${key
            .replace(/[^A-Za-z0-9]/g, '')
            .slice(0, 12)
            .toUpperCase()}`;
    const body = { amount, paymentMethodId: tokenId, orderNumber: order };
    return this.post('/transactions/token-sale', body, key);
  }

  /** The stored cards and bank accounts of the shop's customer, the newest first. */
  async savedCards(): Promise<PaymentMethodDetails[]> {
    const path = `/payment-methods/account-holder/${CUSTOMER.externalId}?type=Token`;
    const { status, response } = await this.call('GET', path);
    // Nothing was stored for this customer yet.
    if (status === 404) return [];
    if (status !== 200) throw new Error(`the cards of the demo customer can not be read: ${status}`);
    return (response as ListPage<PaymentMethodDetails>).data;
  }

  transaction(id: string): Promise<ShopExchange> {
    return this.call('GET', `/transactions/${encodeURIComponent(id)}`);
  }

  private sell(book: BookId, form: object): Promise<ShopExchange> {
    const { price: amount } = bookOf(book);
    return this.post('/transactions/virtual-sale', { amount, orderNumber: orderNumber(), ...form });
  }

  /** A form for bank accounts is never implied. */
  private async formOf(type: 'VirtualAch' | 'VirtualEft'): Promise<string> {
    const { response } = await this.call('GET', `/payment-methods?type=${type}`);
    const [form] = (response as Partial<ListPage<PaymentMethodListItem>>).data ?? [];
    if (!form) throw notFound(`The demo merchant has no form of the type ${type}.`);
    return form.id;
  }

  private post(path: string, body: object, key?: string): Promise<ShopExchange> {
    return this.call('POST', path, body, key);
  }

  private async call(method: string, path: string, body?: object, key?: string): Promise<ShopExchange> {
    const headers = {
      'x-api-key': this.demo().apiKey,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const request = { method, path: `/v1${path}`, ...(body && { body }) };
    try {
      const reply = await fetch(this.address.origin + request.path, {
        ...{ method, headers },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      });
      return { request, status: reply.status, response: await reply.json() };
    } catch {
      throw interrupted('The API did not answer the shop. Look at the transactions before you try again.');
    }
  }
}

/** Alphanumeric, as `orderNumber` has to be. */
function orderNumber(): string {
  return `MSB${randomBytes(4).toString('hex').toUpperCase()}`;
}
