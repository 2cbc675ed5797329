import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { driverFor } from './driver.choice.js';
import { namingFile } from './named.fault.js';

const Driver = loaded(driverFor(process.versions['napi']));

/**
 * Opens a file, which is made if it is missing, unless `fileMustExist`. Options, what is thrown and all that the connection
 * does are the driver's (better-sqlite3): its calls block, and throw a `SqliteError` with SQLite's `code`.
 */
export function openDatabase(file: string, options?: Database.Options): Database.Database {
  try {
    return new Driver(file, options);
  } catch (error) {
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
