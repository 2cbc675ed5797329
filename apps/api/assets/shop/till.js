import { element } from '/sandbox/files/service.js';
import { noteMessage } from './log.js';
import { button, ending } from './views.js';

/* The till of the shop: it shows the bag, the payment form or a receipt. */

/** `?lang=fr` shows the form in French. */
const locale = new URLSearchParams(location.search).get('lang') ?? undefined;
const till = document.getElementById('till');
const tillTitle = document.getElementById('till-title');
const tillBody = document.getElementById('till-body');
const spoken = document.getElementById('spoken');

let mounted;

export function show(title, ...content) {
  mounted?.unmount();
  mounted = undefined;
  tillTitle.textContent = title;
  tillBody.replaceChildren(...content);
}

/** For screen readers. */
export function speak(text) {
  spoken.textContent = text;
}

export function scrollToTill() {
  till.scrollIntoView({ block: 'start', behavior: 'smooth' });
}

/** `kind`: of an outcome */
export function showsEnding(kind) {
  return till.querySelector(`.ending.${kind}`) !== null;
}

export function showEnding(outcome, title, facts, ...actions) {
  show(
    outcome.kind === 'approved' ? 'Receipt' : 'Payment',
    ...ending(outcome.kind, title, outcome.text, facts),
    ...actions,
  );
  speak(`${title} ${outcome.text ?? ''}`);
  till.focus({ preventScroll: true });
}

/**
 * Shows the form until it ends, or until the customer leaves it.
 *
 * @returns why the form could not be shown, if it could not
 */
export async function showForm(form, title, numbers) {
  const stage = element('div', { className: 'stage loading' });
  const back = button('Back to the bag', () => mounted?.unmount(), 'link');
  show(title, stage, numbers, back);
  scrollToTill();
  const { Tillstream } = globalThis;
  try {
    mounted = Tillstream.mountPaymentForm({
      form,
      locale,
      container: stage,
      title,
      onReady: () => stage.classList.remove('loading'),
      onProblem: ({ name, code }) => noteMessage(name, { code }),
    });
    const result = await mounted.result;
    noteMessage(result.outcome, result);
  } catch (error) {
    if (!(error instanceof Tillstream.PaymentFormError)) throw error;
    const { name, code, message } = error;
    noteMessage(name, { code, message });
    if (code !== Tillstream.PaymentFormErrorCode.SdkSessionNotInitialized) return message;
  }
  return undefined;
}
