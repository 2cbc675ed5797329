export const HOLDER_CATEGORY = 'holder';
const ID_PREFIX = 'acc_';
const ID_FORM = /^acc_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The form of the service's own ids: no external id may have it. */
export function isHolderId(text: string): boolean {
  return ID_FORM.test(text);
}

/** Undefined if the text is not an `acc_` id. */
export function streamOfHolder(holderId: string): string | undefined {
  return isHolderId(holderId) ? `${HOLDER_CATEGORY}-${holderId.slice(ID_PREFIX.length)}` : undefined;
}
