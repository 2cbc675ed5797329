import type { ApiCallOptions, Method } from '../support/api.client.js';

export interface MisplacedRequest {
  readonly method: Method;
  readonly path: string;
  readonly options?: ApiCallOptions;
}

const KNOWN_TERMINAL = 'pmt_trm_00000000000000000000000000';

/**
 * Requests that the service refuses, with a card number where none belongs: in fields of every kind, names of fields,
 * paths, parameters, headers and malformed JSON. Responses and logs must not repeat it.
 */
export function cardNumberRequests(number: string): MisplacedRequest[] {
  return [...inBodies(number), ...inAddresses(number), ...inHeaders(number), ...inBroken(number)];
}

function inBodies(number: string): MisplacedRequest[] {
  const grouped = number.replace(/(.{4})(?=.)/g, '$1 ');
  const tooLong = `${number} `.repeat(20);
  const sale = (body: object): MisplacedRequest => ({
    method: 'POST',
    path: '/v1/transactions/physical-sale',
    options: { body },
  });
  const post = (path: string, body: object): MisplacedRequest => ({
    method: 'POST',
    path: `/v1${path}`,
    options: { body },
  });
  const holder = (accountHolder: unknown): MisplacedRequest =>
    post('/payment-methods/physical', { accountHolder } as object);
  return [
    sale({ amount: Number(number) }),
    sale({ amount: number }),
    sale({ amount: grouped }),
    sale({ amount: 100, paymentMethodId: number }),
    sale({ amount: 0, referenceId: number, description: number }),
    sale({ amount: 100, referenceId: tooLong }),
    sale({ amount: 100, referenceId: [number] }),
    sale({ amount: 100, invoiceNumber: grouped }),
    sale({ amount: 100, invoiceNumber: number + number }),
    sale({ amount: 100, orderNumber: number.replace(/(.{4})(?=.)/g, '$1-') }),
    sale({ amount: 100, amountBreakdown: { tip: Number(number) } }),
    sale({ amount: 100, amountBreakdown: { [number]: 1 } }),
    sale({ amount: 100, amountBreakdown: number }),
    sale({ amount: 100, [number]: 1 }),
    sale({ amount: 100, [`card ${grouped}`]: { [number]: number } }),
    sale({ amount: 100, card: { number, cvv: '123' } }),
    post('/transactions/token-sale', { amount: 100, paymentMethodId: number }),
    post('/transactions/token-auth', { amount: 100, paymentMethodId: grouped, reason: number }),
    post('/transactions/capture', { originalTransactionId: number }),
    post('/transactions/refund', { originalReferenceId: number }),
    post('/transactions/void', { originalReferenceId: grouped, originalTransactionId: number }),
    post('/payment-methods/physical', { paymentMethodId: number }),
    post('/payment-methods/physical', { description: tooLong }),
    post('/payment-methods/physical', { cardNumber: number }),
    holder(number),
    holder({ id: number }),
    holder({ externalId: tooLong }),
    holder({ externalId: 'a', email: number, phone: tooLong, name: tooLong }),
    holder({ externalId: 'a', email: `${number}@` }),
    holder({ externalId: 'a', billingContact: { countryCode: number, zipCode: number } }),
    holder({ externalId: 'a', billingContact: { countryCode: 'US', zipCode: grouped, address2: tooLong } }),
    holder({ externalId: 'a', [number]: number }),
    post('/account-holders', { email: number }),
    post('/account-holders', { name: tooLong, [grouped]: 1 }),
    {
      method: 'POST',
      path: '/admin/v1/sandbox/clock',
      options: { body: { advanceSeconds: Number(number) } },
    },
    { method: 'POST', path: '/admin/v1/sandbox/clock', options: { body: { to: number } } },
    {
      method: 'PUT',
      path: `/admin/v1/sandbox/terminals/${KNOWN_TERMINAL}`,
      options: { body: { card: `${number}0`, mode: number } },
    },
  ];
}

function inAddresses(number: string): MisplacedRequest[] {
  const grouped = encodeURIComponent(number.replace(/(.{4})(?=.)/g, '$1 '));
  const get = (path: string): MisplacedRequest => ({ method: 'GET', path: `/v1${path}` });
  const lists = [
    '/transactions',
    '/payment-methods',
    '/account-holders',
    `/payment-methods/account-holder/${number}`,
  ];
  const names = [
    'limit',
    'cursor',
    'sort',
    'createdFrom',
    'amountMin',
    'type',
    'includeTotal',
    'id',
    'externalId',
  ];
  return [
    ...lists.flatMap((list) => names.map((name) => get(`${list}?${name}=${number}`))),
    ...lists.map((list) => get(`${list}?${number}=1&${grouped}=${grouped}`)),
    get(`/transactions?invoiceNumber=${grouped}`),
    get(`/transactions/${number}`),
    get(`/transactions/${grouped}?${number}=${number}`),
    get(`/transactions/${number}/events`),
    get(`/account-holders/${number}`),
    get(`/${number}`),
    get(`/cards/${grouped}`),
    { method: 'DELETE', path: `/v1/payment-methods/token/${number}` },
    {
      method: 'PUT',
      path: `/v1/payment-methods/token/${number}`,
      options: { body: { cardExpDate: number } },
    },
    { method: 'PUT', path: `/v1/account-holders/${number}`, options: { body: { name: 'Ada' } } },
    { method: 'DELETE', path: `/v1/account-holders/${grouped}` },
    { method: 'GET', path: `/admin/v1/sandbox/terminals/${number}` },
    { method: 'GET', path: `/${number}` },
    { method: 'POST', path: `/health/${number}`, options: { body: {} } },
  ];
}

function inHeaders(number: string): MisplacedRequest[] {
  const refused = (headers: Record<string, string>): MisplacedRequest => ({
    method: 'POST',
    path: '/v1/transactions/physical-sale',
    options: { body: { amount: 0 }, headers },
  });
  return [
    refused({ 'x-api-key': number }),
    refused({ 'x-api-key': `sk_test_${number}${number}` }),
    refused({ authorization: `Bearer ${number}` }),
    refused({ 'idempotency-key': number }),
    refused({ 'idempotency-key': `${number} `.repeat(20) }),
    refused({ 'content-type': number }),
    refused({ 'content-type': `application/json; charset=${number}` }),
    refused({ traceparent: number }),
    refused({ 'user-agent': number, referer: `https://shop.example/${number}`, cookie: `card=${number}` }),
    refused({ [`x-${number}`]: number }),
    {
      method: 'POST',
      path: '/admin/v1/sandbox/clock',
      options: { body: { advanceSeconds: 0 }, headers: { 'x-actor': `${number} `.repeat(20) } },
    },
  ];
}

function inBroken(number: string): MisplacedRequest[] {
  const bodies = [
    number,
    `"${number}"`,
    `{"card":${number}`,
    `{"card":"${number}" ${number}}`,
    `[${number}]`,
    `card=${number}`,
  ];
  return bodies.map((body) => ({
    method: 'POST',
    path: '/v1/transactions/physical-sale',
    options: { body },
  }));
}
