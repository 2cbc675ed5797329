import { evolveHolder, HOLDER_CATEGORY, holderCodec, noHolder, type HolderState } from '@tillstream/domain';
import { checkKnown, decoded, oneRow, type RowSource } from './row.source.js';
import { sealedText } from './transaction.row.js';

/** Account holders in `holders`; what is personal stays sealed, and goes when they are erased. */
export const holderRows: RowSource<HolderState> = {
  category: HOLDER_CATEGORY,
  initial: noHolder,
  check: (recorded) => checkKnown(holderCodec, recorded),
  evolve: (state, recorded) => evolveHolder(state, decoded(holderCodec, recorded)),
  contributions: {
    holders: {
      touched: (stream, events) => oneRow(`acc_${stream.slice(HOLDER_CATEGORY.length + 1)}`, events),
      row(state, _id, revision) {
        if (state.status === 'None') return undefined;
        const { id, merchantId, status, createdAt, updatedAt, externalIdHash, personal } = state;
        const erased = status === 'Erased';
        return [
          id,
          revision,
          merchantId,
          status,
          Date.parse(createdAt),
          Date.parse(updatedAt),
          erased ? null : (externalIdHash ?? null),
          JSON.stringify({ id, createdAt, updatedAt }),
          erased ? null : sealedText(personal),
        ];
      },
    },
  },
};
