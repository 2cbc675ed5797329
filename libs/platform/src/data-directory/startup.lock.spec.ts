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

const NOBODY = 2_147_483_646;

describe('The start lock', () => {
  it('lets one at a time do its work, and leaves nothing behind', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await setTimeout(15);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => withStartupLock(directory, work)));
    expect(most).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is given back when the work fails', async () => {
    await expect(withStartupLock(directory, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(withStartupLock(directory, () => Promise.resolve(1))).resolves.toBe(1);
  });

  it('of a process that died on this machine is taken at once, by one of those who wait', async () => {
    writeFileSync(join(directory, 'start.lock'), `${NOBODY} ${hostname()} 0123456789abcdef`);
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await setTimeout(5);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 4 }, () => withStartupLock(directory, work)));
    expect(most).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('of another machine is taken once it is old', async () => {
    const lock = join(directory, 'start.lock');
    writeFileSync(lock, `${NOBODY} elsewhere 0123456789abcdef`);
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
