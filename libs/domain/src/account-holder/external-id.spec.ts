import { claimedHolder, externalIdStream, type ExternalIdEvent } from './external-id.js';
import { HOLDER_ID, minutes } from './testing/histories.testing.js';

const other = 'acc_01JQ0000000000000000000001';
const at = minutes(0);
const claim = (holderId: string): ExternalIdEvent => ({ type: 'ExternalIdClaimed', data: { at, holderId } });
const release = (holderId: string): ExternalIdEvent => ({
  type: 'ExternalIdReleased',
  data: { at, holderId },
});

describe('an external id', () => {
  it('belongs to the holder that claimed it last', () => {
    expect(claimedHolder([])).toBeUndefined();
    expect(claimedHolder([claim(HOLDER_ID)])).toBe(HOLDER_ID);
    expect(claimedHolder([claim(HOLDER_ID), claim(HOLDER_ID)])).toBe(HOLDER_ID);
    expect(claimedHolder([claim(HOLDER_ID), claim(other)])).toBe(other);
  });

  it('is free after its holder released it', () => {
    expect(claimedHolder([claim(HOLDER_ID), release(HOLDER_ID)])).toBeUndefined();
    expect(claimedHolder([claim(HOLDER_ID), release(HOLDER_ID), claim(other)])).toBe(other);
  });

  it('is not released by a holder that no longer has it', () => {
    expect(claimedHolder([claim(HOLDER_ID), claim(other), release(HOLDER_ID)])).toBe(other);
    expect(claimedHolder([claim(HOLDER_ID), release(other)])).toBe(HOLDER_ID);
  });

  it('has one stream for each merchant', () => {
    expect(externalIdStream('mer_1', 'abc')).toBe('externalid-mer_1.abc');
  });
});
