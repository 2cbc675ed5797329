import { newEventId, MemoryEventStore, type JsonObject } from '@tillstream/event-store';
import { tableShape } from '@tillstream/read-models';
import { ControlDatabase } from '../generations/control.database.js';
import { GenerationFile } from '../tables/generation.file.js';
import { newFolder } from '../testing/folder.testing.js';
import { rebuild } from './rebuild.js';

const PAGES = 130;

/** A page of a settlement with so many items. */
function page(number: number, count: number) {
  const at = '2026-03-01T00:00:00.000Z';
  const items = Array.from({ length: count }, (_, index) => {
    const operationId = `trx_${String(number).padStart(13, '0')}${String(index).padStart(13, '0')}`;
    return {
      operationId,
      type: 'Sale',
      amount: 100,
      movedAt: at,
      channel: 'Token',
      paymentMethodId: 'pmt_1',
    };
  });
  const ids = { settlementId: 'stl_1', batchId: 'bat_1', merchantId: 'mer_1', currency: 'USD' };
  const data = { ...ids, at, settledAt: at, kind: 'Card', fundingType: 'Net', page: number, items };
  const event = { id: newEventId(), type: 'PageSettled', data: data as unknown as JsonObject };
  return { stream: `settlementpage-1.${number}`, event: { ...event, metadata: { schemaVersion: 1 } } };
}

/** The numbers of events that a rebuild asks for at a time, and the rows that it makes. */
async function rebuilt(itemsOfPage: number) {
  const place = newFolder();
  const control = new ControlDatabase(place.folder);
  try {
    const shape = tableShape('settled_transactions');
    control.ensureLive(shape, (file) => GenerationFile.create(file, shape));
    const store = new MemoryEventStore();
    for (let number = 1; number <= PAGES; number++) {
      const { stream, event } = page(number, itemsOfPage);
      await store.append({ stream, expected: 'any', events: [event] });
    }
    const limits: (number | undefined)[] = [];
    const watched = {
      readAll: (options: Parameters<typeof store.readAll>[0]) => {
        limits.push(options?.limit);
        return store.readAll(options);
      },
      readHeaders: store.readHeaders.bind(store),
      readStream: store.readStream.bind(store),
    };
    const { rows } = await rebuild({ store: watched, control }, 'settled_transactions');
    // The last reads look for events that came meanwhile.
    return { limits: limits.slice(0, 3), rows };
  } finally {
    control.close();
    place.remove();
  }
}

describe('the pages of a rebuild', () => {
  it('have fewer events where each makes many rows', async () => {
    const { limits, rows } = await rebuilt(100);
    expect(rows).toBe(PAGES * 100);
    expect(limits).toEqual([10, 5, 5]);
  });

  it('have more and more events where each makes few rows', async () => {
    const { limits, rows } = await rebuilt(1);
    expect(rows).toBe(PAGES);
    expect(limits.slice(0, 2)).toEqual([10, 20]);
  });
});
