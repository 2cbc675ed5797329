import { hostname } from 'node:os';
import { spawnSync } from 'node:child_process';
import { leasesContract } from '@tillstream/event-consumers/testing';
import { newFolder } from '../testing/folder.testing.js';
import { ControlDatabase } from './control.database.js';
import { newHolder, SqliteLeases } from './sqlite.leases.js';

leasesContract('SQLite', () => {
  const place = newFolder();
  const opened: ControlDatabase[] = [];
  return {
    holder: () => {
      const control = new ControlDatabase(place.folder);
      opened.push(control);
      return new SqliteLeases(control, newHolder());
    },
    close: () => {
      for (const control of opened) control.close();
      place.remove();
    },
  };
});

it('The lease of a process that died on this machine is free immediately', async () => {
  const place = newFolder();
  const control = new ControlDatabase(place.folder);
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const dead = new SqliteLeases(control, `${pid} ${hostname()} x`);
  const elsewhere = new SqliteLeases(control, `${pid} another-machine x`);
  const living = new SqliteLeases(control, newHolder());
  await dead.hold('work', 60_000);
  await elsewhere.hold('other work', 60_000);
  expect([await living.isHeld('work'), await living.hold('work', 60_000)]).toEqual([false, true]);
  expect(await living.hold('other work', 60_000)).toBe(false);
  control.close();
  place.remove();
});
