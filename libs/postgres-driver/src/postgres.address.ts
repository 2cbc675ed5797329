/* The address of a database: one URL. TLS and limits are settings of their own, so that the URL can't weaken them. */

const ALLOWED_PARAMETERS: readonly string[] = ['host'];
const NAME_CHARACTERS_MAX = 63;

/**
 * Why the text is no address of a database, in words that contain none of its secrets; undefined if it is one. An address is
 * `postgres://<user>:<password>@<host>:<port>/<database>`, or has the folder of a socket as the parameter `host`.
 */
export function checkDatabaseUrl(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined) return 'it is no URL';
  if (!['postgres:', 'postgresql:'].includes(url.protocol)) return 'it does not begin with postgres://';
  const unknown = [...url.searchParams.keys()].find((name) => !ALLOWED_PARAMETERS.includes(name));
  if (unknown !== undefined) return `the parameter "${unknown}" is not allowed in it`;
  if (url.username === '') return 'it names no user';
  if (url.hash !== '') return 'it has a fragment; a # in a password is written %23';
  const folder = url.searchParams.get('host');
  if (folder !== null && !folder.startsWith('/')) return 'its parameter "host" is no folder of a socket';
  if (folder === null && url.hostname === '') return 'it names no host';
  if (databaseOf(url) === undefined) return 'it names no database';
  return undefined;
}

/** The address without user and password, for logs and messages: `postgres://db.internal:5432/tillstream`. */
export function displayDatabase(text: string): string {
  const url = parseUrl(text);
  if (!url?.protocol.startsWith('postgres')) return 'postgres://?';
  const folder = url.searchParams.get('host');
  return `postgres://${folder ?? `${url.hostname}:${url.port || '5432'}`}/${databaseOf(url) ?? '?'}`;
}

/** Whether the address names a socket of this machine, which needs no TLS. */
export function isSocketAddress(text: string): boolean {
  return parseUrl(text)?.searchParams.has('host') ?? false;
}

/** `localhost` stands in for the missing host of a socket: `URL` accepts no user without a host. */
function parseUrl(text: string): URL | undefined {
  const complete = text.replace(/^([a-z]+:\/\/[^/?#]*@)\//i, '$1localhost/');
  return URL.canParse(complete) ? new URL(complete) : undefined;
}

function databaseOf(url: URL): string | undefined {
  let name: string;
  try {
    name = decodeURIComponent(url.pathname.slice(1));
  } catch {
    return undefined;
  }
  return name.length > 0 && name.length <= NAME_CHARACTERS_MAX && !name.includes('/') ? name : undefined;
}
