import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorDetail } from '@tillstream/contracts';
import { repeatedName, type RepeatedName } from '@tillstream/platform';
import { received, shownName } from '../validation/received.text.js';
import { unsupportedPayload, type ApiError } from './api.error.js';
import type { ApiRequest } from './api.request.js';
import { parseExactly } from './exact.numbers.js';

/** `docs/spec/README.md#values`. */
export const MAX_BODY_BYTES = 100_000;

/** The bytes as they were sent: the fingerprint of an `Idempotency-Key` is computed from them. */
export function readBody(request: ApiRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
      request.resume();
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      // The rest is read and discarded, so that the client reads the response.
      else reject(tooLarge());
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => reject(cutOff()));
    request.on('aborted', () => reject(cutOff()));
  });
}

const tooLarge = () =>
  unsupportedPayload('The body is too large.', `received more, allowed ${MAX_BODY_BYTES} bytes`);

const cutOff = () =>
  unsupportedPayload('The body ended before it was complete.', 'received a part, allowed the whole body');

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;
const ALLOWED = 'allowed a JSON object in UTF-8';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body of a request that may write. `RequestPipe` turns it into the DTO of the controller's method. */
export class ReceivedBody {
  /** The DTO, once the pipe accepted the body. */
  dto: object = {};

  constructor(
    readonly bytes: Buffer,
    private readonly headers: IncomingHttpHeaders,
    /** Of the query parameters: they are reported together with those of the fields. */
    readonly queryErrors: readonly ErrorDetail[],
    /** What follows the validation of the body and precedes the controller's method. */
    readonly whenValid: () => Promise<void>,
  ) {}

  get isEmpty(): boolean {
    return this.bytes.length === 0;
  }

  /**
   * The JSON object of a body that is not empty.
   *
   * @throws ApiError 2900 where it is not a JSON object in UTF-8, or a name is twice in one object
   */
  parse(): Readonly<Record<string, unknown>> {
    const { 'content-type': type, 'content-encoding': encoding = 'identity' } = this.headers;
    if (!JSON_TYPE.test(type ?? '')) {
      const details = `${received(type)} as content type, allowed application/json, in UTF-8`;
      throw unsupportedPayload('The content type of the body must be application/json.', details);
    }
    if (encoding !== 'identity') {
      const details = `${received(encoding)} as content encoding, allowed none`;
      throw unsupportedPayload('The body must not be compressed.', details);
    }
    let text: string;
    let value: unknown;
    try {
      text = utf8.decode(this.bytes);
      value = parseExactly(text);
    } catch {
      throw unsupportedPayload('The body is not JSON.', `received something else, ${ALLOWED}`);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw unsupportedPayload('The body must be a JSON object.', `${received(value)}, ${ALLOWED}`);
    }
    const repeated = repeatedName(text);
    if (repeated) throw twoEqualNames(repeated);
    return value as Readonly<Record<string, unknown>>;
  }
}

export const emptyBody = (): ApiError =>
  unsupportedPayload('The body is empty; a JSON object is required.', `received nothing, ${ALLOWED}`);

/** Names the place and no value: neither of the two values is the intended one. */
function twoEqualNames({ name, path }: RepeatedName): ApiError {
  const shown = shownName(name);
  const message = `The name ${shown} is twice in one object of the body.`;
  const details = `received the name ${shown} twice, allowed once in each object`;
  return unsupportedPayload(message, details, shownName(pathText(path)));
}

/** `amountBreakdown.tip`, and `items[2].tip` inside a list. */
function pathText(path: RepeatedName['path']): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
