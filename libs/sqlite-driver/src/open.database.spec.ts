import { setTimeout } from 'node:timers/promises';
import { driverPackage, openDatabase } from './open.database.js';

describe("SQLite's driver", () => {
  it.each([
    ['20.20', '9', 'better-sqlite3'],
    ['22.14', '10', 'better-sqlite3-node-api'],
    ['24.21', '10', 'better-sqlite3-node-api'],
  ])('on Node %s is a version that works there', (_node, nodeApi, name) => {
    expect(driverPackage(nodeApi)).toBe(name);
  });

  it('survives the garbage collection of its statements', async () => {
    const db = openDatabase(':memory:');
    for (let round = 0; round < 30_000; round++) db.pragma('user_version');
    await setTimeout(50);
    expect(db.prepare('SELECT 1').pluck().get()).toBe(1);
    db.close();
  });
});
