import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { driverPackage } from './driver.choice.js';
import { withFileName } from './error-file-name.js';

const Driver = loadDriver(driverPackage(process.versions['napi']));

/**
 * Opens a file, which is made if it is missing, unless `fileMustExist`. Options, what is thrown and all that the connection
 * does are the driver's (better-sqlite3): its calls block, and throw a `SqliteError` with SQLite's `code`. `makeReady` is
 * what comes before its first use: where that fails, the file is closed again. Either error names it.
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
      `SQLite's driver can not be loaded: install again on this machine and with this Node (${process.version}); before Node 22.14 it is compiled by npm ci, with the build tools that README.md names`,
      { cause: error },
    );
  }
}
