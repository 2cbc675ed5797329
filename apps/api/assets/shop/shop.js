import { element } from '/sandbox/files/service.js';
import { newPurchaseKey, Refusal, ShopCalls } from './calls.js';
import { noteExchange } from './log.js';
import { cardLabel, outcomeOf, unknownTransaction } from './outcome.js';
import { scrollToTill, show, showEnding, showForm, showsEnding, speak } from './till.js';
import { bagLine, bookTile, button, choice, clockHint, price, savedCard, testNumbers } from './views.js';

const calls = new ShopCalls(noteExchange);
const again = document.getElementById('again');
const LOOK_AGAIN_MS = 2_000;

let chosen;
let cards = [];
/** Whether the bank verifies the card, by 3-D Secure. */
let verified = false;
/** The id of the transaction that the shop dealt with last. */
let newest;

/* What the till shows */

function showBag() {
  if (!chosen) {
    show('Your bag', element('p', { className: 'soft', textContent: 'Empty so far. Choose a book.' }));
    return;
  }
  // The newest token of each card.
  const saved = new Map([...cards].reverse().map((card) => [cardLabel(card), card]));
  const pay = [...saved]
    .slice(-2)
    .map(([label, card]) =>
      button(`Pay with ${label}`, (event) => busy(event, () => payWithCard(card)), 'button second'),
    );
  show(
    'Your bag',
    bagLine(chosen),
    element(
      'p',
      { className: 'total' },
      element('span', { textContent: 'Total' }),
      element('strong', { textContent: price(chosen.price) }),
    ),
    choice('The bank verifies the card (3-D Secure)', verified, (ticked) => (verified = ticked)),
    button('Pay with card', (event) => busy(event, () => payWithForm('Card'))),
    ...pay,
    element('p', { className: 'or', textContent: 'or from a bank account' }),
    element(
      'div',
      { className: 'twice' },
      button('US (USD)', (event) => busy(event, () => payWithForm('UsAccount')), 'button second'),
      button('Canada (CAD)', (event) => busy(event, () => payWithForm('CanadianAccount')), 'button second'),
    ),
  );
}

function showProblem(text) {
  const back = button('Back to the bag', showBag, 'button second');
  showEnding({ kind: 'declined', text }, 'That did not work', [], back);
}

/* Paying */

async function payWithForm(paidWith) {
  const isVerified = verified && paidWith === 'Card';
  const exchange = await calls.checkout(chosen.id, paidWith, isVerified);
  const title = ({ currency }) => `Pay ${price(chosen.price, currency)}`;
  await fillInOf(exchange, title, isVerified ? 'VerifiedCard' : paidWith);
}

async function saveCard() {
  await fillInOf(await calls.saveCard(), () => 'Save a card', 'Card');
}

async function saveAccount() {
  await fillInOf(await calls.saveAccount(), () => 'Save a bank account', 'UsAccount');
}

async function fillInOf({ status, response }, title, kind) {
  if (status !== 200) return showProblem(response.message);
  await fillIn(response.id, response.form, title(response), testNumbers(kind));
}

async function fillIn(id, form, title, numbers) {
  remember(id);
  const problem = await showForm(form, title, numbers);
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
  const isToken = response.type === 'TokenCreate';
  const isPaid = ['approved', 'processing'].includes(outcome.kind) && !isToken;
  if (isToken && outcome.kind === 'approved') await refreshCards();
  if (isPaid) select(undefined);
  else if (chosen) chosen.key = undefined;
  const next = isPaid ? 'Buy another book' : chosen ? 'Back to the bag' : 'Done';
  const hints = outcome.kind === 'processing' ? [clockHint()] : [];
  showEnding(outcome, headline(outcome, response), factsOf(response), ...hints, button(next, showBag));
}

function headline({ kind }, { type, paymentMethod: { accountNumber } }) {
  const isToken = type === 'TokenCreate';
  if (kind === 'approved' && isToken) return accountNumber === undefined ? 'Card saved' : 'Account saved';
  if (kind === 'approved') return 'Thank you for reading';
  if (kind === 'processing') return 'Sent to the bank';
  if (kind === 'cancelled') return 'Cancelled';
  return isToken ? 'Not saved' : 'Declined';
}

function factsOf({ id, status, amount, currency, orderNumber, paymentMethod, transactionResponses: [last] }) {
  const card = paymentMethod.maskedCardNumber ? paymentMethod : { ...paymentMethod, ...last?.paymentMethod };
  return [
    status === 'Processing' ? ['To be paid', price(amount, currency)] : undefined,
    last?.amountApproved ? ['Paid', price(last.amountApproved, currency)] : undefined,
    card.maskedCardNumber
      ? ['Card', cardLabel({ ...card, cardType: card.cardType ?? last?.cardType })]
      : undefined,
    card.accountNumber ? ['Account', cardLabel(card)] : undefined,
    orderNumber ? ['Order', orderNumber] : undefined,
    ['Transaction', id],
  ].filter(Boolean);
}

function showUnknown(id) {
  const text =
    'The bank has not answered yet. Do not pay again before it has; the shop looks again by itself.';
  showEnding({ kind: 'unknown', text }, 'Not known yet', [['Transaction', id]]);
  const timer = setTimeout(() => {
    if (showsEnding('unknown')) void safely(() => showTransaction(id));
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
  speak(`${book.title} is in your bag.`);
  if (matchMedia('(width < 60rem)').matches) scrollToTill();
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
          textContent: 'None yet. A saved card or account pays without a form; the shop has only its token.',
        }),
    button('Save a card', (event) => busy(event, saveCard), 'button second'),
    button('Save a bank account', (event) => busy(event, saveAccount), 'button second'),
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

/** Of a payment that a bank decides it shows the news too. */
again.addEventListener('click', () =>
  safely(async () => {
    const response = await readTransaction(newest);
    if (showsEnding('processing')) await showTransaction(newest, response);
  }),
);

await safely(async () => {
  const { books } = await calls.books();
  const list = document.getElementById('books');
  list.replaceChildren(...books.map((book) => bookTile(book, choose)));
  list.setAttribute('aria-busy', 'false');
  await refreshCards();
  showBag();
});
