/* How the page speaks with the shop's server, and what the developer sees of it. */

/** What the shop's server said instead of an answer of the API. */
export class Refusal extends Error {}

/** An exchange of the shop's server with the API; `noted` sees each. */
export class ShopCalls {
  #noted;

  constructor(noted) {
    this.#noted = noted;
  }

  books = () => this.#call('GET', 'books');
  cards = () => this.#call('GET', 'cards');
  /** `paidWith`: `Card`, `UsAccount` or `CanadianAccount`; `verified`: by 3-D Secure. */
  checkout = (book, paidWith, verified) => this.#exchange('POST', 'checkout', { book, paidWith, verified });
  saveCard = () => this.#exchange('POST', 'cards', {});
  saveAccount = () => this.#exchange('POST', 'accounts', {});
  transaction = (id) => this.#exchange('GET', `transactions/${encodeURIComponent(id)}`);

  /** The key is the same for a repeat of the same purchase, which then charges once. */
  payWithCard = (tokenId, book, key) => this.#exchange('POST', 'pay-with-card', { tokenId, book }, key);

  async #exchange(method, path, body, key) {
    const exchange = await this.#call(method, path, body, key);
    this.#noted(exchange);
    return exchange;
  }

  async #call(method, path, body, key) {
    const response = await fetch(`/sandbox/shop/data/${path}`, {
      method,
      cache: 'no-store',
      redirect: 'error',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    throw new Refusal(answer.message ?? `The shop answered ${response.status}.`);
  }
}

export function newPurchaseKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
