import { describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '@tillstream/event-store';
import { ManualClock } from '../testing/payments.setup.js';
import { findOpenRestore, isRestored, recordReconciliation, recordRestore } from './history-restores.js';

const anna = { type: 'Operator', name: 'Anna' } as const;
const copy = { copyId: 'copy-1', takenAt: '2026-03-01T12:00:00.000Z' };

describe('a restore of an older copy', () => {
  const newPorts = () => ({ store: new MemoryEventStore(), clock: new ManualClock() });

  it('is open until an operator says how it was reconciled', async () => {
    const ports = newPorts();
    expect(await findOpenRestore(ports.store)).toBeUndefined();
    await recordRestore(ports, anna, copy);
    expect(await findOpenRestore(ports.store)).toMatchObject({ ...copy, by: 'Anna' });
    expect(await recordReconciliation(ports, anna, 'all files compared')).toMatchObject(copy);
    expect(await findOpenRestore(ports.store)).toBeUndefined();
    const { events } = await ports.store.readAll();
    expect(events.at(-1)).toMatchObject({
      data: { why: 'all files compared' },
      metadata: { reason: 'all files compared' },
    });
  });

  it('is recorded once for each copy', async () => {
    const ports = newPorts();
    await recordRestore(ports, anna, copy);
    await recordRestore(ports, anna, copy);
    expect((await ports.store.readAll()).events).toHaveLength(1);
    expect(await isRestored(ports.store, 'copy-1')).toBe(true);
    expect(await isRestored(ports.store, 'copy-2')).toBe(false);
  });

  it('can not be reconciled twice, or without a restore', async () => {
    const ports = newPorts();
    expect(await recordReconciliation(ports, anna, 'nothing to do')).toBeUndefined();
    await recordRestore(ports, anna, copy);
    await recordReconciliation(ports, anna, 'done');
    expect(await recordReconciliation(ports, anna, 'done again')).toBeUndefined();
    expect((await ports.store.readAll()).events).toHaveLength(2);
  });
});
