import { element } from '/sandbox/files/service.js';

const list = document.getElementById('log');
const MOST_ENTRIES = 20;

/** A call of the shop's server with its response. */
export function noteExchange({ request, status, response }) {
  const { method, path, body } = request;
  const say = response.status ? `${status} · ${response.status}` : String(status);
  add('call', `${method} ${path}`, say, [
    body && ['The shop’s server sends', body],
    ['The API answers', response],
  ]);
}

/** A message of the form, or an error of its script. */
export function noteMessage(name, value) {
  add('message', name, 'form → page', [['The page hears', value]]);
}

function add(kind, title, aside, parts) {
  document.getElementById('log-empty').hidden = true;
  const open = list.querySelector('details[open]');
  if (open) open.open = false;
  const details = element(
    'details',
    { open: true },
    element(
      'summary',
      {},
      element('span', { className: `dot ${kind}` }),
      element('code', { className: 'log-title', textContent: title }),
      element('span', { className: 'log-aside', textContent: aside }),
    ),
    ...parts.filter(Boolean).map(([label, value]) => jsonPart(label, value)),
  );
  list.prepend(element('li', {}, details));
  while (list.children.length > MOST_ENTRIES) list.lastElementChild.remove();
}

function jsonPart(label, value) {
  const text = JSON.stringify(value, null, 2);
  const pre = element('pre', { tabIndex: 0 });
  pre.setAttribute('aria-label', label);
  pre.append(...coloured(text));
  return element('div', { className: 'json' }, element('p', { textContent: label }), pre);
}

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d+(?:\.\d+)?)\b/g;

/** Names, texts and numbers in spans; everything stays text. */
function* coloured(json) {
  let from = 0;
  for (const match of json.matchAll(TOKENS)) {
    const [whole, text, colon, literal] = match;
    yield json.slice(from, match.index);
    const className = colon !== undefined ? 'name' : literal !== undefined ? 'literal' : 'text';
    yield element('span', { className, textContent: text ?? literal });
    if (colon !== undefined) yield colon;
    from = match.index + whole.length;
  }
  yield json.slice(from);
}
