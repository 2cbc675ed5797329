import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { externalIdCodec } from './external-id.js';
import { holderCodec } from './holder.js';

const folder = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const at = '2026-03-01T12:00:00.000Z';
const holderId = 'acc_01JQ0000000000000000000000';
const commandId = '0195537a-0000-7000-8000-000000000001';
const personal = { keyId: holderId, iv: 'aXY=', ciphertext: 'Y2lwaGVydGV4dA==' };
const externalIdHash = 'ab'.repeat(32);

describe('the stored events of an account holder', () => {
  codecContract(holderCodec, folder('./fixtures'), {
    HolderCreated: {
      at,
      commandId,
      holderId,
      merchantId: 'mer_01JQ0000000000000000000000',
      externalIdHash,
      personal,
    },
    HolderChanged: { at, commandId, externalIdHash, personal },
    TokenLinked: { at, tokenId: 'pmt_tkn_01JQ0000000000000000000T00' },
    HolderErased: { at, commandId },
    HolderErasureFinished: { at },
  });
});

describe('the stored events of an external id', () => {
  codecContract(externalIdCodec, folder('./fixtures-externalid'), {
    ExternalIdClaimed: { at, holderId },
    ExternalIdReleased: { at, holderId },
  });
});
