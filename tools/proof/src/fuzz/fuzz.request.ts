import type { FuzzOperation } from './api.operations.js';
import type { FuzzFixture } from './fuzz.fixture.js';
import type { RandomGenerator } from './random.generator.js';

export const JSON_HEADER = ['content-type', 'application/json'] as const;

/** A request that Node's HTTP client can send. */
export interface FuzzRequest {
  readonly method: string;
  /** As in the request line. */
  readonly path: string;
  /** Names may repeat. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Buffer;
}

/** Bytes for a connection of their own. */
export interface RawRequest {
  readonly name: string;
  readonly bytes: Buffer;
  readonly expected: ExpectedResponse;
  /** What the client does after the last byte. */
  readonly then: 'wait' | 'half-close' | 'destroy';
  /** Bytes of a piece, and the pause after it. Left out: all at once. */
  readonly slowly?: { readonly piece: number; readonly pauseMs: number };
}

/** `Refused`: 4xx, writes nothing. `Read`: any response, writes nothing. `Taken`: may be valid and write. */
export type ExpectedResponse = 'Refused' | 'Read' | 'Taken';

/** The choices of a random case. */
export interface CaseSource {
  readonly operations: readonly FuzzOperation[];
  readonly fixture: FuzzFixture;
  readonly random: RandomGenerator;
}

export interface FuzzCase {
  readonly family: string;
  readonly expected: ExpectedResponse;
  readonly request: FuzzRequest;
  /** The same request with ids that do not exist: its response must be the same. */
  readonly twin?: FuzzRequest;
  /** Ids of request and twin that correspond, for the comparison. */
  readonly same?: readonly (readonly [string, string])[];
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly ms: number;
}

/** Why there is no complete response. */
export interface NoResponse {
  readonly status: 0;
  readonly why: string;
  readonly ms: number;
}

export const isResponse = (response: HttpResponse | NoResponse): response is HttpResponse =>
  response.status !== 0;

const SHOWN = 400;

/** The start of a request, enough to send it again by hand. */
export function shownRequest({ method, path, headers, body }: FuzzRequest): string {
  const keys = headers.map(([name, value]) => `${name}: ${short(value, 120)}`).join(' | ');
  const sent = body === undefined ? '' : ` body(${body.length} B) ${short(printable(body), SHOWN)}`;
  return `${method} ${short(path, SHOWN)} [${keys}]${sent}`;
}

export const shownBytes = (bytes: Buffer): string => short(printable(bytes), SHOWN);

const printable = (bytes: Buffer): string => JSON.stringify(bytes.subarray(0, 2 * SHOWN).toString('latin1'));

const short = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length})`;
