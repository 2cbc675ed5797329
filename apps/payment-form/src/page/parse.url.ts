/** Undefined if it is no absolute address. `URL.canParse` is missing in browsers that the build supports. */
export function parseUrl(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
