import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { displayAddress, openEventStoreAt, resolveEventsFile } from './store.address.js';

describe('The address of a store', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-address-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is displayed without user, password and options', () => {
    expect(displayAddress('esdb://localhost:2113?tls=false')).toBe('esdb://localhost:2113');
    expect(displayAddress('esdb+discover://admin:pass@a:2113,b:2113/?tls=true')).toBe(
      'esdb+discover://a:2113,b:2113',
    );
    expect(displayAddress('esdb://admin:p?x/y@z@host:2113')).toBe('esdb://host:2113');
    expect(displayAddress('sqlite:.data')).toBe('sqlite:.data');
  });

  it('names a file, or its data directory', async () => {
    expect(resolveEventsFile(folder)).toBe(join(folder, 'events.db'));
    expect(resolveEventsFile(join(folder, 'new'))).toBe(join(folder, 'new', 'events.db'));
    expect(resolveEventsFile(join(folder, '.data'))).toBe(join(folder, '.data', 'events.db'));
    expect(resolveEventsFile(join(folder, 'copy.db'))).toBe(join(folder, 'copy.db'));
    const made = await openEventStoreAt(`sqlite:${folder}`);
    await made.close();
    const found = await openEventStoreAt(`sqlite:${join(folder, 'events.db')}`, { readOnly: true });
    expect(await found.readAll()).toEqual({ events: [], end: true });
    await found.close();
  });

  it.each([['postgres://localhost'], ['.data'], ['esdb://'], ['esdb://host:2113?tls']])(
    "'%s' is refused with one sentence",
    async (address) => {
      await expect(openEventStoreAt(address)).rejects.toThrow(/^[^\n]+$/);
    },
  );

  it('creates nothing if it is read-only', async () => {
    await expect(openEventStoreAt(`sqlite:${join(folder, 'none.db')}`, { readOnly: true })).rejects.toThrow();
  });
});
