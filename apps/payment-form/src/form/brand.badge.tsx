import type { VNode } from 'preact';
import type { CardBrand } from '../card/card.brand.js';

/** What fits on the badge; another brand shows its name. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  visa: 'VISA',
  mastercard: '',
  maestro: '',
  'american-express': 'AMEX',
  discover: 'DISC',
  'diners-club': 'DINERS',
  jcb: 'JCB',
  unionpay: 'UPAY',
};

/** The brand of the number that is typed. A screen reader announces its name. */
export function BrandBadge({ brand }: { readonly brand: CardBrand }): VNode {
  const { id, name } = brand;
  return (
    <span class="brand">
      <span class={`badge ${id ?? 'none'}`} aria-hidden="true">
        {id === undefined ? '' : (SHORT_NAMES[id] ?? name.slice(0, 5).toUpperCase())}
      </span>
      <span class="visually-hidden" role="status">
        {name}
      </span>
    </span>
  );
}
