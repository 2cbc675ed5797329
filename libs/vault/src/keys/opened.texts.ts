import { openSealedText } from '../encryption/sealed-text.js';
import { isSubject } from '../subject.name.js';
import type { CardAndText, Sealed } from '../vault.port.js';
import { decryptCard } from './stored.card.js';
import type { SubjectKeys } from './subject.keys.js';

/** One text per item, in order; undefined if its key was destroyed or the item is damaged. */
export function openTexts(keys: SubjectKeys, sealed: readonly Sealed[]): (string | undefined)[] {
  const bySubject = new Map<string, Buffer | undefined>();
  const opened = sealed.map((item) => {
    if (!bySubject.has(item.keyId)) bySubject.set(item.keyId, findPersonalKey(keys, item.keyId));
    const key = bySubject.get(item.keyId);
    return key && openSealedText(key, item);
  });
  for (const key of bySubject.values()) key?.fill(0);
  return opened;
}

export function openCardAndText(keys: SubjectKeys, subject: string, sealed: Sealed | undefined): CardAndText {
  const found = keys.findAll(subject, ['Card', 'Personal']);
  if (found === undefined) return { card: undefined, text: undefined };
  const { Card, Personal } = found.keys;
  const text = sealed && Personal && openSealedText(Personal, sealed);
  Personal?.fill(0);
  return { card: Card && decryptCard(found.row, Card), text };
}

function findPersonalKey(keys: SubjectKeys, subject: string): Buffer | undefined {
  return isSubject(subject) ? keys.find(subject, 'Personal')?.key : undefined;
}
