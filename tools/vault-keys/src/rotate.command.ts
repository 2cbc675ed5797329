import { vaultLocation, withStores, type Config, type VaultLocation } from '@tillstream/platform';
import { signalExitCode, formatCount, ProgressBar } from '@tillstream/platform/command-line';
import type { RotatableVault, RotationResult } from '@tillstream/vault';
import { counted } from './status.report.js';
import type { VaultEnvironment } from './vault.command.js';

/** Starts a rotation, or continues the one that is under way. Returns the exit code. */
export function rotate(config: Config, environment: VaultEnvironment): Promise<number> {
  const place = vaultLocation(config);
  return withStores(config, { access: 'write' }, async (stores) =>
    rotateIn((await stores.vault()).vault, place, environment),
  );
}

async function rotateIn(
  vault: RotatableVault,
  place: VaultLocation,
  { terminal, signal }: VaultEnvironment,
): Promise<number> {
  if (!(await startRotation(vault, place))) {
    terminal.error(
      `${place.name} has the current key first, so there is nothing to rotate to. After a finished rotation this is correct, and older keys can be removed. To start a rotation, put a new key first and this one second, with a comma between them (openssl rand -base64 32 makes one).`,
    );
    return 2;
  }
  const progress = new ProgressBar(terminal, 'subjects');
  progress.start('Wrapping', 0);
  const result = await vault
    .rotate({
      signal,
      onProgress: ({ done, total }) => progress.update(done, total),
      onComplete: (isCurrent) => place.keyFile?.keepOnly(isCurrent),
    })
    .finally(() => progress.stop());
  return report(result, place, { terminal, signal });
}

/** Adds a new key to the key file if none was added yet. Returns whether a rotation is under way now. */
async function startRotation(vault: RotatableVault, { keyFile }: VaultLocation): Promise<boolean> {
  const { underWay } = await vault.startRotation((before) => {
    const [first] = keyFile?.read() ?? [];
    // No new key during a rotation, or if the file already has a first key that the vault does not know.
    if (first && before.isCurrent(first) && !before.underWay) keyFile?.addKey();
  });
  return underWay;
}

function report(
  { kind, version, done, left }: RotationResult,
  { name, keyFile, file }: VaultLocation,
  { terminal, signal }: Pick<VaultEnvironment, 'terminal' | 'signal'>,
): number {
  switch (kind) {
    case 'Complete':
      terminal.line(
        `${file}: everything is under version ${version} of the master key now, ${counted(done)} rewrapped. ` +
          (keyFile
            ? `The old key was removed from ${keyFile.path}.`
            : `The old key can be removed from ${name} in every process.`) +
          ' Back up the vault and the key again, in separate places: earlier backups open with the old key only.',
      );
      return 0;
    case 'Damaged':
      terminal.error(
        `${counted(left)} in ${file} can not be unwrapped, because they are damaged. They stay under an older master key, which is kept; ${formatCount(done)} others are under version ${version} now. Restore ${file} from a backup, or destroy what is damaged, and run the same command again.`,
      );
      return 1;
    case 'Interrupted':
      terminal.error(
        `Interrupted. ${counted(done)} rewrapped, ${formatCount(left)} not yet under version ${version} of the master key. Both keys are needed until the same command has finished.`,
      );
      return signalExitCode(signal);
  }
}
