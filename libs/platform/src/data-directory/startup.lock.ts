import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createPrivateFile } from '../files/private-files.js';

const RETRY_MS = 25;
/** Far longer than a start. A lock of another machine that is older belongs to a process that died. */
const STALE_MS = 30_000;

/**
 * Runs the part of a start that only one process may do at a time on a data directory. The lock of a process that died is
 * removed: at once on the same machine, after 30 s on another one.
 */
export async function withStartupLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = join(dataDir, 'start.lock');
  const ownContent = `${process.pid} ${hostname()} ${randomBytes(8).toString('hex')}`;
  while (!createPrivateFile(lock, ownContent)) {
    removeIfStale(lock);
    await setTimeout(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    if (readLock(lock) === ownContent) unlinkSync(lock);
  }
}

function removeIfStale(lock: string): void {
  const content = readLock(lock);
  if (content === undefined || !isStale(lock, content)) return;
  // Several processes may see the same dead owner. Only one may remove the lock, as another process may hold a new one.
  const claim = `${lock}.${content.slice(-16)}`;
  if (!createPrivateFile(claim, '')) {
    if (isOld(claim)) unlinkSync(claim);
    return;
  }
  try {
    if (readLock(lock) === content) unlinkSync(lock);
  } finally {
    unlinkSync(claim);
  }
}

function isStale(lock: string, content: string): boolean {
  const [pid, host] = content.split(' ');
  return (host === hostname() && !isAlive(Number(pid))) || isOld(lock);
}

function isOld(file: string): boolean {
  try {
    return Date.now() - statSync(file).mtimeMs > STALE_MS;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readLock(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return undefined;
  }
}
