import { element, follow, read, Refusal, write } from './service.js';
import { showLast, showScreen } from './terminal.screen.js';

/* The page of one terminal: shows what the service says of it, and does what the customer does. */

const byId = (id) => document.getElementById(id);
const id = decodeURIComponent(location.pathname.split('/').at(-1));
const path = `terminals/${encodeURIComponent(id)}`;
const DEFAULT_CARD = '';
const MOST_DIGITS = 12;

let view;
let pin = '';
let cards = new Map();
/** Of the last thing the customer did, while nothing has changed since. */
let refused = '';
/** Others may look at the same terminal: their focus stays where it is. */
let presentedHere = false;

const followed = follow(() => path, show);
fillCards();

function show(answer) {
  const asksPin = answer.screen.kind === 'AwaitsPin' && view?.screen.kind !== 'AwaitsPin';
  if (view && answer.screen.kind !== view.screen.kind) refused = '';
  view = answer;
  const { screen, mode, card, description, merchant, currency } = answer;
  if (screen.kind !== 'AwaitsPin') pin = '';
  const name = description ?? id;
  byId('name').textContent = name;
  document.title = `${name} · Tillstream sandbox`;
  byId('merchant').textContent = `${merchant} · ${currency}`;
  showScreen(answer, pin.length);
  showLast(screen);
  for (const radio of byId('modes').elements) radio.checked = radio.value === mode;
  if (cards.size > 0 && document.activeElement !== byId('card')) byId('card').value = card ?? DEFAULT_CARD;
  showHands();
  if (asksPin) goToKeys();
  return screen.kind === 'Idle' || screen.kind === 'Ended' ? 1_000 : 500;
}

function showHands() {
  const { screen, mode } = view;
  const awaits = { card: screen.kind === 'AwaitsCard', pin: screen.kind === 'AwaitsPin' };
  const chosen = cards.get(byId('card').value);
  byId('card-hint').textContent = chosen?.asksForPin ? 'Inserted, it asks for its PIN.' : 'Needs no PIN.';
  for (const button of document.querySelectorAll('[data-action]')) enable(button, awaits.card);
  for (const button of document.querySelectorAll('[data-digit]')) enable(button, awaits.pin);
  enable(byId('key-clear'), awaits.pin && pin.length > 0);
  enable(byId('key-ok'), awaits.pin && pin.length > 0);
  enable(byId('key-cancel'), awaits.card || awaits.pin);
  const hint = awaits.pin ? 'Now type the PIN.' : awaits.card ? '' : whyNot(mode);
  byId('present-hint').textContent = hint || '\u00a0';
  byId('present-hint').hidden = refused !== '';
  if (byId('refused').textContent !== refused) byId('refused').textContent = refused;
}

function whyNot(mode) {
  return mode === 'Manual'
    ? 'Nothing to pay yet: begin a sale at the till.'
    : 'Choose Manual to be the customer.';
}

/** A button that can't be used now keeps the focus that it has. */
function enable(button, can) {
  button.setAttribute('aria-disabled', String(!can));
}

const can = (button) => button.getAttribute('aria-disabled') === 'false';

async function attempt(work) {
  refused = '';
  try {
    followed.shown(await work());
  } catch (error) {
    refused = error instanceof Refusal ? error.message : 'The service does not answer.';
    showHands();
  }
}

const act = (action) => attempt(() => write('POST', `${path}/customer`, action));

/** The card that the list shows, even if the terminal's own has changed since. */
function present(action) {
  presentedHere = true;
  return act({ action, card: cards.get(byId('card').value)?.value });
}

const settle = (changes) =>
  attempt(() => {
    const card = byId('card').value;
    return write('PUT', path, { mode: view.mode, card: card === DEFAULT_CARD ? null : card, ...changes });
  });

function type(digit) {
  if (view?.screen.kind !== 'AwaitsPin' || pin.length === MOST_DIGITS) return;
  pin += digit;
  refresh();
}

function clear() {
  pin = pin.slice(0, -1);
  refresh();
}

function refresh() {
  showScreen(view, pin.length);
  showHands();
}

function enter() {
  const typed = pin;
  pin = '';
  void act({ action: 'Pin', pin: typed });
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  if (!view || !button || !can(button)) return;
  const { action, digit } = button.dataset;
  if (action) void present(action);
  else if (digit) type(digit);
  else if (button.id === 'key-clear') clear();
  else if (button.id === 'key-ok') enter();
  else if (button.id === 'key-cancel') void act({ action: 'Cancel' });
});

document.addEventListener('keydown', (event) => {
  if (!view || event.ctrlKey || event.metaKey || event.altKey) return;
  const asksPin = view.screen.kind === 'AwaitsPin';
  const onSelect = event.target.closest('select');
  if (event.key === 'Escape' && can(byId('key-cancel'))) void act({ action: 'Cancel' });
  else if (!asksPin || onSelect) return;
  else if (/^\d$/.test(event.key)) type(event.key);
  else if (event.key === 'Backspace') clear();
  // On a button or a link Enter is its own.
  else if (event.key === 'Enter' && can(byId('key-ok')) && !event.target.closest('button, a')) enter();
  else return;
  event.preventDefault();
});

// The mouse leaves the focus where it is: Enter then means OK, and not the digit that was clicked last.
byId('keys').addEventListener('mousedown', (event) => event.preventDefault());

/** Who has just presented a card goes on with its PIN, and need not look for the keys. */
function goToKeys() {
  if (presentedHere) byId('keys').focus();
  presentedHere = false;
}

byId('modes').addEventListener('change', ({ target }) => void settle({ mode: target.value }));
byId('card').addEventListener('change', () => void settle({}));

async function fillCards() {
  try {
    const { cards: choices } = await read('cards');
    cards = new Map(choices.map((choice) => [choice.value, choice]));
    const [first] = choices;
    cards.set(DEFAULT_CARD, first);
    const groups = new Map();
    for (const { value, label, group } of choices) {
      const option = element('option', { value, textContent: label });
      groups.set(group, [...(groups.get(group) ?? []), option]);
    }
    byId('card').replaceChildren(
      element('option', { value: DEFAULT_CARD, textContent: `${first.label} (default)` }),
      ...[...groups].map(([label, options]) => element('optgroup', { label }, ...options)),
    );
    byId('card').value = view?.card ?? DEFAULT_CARD;
    if (view) showHands();
  } catch {
    setTimeout(fillCards, 2_000);
  }
}
