import { createHash } from 'node:crypto';

/** As the holder's stream keeps it. */
export function externalIdHash(externalId: string): string {
  return createHash('sha256').update(externalId).digest('hex');
}
