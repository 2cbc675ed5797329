import { setTimeout } from 'node:timers/promises';
import type { FormProgress, FormSession, SandboxFacts, TransactionResult } from '@tillstream/contracts';
import { ApiClient, describeResponse, transactionIn, type ApiResponse } from '../support/api.client.js';
import { randomUpTo } from '../support/concurrency.js';

export const APPROVED = '4242424242424242';
export const DECLINED = '4000000000000002';
/** With 3-D Secure, its bank asks the cardholder for a code. */
export const CHALLENGED = '4000000000003220';
export const RIGHT_CODE = '123456';
export const WRONG_CODE = '000000';

const PATHS = {
  Sale: '/v1/transactions/virtual-sale',
  Auth: '/v1/transactions/virtual-auth',
  UnreferencedRefund: '/v1/transactions/unreferenced-virtual-refund',
  TokenCreate: '/v1/payment-methods/virtual',
} as const;

export type FormKind = keyof typeof PATHS;

const BILLING = { countryCode: 'US', zipCode: '02110' };
const CVV = '123';
const PAUSE_MS = 100;

/** A form that was opened, and what its customer was answered. */
export interface OpenForm {
  readonly kind: FormKind;
  readonly transactionId: string;
  readonly sessionId: string;
  /** Absent if a card is stored. */
  readonly amount?: number;
  readonly answers: ApiResponse[];
  /** The code that its cardholder enters first, if the bank asks. Another one entered later must change nothing. */
  code?: string;
}

/** A merchant's program that opens forms, and the customers who fill them in. */
export class FormClient {
  private readonly api: ApiClient;

  constructor(keys: Pick<SandboxFacts, 'apiKey' | 'adminKey'>) {
    this.api = new ApiClient(keys);
  }

  async open(origin: string, kind: FormKind, { enable3DSecure = false } = {}): Promise<OpenForm> {
    const amount = kind === 'TokenCreate' ? undefined : randomUpTo(50_000);
    const body = { amount, formConfig: { billingInfoCaptureLevel: 'Minimal', enable3DSecure } };
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
    const body = { card: { number, expDate: '1230', cvv: CVV }, billingContact: BILLING };
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return this.send(origin, form, `/pay/${form.sessionId}/submit`, { body, headers });
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

  /** The path of the bank's page, while a challenge is open. */
  async challengeOf(origin: string, { sessionId }: OpenForm): Promise<string | undefined> {
    const answer = await this.api.send(origin, 'GET', `/pay/${sessionId}/session`);
    if (answer?.status !== 200) return undefined;
    const { threeDsChallenge } = JSON.parse(answer.text) as FormSession;
    return threeDsChallenge && new URL(threeDsChallenge.redirectUrl).pathname;
  }

  /** The cardholder enters the code, and the bank keeps the result. The form does not know it yet. */
  async enterCode(origin: string, form: OpenForm, challenge: string, code: string): Promise<void> {
    const answer = await this.api.send(origin, 'POST', challenge, { body: { code, complete: false } });
    if (answer?.status === 200) form.code ??= code;
  }

  /** The form's page asks for the result of the challenge. */
  async complete(origin: string, form: OpenForm): Promise<ApiResponse | undefined> {
    return this.send(origin, form, `/pay/${form.sessionId}/challenge`, { body: { cvv: CVV } });
  }

  /** The bank's page goes on with the form by itself. */
  async completeAtBank(origin: string, form: OpenForm, challenge: string): Promise<ApiResponse | undefined> {
    return this.send(origin, form, challenge, { body: { code: RIGHT_CODE } });
  }

  /** Enters the code and goes on until the challenge is over. False: it was not over within the time. */
  async finish(origin: string, form: OpenForm, timeoutMs: number): Promise<boolean> {
    for (const until = performance.now() + timeoutMs; performance.now() < until;) {
      const challenge = await this.challengeOf(origin, form);
      if (challenge !== undefined) await this.enterCode(origin, form, challenge, RIGHT_CODE);
      const answer = await this.complete(origin, form);
      const progress = answer && progressIn(answer);
      if (progress && !progress.threeDsChallenge) return true;
      await setTimeout(PAUSE_MS);
    }
    return false;
  }

  /** Repeats the cancellation until no attempt is in flight. */
  async leave(origin: string, form: OpenForm, timeoutMs: number): Promise<void> {
    for (const until = performance.now() + timeoutMs; performance.now() < until;) {
      const answer = await this.cancel(origin, form);
      if (answer && answer.status !== 409) return;
      await setTimeout(PAUSE_MS);
    }
  }

  async cancel(origin: string, { sessionId }: OpenForm): Promise<ApiResponse | undefined> {
    return this.api.send(origin, 'POST', `/pay/${sessionId}/cancel`, { body: {} });
  }

  async transaction(origin: string, { transactionId }: OpenForm): Promise<TransactionResult | undefined> {
    const answer = await this.api.send(origin, 'GET', `/v1/transactions/${transactionId}`);
    return answer && transactionIn(answer);
  }

  private async send(
    origin: string,
    form: OpenForm,
    path: string,
    request: { readonly body: object; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<ApiResponse | undefined> {
    const answer = await this.api.send(origin, 'POST', path, request);
    if (answer) form.answers.push(answer);
    return answer;
  }
}

/** The progress that an answer has; errors have none. */
export function progressIn({ status, text }: Pick<ApiResponse, 'status' | 'text'>): FormProgress | undefined {
  return status === 200 ? (JSON.parse(text) as FormProgress) : undefined;
}

export function isApproved(progress: FormProgress | undefined): boolean {
  return progress?.status === 'Completed' && progress.responseCode === 1;
}
