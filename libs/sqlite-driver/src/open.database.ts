import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { withFileName } from './sqlite.errors.js';

/** The version of Node 22.14, 23.6 and later. */
const NODE_API_MIN = 10;

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

/**
 * Two major versions of the same driver, because none works on each supported Node. Version 13 and later need a Node-API
 * that Node 20 does not have. The version before crashes a recent Node 24: the garbage collection of a statement asks for
 * an environment that may not exist then.
 *
 * @param nodeApi `process.versions.napi`
 */
export function driverPackage(nodeApi: string | undefined): 'better-sqlite3' | 'better-sqlite3-node-api' {
  return Number(nodeApi) >= NODE_API_MIN ? 'better-sqlite3-node-api' : 'better-sqlite3';
}
