import type { Terminal } from '@tillstream/platform/command-line';

interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: string;
  readonly createdBy?: string;
  readonly readOnly?: boolean;
  readonly revokedAt?: string;
  readonly revokedBy?: string;
}

export function printKeys(terminal: Terminal, json: boolean, keys: readonly ListedKey[]): void {
  if (json) terminal.line(JSON.stringify({ data: keys }, null, 2));
  else for (const line of keyLines(keys)) terminal.line(line);
}

function keyLines(keys: readonly ListedKey[]): readonly string[] {
  if (keys.length === 0) return ['There is none.'];
  const widest = Math.max(...keys.map(({ name }) => name.length));
  return keys.map((key) => {
    const made = `made ${key.createdAt}${key.createdBy === undefined ? '' : ` by ${key.createdBy}`}`;
    const by = key.revokedBy === undefined ? '' : ` by ${key.revokedBy}`;
    const facts = [
      `…${key.lastFour}`,
      ...(key.readOnly === true ? ['read-only'] : []),
      made,
      ...(key.revokedAt === undefined ? [] : [`revoked ${key.revokedAt}${by}`]),
    ];
    return `${key.id}  ${key.name.padEnd(widest)}  ${facts.join(', ')}`;
  });
}

/** Prints the secret, which is shown here only. */
export function printIssued(
  terminal: Terminal,
  json: boolean,
  issued: { readonly id: string; readonly name: string; readonly key: string; readonly createdAt: string },
): void {
  if (json) return terminal.line(JSON.stringify(issued, null, 2));
  terminal.error(`${issued.id} "${issued.name}" works from now on. Keep it: it is shown only here.`);
  terminal.line(issued.key);
}
