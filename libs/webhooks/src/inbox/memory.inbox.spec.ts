import { inboxContract } from '../testing/inbox.contract.js';
import { MemoryInbox } from './memory.inbox.js';

describe('The inbox in memory', () => {
  inboxContract(() => {
    const inbox = new MemoryInbox();
    return Promise.resolve({ inbox, other: inbox, close: () => Promise.resolve() });
  });

  it('is bounded: it forgets the oldest handled event, and refuses one if none is handled', async () => {
    const inbox = new MemoryInbox({ eventsMax: 2 });
    const save = (eventId: string) =>
      inbox.save({ eventId, eventType: 'sale.completed', body: Buffer.from('{}'), receivedAt: 0 });
    await save('evt_1');
    await save('evt_2');
    await expect(save('evt_3')).rejects.toThrow('2 events are stored');
    await inbox.done('evt_2', 0);
    expect(await save('evt_3')).toBe('Saved');
    expect([await save('evt_1'), await save('evt_3')]).toEqual(['Duplicate', 'Duplicate']);
  });
});
