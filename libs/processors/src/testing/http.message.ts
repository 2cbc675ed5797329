const END_OF_HEADERS = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

/** The end of the first HTTP message in `bytes`; undefined while the message is incomplete. */
export function endOfMessage(bytes: Buffer): number | undefined {
  const headersEnd = bytes.indexOf(END_OF_HEADERS);
  if (headersEnd < 0) return undefined;
  const head = bytes.subarray(0, headersEnd).toString('latin1').toLowerCase();
  const bodyAt = headersEnd + END_OF_HEADERS.length;
  if (head.includes('\r\ntransfer-encoding: chunked')) {
    const last = bytes.indexOf(LAST_CHUNK, bodyAt);
    return last < 0 ? undefined : last + LAST_CHUNK.length;
  }
  const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
  return bytes.length >= bodyAt + length ? bodyAt + length : undefined;
}

/** The same response with another body. */
export function withBody(answer: Buffer, body: string): Buffer {
  const status = answer.subarray(0, answer.indexOf('\r\n')).toString('latin1');
  const headers = ['content-type: application/x-ndjson', `content-length: ${Buffer.byteLength(body)}`];
  return Buffer.from(`${[status, ...headers].join('\r\n')}\r\n\r\n${body}`);
}

/** The headers of a response, and half of its body. */
export function truncateBody(answer: Buffer): Buffer {
  const bodyAt = answer.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length;
  return answer.subarray(0, bodyAt + Math.floor((answer.length - bodyAt) / 2));
}
