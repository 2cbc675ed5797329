import type { Merchant, PaymentMethod } from './merchant.js';

type Methods = Merchant['paymentMethods'];

/**
 * Index by id of a merchant's payment methods. A method keeps its place, so all states of one merchant share an index. The index may
 * also have methods of a state that was never appended, so `findMethodOf` checks the id of what it finds.
 */
const INDEXES = new WeakMap<Methods, Map<string, number>>();

/** Passes the index of `before` on to `after`. @returns `after` */
export function withIndexOf(before: Methods, after: Methods): Methods {
  const index = INDEXES.get(before);
  if (!index) return after;
  const added = after[before.length];
  if (added) index.set(added.id, before.length);
  INDEXES.set(after, index);
  return after;
}

/** Looks the method up in an index: a merchant may have thousands of methods. */
export function findMethodOf(
  { paymentMethods }: Pick<Merchant, 'paymentMethods'>,
  id: string,
): PaymentMethod | undefined {
  const place = indexOf(paymentMethods).get(id);
  if (place === undefined) return undefined;
  const method = paymentMethods[place];
  return method?.id === id ? method : paymentMethods.find((one) => one.id === id);
}

function indexOf(methods: Methods): ReadonlyMap<string, number> {
  const known = INDEXES.get(methods);
  if (known) return known;
  const index = new Map(methods.map(({ id }, place) => [id, place]));
  INDEXES.set(methods, index);
  return index;
}
