import type { AdminKeyItem, ApiKeyItem } from '@tillstream/contracts';
import type { IssuedAdminKey } from '@tillstream/payments';
import type { Terminal } from '@tillstream/platform/command-line';

type ListedKey = ApiKeyItem | AdminKeyItem;

export function printKeys(terminal: Terminal, json: boolean, keys: readonly ListedKey[]): void {
  if (json) return terminal.line(JSON.stringify({ data: keys }, null, 2));
  if (keys.length === 0) terminal.line('There is none.');
  const widest = Math.max(...keys.map(({ name }) => name.length));
  for (const key of keys) terminal.line(`${key.id}  ${key.name.padEnd(widest)}  ${factsOf(key)}`);
}

function factsOf(key: ListedKey): string {
  const {
    lastFour,
    readOnly,
    createdAt,
    createdBy,
    revokedAt,
    revokedBy,
  }: Partial<ApiKeyItem & AdminKeyItem> = key;
  const by = (name: string | undefined): string => (name === undefined ? '' : ` by ${name}`);
  return [
    `…${lastFour}`,
    ...(readOnly === true ? ['read-only'] : []),
    `made ${createdAt}${by(createdBy)}`,
    ...(revokedAt === undefined ? [] : [`revoked ${revokedAt}${by(revokedBy)}`]),
  ].join(', ');
}

/** Prints the secret, which is shown here only. */
export function printIssued(
  terminal: Terminal,
  json: boolean,
  { keyId: id, ...issued }: IssuedAdminKey,
): void {
  if (json) return terminal.line(JSON.stringify({ id, ...issued }, null, 2));
  terminal.error(`${id} "${issued.name}" works from now on. Keep it: it is shown only here.`);
  terminal.line(issued.key);
}
