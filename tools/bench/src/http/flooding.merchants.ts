import type { BenchContext } from '../bench.types.js';
import { call, type FloodCall } from '../load/flood.client.js';
import type { ApiService } from '../services/http.services.js';

/** A merchant that has very much of something, and the calls of its clients. */
export interface FloodingMerchant {
  readonly next: (connection: number) => FloodCall;
}

export interface MerchantSizes {
  /** Operations of the payment, at most 960. */
  readonly operations: number;
  readonly tokens: number;
  readonly terminals: number;
}

interface Identified {
  readonly id: string;
}
interface Stored {
  readonly paymentMethod: Identified;
}

const AMOUNT = 100_000;
const TERMINALS_OF_TOKENS = 8;
/** A connection changes something in every so many calls, and reads in the others. */
const CHANGE_EVERY = 2;

/** Another merchant of the service, without a rate limit. */
export async function otherMerchant(api: ApiService) {
  const operator = <Body>(path: string, body: object): Promise<Body> =>
    call(api, { method: 'POST', path: `/admin/v1${path}`, apiKey: api.adminKey, body });
  const { id } = await operator<Identified>('/merchants', { name: 'Much of it', rateLimitPerSecond: 0 });
  const { key: apiKey } = await operator<{ readonly key: string }>(`/merchants/${id}/api-keys`, {
    name: 'bench',
  });
  const addTerminal = async (isDefault: boolean): Promise<string> =>
    (await operator<Identified>(`/merchants/${id}/terminals`, { currency: 'USD', isDefault })).id;
  const post = <Body>(path: string, body: object): Promise<Body> =>
    call(api, { method: 'POST', path: `/v1${path}`, apiKey, body });
  return { id, apiKey, addTerminal, post };
}

/** Its clients read a payment with many operations, and refund a cent of it. */
export async function merchantOfLongPayment(
  api: ApiService,
  { operations }: MerchantSizes,
  progress: BenchContext['progress'],
): Promise<FloodingMerchant> {
  const { apiKey, addTerminal, post } = await otherMerchant(api);
  await addTerminal(true);
  const { id } = await post<Identified>('/transactions/physical-sale', { amount: AMOUNT });
  const refund = { originalTransactionId: id, amount: 1 };
  const refunds: string[] = [];
  for (let done = 1; done < operations; done++) {
    refunds.push((await post<Identified>('/transactions/refund', refund)).id);
    if (done % 100 === 0) progress(`operations, ${done} of ${operations}`);
  }
  const calls = countedCalls();
  return {
    next: (connection) => {
      const number = calls(connection);
      if (number % CHANGE_EVERY === 0)
        return { method: 'POST', path: '/v1/transactions/refund', apiKey, body: refund };
      const read = [
        `/v1/transactions/${id}`,
        `/v1/transactions/${refunds[number % refunds.length] ?? id}`,
        `/v1/transactions/${id}/events?limit=100`,
        `/v1/transactions?originalTransactionId=${id}&limit=100`,
      ];
      return { method: 'GET', path: read[number % read.length] ?? '', apiKey };
    },
  };
}

/** Its clients list the tokens of one holder, store more, sell with them and remove some. */
export async function merchantOfManyTokens(
  api: ApiService,
  { tokens }: MerchantSizes,
  progress: BenchContext['progress'],
): Promise<FloodingMerchant> {
  const { apiKey, addTerminal, post } = await otherMerchant(api);
  const terminals: string[] = [];
  for (let count = 0; count < TERMINALS_OF_TOKENS; count++) terminals.push(await addTerminal(count === 0));
  const holder = { accountHolder: { externalId: 'everybody', name: 'Ann Maple' } };
  const ids: string[] = [];
  for (let stored = 0; stored < tokens; stored++) {
    ids.push((await post<Stored>('/payment-methods/physical', holder)).paymentMethod.id);
    if (stored % 100 === 0) progress(`tokens, ${stored} of ${tokens}`);
  }
  const calls = countedCalls();
  return {
    next: (connection) => {
      const number = calls(connection);
      const paymentMethodId = terminals[connection];
      // A terminal serves one request at a time.
      if (paymentMethodId !== undefined && number % CHANGE_EVERY === 0) {
        const onAnswer = (text: string): void => {
          const { id } = (JSON.parse(text) as Partial<Stored>).paymentMethod ?? {};
          if (id !== undefined) ids.push(id);
        };
        const body = { ...holder, paymentMethodId };
        return { method: 'POST', path: '/v1/payment-methods/physical', apiKey, body, onAnswer };
      }
      if (paymentMethodId !== undefined)
        return { method: 'DELETE', path: `/v1/payment-methods/token/${ids.pop()}`, apiKey };
      if (number % CHANGE_EVERY === 0) {
        const body = { amount: AMOUNT, paymentMethodId: ids[number % Math.max(1, ids.length - 50)] };
        return { method: 'POST', path: '/v1/transactions/token-sale', apiKey, body };
      }
      return { method: 'GET', path: '/v1/payment-methods/account-holder/everybody?limit=100', apiKey };
    },
  };
}

/** Its clients list its terminals and sell at them, and its operator adds more. */
export async function merchantOfManyTerminals(
  api: ApiService,
  { terminals }: MerchantSizes,
  progress: BenchContext['progress'],
): Promise<FloodingMerchant> {
  const { id, apiKey, addTerminal } = await otherMerchant(api);
  const ids: string[] = [];
  for (let added = 0; added < terminals; added++) {
    ids.push(await addTerminal(added === 0));
    if (added % 100 === 0) progress(`terminals, ${added} of ${terminals}`);
  }
  const calls = countedCalls();
  return {
    next: (connection) => {
      const number = calls(connection);
      if (connection === 0) {
        const path = `/admin/v1/merchants/${id}/terminals`;
        return { method: 'POST', path, apiKey: api.adminKey, body: { currency: 'USD', isDefault: false } };
      }
      if (number % CHANGE_EVERY === 0) {
        const place = (connection + number * 61) % ids.length;
        const body = { amount: AMOUNT, paymentMethodId: ids[place] };
        return { method: 'POST', path: '/v1/transactions/physical-sale', apiKey, body };
      }
      return { method: 'GET', path: '/v1/payment-methods?limit=100', apiKey };
    },
  };
}

/** The number of each connection's next call, from 1. */
function countedCalls(): (connection: number) => number {
  const counts = new Map<number, number>();
  return (connection) => {
    const count = (counts.get(connection) ?? connection) + 1;
    counts.set(connection, count);
    return count;
  };
}
