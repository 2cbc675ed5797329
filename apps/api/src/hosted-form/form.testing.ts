import type { FormProgress, FormSession, TransactionResult } from '@tillstream/contracts';
import { resultOf, type Call, type Reply, type TestApi } from '../testing/test.api.js';

export const VISA = '4242424242424242';

export const ADDRESS = {
  name: 'Ann Maple',
  address: '12 Main Street',
  city: 'Cambridge',
  state: 'MA',
  countryCode: 'US',
  zipCode: '02139',
};

export const card = (number = VISA) => ({
  number,
  expDate: '1234',
  cvv: number.startsWith('3782') ? '1234' : '123',
});

export const entered = (number = VISA) => ({ card: card(number), billingContact: ADDRESS });

/** A hosted form as its page uses it, without a key. */
export class TestForm {
  private constructor(
    private readonly api: TestApi,
    /** The response that opened it. */
    readonly opened: TransactionResult,
    readonly sessionId: string,
  ) {}

  static async open(api: TestApi, name: string, body: object = {}, call: Call = {}): Promise<TestForm> {
    return TestForm.of(api, await open(api, name, body, call));
  }

  static of(api: TestApi, reply: Reply): TestForm {
    const opened = resultOf(reply);
    if (!opened.form) throw new Error(`there is no form: ${reply.text}`);
    return new TestForm(api, opened, opened.form.sessionId);
  }

  get id(): string {
    return this.opened.id;
  }

  submit(body: unknown = entered(), call: Call = {}): Promise<Reply> {
    return this.call('POST', 'submit', { body, ...call });
  }

  async submitted(body: unknown = entered(), call: Call = {}): Promise<FormProgress> {
    return progressIn(await this.submit(body, call));
  }

  challenge(call: Call = {}): Promise<Reply> {
    return this.call('POST', 'challenge', { body: {}, ...call });
  }

  cancel(call: Call = {}): Promise<Reply> {
    return this.call('POST', 'cancel', { body: {}, ...call });
  }

  async session(): Promise<FormSession> {
    return progressIn(await this.call('GET', 'session')) as FormSession;
  }

  look(): Promise<TransactionResult> {
    return this.api.look(this.id);
  }

  private call(method: string, name: string, call: Call = {}): Promise<Reply> {
    return this.api.call(method, `/pay/${this.sessionId}/${name}`, { key: null, ...call });
  }
}

export function open(api: TestApi, name: string, body: object = {}, call: Call = {}): Promise<Reply> {
  const amount = name === 'token' ? {} : { amount: 1250 };
  const path = name === 'token' ? '/v1/payment-methods/virtual' : `/v1/transactions/${name}`;
  return api.call('POST', path, { body: { ...amount, ...body }, ...call });
}

export function progressIn(reply: Reply): FormProgress {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return JSON.parse(reply.text) as FormProgress;
}
