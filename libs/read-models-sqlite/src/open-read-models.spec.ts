import { join } from 'node:path';
import { tableShape, type ProjectionName } from '@tillstream/read-models';
import { recordingLog } from '@tillstream/read-models/testing';
import { readModelsContract } from '@tillstream/read-models/testing/contract';
import { ControlDatabase } from './generations/control.database.js';
import { openReadModels } from './open-read-models.js';
import { SqliteOrderedReadModel } from './ordered/ordered.read-model.js';
import { GenerationFile } from './tables/generation.file.js';
import { openFile } from './tables/sqlite.dialect.js';
import { newFolder } from './testing/folder.testing.js';

readModelsContract('SQLite', () => {
  const { folder: directory, remove } = newFolder();
  const withLive = <T>(projection: ProjectionName, use: (file: GenerationFile) => T): T => {
    const control = new ControlDatabase(directory);
    const live = control.live(projection);
    const file = GenerationFile.open(control.fileOf(live as never), tableShape(projection));
    try {
      return use(file);
    } finally {
      file.close();
      control.close();
    }
  };
  return {
    open: (options) => openReadModels({ directory, ...options }),
    openOrdered: async (store, projection) =>
      new SqliteOrderedReadModel({ directory, store, source: '', log: recordingLog([]) }, projection),
    goLive: async (shape) => {
      const control = new ControlDatabase(directory);
      const generation = control.startBuilding(shape, 'another builder');
      GenerationFile.create(control.fileOf(generation), tableShape(shape.projection));
      control.announce(generation);
      control.swap(generation);
      control.close();
    },
    forge: async (projection, change) =>
      withLive(projection, (file) => {
        const [row] = file.page('', 1);
        if (!row) throw new Error('there is a row');
        file.write([change(row)]);
        return row;
      }),
    remove,
  };
});

it('Lists in SQLite open without a lock if the control database exists, while another process writes to it', () => {
  const place = newFolder();
  new ControlDatabase(place.folder).close();
  const other = openFile(join(place.folder, 'control.db'), 'writer');
  other.exec('BEGIN IMMEDIATE');
  const second = new ControlDatabase(place.folder);
  expect(second.generations()).toEqual([]);
  second.close();
  other.close();
  place.remove();
});
