import { randomBytes } from 'node:crypto';
import type { TransactionResult } from '@tillstream/contracts';
import {
  approvedIn,
  describeResponse,
  type ApiClient,
  type ApiResponse,
  type Method,
} from '../support/api.client.js';
import { errorIn, operationIdIn } from '../support/client.request.js';
import { pickOne, randomUpTo } from '../support/concurrency.js';
import type { ListChecks } from './list.checks.js';

/** The origin to write to, and the origin to read from. */
type Sides = readonly [string, string];

/** Amounts for which the sandbox loses a response or request, refuses the connection or declines. */
const TROUBLE = [920_001, 920_002, 920_003, 920_004, 900_051] as const;
/** More than every amount of TROUBLE, and harmless itself. */
const LARGE = 999_000;

/** A client at one terminal: writes on one process, then reads on the other. */
export class WritingClient {
  constructor(
    private readonly calls: ApiClient,
    private readonly checks: ListChecks,
    private readonly origins: Sides,
    private readonly terminal: string,
  ) {}

  async round(): Promise<void> {
    await pickOne([
      () => this.payment(),
      () => this.payment(),
      () => this.card(),
      () => this.trouble(),
    ] as const)();
  }

  private async payment(): Promise<void> {
    const amount = 100 + randomUpTo(90_000);
    const isSale = Math.random() < 0.5;
    const at = { amount, paymentMethodId: this.terminal };
    const original = await this.operation(isSale ? 'physical-sale' : 'physical-auth', at);
    if (!original) return;
    const part = Math.random() < 0.5 ? { amount: randomUpTo(amount) } : {};
    const of = { originalTransactionId: original.id, ...part };
    if (isSale) await this.operation(pickOne(['refund', 'void'] as const), of);
    else await this.operation(pickOne(['capture', 'void'] as const), of);
  }

  private async trouble(): Promise<void> {
    const amount = pickOne(TROUBLE);
    if (Math.random() < 0.7) {
      await this.operation('physical-sale', { amount, paymentMethodId: this.terminal });
      return;
    }
    const auth = await this.operation('physical-auth', { amount: LARGE, paymentMethodId: this.terminal });
    if (auth) await this.operation('capture', { originalTransactionId: auth.id, amount });
  }

  /** Creates an account holder and a card, uses them, and at times removes them. */
  private async card(): Promise<void> {
    const externalId = newName('customer');
    const sides = this.sides();
    const made = await this.written(sides, 'POST', '/v1/account-holders', { externalId, ...newPerson() });
    const holderId = made && (JSON.parse(made.text) as { id: string }).id;
    if (!made || holderId === undefined) return;
    await this.checks.holder(sides[1], externalId, made.text);
    await this.checks.read(sides[1], `/v1/account-holders/${holderId}`, made.text);

    const stored = await this.tokenOperation('POST', 'physical', {
      paymentMethodId: this.terminal,
      accountHolder: { id: holderId },
    });
    const tokenId = stored?.paymentMethod.id;
    if (!stored || tokenId === undefined) return;
    const card = { holderId, tokenId };
    await this.checks.token(this.sides()[1], card, (token) => token.maskedCardNumber !== undefined);

    const description = newName('card');
    const changed = await this.tokenOperation('PUT', `token/${tokenId}`, { description });
    if (changed) await this.checks.token(this.sides()[1], card, (token) => token.description === description);
    const sale = await this.operation('token-sale', { amount: randomUpTo(90_000), paymentMethodId: tokenId });
    await this.operation('token-auth', { amount: pickOne(TROUBLE), paymentMethodId: tokenId });
    await this.changedHolder(holderId, externalId);
    if (Math.random() < 0.6) await this.removed(tokenId, holderId, [stored.id, ...(sale ? [sale.id] : [])]);
    if (Math.random() < 0.6) await this.erased(tokenId, holderId, externalId);
  }

  private async changedHolder(holderId: string, externalId: string): Promise<void> {
    const sides = this.sides();
    const changed = await this.written(sides, 'PUT', `/v1/account-holders/${holderId}`, newPerson());
    if (changed) await this.checks.holder(sides[1], externalId, changed.text);
  }

  private async removed(tokenId: string, holderId: string, before: readonly string[]): Promise<void> {
    const removed = await this.tokenOperation('DELETE', `token/${tokenId}`);
    if (!removed) return;
    const { dateDeleted } = removed.paymentMethod;
    const there = this.sides()[1];
    const card = { holderId, tokenId };
    await this.checks.token(there, card, undefined);
    const withRemoved = { ...card, query: { includeDeleted: 'true' } };
    await this.checks.token(there, withRemoved, (token) => token.dateDeleted === dateDeleted);
    for (const id of before) await this.checks.ofRemovedToken(there, id, dateDeleted);
  }

  private async erased(tokenId: string, holderId: string, externalId: string): Promise<void> {
    const sides = this.sides();
    const path = `/v1/account-holders/${holderId}`;
    const erased = await this.written(sides, 'DELETE', path);
    if (!erased) return;
    await this.checks.holder(sides[1], externalId, undefined);
    await this.checks.read(sides[1], path, undefined);
    const use = { amount: 100, paymentMethodId: tokenId, referenceId: newName('late') };
    const response = await this.calls.send(sides[1], 'POST', '/v1/transactions/token-sale', { body: use });
    if (response?.status !== 404)
      this.checks.misses.push(`${tokenId} of an erased holder pays: ${describeResponse(response)}`);
  }

  private operation(name: string, body: object): Promise<TransactionResult | undefined> {
    return this.transaction('POST', `/v1/transactions/${name}`, { referenceId: newName('proof'), ...body });
  }

  private tokenOperation(method: Method, of: string, body?: object): Promise<TransactionResult | undefined> {
    const named = body && { referenceId: newName('proof'), ...body };
    return this.transaction(method, `/v1/payment-methods/${of}`, named);
  }

  private async transaction(
    method: Method,
    path: string,
    body?: object,
  ): Promise<TransactionResult | undefined> {
    const sides = this.sides();
    const [here, there] = sides;
    const repeats = Math.random() < 0.15;
    const headers = repeats ? { 'idempotency-key': newName('key') } : {};
    const options = { body, headers };
    const response = await this.calls.send(here, method, path, options);
    if (response?.status !== 200) {
      await this.withoutAnswer(there, `${method} ${path}`, response, body);
      return undefined;
    }
    await this.checks.transaction(there, response);
    const result = JSON.parse(response.text) as TransactionResult;
    if (Math.random() < 0.2) await this.checks.read(there, `/v1/transactions/${result.id}`, response.text);
    if (repeats) {
      const again = await this.calls.send(there, method, path, options);
      if (again?.text !== response.text || !again.replayed)
        this.checks.misses.push(
          `a repeat of ${path} gives ${describeResponse(again)}, and not ${response.text}`,
        );
      else await this.checks.transaction(here, again);
    }
    return approvedIn(response);
  }

  private async withoutAnswer(
    there: string,
    what: string,
    response: ApiResponse | undefined,
    body?: { readonly referenceId?: string },
  ): Promise<void> {
    const id = response && operationIdIn(response);
    const reference = body?.referenceId;
    if (response?.status !== 500 || id === undefined || reference === undefined)
      this.checks.misses.push(`${what} was answered ${describeResponse(response)}`);
    else await this.checks.withoutAnswer(there, id, reference, errorIn(response)?.status === 'Interrupted');
  }

  /** Writes something that is no transaction. A failure is a miss. */
  private async written(
    [here]: Sides,
    method: Method,
    path: string,
    body?: object,
  ): Promise<ApiResponse | undefined> {
    const response = await this.calls.send(here, method, path, { body });
    if (response?.status === 200) return response;
    this.checks.misses.push(`${method} ${path} was answered ${describeResponse(response)}`);
    return undefined;
  }

  private sides(): Sides {
    const [one, other] = this.origins;
    return Math.random() < 0.5 ? [one, other] : [other, one];
  }
}

const newName = (kind: string): string => `${kind}-${randomBytes(9).toString('base64url')}`;

const newPerson = (): object => {
  const name = newName('Ada');
  const address = { countryCode: 'US', zipCode: '10001', address: `${randomUpTo(900)} Main Street` };
  const email = `${name}@example.com`;
  return { name, email, phone: '+1 212 555 0100', billingContact: { name, ...address } };
};
