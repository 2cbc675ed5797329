import { PaymentFormError, PaymentFormErrorCode } from './error.codes.js';
import { formAddress } from './form.address.js';
import { readMessage, type EndingMessage } from './form.message.js';
import { resultOf, type PaymentFormResult } from './form.result.js';
import type { PaymentForm, PaymentFormOptions } from './payment-form.types.js';

const LOAD_TIMEOUT_MS = 20_000;
/** `setTimeout` fires at once for a longer time. */
const TIMER_MS_MAX = 2 ** 31 - 1;
const FIRST_HEIGHT_PX = 480;
const HEIGHT_PX_MAX = 10_000;

/**
 * Shows the form in an iframe and reports how it ends.
 *
 * @throws PaymentFormError 6102 without an address or a container, 6103 for an address that is not one of a form
 */
export function mountPaymentForm(options: PaymentFormOptions): PaymentForm {
  const container = containerOf(options.container);
  const page = container.ownerDocument.defaultView;
  if (!page) throw notInitialized('The container is in a document that no window shows.');
  const address = formAddress(options.form?.url ?? options.url, page.location.protocol, options.locale);
  return new MountedForm(options, container, page, address);
}

class MountedForm implements PaymentForm {
  readonly result: Promise<PaymentFormResult>;
  readonly iframe: HTMLIFrameElement;
  private isReady = false;
  private hasEnded = false;
  private readonly timer: number | undefined;
  private resolve!: (result: PaymentFormResult) => void;
  private reject!: (error: PaymentFormError) => void;

  constructor(
    private readonly options: PaymentFormOptions,
    container: HTMLElement,
    private readonly page: Window,
    private readonly address: URL,
  ) {
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // A page that uses only callbacks has no unhandled rejection.
    this.result.catch(() => undefined);
    page.addEventListener('message', this.receive);
    const { timeoutMs = LOAD_TIMEOUT_MS } = options;
    if (timeoutMs <= TIMER_MS_MAX) this.timer = page.setTimeout(() => this.notLoaded(timeoutMs), timeoutMs);
    this.iframe = createFrame(container.ownerDocument, address, options);
    container.append(this.iframe);
  }

  unmount(): void {
    this.remove();
    this.reject(notInitialized('The form was unmounted before it ended. Read the transaction.'));
  }

  private readonly receive = ({ data, origin, source }: MessageEvent): void => {
    const isOfForm =
      origin === this.address.origin && source !== null && source === this.iframe.contentWindow;
    const message = isOfForm ? readMessage(data) : undefined;
    if (!message) return;
    if (!this.isReady) this.ready();
    if (message.type === 'resize') this.resize(message.height);
    else if (message.type === 'error') this.problem(message.code);
    else if (!this.hasEnded) this.end(message);
  };

  private ready(): void {
    this.isReady = true;
    this.page.clearTimeout(this.timer);
    this.call(this.options.onReady);
  }

  /** Also after the end: the page that says how the form ended has another height. */
  private resize(sent: number): void {
    const height = Math.min(Math.ceil(sent), HEIGHT_PX_MAX);
    this.iframe.style.height = `${height}px`;
    this.call(this.options.onResize, height);
  }

  private problem(code: PaymentFormErrorCode): void {
    const error = new PaymentFormError(code, 'The form goes on; it has told the customer.');
    this.call(this.options.onProblem, error);
  }

  private end(message: EndingMessage): void {
    this.hasEnded = true;
    const result = resultOf(message);
    this.resolve(result);
    const { onCompleted, onCancelled, onFailed } = this.options;
    switch (result.outcome) {
      case 'completed':
        return this.call(onCompleted, result);
      case 'cancelled':
        return this.call(onCancelled, result);
      case 'failed':
        return this.call(onFailed, result);
    }
  }

  /** The iframe is removed: a customer must not pay in a form that the page has given up. */
  private notLoaded(timeoutMs: number): void {
    this.remove();
    const error = new PaymentFormError(
      PaymentFormErrorCode.SdkSessionLoadFailed,
      `The form sent no message within ${timeoutMs} ms. Read the transaction before you create another. Check that the ` +
        `request had useJavaScriptCallback, and that ${this.page.location.origin} is an allowed origin of the form.`,
    );
    this.reject(error);
    this.call(this.options.onError, error);
  }

  private remove(): void {
    this.page.clearTimeout(this.timer);
    this.page.removeEventListener('message', this.receive);
    this.iframe.remove();
  }

  /** An error in a callback of the page does not stop the form. */
  private call<Values extends unknown[]>(
    callback: ((...values: Values) => void) | undefined,
    ...values: Values
  ): void {
    try {
      callback?.(...values);
    } catch (cause) {
      this.page.setTimeout(() => {
        throw cause;
      });
      const { onError } = this.options;
      if ((callback as unknown) === onError) return;
      const error = new PaymentFormError(
        PaymentFormErrorCode.SdkJavaScriptError,
        'A callback of the page threw.',
        { cause },
      );
      this.call(onError, error);
    }
  }
}

function containerOf(container: unknown): HTMLElement {
  const element = typeof container === 'string' ? document.querySelector(container) : container;
  if (typeof element !== 'object' || element === null || !(element as Node).isConnected) {
    throw notInitialized('The container is not in the page.');
  }
  return element as HTMLElement;
}

/** Without `sandbox`: the form needs its own origin for its calls. */
function createFrame(
  page: Document,
  address: URL,
  { title, locale }: Pick<PaymentFormOptions, 'title' | 'locale'>,
): HTMLIFrameElement {
  const frame = page.createElement('iframe');
  const isFrench = locale?.toLowerCase().startsWith('fr');
  frame.title = title ?? (isFrench ? 'Formulaire de paiement sécurisé' : 'Secure payment form');
  frame.allow = 'payment';
  frame.loading = 'eager';
  // The form learns which origin embeds it, and not the path.
  frame.referrerPolicy = 'strict-origin';
  // By properties: a Content-Security-Policy of the page can forbid style attributes.
  const { style } = frame;
  style.display = 'block';
  style.width = '100%';
  style.height = `${FIRST_HEIGHT_PX}px`;
  style.border = '0';
  frame.src = address.href;
  return frame;
}

function notInitialized(text: string): PaymentFormError {
  return new PaymentFormError(PaymentFormErrorCode.SdkSessionNotInitialized, text);
}
