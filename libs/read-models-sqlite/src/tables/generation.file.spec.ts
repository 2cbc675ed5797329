import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { positionFromNumber } from '@tillstream/event-store';
import { newFolder } from '../testing/folder.testing.js';
import { GenerationFile } from './generation.file.js';
import { tableShape } from '@tillstream/read-models';

it('A checkpoint copies what other connections wrote from the write-ahead log into the file', () => {
  const place = newFolder();
  const at = (name: string): string => join(place.folder, name);
  const shape = tableShape('transactions');
  GenerationFile.create(at('live.db'), shape);
  const [writing, beside] = [0, 1].map(() => GenerationFile.open(at('live.db'), shape));
  const step = { to: positionFromNumber(7), events: 7, witness: undefined };
  writing?.writeStep(undefined, step, []);

  /** The position in the file without its log. */
  const inTheFile = (name: string): unknown => {
    copyFileSync(at('live.db'), at(name));
    const copy = GenerationFile.open(at(name), shape);
    const { position } = copy.progress();
    copy.close();
    return position;
  };
  expect(inTheFile('before.db')).toBeUndefined();
  expect(beside?.checkpointWal()).toBe(true);
  expect(inTheFile('after.db')).toBe('7');
  expect(beside?.checkpointWal()).toBe(false);

  writing?.close();
  beside?.close();
  place.remove();
});
