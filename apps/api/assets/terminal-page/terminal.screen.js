import { element, money } from './service.js';

/* What the terminal's glass shows, and what is read out of it. */

const OPERATIONS = {
  Sale: 'Sale',
  Authorization: 'Authorization',
  Refund: 'Refund',
  CardCheck: 'Store your card',
};
const ENTRY_MODES = { Chip: 'Inserted', Contactless: 'Tapped', Swipe: 'Swiped', Manual: 'Typed' };
const OUTCOMES = {
  Approved: ['Approved', 'good'],
  PartlyApproved: ['Partly approved', 'good'],
  Declined: ['Declined', 'bad'],
  Cancelled: ['Cancelled', 'neutral'],
  TimedOut: ['Timed out', 'neutral'],
  Failed: ['Not completed', 'bad'],
  NoAnswer: ['No answer', 'bad'],
  TakenBack: ['Taken back', 'neutral'],
};
/** At rest a terminal shows what it is ready for. */
const AT_REST = {
  Manual: ['Ready', 'Waiting for the till.', 'ready'],
  Auto: ['Ready', 'Takes the card by itself.', 'ready'],
  Offline: ['No connection', 'The till can’t reach this terminal.', 'offline'],
  LowBattery: ['Battery low', 'Connect the charger.', 'battery'],
  LostLink: ['Ready', 'The link back to the till is lost.', 'offline'],
};
const RESULT_SHOWN_SECONDS = 12;

const byId = (id) => document.getElementById(id);
let spoken = '';

export function showScreen({ screen, mode }, typed) {
  const picture = pictured(screen, mode);
  const glass = byId('glass');
  glass.dataset.kind = picture.kind;
  glass.dataset.tone = picture.tone ?? '';
  put('operation', picture.operation);
  put('amount', picture.amount);
  byId('amount').classList.toggle('long', picture.amount?.length > 14);
  put('headline', picture.headline);
  put('detail', picture.detail);
  byId('picture').dataset.shape = picture.shape;
  byId('pin').textContent = picture.kind === 'AwaitsPin' ? '●'.repeat(typed).padEnd(4, '○') : '';
  byId('pin').classList.toggle('many', typed > 6);
  const left = byId('left');
  left.classList.toggle('runs', screen.secondsLeft !== undefined);
  left.value = screen.secondsLeft ?? 0;
  say([picture.operation, picture.amount, picture.headline, picture.detail]);
}

/** Read out once for each change. */
function say(words) {
  const text = words.filter(Boolean).join('. ');
  if (text === spoken) return;
  spoken = text;
  byId('spoken').textContent = text;
}

function pictured(screen, mode) {
  const operation = OPERATIONS[screen.operation];
  const amount = screen.amount > 0 ? money(screen.amount, screen.currency) : '';
  switch (screen.kind) {
    case 'AwaitsCard':
      return {
        kind: 'AwaitsCard',
        operation,
        amount,
        headline: 'Tap, insert or swipe',
        shape: 'contactless',
      };
    case 'AwaitsPin':
      return { kind: 'AwaitsPin', operation, amount, headline: 'Enter your PIN', shape: 'none' };
    case 'Processing':
      return {
        kind: 'Processing',
        operation,
        amount,
        headline: 'Processing',
        detail: 'One moment, please.',
        shape: 'spinner',
      };
    case 'Ended':
      if (screen.secondsAgo <= RESULT_SHOWN_SECONDS) return ended(screen, operation, amount);
  }
  const [headline, detail, shape] = AT_REST[mode] ?? AT_REST.Manual;
  return { kind: 'Idle', headline, detail, shape };
}

function ended({ result, currency }, operation, amount) {
  const [headline, tone] = OUTCOMES[result.outcome] ?? [result.outcome, 'neutral'];
  const partly =
    result.outcome === 'PartlyApproved' ? `${money(result.amountApproved, currency)} of it` : undefined;
  const detail = partly ?? (tone === 'good' ? '' : sentence(result.text));
  const shape = { good: 'tick', bad: 'cross', neutral: 'dash' }[tone];
  return { kind: 'Ended', tone, operation, amount, headline, detail, shape };
}

/** Hosts shout. */
function sentence(text) {
  return text === text.toUpperCase() ? text.charAt(0) + text.slice(1).toLowerCase() : text;
}

/** The facts of what ended last; they stay when the glass is at rest again. */
export function showLast(screen) {
  if (screen.kind !== 'Ended') return;
  const { transactionId, result } = screen;
  const [outcome] = OUTCOMES[result.outcome] ?? [result.outcome];
  const { responseCode, resultCode } = result;
  const facts = [
    ['Outcome', screen.amount > 0 ? `${outcome}, ${money(screen.amount, screen.currency)}` : outcome],
    ['Host text', sentence(result.text)],
    ['Response code', responseCode === undefined ? 'not known yet' : String(responseCode)],
    ['Result code', resultCode === undefined ? 'not known yet' : String(resultCode)],
    ['Card', result.maskedCardNumber ? `${result.cardType} ${dots(result.maskedCardNumber)}` : '–'],
    ['Entry', ENTRY_MODES[result.entryMode] ?? '–'],
    ['Authorization', result.authCode ?? '–'],
    ['Transaction', transactionId],
  ];
  const key = JSON.stringify(facts);
  const list = byId('last');
  byId('no-last').hidden = true;
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(
    ...facts.flatMap(([name, value]) => [
      element('dt', { textContent: name }),
      element('dd', { textContent: value }),
    ]),
  );
}

function dots(masked) {
  return `···· ${masked.slice(-4)}`;
}

function put(id, text) {
  const node = byId(id);
  // A line that is empty keeps its place.
  const shown = text || '\u00a0';
  if (node.textContent !== shown) node.textContent = shown;
}
