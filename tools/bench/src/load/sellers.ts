import { randomBytes } from 'node:crypto';
import type { LoadConnection } from './connection.js';
import type { Seller } from './loops.js';
import type { Load } from './load.types.js';

const AMOUNT = 1250;
const REFUSAL_SHOWN_MAX = 1500;
/** Makes references and idempotency keys unique over all runs. */
const run = randomBytes(6).toString('hex');
let requests = 0;

const CARD = { number: '4242424242424242', expDate: '1234', cvv: '123' };
const BILLING = { countryCode: 'US', zipCode: '02110' };
const FORM = { amount: AMOUNT, formConfig: { billingInfoCaptureLevel: 'Minimal' } };

export function sellerOf(load: Load, connection: LoadConnection, paymentMethodId: string): Seller {
  switch (load.byForm) {
    case 'Submitted':
      return { sell: () => sellByForm(load, connection) };
    case 'Waiting':
      return { sell: () => openForm(load, connection) };
    default:
      return { sell: () => sell(load, connection, paymentMethodId) };
  }
}

async function sell(
  { path, withReferenceId, withIdempotencyKey, answeredAs = 'Completed' }: Load,
  connection: LoadConnection,
  paymentMethodId: string,
): Promise<string | undefined> {
  const name = `${run}-${(requests += 1)}`;
  const body = { amount: AMOUNT, paymentMethodId, ...(withReferenceId && { referenceId: `order-${name}` }) };
  const headers = withIdempotencyKey ? `idempotency-key: ${name}\r\n` : '';
  return refusal(await connection.post(path, body, headers), answeredAs);
}

/** Opens a form and submits a card, as a merchant and a customer do. */
async function sellByForm({ path }: Load, connection: LoadConnection): Promise<string | undefined> {
  const opened = await connection.post(path, FORM);
  const sessionId = /"sessionId":"(ses_[0-9A-Za-z]+)"/.exec(opened)?.[1];
  if (sessionId === undefined) return opened.slice(0, REFUSAL_SHOWN_MAX);
  const submission = { card: CARD, billingContact: BILLING };
  return refusal(await connection.post(`/pay/${sessionId}/submit`, submission), 'Completed');
}

/** A form whose customer does not come. */
async function openForm({ path }: Load, connection: LoadConnection): Promise<string | undefined> {
  return refusal(await connection.post(path, FORM), 'Pending');
}

/** Undefined for the expected status. */
function refusal(response: string, status: 'Completed' | 'Pending' | 'Processing'): string | undefined {
  const isExpected = response.startsWith('HTTP/1.1 200') && response.includes(`"status":"${status}"`);
  return isExpected ? undefined : response.slice(0, REFUSAL_SHOWN_MAX);
}
