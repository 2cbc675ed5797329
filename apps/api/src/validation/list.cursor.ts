import { createHash } from 'node:crypto';

/** Binds a cursor to its list: in another list, or with other filters, it is invalid. */
export function bindingOf(boundTo: string, sort: string, filters: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(filters)
    .map(([name, value]) => [name, Array.isArray(value) ? [...(value as unknown[])].sort() : value])
    .sort();
  return createHash('sha256')
    .update(JSON.stringify([boundTo, sort, sorted]))
    .digest('hex')
    .slice(0, 16);
}

export function writtenCursor(binding: string, place: string): string {
  return Buffer.from(`${binding}.${place}`, 'utf8').toString('base64url');
}

/** The place in the list; undefined where it is no cursor of this binding. */
export function openedCursor(cursor: string, binding: string, form: RegExp): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const place = text.slice(binding.length + 1);
  return text.startsWith(`${binding}.`) && form.test(place) ? place : undefined;
}
