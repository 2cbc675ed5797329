import { element, follow } from './service.js';

const list = document.getElementById('terminals');
const after = new URLSearchParams(location.search).get('after');
const modeNames = { LowBattery: 'Low battery', LostLink: 'Lost link' };
const entries = new Map();

follow(
  () => (after === null ? 'terminals' : `terminals?after=${encodeURIComponent(after)}`),
  ({ terminals, next }) => {
    for (const terminal of terminals) show(terminal);
    list.setAttribute('aria-busy', 'false');
    document.getElementById('empty').hidden = terminals.length > 0;
    document.getElementById('pages').hidden = next === null && after === null;
    const link = document.getElementById('next');
    link.hidden = next === null;
    if (next !== null) link.href = `/sandbox?after=${encodeURIComponent(next)}`;
    return 2_000;
  },
);

/** An entry keeps its element, and so the focus on it. */
function show({ id, description, merchant, currency, mode, isWaiting }) {
  let entry = entries.get(id);
  if (!entry) {
    const parts = {
      name: element('span', { className: 'terminal-name' }),
      merchant: element('span', { className: 'terminal-merchant' }),
      currency: element('span', { className: 'badge' }),
      mode: element('span', { className: 'badge' }),
      waiting: element('span', { className: 'badge waiting' }),
    };
    const link = element(
      'a',
      { href: `/sandbox/terminals/${encodeURIComponent(id)}` },
      parts.name,
      parts.merchant,
    );
    link.append(element('span', { className: 'badges' }, parts.currency, parts.mode, parts.waiting));
    list.append(element('li', {}, link));
    entry = parts;
    entries.set(id, entry);
  }
  set(entry.name, description ?? id);
  set(entry.merchant, merchant);
  set(entry.currency, currency);
  set(entry.mode, modeNames[mode] ?? mode);
  set(entry.waiting, isWaiting ? 'Waiting' : '');
}

function set(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
