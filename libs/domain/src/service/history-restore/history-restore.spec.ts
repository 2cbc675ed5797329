import { fileURLToPath } from 'node:url';
import { codecContract } from '../../shared/testing/codec-contract.testing.js';
import { historyRestoreCodec, openRestore, type HistoryRestored } from './history-restore.js';

const restored: HistoryRestored = {
  at: '2026-03-02T12:00:00.000Z',
  copyId: '0195537a-0000-7000-8000-000000000001',
  takenAt: '2026-03-01T12:00:00.000Z',
  by: 'Anna',
};
const reconciled = {
  at: '2026-03-02T13:00:00.000Z',
  copyId: restored.copyId,
  by: 'Anna',
  why: 'the files of March 1 and 2 were compared',
};

describe('the record of restores', () => {
  it('has a restore open until an operator says that it is reconciled', () => {
    expect(openRestore([])).toBeUndefined();
    expect(openRestore([{ type: 'HistoryRestored', data: restored }])).toEqual(restored);
    const closed = [
      { type: 'HistoryRestored', data: restored },
      { type: 'RestoreReconciled', data: reconciled },
    ] as const;
    expect(openRestore(closed)).toBeUndefined();
    const again = { ...restored, copyId: 'another' };
    expect(openRestore([...closed, { type: 'HistoryRestored', data: again }])).toEqual(again);
  });

  codecContract(historyRestoreCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    HistoryRestored: restored,
    RestoreReconciled: reconciled,
  });
});
