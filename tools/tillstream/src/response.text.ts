const RESPONSE_BYTES_MAX = 1_048_576;

/** The body of a response, which has to be of a bounded size. @throws Error if it is larger */
export async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    if (bytes > RESPONSE_BYTES_MAX) throw new Error(`its response has more than ${RESPONSE_BYTES_MAX} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
