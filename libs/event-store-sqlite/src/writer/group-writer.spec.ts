import { newEventId } from '@tillstream/event-store';
import type Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { GroupWriter } from './group-writer.js';
import { openReader, openWriter } from '../schema.js';
import { newFolder } from '../sqlite-stores.fixture.js';
import type { SerialisedUnit } from './writer.messages.js';

describe('the write-ahead log under constant writes', () => {
  it('is moved into the file between two groups, so that it stays short', () => {
    const place = newFolder();
    const writer = new GroupWriter({ file: place.file, busyTimeoutMs: 1_000 });
    const megabytes = (file: string): number => statSync(file).size / 1e6;
    for (let group = 0; group < 1_000; group++) {
      writer.commit([unit(`test-${group}`)]);
      writer.checkpointIfDue();
    }
    expect(megabytes(`${place.file}-wal`)).toBeLessThan(8);
    expect(megabytes(place.file)).toBeGreaterThan(0.1);
    writer.close();
    place.remove();
  });
});

describe('a group whose COMMIT fails', () => {
  let place: ReturnType<typeof newFolder>;
  const writers: GroupWriter[] = [];

  beforeEach(() => {
    place = newFolder();
  });

  afterEach(() => {
    for (const writer of writers.splice(0)) writer.close();
    place.remove();
  });

  it('is written if a new connection finds it', () => {
    const writer = failingAt([{ written: true, code: 'SQLITE_IOERR_FSYNC' }]);
    expect(writer.commit([unit('test-1'), unit('test-2')])).toMatchObject([
      { kind: 'Done', steps: [{ kind: 'Appended', revision: 0, position: '1' }] },
      { kind: 'Done', steps: [{ kind: 'Appended', revision: 0, position: '2' }] },
    ]);
    expect(countEvents()).toBe(2);
  });

  it('is Unavailable if a new connection does not find it and a later commit has overwritten it', () => {
    const writer = failingAt([{ written: false, code: 'SQLITE_IOERR_FSYNC' }]);
    const outcomes = writer.commit([unit('test-1'), unit('test-2')]);
    expect(outcomes).toMatchObject([{ code: 'Unavailable' }, { code: 'Unavailable' }]);
    expect(countEvents()).toBe(0);
    expect(writer.commit([unit('test-1')])).toMatchObject([{ kind: 'Done' }]);
  });

  it('is Unknown if no later commit succeeds: a crash could bring it back', () => {
    const fault = { written: false, code: 'SQLITE_IOERR_FSYNC' };
    expect(failingAt([fault, fault]).commit([unit('test-1')])).toMatchObject([{ code: 'Unknown' }]);
  });

  it('is Unavailable if the disk is full: its last frame was never written', () => {
    const fault = { written: false, code: 'SQLITE_FULL' };
    expect(failingAt([fault, fault]).commit([unit('test-1')])).toMatchObject([{ code: 'Unavailable' }]);
  });

  it('is not mistaken for written because of an earlier append', () => {
    const repeated = unit('test-1');
    const writer = failingAt([undefined, { written: false, code: 'SQLITE_IOERR_FSYNC' }]);
    writer.commit([repeated]);
    expect(writer.commit([repeated, unit('test-2')])).toMatchObject([
      { code: 'Unavailable' },
      { code: 'Unavailable' },
    ]);
    expect(countEvents()).toBe(1);
  });

  it('is Unknown if the file cannot be opened again', () => {
    let opened = 0;
    const writer = new GroupWriter({ file: place.file, busyTimeoutMs: 100 }, (file) => {
      if (++opened > 1) throw new Error('no such device');
      return withFaults(openWriter(file), [{ written: false, code: 'SQLITE_IOERR_WRITE' }]);
    });
    expect(writer.commit([unit('test-1')])).toMatchObject([{ code: 'Unknown' }]);
    expect(writer.commit([unit('test-2')])).toMatchObject([
      { code: 'Unavailable', message: 'no such device' },
    ]);
  });

  it('does not occur for a full file: the insert fails, all is rolled back, and the next group succeeds', () => {
    let limit = 40;
    const writer = new GroupWriter({ file: place.file, busyTimeoutMs: 100 }, (file) => {
      const db = openWriter(file);
      db.pragma(`max_page_count = ${limit}`);
      return db;
    });
    writers.push(writer);
    expect(writer.commit([unit('test-1')])).toMatchObject([{ kind: 'Done' }]);
    limit = 1000;
    expect(writer.commit([unit('test-2'), unit('test-3', 200_000)])).toMatchObject([
      { code: 'Unavailable', message: expect.stringContaining('full') },
      { code: 'Unavailable' },
    ]);
    expect(countEvents()).toBe(1);
    expect(writer.commit([unit('test-2'), unit('test-3', 200_000)])).toMatchObject([
      { kind: 'Done' },
      { kind: 'Done' },
    ]);
  });

  interface CommitFault {
    readonly written: boolean;
    readonly code: string;
  }

  /** A writer whose first commits have these faults, across its connections. Undefined: the commit succeeds. */
  function failingAt(faults: (CommitFault | undefined)[]): GroupWriter {
    const writer = new GroupWriter({ file: place.file, busyTimeoutMs: 100 }, (file) =>
      withFaults(openWriter(file), faults),
    );
    writers.push(writer);
    return writer;
  }

  function withFaults(db: Database.Database, faults: (CommitFault | undefined)[]): Database.Database {
    const prepare = db.prepare.bind(db);
    db.prepare = ((sql: string) => {
      const statement = prepare(sql);
      if (sql !== 'COMMIT') return statement;
      const run = statement.run.bind(statement);
      statement.run = () => {
        const fault = faults.shift();
        if (fault === undefined || fault.written) run();
        if (fault !== undefined) throw Object.assign(new Error('disk I/O error'), { code: fault.code });
        return { changes: 0, lastInsertRowid: 0 };
      };
      return statement;
    }) as typeof db.prepare;
    return db;
  }

  function countEvents(): unknown {
    const db = openReader(place.file);
    try {
      return db.prepare('SELECT count(*) FROM events').pluck().get();
    } finally {
      db.close();
    }
  }
});

function unit(stream: string, bytes = 2): SerialisedUnit {
  const data = JSON.stringify('x'.repeat(bytes));
  return [
    {
      kind: 'append',
      stream,
      expected: 'none',
      events: [{ id: newEventId(), type: 'Written', data, metadata: '{}' }],
    },
  ];
}
