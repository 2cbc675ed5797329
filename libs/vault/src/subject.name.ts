const SUBJECT = /^[\x21-\x7e]{1,200}$/;

/** Printable ASCII, so that the name is the same text in memory, in the file and in the context of a box. */
export const isSubject = (text: string): boolean => SUBJECT.test(text);

/** @throws RangeError */
export function checkSubject(text: string): void {
  if (!isSubject(text))
    throw new RangeError('A subject of the vault is 1 to 200 printable ASCII characters.');
}
