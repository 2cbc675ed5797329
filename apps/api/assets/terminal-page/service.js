/* How the pages speak with the service: its own origin, JSON, one request at a time. */

/** What the service said instead of an answer. */
export class Refusal extends Error {}

async function call(path, init) {
  const response = await fetch(`/sandbox/data/${path}`, { ...init, cache: 'no-store', redirect: 'error' });
  const body = await response.json();
  if (response.ok) return body;
  const [first] = body.errorDetails ?? [];
  throw new Refusal(first?.message ?? body.message ?? `The service answered ${response.status}.`);
}

export const read = (path) => call(path, {});

export const write = (method, path, body) =>
  call(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const LONGEST_PAUSE_MS = 10_000;

/**
 * Reads the path repeatedly while the page is visible. `show` gets each response and returns the ms until the next read.
 * While the service can't be reached the header says so, and the reads become less frequent.
 */
export function follow(path, show) {
  const state = document.getElementById('link-state');
  let timer;
  let failures = 0;
  let turn = 0;

  const ask = async () => {
    clearTimeout(timer);
    const mine = ++turn;
    let pause;
    try {
      const answer = await read(path());
      // Something newer was shown while this was on its way.
      if (mine !== turn) return;
      failures = 0;
      state.textContent = '';
      pause = show(answer);
    } catch (error) {
      if (mine !== turn) return;
      failures += 1;
      pause = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures);
      if (failures > 1) {
        state.textContent =
          error instanceof Refusal ? error.message : 'The service does not answer. Trying again …';
      }
    }
    if (!document.hidden) timer = setTimeout(ask, pause);
  };

  document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : ask()));
  ask();
  return {
    /** Shows an answer that came otherwise, and goes on from there. */
    shown(answer) {
      turn += 1;
      clearTimeout(timer);
      timer = setTimeout(ask, show(answer));
    },
  };
}

const formats = new Map();

/** `$12.50`, from cents. */
export function money(cents, currency) {
  let format = formats.get(currency);
  if (!format) {
    const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' };
    format = new Intl.NumberFormat('en', style);
    formats.set(currency, format);
  }
  return `${format.format(cents / 100)} ${currency}`;
}

/** `null` is nothing; text is never markup. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}
