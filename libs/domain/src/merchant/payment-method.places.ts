import type { Merchant, PaymentMethod } from './merchant.js';

type Methods = Merchant['paymentMethods'];

/**
 * Places by id. A method keeps its place, so a state and those that follow it share one index. It has the methods of all of them,
 * and of states that were never stored: what it says is compared with the method itself.
 */
const PLACES = new WeakMap<Methods, Map<string, number>>();

/** Hands the index of the methods on to those that follow them. @returns the latter */
export function withPlacesOf(before: Methods, after: Methods): Methods {
  const places = PLACES.get(before);
  if (!places) return after;
  const added = after[before.length];
  if (added) places.set(added.id, before.length);
  PLACES.set(after, places);
  return after;
}

/** Looks the method up in an index: a merchant may have thousands of methods. */
export function findMethodOf(
  { paymentMethods }: Pick<Merchant, 'paymentMethods'>,
  id: string,
): PaymentMethod | undefined {
  const place = placesOf(paymentMethods).get(id);
  if (place === undefined) return undefined;
  const method = paymentMethods[place];
  return method?.id === id ? method : paymentMethods.find((one) => one.id === id);
}

function placesOf(methods: Methods): ReadonlyMap<string, number> {
  const known = PLACES.get(methods);
  if (known) return known;
  const places = new Map(methods.map(({ id }, place) => [id, place]));
  PLACES.set(methods, places);
  return places;
}
