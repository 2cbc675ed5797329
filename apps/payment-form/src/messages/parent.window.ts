import type { FormMessage, FormSession } from '@tillstream/contracts';
import { messageTypeOf } from '../session/form.end.js';
import { embeddingOf, parentOrigin } from './parent.origin.js';

const SOURCE: FormMessage['source'] = 'payment-form';

/** Posts messages to the window that embeds this page (`docs/spec/hosted-form.md#messages-to-the-parent-window`). */
export class ParentWindow {
  private postedStatus: string | undefined;
  private postedHeight: number | undefined;

  /** @param post sends a message to the parent's origin */
  constructor(private readonly post: (message: FormMessage) => void) {}

  /** Undefined if the merchant asked for no messages, or if the parent must not have them. */
  static of(session: FormSession, view: Window): ParentWindow | undefined {
    if (!session.useJavaScriptCallback) return undefined;
    const origin = parentOrigin(embeddingOf(view), session.messageOrigins);
    if (origin === undefined) return undefined;
    return new ParentWindow((message) => view.parent.postMessage(message, origin));
  }

  /** An error in which the form goes on. @param code from 6000 to 6999 */
  failed(code: number, { transactionId, referenceId, paymentMethodType }: FormSession): void {
    this.post({ source: SOURCE, type: 'error', transactionId, referenceId, paymentMethodType, code });
  }

  /** Once for each status in which the form is over: an unknown outcome is followed by the known one. */
  ended(session: FormSession): void {
    const type = messageTypeOf(session);
    if (type === undefined || this.postedStatus === session.status) return;
    this.postedStatus = session.status;
    const { transactionId, referenceId, status, resultCode, responseCode, paymentMethodType } = session;
    this.post({
      source: SOURCE,
      type,
      transactionId,
      referenceId,
      status,
      resultCode,
      ...(responseCode === undefined ? {} : { responseCode }),
      ...(type === 'failed' ? { paymentMethodType } : {}),
    });
  }

  /** @param height in CSS pixels */
  resized(height: number): void {
    const rounded = Math.ceil(height);
    if (rounded === this.postedHeight) return;
    this.postedHeight = rounded;
    this.post({ source: SOURCE, type: 'resize', height: rounded });
  }
}
