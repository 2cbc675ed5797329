import {
  signalExitCode,
  formatCount,
  Progress,
  vaultLocation,
  withStores,
  type Config,
  type VaultLocation,
} from '@tillstream/platform';
import type { RotationResult, SqliteVault } from '@tillstream/vault';
import { counted } from './status.report.js';
import type { VaultCommandWorld } from './vault.command.js';

/** Begins a rotation, or goes on with the one that is under way. Gives the exit code. */
export function rotate(config: Config, world: VaultCommandWorld): Promise<number> {
  const place = vaultLocation(config);
  return withStores(config, { access: 'write' }, async (stores) =>
    rotateIn((await stores.vault()).vault, place, world),
  );
}

async function rotateIn(
  vault: SqliteVault,
  place: VaultLocation,
  { terminal, signal }: VaultCommandWorld,
): Promise<number> {
  if (!(await isBegun(vault, place))) {
    terminal.error(
      `${place.name} has the current key first, so there is nothing to rotate to. Where a rotation has just finished, that is right, and older keys can be taken out. To begin one, put a new key first and this one second, with a comma between them (openssl rand -base64 32 makes one).`,
    );
    return 2;
  }
  const { progress } = terminal;
  const bar = new Progress(
    { note: (text) => terminal.error(text), ...(progress && { replace: progress }) },
    'subjects',
  );
  const result = await vault
    .rotate({
      signal,
      onProgress: ({ done, total }) => bar.setProgress(done, total),
      onComplete: (isCurrent) => place.keyFile?.keepOnly(isCurrent),
    })
    .finally(() => bar.end());
  return report(result, place, { terminal, signal });
}

/** Whether there is something to wrap anew, or to retire, now. */
async function isBegun(vault: SqliteVault, { keyFile }: VaultLocation): Promise<boolean> {
  const { underWay } = await vault.startRotation((before) => {
    const [first] = keyFile?.read() ?? [];
    // Not while one is under way; nor after a key was put first of which the vault has not heard.
    if (first && before.isCurrent(first) && !before.underWay) keyFile?.addKey();
  });
  return underWay;
}

function report(
  { kind, version, done, left }: RotationResult,
  { name, keyFile, file }: VaultLocation,
  { terminal, signal }: Pick<VaultCommandWorld, 'terminal' | 'signal'>,
): number {
  switch (kind) {
    case 'Complete':
      terminal.line(
        `${file}: everything hangs on version ${version} of the master key now, ${counted(done)} wrapped anew. ` +
          (keyFile
            ? `The old key was taken out of ${keyFile.path}.`
            : `The old key can be taken out of ${name}, of every process.`) +
          ' Back up vault and key anew, apart from each other: backups made before open with the old key only.',
      );
      return 0;
    case 'Damaged':
      terminal.error(
        `${counted(left)} in ${file} can not be unwrapped, being damaged, and hang on an older master key still, which therefore stays; ${formatCount(done)} others hang on version ${version} now. Restore ${file} from a backup, or destroy what is damaged, and run the same command again.`,
      );
      return 1;
    case 'Interrupted':
      terminal.error(
        `Interrupted. ${counted(done)} wrapped anew now, ${formatCount(left)} not yet under version ${version} of the master key; both keys are needed until the same command, run again, has finished.`,
      );
      return signalExitCode(signal);
  }
}
