/** One request over HTTP as Node's client can send it. */
export interface FuzzRequest {
  readonly method: string;
  /** From the first slash on, as it is put into the request line. */
  readonly path: string;
  /** Names can come twice. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Buffer;
}

/** Bytes on a connection of their own. */
export interface RawRequest {
  readonly name: string;
  readonly bytes: Buffer;
  readonly expected: Expected;
  /** What the client does once it has sent them. */
  readonly then: 'wait' | 'half-close' | 'destroy';
  /** Left out: all at once. Bytes of a piece, and the pause after it, ms. */
  readonly slowly?: { readonly piece: number; readonly pauseMs: number };
}

/**
 * `RequestRefused`: 4xx, nothing is written. `Read`: an answer of any kind, nothing is written. `AssignmentResult`: it may be right and
 * write.
 */
export type Expected = 'Refused' | 'Read' | 'Taken';

export interface FuzzCase {
  readonly family: string;
  readonly expected: Expected;
  readonly request: FuzzRequest;
  /** The same with ids that nobody has: its answer must not differ. */
  readonly twin?: FuzzRequest;
  /** What stands for what, when the two answers are compared. */
  readonly same?: readonly (readonly [string, string])[];
}

export interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly ms: number;
}

/** No whole answer: why. */
export interface Silence {
  readonly status: 0;
  readonly why: string;
  readonly ms: number;
}

export const isAnswer = (heard: Heard | Silence): heard is Heard => heard.status !== 0;

const SHOWN = 400;

/** To be sent again by hand: the start of it, with its length. */
export function shownRequest(
  { method, path, headers, body }: FuzzRequest,
  hidden: readonly string[],
): string {
  const keys = headers.map(([name, value]) => `${name}: ${short(value, 120)}`).join(' | ');
  const sent = body === undefined ? '' : ` body(${body.length} B) ${short(printable(body), SHOWN)}`;
  const shown = `${method} ${short(path, SHOWN)} [${keys}]${sent}`;
  return hidden.reduce((text, secret, index) => text.replaceAll(secret, `<key ${index}>`), shown);
}

export const shownBytes = (bytes: Buffer): string => short(printable(bytes), SHOWN);

const printable = (bytes: Buffer): string => JSON.stringify(bytes.subarray(0, 2 * SHOWN).toString('latin1'));

const short = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length})`;
