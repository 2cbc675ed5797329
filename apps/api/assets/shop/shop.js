import { element } from '/sandbox/files/service.js';
import { newPurchaseKey, Refusal, ShopCalls } from './calls.js';
import { noteExchange, noteMessage } from './log.js';
import { cardLabel, outcomeOf, unknownTransaction } from './outcome.js';
import { bagLine, bookTile, button, ending, price, savedCard, testCards } from './views.js';

/** `?lang=fr` shows the form in French. */
const locale = new URLSearchParams(location.search).get('lang') ?? undefined;
const calls = new ShopCalls(noteExchange);
const till = document.getElementById('till');
const tillTitle = document.getElementById('till-title');
const tillBody = document.getElementById('till-body');
const spoken = document.getElementById('spoken');
const again = document.getElementById('again');
const LOOK_AGAIN_MS = 2_000;

let chosen;
let cards = [];
let mounted;
/** The id of the transaction that the shop dealt with last. */
let newest;

/* What the till shows */

function show(title, ...content) {
  mounted?.unmount();
  mounted = undefined;
  tillTitle.textContent = title;
  tillBody.replaceChildren(...content);
}

function showBag() {
  if (!chosen) {
    show('Your bag', element('p', { className: 'soft', textContent: 'Empty so far. Choose a book.' }));
    return;
  }
  const pay = cards.slice(0, 2).map((card) => {
    const label = `Pay with ${cardLabel(card)}`;
    return button(label, (event) => busy(event, () => payWithCard(card)), 'button second');
  });
  show(
    'Your bag',
    bagLine(chosen),
    element(
      'p',
      { className: 'total' },
      element('span', { textContent: 'Total' }),
      element('strong', { textContent: price(chosen.price) }),
    ),
    button('Pay with card', (event) => busy(event, payWithForm)),
    ...pay,
  );
}

function showEnding(outcome, title, facts, ...actions) {
  show(
    outcome.kind === 'approved' ? 'Receipt' : 'Payment',
    ...ending(outcome.kind, title, outcome.text, facts),
    ...actions,
  );
  spoken.textContent = `${title} ${outcome.text ?? ''}`;
  till.focus({ preventScroll: true });
}

function showProblem(text) {
  const back = button('Back to the bag', showBag, 'button second');
  showEnding({ kind: 'declined', text }, 'That did not work', [], back);
}

/* Paying */

async function payWithForm() {
  const exchange = await calls.checkout(chosen.id);
  if (exchange.status !== 200) return showProblem(exchange.response.message);
  const { id, form } = exchange.response;
  await fillIn(id, form, `Pay ${price(chosen.price)}`);
}

async function saveCard() {
  const exchange = await calls.saveCard();
  if (exchange.status !== 200) return showProblem(exchange.response.message);
  const { id, form } = exchange.response;
  await fillIn(id, form, 'Save a card');
}

/** Shows the form until it ends, or until the customer leaves it. The shop then asks its server. */
async function fillIn(id, form, title) {
  remember(id);
  const stage = element('div', { className: 'stage loading' });
  const back = button('Back to the bag', () => mounted?.unmount(), 'link');
  show(title, stage, testCards(), back);
  till.scrollIntoView({ block: 'start', behavior: 'smooth' });
  const { Tillstream } = globalThis;
  let problem;
  try {
    mounted = Tillstream.mountPaymentForm({
      form,
      locale,
      container: stage,
      title,
      onReady: () => stage.classList.remove('loading'),
    });
    const result = await mounted.result;
    noteMessage(result.outcome, result);
  } catch (error) {
    if (!(error instanceof Tillstream.PaymentFormError)) throw error;
    const { name, code, message } = error;
    noteMessage(name, { code, message });
    if (code !== Tillstream.PaymentFormErrorCode.SdkSessionNotInitialized) problem = message;
  }
  const response = await readTransaction(id);
  if (problem && outcomeOf(response).kind === 'waiting') showProblem(problem);
  else await showTransaction(id, response);
}

/** For the button that reads it again. */
function remember(id) {
  newest = id;
  again.hidden = false;
}

async function payWithCard({ id }) {
  const exchange = await calls.payWithCard(id, chosen.id, purchaseKey());
  const { status, response } = exchange;
  if (status === 200) return showTransaction(response.id, response);
  const unknown = unknownTransaction(response);
  if (unknown === undefined) return showProblem(response.message);
  await showTransaction(unknown);
}

/** One purchase of one book has one key until it has an outcome: a second click charges nothing twice. */
function purchaseKey() {
  chosen.key ??= newPurchaseKey();
  return chosen.key;
}

/** Decides by what the shop's server reads, never by what the browser says. */
async function showTransaction(id, known) {
  const response = known ?? (await readTransaction(id));
  remember(id);
  const outcome = outcomeOf(response);
  if (outcome.kind === 'waiting') return showBag();
  if (outcome.kind === 'unknown') return showUnknown(id);
  const isCard = response.type === 'TokenCreate';
  const isPaid = outcome.kind === 'approved' && !isCard;
  if (isCard && outcome.kind === 'approved') await refreshCards();
  if (isPaid) select(undefined);
  else if (chosen) chosen.key = undefined;
  const next = isPaid ? 'Buy another book' : chosen ? 'Back to the bag' : 'Done';
  showEnding(outcome, headline(outcome, isCard), factsOf(response), button(next, showBag));
}

function headline({ kind }, isCard) {
  if (kind === 'approved') return isCard ? 'Card saved' : 'Thank you for reading';
  if (kind === 'cancelled') return 'Cancelled';
  return isCard ? 'Not saved' : 'Declined';
}

function factsOf({ id, orderNumber, paymentMethod, transactionResponses: [last] }) {
  const card = paymentMethod.maskedCardNumber ? paymentMethod : { ...paymentMethod, ...last?.paymentMethod };
  return [
    last?.amountApproved ? ['Paid', price(last.amountApproved)] : undefined,
    card.maskedCardNumber
      ? ['Card', cardLabel({ ...card, cardType: card.cardType ?? last?.cardType })]
      : undefined,
    orderNumber ? ['Order', orderNumber] : undefined,
    ['Transaction', id],
  ].filter(Boolean);
}

function showUnknown(id) {
  const text =
    'The bank has not answered yet. Do not pay again before it has; the shop looks again by itself.';
  showEnding({ kind: 'unknown', text }, 'Not known yet', [['Transaction', id]]);
  const timer = setTimeout(() => {
    if (till.querySelector('.ending.unknown')) void safely(() => showTransaction(id));
    else clearTimeout(timer);
  }, LOOK_AGAIN_MS);
}

async function readTransaction(id) {
  const { status, response } = await calls.transaction(id);
  if (status === 200) return response;
  throw new Refusal(response.message);
}

/* Books and cards */

function choose(book) {
  select(book);
  showBag();
  spoken.textContent = `${book.title} is in your bag.`;
  if (matchMedia('(width < 60rem)').matches) till.scrollIntoView({ block: 'start', behavior: 'smooth' });
}

/** Undefined: the bag is empty. */
function select(book) {
  chosen = book && { ...book };
  for (const tile of document.querySelectorAll('.book')) {
    tile.setAttribute('aria-pressed', String(tile.dataset.book === book?.id));
  }
}

async function refreshCards() {
  ({ cards } = await calls.cards());
  document.getElementById('wallet-body').replaceChildren(
    cards.length > 0
      ? element('ul', { className: 'plastics' }, ...cards.slice(0, 3).map(savedCard))
      : element('p', {
          className: 'soft',
          textContent: 'None yet. A saved card pays without a form; the shop has only its token.',
        }),
    button('Save a card', (event) => busy(event, saveCard), 'button second'),
  );
}

/** One call at a time: the buttons wait, and what goes wrong is shown. */
async function busy({ currentTarget }, act) {
  if (document.body.classList.contains('busy')) return;
  document.body.classList.add('busy');
  currentTarget.classList.add('working');
  try {
    await safely(act);
  } finally {
    document.body.classList.remove('busy');
    currentTarget.classList.remove('working');
  }
}

async function safely(act) {
  try {
    await act();
  } catch (error) {
    showProblem(
      error instanceof Refusal ? error.message : 'The shop does not answer. Try again in a moment.',
    );
  }
}

again.addEventListener('click', () => safely(() => calls.transaction(newest)));

await safely(async () => {
  const { books } = await calls.books();
  const list = document.getElementById('books');
  list.replaceChildren(...books.map((book) => bookTile(book, choose)));
  list.setAttribute('aria-busy', 'false');
  await refreshCards();
  showBag();
});
