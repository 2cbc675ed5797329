import type { ApiCallOptions, Method } from '../support/api.client.js';

export interface MisplacedRequest {
  readonly method: Method;
  readonly path: string;
  readonly options?: ApiCallOptions;
}

const SALE = '/v1/transactions/physical-sale';
const CLOCK = '/admin/v1/sandbox/clock';
const KNOWN_TERMINAL = 'pmt_trm_00000000000000000000000000';

/**
 * Requests that the service refuses, with a card number where none belongs: in fields of every kind, names of fields,
 * paths, parameters, headers and malformed JSON. Responses and logs must not repeat it.
 */
export function cardNumberRequests(number: string): MisplacedRequest[] {
  return [...inBodies(number), ...inAddresses(number), ...inHeaders(number), ...inBroken(number)];
}

/** Submissions of this form (`/pay/ses_…`) with the number in a wrong field. None is an attempt. */
export function cardNumberSubmissions(number: string, form: string): MisplacedRequest[] {
  const card = { number: '4242424242424242', expDate: '1234', cvv: '123' };
  const billingContact = { countryCode: 'US', zipCode: '10001' };
  const whole = { card, billingContact };
  const bodies = [
    { ...whole, card: number },
    { ...whole, card: { ...card, number: number + number } },
    { ...whole, card: { ...card, number: Number(number) } },
    { ...whole, card: { ...card, expDate: number } },
    { ...whole, card: { ...card, cvv: number } },
    { ...whole, card: { ...card, [number]: number } },
    { ...whole, billingContact: { countryCode: number, zipCode: number } },
    { ...whole, billingContact: { countryCode: 'US', zipCode: groupsOf(number, ' ') } },
    { ...whole, email: number, phone: `${number} `.repeat(20) },
    { ...whole, [number]: 1 },
    `{"card":{"number":"${number}","cvv":"123`,
  ];
  return [
    ...bodies.map((body) => post(`${form}/submit`, body)),
    post(`${form}/submit`, {}, { 'idempotency-key': number }),
    post(`${form}/cancel`, { [number]: number }),
    post(`/pay/${number}/submit`, whole),
    { method: 'GET', path: `/pay/${number}` },
    { method: 'GET', path: `${form}/${number}?lang=${number}` },
  ];
}

const groupsOf = (number: string, separator: string): string =>
  number.replace(/(.{4})(?=.)/g, `$1${separator}`);

const post = (path: string, body: object | string, headers = {}): MisplacedRequest => ({
  method: 'POST',
  path,
  options: { body, headers },
});
const put = (path: string, body: object): MisplacedRequest => ({ method: 'PUT', path, options: { body } });

function inBodies(number: string): MisplacedRequest[] {
  const grouped = groupsOf(number, ' ');
  const tooLong = `${number} `.repeat(20);
  const sales = [
    { amount: Number(number) },
    { amount: number },
    { amount: grouped },
    { amount: 100, paymentMethodId: number },
    { amount: 0, referenceId: number, description: number },
    { amount: 100, referenceId: tooLong },
    { amount: 100, referenceId: [number] },
    { amount: 100, invoiceNumber: grouped },
    { amount: 100, invoiceNumber: number + number },
    { amount: 100, orderNumber: groupsOf(number, '-') },
    { amount: 100, amountBreakdown: { tip: Number(number) } },
    { amount: 100, amountBreakdown: { [number]: 1 } },
    { amount: 100, amountBreakdown: number },
    { amount: 100, [number]: 1 },
    { amount: 100, [`card ${grouped}`]: { [number]: number } },
    { amount: 100, card: { number, cvv: '123' } },
  ];
  const holders = [
    number,
    { id: number },
    { externalId: tooLong },
    { externalId: 'a', email: number, phone: tooLong, name: tooLong },
    { externalId: 'a', email: `${number}@` },
    { externalId: 'a', billingContact: { countryCode: number, zipCode: number } },
    { externalId: 'a', billingContact: { countryCode: 'US', zipCode: grouped, address2: tooLong } },
    { externalId: 'a', [number]: number },
  ];
  return [
    ...sales.map((body) => post(SALE, body)),
    post('/v1/transactions/token-sale', { amount: 100, paymentMethodId: number }),
    post('/v1/transactions/token-auth', { amount: 100, paymentMethodId: grouped, reason: number }),
    post('/v1/transactions/capture', { originalTransactionId: number }),
    post('/v1/transactions/refund', { originalReferenceId: number }),
    post('/v1/transactions/void', { originalReferenceId: grouped, originalTransactionId: number }),
    post('/v1/payment-methods/physical', { paymentMethodId: number }),
    post('/v1/payment-methods/physical', { description: tooLong }),
    post('/v1/payment-methods/physical', { cardNumber: number }),
    ...holders.map((accountHolder) => post('/v1/payment-methods/physical', { accountHolder })),
    post('/v1/account-holders', { email: number }),
    post('/v1/account-holders', { name: tooLong, [grouped]: 1 }),
    post(CLOCK, { advanceSeconds: Number(number) }),
    post(CLOCK, { to: number }),
    put(`/admin/v1/sandbox/terminals/${KNOWN_TERMINAL}`, { card: `${number}0`, mode: number }),
  ];
}

function inAddresses(number: string): MisplacedRequest[] {
  const grouped = encodeURIComponent(groupsOf(number, ' '));
  const lists = [
    'transactions',
    'payment-methods',
    'account-holders',
    `payment-methods/account-holder/${number}`,
  ];
  const names = 'limit cursor sort createdFrom amountMin type includeTotal id externalId'.split(' ');
  const read = [
    ...lists.flatMap((list) => names.map((name) => `/v1/${list}?${name}=${number}`)),
    ...lists.map((list) => `/v1/${list}?${number}=1&${grouped}=${grouped}`),
    `/v1/transactions?invoiceNumber=${grouped}`,
    `/v1/transactions/${number}`,
    `/v1/transactions/${grouped}?${number}=${number}`,
    `/v1/transactions/${number}/events`,
    `/v1/account-holders/${number}`,
    `/v1/${number}`,
    `/v1/cards/${grouped}`,
    `/admin/v1/sandbox/terminals/${number}`,
    `/${number}`,
  ];
  return [
    ...read.map((path) => ({ method: 'GET', path }) as const),
    { method: 'DELETE', path: `/v1/payment-methods/token/${number}` },
    put(`/v1/payment-methods/token/${number}`, { cardExpDate: number }),
    put(`/v1/account-holders/${number}`, { name: 'Ada' }),
    { method: 'DELETE', path: `/v1/account-holders/${grouped}` },
    post(`/health/${number}`, {}),
  ];
}

function inHeaders(number: string): MisplacedRequest[] {
  const all = [
    { 'x-api-key': number },
    { 'x-api-key': `sk_test_${number}${number}` },
    { authorization: `Bearer ${number}` },
    { 'idempotency-key': number },
    { 'idempotency-key': `${number} `.repeat(20) },
    { 'content-type': number },
    { 'content-type': `application/json; charset=${number}` },
    { traceparent: number },
    { 'user-agent': number, referer: `https://shop.example/${number}`, cookie: `card=${number}` },
    { [`x-${number}`]: number },
  ];
  const actor = { 'x-actor': `${number} `.repeat(20) };
  return [
    ...all.map((headers) => post(SALE, { amount: 0 }, headers)),
    post(CLOCK, { advanceSeconds: 0 }, actor),
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
  return bodies.map((body) => post(SALE, body));
}
