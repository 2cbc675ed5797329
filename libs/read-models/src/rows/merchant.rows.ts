import { evolveMerchant, merchantCodec, noMerchant, type MerchantState } from '@tillstream/domain';
import { paymentMethodListItem } from '@tillstream/presentation';
import { checkKnown, decoded, type RowSource } from './row.source.js';

const CHANGES = ['PaymentMethodAdded', 'PaymentMethodChanged'];

/** Terminals and forms in `payment_methods`. A new default takes that from another: a change of one touches all. */
export const merchantRows: RowSource<MerchantState> = {
  category: 'merchant',
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
  },
};

function methodsOf(state: MerchantState) {
  return state.status === 'None' ? [] : state.paymentMethods;
}
