import type { Frame, Page } from 'playwright-core';
import type * as script from '../index.js';
import type { TwoOrigins } from './two.origins.js';

declare global {
  interface Window {
    Tillstream: typeof script;
    forms: script.PaymentForm[];
    calls: string[];
    listeners: number;
    endings: Promise<string>[];
  }
}

export interface Given {
  readonly container?: string;
  readonly timeoutMs?: number;
  readonly locale?: string;
  readonly title?: string;
  readonly throws?: boolean;
}

/** Mounts a form whose callbacks are written to `calls`, and waits until its page is loaded. */
export async function mountOn(on: Page, origins: TwoOrigins, given: Given): Promise<Frame> {
  const known = new Set(on.frames());
  await on.evaluate(
    ({ url, container = '#one', throws = false, ...rest }) => {
      const index = (window.forms ??= []).length;
      const calls = (window.calls ??= []);
      const note = (text: string): void => void calls.push(`${index} ${text}`);
      const form = window.Tillstream.mountPaymentForm({
        ...{ url, container, ...rest },
        onReady: () => note('ready'),
        onResize: (height) => note(`resize ${height}`),
        onCompleted({ transactionId }) {
          note(`completed ${transactionId}`);
          if (throws) throw new Error('wrong in the shop');
        },
        onCancelled: ({ resultCode }) => note(`cancelled ${resultCode}`),
        onFailed: ({ error }) => note(`failed ${error.code} ${error.name}`),
        onProblem: ({ code, name }) => note(`problem ${code} ${name}`),
        onError: ({ code, cause }) =>
          note(`error ${code}${cause instanceof Error ? ` ${cause.message}` : ''}`),
      });
      window.forms.push(form);
      (window.endings ??= []).push(
        form.result.then(
          ({ outcome, transactionId }) => `${outcome} ${transactionId}`,
          (error: script.PaymentFormError) => `${error.name} ${error.code}: ${error.message}`,
        ),
      );
    },
    { url: origins.url, ...given },
  );
  for (;;) {
    const frame = on.frames().find((one) => !known.has(one) && one.url().startsWith(origins.form));
    if (frame) {
      await frame.waitForLoadState();
      return frame;
    }
    await new Promise((resume) => setTimeout(resume, 10));
  }
}

export const post = (frame: Frame, message: object): Promise<void> =>
  frame.evaluate((data) => window.parent.postMessage(data, '*'), message);
export const ending = (type: string, rest: object = {}) => ({
  ...{ source: 'payment-form', type, transactionId: 'trx_1', referenceId: 'ref_1' },
  ...{ status: 'Completed', resultCode: 0 },
  ...rest,
});
export const resize = (height: number) => ({ source: 'payment-form', type: 'resize', height });
export async function eventually<Value>(look: () => Value | undefined): Promise<Value> {
  for (const until = Date.now() + 10_000; Date.now() < until;) {
    const value = look();
    if (value !== undefined) return value;
    await new Promise((resume) => setTimeout(resume, 10));
  }
  throw new Error('it did not happen within 10 s');
}
