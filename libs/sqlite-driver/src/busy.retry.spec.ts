import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { enableWriteAheadLog } from './busy.retry.js';
import { driverPackage, openDatabase } from './open.database.js';

/** Locks the file for `workerData.ms` from another thread. */
const LOCK_HOLDER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const db = new (require(workerData.driver))(workerData.file);
  db.exec('BEGIN EXCLUSIVE');
  parentPort.postMessage('held');
  setTimeout(() => { db.exec('ROLLBACK'); db.close(); }, workerData.ms);
`;

describe('The write-ahead log', () => {
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-wal-'));
    file = join(folder, 'a.db');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const lockFor = async (ms: number): Promise<Worker> => {
    const driver = driverPath();
    const holder = new Worker(LOCK_HOLDER, { eval: true, workerData: { driver, file, ms } });
    await new Promise((resolve, reject) => holder.once('message', resolve).once('error', reject));
    return holder;
  };

  it('waits while another connection locks the file', async () => {
    const holder = await lockFor(300);
    const db = openDatabase(file, { timeout: 0 });
    expect(enableWriteAheadLog(db, 5_000)).toBe('wal');
    db.close();
    await holder.terminate();
  });

  it('fails after the timeout', async () => {
    const holder = await lockFor(2_000);
    const db = openDatabase(file, { timeout: 0 });
    expect(() => enableWriteAheadLog(db, 100)).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
    db.close();
    await holder.terminate();
  });

  it('is not possible without a file', () => {
    const db = openDatabase(':memory:');
    expect(enableWriteAheadLog(db, 100)).toBe('memory');
    db.close();
  });
});

function driverPath(): string {
  return createRequire(import.meta.url).resolve(driverPackage(process.versions['napi']));
}
