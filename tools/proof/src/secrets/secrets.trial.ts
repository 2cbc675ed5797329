import type { TransactionResult } from '@tillstream/contracts';
import { inParallel, pickOne, poll } from '../support/concurrency.js';
import {
  ApiClient,
  approvedIn,
  describeResponse,
  transactionIn,
  type ApiCallOptions,
  type ApiResponse,
  type Method,
} from '../support/api.client.js';
import { isDefinite } from '../support/client.request.js';
import { cardNumberRequests, cardNumberSubmissions } from './card-number.requests.js';
import { FormCustomer, type StoredCard } from './form.customer.js';
import { newPerson, newText } from './new.person.js';
import type { SecretsEvidence } from './secrets.evidence.js';
import { ServiceProcess } from '../processes/service.process.js';
import { sandboxFacts, freePort, terminalIds, type Deployment } from '../support/deployment.js';
import { describeRun, runTool } from '../processes/tool.process.js';

/** Repeats the given number on purpose: it simulates a customer at the terminal. */
const TERMINAL_SETTING = '/admin/v1/sandbox/terminals/';
const RESPONSE_TIMEOUT_MS = 30_000;
const FORMS_AT_ONCE = 4;

/** Uses two processes on one data directory in every way while they are killed, and destroys some cards and persons. */
export class SecretsTrial {
  readonly complaints: string[] = [];
  kills = 0;
  rotations = 0;
  misplaced = 0;
  submissions = 0;
  private readonly services: ServiceProcess[] = [];
  private readonly cards: StoredCard[] = [];
  private calls: ApiClient | undefined;

  constructor(
    private readonly deployment: Deployment,
    private readonly evidence: SecretsEvidence,
  ) {}

  async start(): Promise<void> {
    for (const index of [0, 1]) await this.startAt(index, await freePort());
    this.calls = new ApiClient(sandboxFacts(this.deployment), (path, { status, text, headers }) => {
      if (status === 200 && path.startsWith(TERMINAL_SETTING)) return;
      const whole = `${JSON.stringify([...headers])} ${text}`;
      this.evidence.responses.push({ what: path.slice(0, 60), text: whole });
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
  }

  /** Kills one of the two and starts it again; the other one goes on answering. */
  async kill(): Promise<void> {
    const index = this.kills++ % this.services.length;
    const service = this.services[index];
    await service?.kill();
    await this.startAt(index, service?.port ?? 0);
  }

  async rotate(): Promise<void> {
    const run = await runTool(this.deployment, 'vault-keys', ['rotate']);
    if (run.code !== 0) this.complaints.push(`rotation of the master key: ${describeRun(run)}`);
    this.rotations++;
  }

  /** Runs every operation with every card, stores the card for a new person, and pays with it. */
  async useCards(numbers: readonly string[]): Promise<void> {
    const terminals = terminalIds(this.deployment);
    const free = [...terminals];
    await inParallel(numbers, terminals.length, async (card) => {
      const terminal = free.pop() ?? '';
      await this.insist('PUT', TERMINAL_SETTING + terminal, { body: { card } });
      await this.useCard(terminal);
      free.push(terminal);
    });
  }

  /** Enters each card into forms, and keeps those that were stored. */
  async useForms(numbers: readonly string[]): Promise<void> {
    const insist = this.insist.bind(this);
    await inParallel(numbers, FORMS_AT_ONCE, async (number) => {
      const customer = new FormCustomer(insist, number);
      const visitor = await customer.buy();
      this.evidence.persons.push(visitor);
      // Without a token nothing of a customer is stored.
      this.evidence.forget(visitor);
      const stored = await customer.storeCard((person) => void this.evidence.persons.push(person));
      if (stored) this.cards.push(stored);
      this.submissions += customer.submissions;
    });
  }

  async sendCardNumbers(numbers: readonly string[]): Promise<void> {
    const form = await new FormCustomer(this.insist.bind(this), numbers[0] ?? '').open('virtual-sale');
    for (const number of numbers) {
      const requests = [...cardNumberRequests(number), ...cardNumberSubmissions(number, form?.path ?? '')];
      await inParallel(requests, 4, async ({ method, path, options }) => {
        const response = await this.send(method, path, options);
        this.misplaced++;
        // A list without a match is 200, and a broken connection is no response.
        if (response?.status === 200 && method !== 'GET')
          this.complaints.push(
            `${method} ${path} with ${JSON.stringify(options)} was taken: ${describeResponse(response)}`,
          );
      });
    }
  }

  /** Removes a third of the stored cards, and erases the holders of another third. */
  async end(): Promise<void> {
    for (const [index, card] of this.cards.splice(0).entries()) {
      if (index % 3 === 2) this.cards.push(card);
      else if (index % 3 === 1) await this.remove(card);
      else await this.erase(card);
      await this.readEverywhere(card);
    }
  }

  private async useCard(terminal: string): Promise<void> {
    const at = { paymentMethodId: terminal };
    await this.operation('physical-sale', { amount: 1_000, ...at, invoiceNumber: 'INV7', orderNumber: 'A1' });
    const auth = await this.operation('physical-auth', { amount: 2_000, ...at });
    if (auth) await this.operation('capture', { originalTransactionId: auth.id, amount: 500 });
    await this.operation('unreferenced-physical-refund', { amount: 300, ...at });
    // Unknown outcomes cost time: a few are enough.
    const trouble = Math.random() < 0.2 ? [920_001, 920_004] : [];
    for (const amount of [900_051, 911_003, ...trouble])
      await this.operation('physical-sale', { amount, ...at });

    const { person, fields } = newPerson();
    this.evidence.persons.push(person);
    const holder = await this.insist('POST', '/v1/account-holders', { body: fields });
    if (holder?.status !== 200)
      return void this.complaints.push(`no holder was made: ${describeResponse(holder)}`);
    const { id: holderId } = JSON.parse(holder.text) as { id: string };
    const stored = await this.insist('POST', '/v1/payment-methods/physical', {
      body: { ...at, accountHolder: { id: holderId }, description: 'A card' },
    });
    const result = approvedIn(stored);
    if (!result || result.paymentMethod.type !== 'Token') return;
    const tokenId = result.paymentMethod.id;
    const { billingContact } = fields;
    await this.insist('PUT', `/v1/payment-methods/token/${tokenId}`, {
      body: { cardExpDate: '0739', billingContact },
    });
    const sale = await this.operation('token-sale', { amount: 700, paymentMethodId: tokenId });
    const other = await this.operation('token-auth', {
      amount: 800,
      paymentMethodId: tokenId,
      initiator: 'Merchant',
    });
    const transactions = [result, sale, other].flatMap((one) => (one ? [one.id] : []));
    this.cards.push({ tokenId, holderId, person, transactions });
  }

  private async remove({ tokenId, transactions }: StoredCard): Promise<void> {
    this.complaints.push(...this.evidence.remember(tokenId));
    const path = `/v1/payment-methods/token/${tokenId}`;
    const removed = await this.insist('DELETE', path);
    if (removed?.status !== 200)
      this.complaints.push(`${path} could not be removed: ${describeResponse(removed)}`);
    for (const id of transactions) {
      const read = await this.insist('GET', `/v1/transactions/${id}`);
      const method = read && transactionIn(read)?.paymentMethod;
      if (!method?.dateDeleted || method.cardExpDate !== undefined || method.billingContact)
        this.complaints.push(`${id} of a removed card is answered as ${describeResponse(read)}`);
    }
  }

  private async erase({ tokenId, holderId, person }: StoredCard): Promise<void> {
    this.complaints.push(...this.evidence.remember(tokenId), ...this.evidence.remember(holderId));
    const path = `/v1/account-holders/${holderId}`;
    const erased = await this.insist('DELETE', path);
    if (erased?.status !== 200)
      this.complaints.push(`${path} could not be erased: ${describeResponse(erased)}`);
    this.evidence.forget(person);
  }

  private async readEverywhere({ tokenId, holderId, transactions }: StoredCard): Promise<void> {
    const paths = [
      `/account-holders/${holderId}`,
      '/account-holders?limit=100',
      `/payment-methods/account-holder/${holderId}?includeDeleted=true`,
      `/transactions?accountHolderId=${holderId}`,
      `/transactions?paymentMethodId=${tokenId}`,
      ...transactions.flatMap((id) => [`/transactions/${id}`, `/transactions/${id}/events`]),
    ];
    for (const path of paths) await this.send('GET', `/v1${path}`);
  }

  private async operation(name: string, body: object): Promise<TransactionResult | undefined> {
    return approvedIn(await this.insist('POST', `/v1/transactions/${name}`, { body }));
  }

  /** Repeats the request under one key until a response is definite. */
  private async insist(
    method: Method,
    path: string,
    options: ApiCallOptions = {},
  ): Promise<ApiResponse | undefined> {
    const headers = { 'idempotency-key': newText(), ...options.headers };
    return poll(
      () => this.send(method, path, { ...options, headers }),
      (response) => response !== undefined && isDefinite(response),
      RESPONSE_TIMEOUT_MS,
      50,
    );
  }

  private async send(
    method: Method,
    path: string,
    options?: ApiCallOptions,
  ): Promise<ApiResponse | undefined> {
    const [first, ...others] = this.services.filter((service) => service.running);
    return first && this.calls?.send(pickOne([first, ...others]).origin, method, path, options);
  }

  private async startAt(index: number, port: number): Promise<void> {
    const onOutput = (chunk: Buffer): void => void this.evidence.output.push(chunk);
    this.services[index] = await ServiceProcess.start(this.deployment, { port, onOutput });
  }
}
