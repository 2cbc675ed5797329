export const ROUTING_DIGITS = 9;
const WEIGHTS = [3, 7, 1];

/** The check digit of an ABA routing number: the sum of its digits, weighted 3, 7, 1 in turn, is a multiple of ten. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const sum = [...text].reduce((total, digit, at) => total + Number(digit) * (WEIGHTS[at % 3] ?? 0), 0);
  return sum > 0 && sum % 10 === 0;
}
