import type { FuzzMerchant } from './fuzz.fixture.js';
import { JSON_HEADER, type CaseSource, type FuzzCase, type FuzzRequest } from './fuzz.request.js';
import type { RandomGenerator } from './random.generator.js';

const ULID = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The start of a ULID of this year. */
const OUR_TIME = '01K4Q';

/** A request with ids of another merchant, or with ids that do not exist. */
type Place = (ids: FuzzMerchant, own: FuzzMerchant) => readonly [method: string, path: string, body?: object];

const UNREFERENCED = '/v1/transactions/unreferenced-physical-refund';

const WRITING: readonly Place[] = [
  ({ sale }) => ['POST', '/v1/transactions/refund', { originalTransactionId: sale }],
  ({ sale }) => ['POST', '/v1/transactions/void', { originalTransactionId: sale }],
  ({ auth }) => ['POST', '/v1/transactions/capture', { originalTransactionId: auth }],
  ({ auth }) => ['POST', '/v1/transactions/capture', { originalTransactionId: auth, amount: 1 }],
  ({ auth }) => ['POST', '/v1/transactions/void', { originalTransactionId: auth, amount: 1 }],
  ({ referenceId }) => ['POST', '/v1/transactions/refund', { originalReferenceId: referenceId }],
  ({ referenceId }) => ['POST', '/v1/transactions/void', { originalReferenceId: referenceId }],
  ({ referenceId }) => ['POST', '/v1/transactions/capture', { originalReferenceId: referenceId }],
  ({ token }) => ['POST', '/v1/transactions/token-sale', { amount: 100, paymentMethodId: token }],
  ({ token }) => ['POST', '/v1/transactions/token-auth', { amount: 100, paymentMethodId: token }],
  ({ terminal }) => ['POST', '/v1/transactions/physical-sale', { amount: 100, paymentMethodId: terminal }],
  ({ terminal }) => ['POST', '/v1/transactions/physical-auth', { amount: 100, paymentMethodId: terminal }],
  ({ terminal }) => ['POST', UNREFERENCED, { amount: 100, paymentMethodId: terminal }],
  ({ terminal }) => ['POST', '/v1/payment-methods/physical', { paymentMethodId: terminal }],
  ({ holder }) => ['POST', '/v1/payment-methods/physical', { accountHolder: { id: holder } }],
  ({ holder }, own) => ['PUT', `/v1/payment-methods/token/${own.token}`, { accountHolder: { id: holder } }],
  ({ token }) => ['PUT', `/v1/payment-methods/token/${token}`, { description: 'mine' }],
  ({ token }) => ['DELETE', `/v1/payment-methods/token/${token}`],
  ({ holder }) => ['PUT', `/v1/account-holders/${holder}`, { name: 'Mine' }],
  ({ externalId }) => ['PUT', `/v1/account-holders/${externalId}`, { name: 'Mine' }],
  ({ holder }) => ['DELETE', `/v1/account-holders/${holder}`],
  ({ externalId }) => ['DELETE', `/v1/account-holders/${externalId}`],
  // An id of another kind than expected.
  ({ holder }) => ['POST', '/v1/transactions/token-sale', { amount: 100, paymentMethodId: holder }],
  ({ form }) => ['POST', '/v1/transactions/physical-sale', { amount: 100, paymentMethodId: form }],
  ({ merchantId }) => ['POST', '/v1/transactions/refund', { originalTransactionId: merchantId }],
];

const READING: readonly Place[] = [
  ({ sale }) => ['GET', `/v1/transactions/${sale}`],
  ({ sale }) => ['GET', `/v1/transactions/${sale}/events`],
  ({ referenceId }) => ['GET', `/v1/transactions/${referenceId}`],
  ({ holder }) => ['GET', `/v1/account-holders/${holder}`],
  ({ externalId }) => ['GET', `/v1/account-holders/${externalId}`],
  ({ holder }) => ['GET', `/v1/payment-methods/account-holder/${holder}`],
  ({ externalId }) => ['GET', `/v1/payment-methods/account-holder/${externalId}`],
  ({ sale }) => ['GET', `/v1/transactions?id=${sale}`],
  ({ referenceId }) => ['GET', `/v1/transactions?referenceId=${referenceId}`],
  ({ sale }) => ['GET', `/v1/transactions?originalTransactionId=${sale}`],
  ({ terminal }) => ['GET', `/v1/transactions?paymentMethodId=${terminal}`],
  ({ token }) => ['GET', `/v1/transactions?paymentMethodId=${token}&includeTotal=true`],
  ({ holder }) => ['GET', `/v1/transactions?accountHolderId=${holder}`],
  ({ externalId }) => ['GET', `/v1/account-holders?externalId=${externalId}`],
];

/** Ids of another merchant: the response must be the same as for an id that does not exist. */
export function foreignCase({ fixture, random }: CaseSource): FuzzCase {
  const { own, other } = fixture;
  const writes = random.is(0.6);
  const place = random.pick(writes ? WRITING : READING);
  const missing = unknownTo(other, random);
  const [method, path, body] = place(other, own);
  const same = [...IDS, ...TEXTS].map((name) => [other[name], missing[name]] as const);
  const named = path.replaceAll(/[a-z]+_[0-9A-Z]{26}|(ref|customer)-[0-9a-f]+/g, '…');
  return {
    family: `another's id: ${method} ${named} ${Object.keys(body ?? {}).join()}`,
    expected: writes ? 'Refused' : 'Read',
    request: requestTo(own.apiKey, method, path, body),
    twin: requestTo(own.apiKey, ...place(missing, own)),
    same,
  };
}

function requestTo(key: string, method: string, path: string, body?: object): FuzzRequest {
  const headers = [['x-api-key', key] as const, ...(body ? [JSON_HEADER] : [])];
  return { method, path, headers, ...(body && { body: Buffer.from(JSON.stringify(body)) }) };
}

const IDS = ['merchantId', 'terminal', 'form', 'holder', 'token', 'sale', 'auth'] as const;
const TEXTS = ['referenceId', 'externalId'] as const;

/** Ids of the same form that do not exist. */
function unknownTo(other: FuzzMerchant, random: RandomGenerator): FuzzMerchant {
  const like = (id: string): string => id.replace(/(?<=_).*$/, '') + OUR_TIME + random.text(ULID, 21);
  const text = (name: string): string =>
    name.replace(/[0-9a-f]+$/, (hex) => random.text('0123456789abcdef', hex.length));
  const changed = [
    ...IDS.map((name) => [name, like(other[name])]),
    ...TEXTS.map((name) => [name, text(other[name])]),
  ];
  return { ...other, ...(Object.fromEntries(changed) as Partial<FuzzMerchant>) };
}
