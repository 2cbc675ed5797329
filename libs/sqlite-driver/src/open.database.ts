import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { driverFor } from './driver.choice.js';
import { namingFile } from './named.fault.js';

const Driver = loaded(driverFor(process.versions['napi']));

/**
 * Opens a file, which is made if it is missing, unless `fileMustExist`. Options, what is thrown and all that the connection
 * does are the driver's (better-sqlite3): its calls block, and throw a `SqliteError` with SQLite's `code`. `makeReady` is
 * what comes before its first use: where that fails, the file is closed again. Either error names it.
 */
export function openDatabase(
  file: string,
  options: Database.Options = {},
  makeReady: (db: Database.Database) => void = () => undefined,
): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Driver(file, options);
    makeReady(db);
    return db;
  } catch (error) {
    db?.close();
    throw namingFile(error, file);
  }
}

function loaded(name: string): typeof Database {
  try {
    return createRequire(import.meta.url)(name) as typeof Database;
  } catch (error) {
    throw new Error(
      `SQLite's driver can not be loaded: install again on this machine and with this Node (${process.version}); before Node 22.14 it is compiled by npm ci, with the build tools that README.md names`,
      { cause: error },
    );
  }
}
