import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MemoryEventStore } from '@tillstream/event-store';
import { openReadModels } from '../open-read-models.js';
import { DAMAGES } from '../testing/file-damage.testing.js';
import { newFolder } from '../testing/folder.testing.js';

const PROCESS = fileURLToPath(new URL('../../fixtures/opening-process.mjs', import.meta.url));

it.each([['control.db'], ['transactions-1.db', 'batches-6.db'], ['control.db', 'tokens-2.db']])(
  'Several processes that find damage at once set each file aside once (%s)',
  async (...names) => {
    const place = newFolder();
    await (await openReadModels({ directory: place.folder, store: new MemoryEventStore() })).stop();
    for (const name of names) DAMAGES['a file of garbage']?.(join(place.folder, name));
    const at = String(Date.now() + 1_500);
    const processes = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, [PROCESS, place.folder, at]),
    );
    const lines = (await Promise.all(processes)).flatMap(({ stdout }) => stdout.split('\n').filter(Boolean));
    // Only the control database says which lists are live: without it no other file is checked.
    const expected = names.includes('control.db') ? ['control.db'] : names;
    expect(lines.map((line) => basename(line)).sort()).toEqual([...expected].sort());
    const aside = readdirSync(place.folder).filter((name) => name.includes('.damaged-'));
    expect(aside.map((name) => name.replace(/\.damaged-.*/, '')).sort()).toEqual([...expected].sort());
    place.remove();
  },
);
