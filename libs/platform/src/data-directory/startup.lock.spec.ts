import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { withStartupLock } from './startup.lock.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tillstream-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const UNUSED_PID = 2_147_483_646;

describe('The start lock', () => {
  it('lets one process work at a time, and leaves no file', async () => {
    let inside = 0;
    let maxInside = 0;
    const work = async () => {
      maxInside = Math.max(maxInside, ++inside);
      await setTimeout(15);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => withStartupLock(directory, work)));
    expect(maxInside).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is released when the work fails', async () => {
    await expect(withStartupLock(directory, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(withStartupLock(directory, () => Promise.resolve(1))).resolves.toBe(1);
  });

  it('of a process that died on this machine is removed at once, by one of the waiting processes', async () => {
    writeFileSync(join(directory, 'start.lock'), `${UNUSED_PID} ${hostname()} 0123456789abcdef`);
    let inside = 0;
    let maxInside = 0;
    const work = async () => {
      maxInside = Math.max(maxInside, ++inside);
      await setTimeout(5);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 4 }, () => withStartupLock(directory, work)));
    expect(maxInside).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('of another machine is removed when it is old', async () => {
    const lock = join(directory, 'start.lock');
    writeFileSync(lock, `${UNUSED_PID} elsewhere 0123456789abcdef`);
    let done = false;
    const work = withStartupLock(directory, () => {
      done = true;
      return Promise.resolve();
    });
    await setTimeout(80);
    expect(done).toBe(false);
    const old = Date.now() / 1000 - 60;
    utimesSync(lock, old, old);
    await work;
    expect(done).toBe(true);
  });
});
