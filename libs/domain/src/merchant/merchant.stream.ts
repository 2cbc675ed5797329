export const merchantStream = (merchantId: string): string => `merchant-${merchantId}`;

/** The form of the service's own `mer_` ids. */
export function isMerchantId(text: string): boolean {
  return /^mer_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}
