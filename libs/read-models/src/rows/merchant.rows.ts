import { evolveMerchant, merchantCodec, noMerchant, type MerchantState } from '@tillstream/domain';
import { merchantShape, paymentMethodListItem } from '@tillstream/presentation';
import { OPERATORS } from '../tables/shapes.js';
import { checkKnown, decoded, type RowSource } from './row.source.js';

const CATEGORY = 'merchant';
const CHANGES = ['PaymentMethodAdded', 'PaymentMethodChanged'];
const OWN_CHANGES = ['MerchantCreated', 'MerchantChanged', 'MerchantDisabled', 'MerchantEnabled'];

/**
 * Terminals and forms in `payment_methods`. A new default takes that from another: a change of one touches all. The
 * merchants themselves in `merchants`.
 */
export const merchantRows: RowSource<MerchantState> = {
  category: CATEGORY,
  initial: noMerchant,
  check: (recorded) => checkKnown(merchantCodec, recorded),
  evolve: (state, recorded) => evolveMerchant(state, decoded(merchantCodec, recorded)),
  contributions: {
    payment_methods: {
      touched(_stream, events, state) {
        const last = events.findLast(({ type }) => CHANGES.includes(type));
        if (!last) return new Map();
        if (!state) return undefined;
        return new Map(methodsOf(state).map(({ id }) => [id, last.revision]));
      },
      row(state, id, revision) {
        const method = methodsOf(state).find((one) => one.id === id);
        if (state.status === 'None' || !method) return undefined;
        return [
          method.id,
          revision,
          state.id,
          method.type,
          method.currency,
          method.disabled ? 'Disabled' : 'Enabled',
          Date.parse(method.createdAt),
          JSON.stringify(paymentMethodListItem(method)),
        ];
      },
    },
    merchants: {
      touched(stream, events) {
        const last = events.findLast(({ type }) => OWN_CHANGES.includes(type));
        return new Map(last ? [[stream.slice(CATEGORY.length + 1), last.revision]] : []);
      },
      row(state, _id, revision) {
        if (state.status === 'None') return undefined;
        return [
          state.id,
          revision,
          OPERATORS,
          state.status,
          Date.parse(state.createdAt),
          Date.parse(state.updatedAt),
          JSON.stringify(merchantShape(state)),
        ];
      },
    },
  },
};

function methodsOf(state: MerchantState) {
  return state.status === 'None' ? [] : state.paymentMethods;
}
