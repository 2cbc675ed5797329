import type { PaymentFormError } from './error.codes.js';
import type { PaymentFormResult } from './form.result.js';

/** `form` of the response to your server, or only its `url`. */
type Address = { form: { url: string }; url?: never } | { url: string; form?: never };

type Ended<Outcome> = Extract<PaymentFormResult, { outcome: Outcome }>;

interface Callbacks {
  /** The form is shown and answers. Called once. */
  onReady?: () => void;
  onCompleted?: (result: Ended<'completed'>) => void;
  onCancelled?: (result: Ended<'cancelled'>) => void;
  onFailed?: (result: Ended<'failed'>) => void;
  /** The form did not load (6100), or one of your callbacks threw (6001). */
  onError?: (error: PaymentFormError) => void;
  /**
   * The form goes on: the customer submitted wrong fields, an attempt failed, or a part of the form did not load. The form
   * tells the customer; this is for your records.
   */
  onProblem?: (error: PaymentFormError) => void;
  /** After each change of the form's height, in CSS pixels. The iframe has this height already. */
  onResize?: (height: number) => void;
}

export type PaymentFormOptions = Address &
  Callbacks & {
    /** An element of the page, or its selector. The form is added to what is in it. */
    container: HTMLElement | string;
    /** A BCP 47 tag: `en-US`, `fr-CA`. Left out, or neither English nor French: the language of the merchant. */
    locale?: string;
    /** What a screen reader calls the form. Left out: "Secure payment form", or the same in French. */
    title?: string;
    /** Until the form counts as not loaded. Default 20,000. `Infinity`: never. */
    timeoutMs?: number;
  };

export interface PaymentForm {
  /**
   * How the form ended. One of the callbacks `onCompleted`, `onCancelled` and `onFailed` is called too.
   *
   * Rejects with a `PaymentFormError` if the page can not know the ending: 6100 if the form did not load, 6102 if it was
   * unmounted before. Ask your server then. A page that uses only callbacks can ignore the promise.
   */
  readonly result: Promise<PaymentFormResult>;
  readonly iframe: HTMLIFrameElement;
  /** Removes the form and its listeners. A payment in flight goes on. A second call changes nothing. */
  unmount(): void;
}
