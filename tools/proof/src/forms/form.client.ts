import { setTimeout } from 'node:timers/promises';
import type { FormProgress, SandboxFacts, TransactionResult } from '@tillstream/contracts';
import { ApiClient, describeResponse, transactionIn, type ApiResponse } from '../support/api.client.js';
import { randomUpTo } from '../support/concurrency.js';

export const APPROVED = '4242424242424242';
export const DECLINED = '4000000000000002';

const PATHS = {
  Sale: '/v1/transactions/virtual-sale',
  Auth: '/v1/transactions/virtual-auth',
  UnreferencedRefund: '/v1/transactions/unreferenced-virtual-refund',
  TokenCreate: '/v1/payment-methods/virtual',
} as const;

export type FormKind = keyof typeof PATHS;

const BILLING = { countryCode: 'US', zipCode: '02110' };
const PAUSE_MS = 100;

/** A form that was opened, and what its customer was answered. */
export interface OpenForm {
  readonly kind: FormKind;
  readonly transactionId: string;
  readonly sessionId: string;
  /** Absent if a card is stored. */
  readonly amount?: number;
  readonly answers: ApiResponse[];
}

/** A merchant's program that opens forms, and the customers who fill them in. */
export class FormClient {
  private readonly api: ApiClient;

  constructor(keys: Pick<SandboxFacts, 'apiKey' | 'adminKey'>) {
    this.api = new ApiClient(keys);
  }

  async open(origin: string, kind: FormKind): Promise<OpenForm> {
    const amount = kind === 'TokenCreate' ? undefined : randomUpTo(50_000);
    const body = { amount, formConfig: { billingInfoCaptureLevel: 'Minimal' } };
    const answer = await this.api.send(origin, 'POST', PATHS[kind], { body });
    const opened = answer && transactionIn(answer);
    if (!opened?.form) throw new Error(`no form was opened: ${describeResponse(answer)}`);
    const { sessionId } = opened.form;
    return {
      kind,
      transactionId: opened.id,
      sessionId,
      ...(amount !== undefined && { amount }),
      answers: [],
    };
  }

  /** Undefined without a complete response; then the customer knows nothing of the outcome. */
  async submit(
    origin: string,
    form: OpenForm,
    { key, number = APPROVED }: { readonly key?: string; readonly number?: string } = {},
  ): Promise<ApiResponse | undefined> {
    const body = { card: { number, expDate: '1230', cvv: '123' }, billingContact: BILLING };
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const answer = await this.api.send(origin, 'POST', `/pay/${form.sessionId}/submit`, { body, headers });
    if (answer) form.answers.push(answer);
    return answer;
  }

  /** Repeats the submission under its key until it has an answer other than 409. Undefined: there was none in time. */
  async insist(
    origin: string,
    form: OpenForm,
    key: string,
    timeoutMs: number,
  ): Promise<ApiResponse | undefined> {
    for (const until = performance.now() + timeoutMs; performance.now() < until;) {
      const answer = await this.submit(origin, form, { key });
      if (answer && answer.status !== 409) return answer;
      await setTimeout(PAUSE_MS);
    }
    return undefined;
  }

  async cancel(origin: string, { sessionId }: OpenForm): Promise<ApiResponse | undefined> {
    return this.api.send(origin, 'POST', `/pay/${sessionId}/cancel`, { body: {} });
  }

  async transaction(origin: string, { transactionId }: OpenForm): Promise<TransactionResult | undefined> {
    const answer = await this.api.send(origin, 'GET', `/v1/transactions/${transactionId}`);
    return answer && transactionIn(answer);
  }
}

/** The progress that an answer has; errors have none. */
export function progressIn({ status, text }: Pick<ApiResponse, 'status' | 'text'>): FormProgress | undefined {
  return status === 200 ? (JSON.parse(text) as FormProgress) : undefined;
}

export function isApproved(progress: FormProgress | undefined): boolean {
  return progress?.status === 'Completed' && progress.responseCode === 1;
}
