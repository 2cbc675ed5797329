import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { driverPackage } from './driver.choice.js';
import { withFileName } from './error-file-name.js';

const Driver = loadDriver(driverPackage(process.versions['napi']));

/**
 * Opens a file, and creates it unless `fileMustExist` is set. Options and connection are those of better-sqlite3: calls
 * block, and throw a `SqliteError` with SQLite's `code`. `prepare` sets up the connection; if it throws, the connection is
 * closed. Errors name the file.
 */
export function openDatabase(
  file: string,
  options: Database.Options = {},
  prepare: (db: Database.Database) => void = () => undefined,
): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Driver(file, options);
    prepare(db);
    return db;
  } catch (error) {
    db?.close();
    throw withFileName(error, file);
  }
}

function loadDriver(name: string): typeof Database {
  try {
    return createRequire(import.meta.url)(name) as typeof Database;
  } catch (error) {
    throw new Error(
      `SQLite's driver cannot be loaded: install again on this machine and with this Node (${process.version}); before Node 22.14 it is compiled by npm ci, with the build tools that README.md names`,
      { cause: error },
    );
  }
}
