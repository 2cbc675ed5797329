import { formatCount } from '@tillstream/platform/command-line';
import type { VaultStatus } from '@tillstream/vault';

/** The lines that `status` prints. */
export function statusLines(file: string, { versions, destroyed }: VaultStatus): readonly string[] {
  const current = versions.at(-1)?.version;
  const subjects = versions.reduce((sum, version) => sum + version.subjects, 0);
  const lines = versions.map((one) => {
    const name = `version ${one.version} of the master key, since ${one.registeredAt}`;
    if (one.version === current) return `${name}, the current one: ${counted(one.subjects)}`;
    if (one.retiredAt === undefined) return `${name}: ${counted(one.subjects)}`;
    return `${name}, retired ${one.retiredAt}: its key can be removed from the configuration`;
  });
  const underWay = versions.some((one) => one.version !== current && one.retiredAt === undefined);
  return [
    `${file}: ${counted(subjects)} with keys, ${formatCount(destroyed)} destroyed`,
    ...lines,
    underWay
      ? 'A rotation is under way: npm run vault -- rotate continues it. Keep every key until it is complete.'
      : 'No rotation is under way.',
  ];
}

export function counted(subjects: number): string {
  return `${formatCount(subjects)} ${subjects === 1 ? 'subject' : 'subjects'}`;
}
