import { element, follow, write } from '/sandbox/files/service.js';

const list = document.getElementById('deliveries');
const endpointText = document.getElementById('endpoint');
const openButton = document.getElementById('open');
const answers = [...document.querySelectorAll('input[name=answer]')];
const MOST_DELIVERIES = 100;
const VERIFICATIONS = {
  Managed: 'Signature verified',
  NotOpen: 'No endpoint: press Receive webhooks',
  SignatureMissing: 'No signature',
  SignatureWrong: 'Wrong signature',
  HeaderInvalid: 'Malformed signature header',
  TimestampTooOld: 'Signed too long ago',
  TimestampTooNew: 'Signed in the future',
  PayloadInvalid: 'Not an event',
};
let last = 0;

const following = follow(
  () => `webhooks?after=${last}`,
  (view) => {
    show(view);
    return 1_000;
  },
);

openButton.addEventListener('click', () => change(write('POST', 'webhooks/endpoint', {})));
for (const input of answers) {
  input.addEventListener('change', () => change(write('PUT', 'webhooks/answer', { answer: input.value })));
}

async function change(answered) {
  try {
    following.shown(await answered);
  } catch (error) {
    document.getElementById('link-state').textContent = error.message;
  }
}

function show({ endpoint, answer, deliveries }) {
  const receives = endpoint?.status === 'Enabled';
  openButton.hidden = receives;
  endpointText.textContent = receives ? `${endpoint.id} receives at ${endpoint.url}` : '';
  for (const input of answers) input.checked = input.value === answer;
  for (const delivery of deliveries) {
    if (delivery.number <= last) continue;
    last = delivery.number;
    list.prepend(entry(delivery));
  }
  while (list.children.length > MOST_DELIVERIES) list.lastElementChild.remove();
  document.getElementById('empty').hidden = list.children.length > 0;
}

function entry({ receivedAt, verification, answered, event, attempt, headers, body }) {
  const verified = event !== undefined;
  const at = new Date(receivedAt);
  return element(
    'li',
    {},
    element(
      'details',
      {},
      element(
        'summary',
        {},
        element('code', { textContent: event?.type ?? 'unknown event' }),
        badge(VERIFICATIONS[verification] ?? verification, verified),
        badge(`answered ${answered}`, answered === 200),
        attempt > 1 ? badge(`attempt ${attempt}`, true) : null,
        element('time', { dateTime: receivedAt, textContent: at.toLocaleTimeString() }),
      ),
      element(
        'div',
        { className: 'parts' },
        ...part('Headers', headers.map(([name, value]) => `${name}: ${value}`).join('\n')),
        ...part('Body', indented(body)),
      ),
    ),
  );
}

function badge(text, good) {
  return element('span', { className: `badge ${good ? 'good' : 'bad'}`, textContent: text });
}

function part(name, text) {
  const pre = element('pre', { textContent: text, tabIndex: 0 });
  pre.setAttribute('aria-label', name);
  return [element('h2', { textContent: name }), pre];
}

function indented(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
