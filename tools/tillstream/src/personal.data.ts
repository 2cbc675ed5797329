import type { JsonObject, JsonValue } from '@tillstream/event-store';
import type { Sealed, Vault } from '@tillstream/vault';

/** Sealed personal data in an event. */
export interface SealedPlace {
  /** Such as `paymentMethod.personal`. */
  readonly path: string;
  readonly sealed: Sealed;
}

/** `Gone`: the key was destroyed, and the data can't be read any more. */
export type OpenedPlace =
  | { readonly path: string; readonly status: 'Opened'; readonly value: unknown }
  | { readonly path: string; readonly status: 'Gone' };

/** Finds all sealed values in the data of an event. */
export function sealedIn(data: JsonObject): readonly SealedPlace[] {
  const found: SealedPlace[] = [];
  const visit = (value: JsonValue | undefined, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const sealed = Array.isArray(value) ? undefined : asSealed(value as JsonObject);
    if (sealed) {
      found.push({ path, sealed });
      return;
    }
    for (const [name, inner] of Object.entries(value as JsonObject))
      visit(inner, path === '' ? name : `${path}.${name}`);
  };
  visit(data, '');
  return found;
}

function asSealed({ keyId, iv, ciphertext }: JsonObject): Sealed | undefined {
  return typeof keyId === 'string' && typeof iv === 'string' && typeof ciphertext === 'string'
    ? { keyId, iv, ciphertext }
    : undefined;
}

/** Opens the sealed values of each event. `vault` may be undefined if there are none. @throws VaultError */
export async function openPersonal(
  vault: Vault | undefined,
  places: readonly (readonly SealedPlace[])[],
): Promise<readonly (readonly OpenedPlace[])[]> {
  const opened: (readonly OpenedPlace[])[] = [];
  for (const some of places) {
    const texts = some.length === 0 ? [] : ((await vault?.open(some.map(({ sealed }) => sealed))) ?? []);
    opened.push(some.map(({ path }, index) => openedPlace(path, texts[index])));
  }
  return opened;
}

function openedPlace(path: string, text: string | undefined): OpenedPlace {
  if (text === undefined) return { path, status: 'Gone' };
  try {
    return { path, status: 'Opened', value: JSON.parse(text) as unknown };
  } catch {
    return { path, status: 'Opened', value: text };
  }
}
