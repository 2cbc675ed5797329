const MAX_LOCAL_LENGTH = 64;
const MAX_LABEL_LENGTH = 63;
/** Letters and digits of any script, and what else stands in an address without quotes. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

/** One local part, and a domain with a dot. Whether mail arrives is not checked. */
export function isEmailForm(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    local.length <= MAX_LOCAL_LENGTH &&
    LOCAL.test(local) &&
    !local.startsWith('.') &&
    !local.endsWith('.') &&
    !local.includes('..') &&
    labels.length >= 2 &&
    labels.every((label) => label.length <= MAX_LABEL_LENGTH && LABEL.test(label))
  );
}
