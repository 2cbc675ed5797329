import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerPrograms } from './server.programs.js';

export const SUPERUSER = 'tester';

/**
 * Makes `data` in the folder, the files of a new server. The account of the programs owns the folder. `initdb` takes a
 * second of processor time, a copy some hundredths: the servers of a machine start with copies of one template in its
 * folder of temporary files.
 *
 * @returns the password of the superuser
 */
export function createCluster(programs: ServerPrograms, folder: string): string {
  const template = templateOf(programs);
  if (!existsSync(join(template, 'data/global/pg_control'))) makeTemplate(programs, template);
  execFileSync('cp', ['-a', join(template, 'data'), folder], {
    ...programs.account,
    cwd: folder,
    stdio: 'pipe',
  });
  return readFileSync(join(template, 'password'), 'utf8');
}

/** Another one for each version of the programs, and for each account. */
function templateOf({ folder, account }: ServerPrograms): string {
  const { mtimeMs, size } = statSync(join(folder, 'initdb'));
  const made = [folder, mtimeMs, size, account?.uid ?? process.getuid?.()].join(' ');
  const key = createHash('sha256').update(made).digest('hex').slice(0, 16);
  return join(tmpdir(), `tillstream-pg-template-${key}`);
}

function makeTemplate({ folder: programs, account }: ServerPrograms, template: string): void {
  const folder = mkdtempSync(`${template}-`);
  const password = join(folder, 'password');
  writeFileSync(password, randomUUID(), { mode: 0o600 });
  if (account) for (const path of [folder, password]) chownSync(path, account.uid, account.gid);
  const login = ['-U', SUPERUSER, '-A', 'scram-sha-256', '--pwfile', password];
  execFileSync(
    join(programs, 'initdb'),
    ['-D', join(folder, 'data'), ...login, '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...account, cwd: folder, stdio: 'pipe' },
  );
  try {
    // Other processes see the whole template or none.
    renameSync(folder, template);
  } catch {
    // Another process made it first.
    rmSync(folder, { recursive: true, force: true });
  }
}
