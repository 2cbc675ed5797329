import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import {
  isResponse,
  type FuzzRequest,
  type HttpResponse,
  type RawRequest,
  type NoResponse,
} from './fuzz.request.js';

const RESPONSE_TIMEOUT_MS = 30_000;
/** Errors of Node's client when the server closes an idle connection at its next use. */
const CLOSED_UNUSED = new Set(['ECONNRESET', 'EPIPE']);

/** Sends over a few keep-alive connections, or raw bytes over new ones. Every wait has a limit. */
export class HttpSender {
  private readonly agent: Agent;

  constructor(
    private readonly port: number,
    connections: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  close(): void {
    this.agent.destroy();
  }

  async send(request: FuzzRequest): Promise<HttpResponse | NoResponse> {
    const response = await this.once(request, this.agent);
    // A new connection excludes the race with a closed keep-alive connection.
    return !isResponse(response) && CLOSED_UNUSED.has(response.why) ? this.once(request) : response;
  }

  private once(
    { method, path, headers, body }: FuzzRequest,
    agent: Agent | false = false,
  ): Promise<HttpResponse | NoResponse> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const silent = (why: string): void => resolve({ status: 0, why, ms: performance.now() - startedAt });
      const flat = [['host', `127.0.0.1:${this.port}`], ...headers].flat();
      if (body) flat.push('content-length', String(body.length));
      const sent = httpRequest({ host: '127.0.0.1', port: this.port, method, path, headers: flat, agent });
      sent.setTimeout(RESPONSE_TIMEOUT_MS, () =>
        sent.destroy(new Error(`no answer in ${RESPONSE_TIMEOUT_MS} ms`)),
      );
      sent.on('error', (error: NodeJS.ErrnoException) => silent(error.code ?? error.message));
      sent.on('response', (response) => {
        const { statusCode: status = 0, rawHeaders } = response;
        void textOf(response).then(
          (text) =>
            resolve({ status, headers: flatHeaders(rawHeaders), text, ms: performance.now() - startedAt }),
          (error: unknown) => silent(`the answer broke off: ${String(error)}`),
        );
      });
      sent.end(body);
    });
  }

  /** Returns all responses until the connection closes or is silent for `waitMs`. */
  sendRaw(
    { bytes, then, slowly }: RawRequest,
    waitMs = 3_000,
  ): Promise<readonly (HttpResponse | NoResponse)[]> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: this.port, allowHalfOpen: true });
      const chunks: Buffer[] = [];
      let timer: NodeJS.Timeout | undefined;
      const over = (): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve(parseResponses(Buffer.concat(chunks), performance.now() - startedAt));
      };
      const wait = (): void => {
        clearTimeout(timer);
        timer = setTimeout(over, waitMs);
      };
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        wait();
      });
      socket.on('end', over);
      socket.on('close', over);
      socket.on('error', () => undefined);
      socket.on('connect', () => {
        void written(socket, bytes, slowly).then(() => {
          if (then === 'half-close') socket.end();
          if (then === 'destroy') return over();
          wait();
        });
      });
    });
  }
}

async function written(
  socket: ReturnType<typeof connect>,
  bytes: Buffer,
  slowly: RawRequest['slowly'],
): Promise<void> {
  const piece = slowly?.piece ?? bytes.length;
  for (let at = 0; at < bytes.length && socket.writable; at += piece) {
    await new Promise<void>((done) => socket.write(bytes.subarray(at, at + piece), () => done()));
    if (slowly) await pause(slowly.pauseMs);
  }
}

function flatHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) headers[(raw[at] ?? '').toLowerCase()] = raw[at + 1] ?? '';
  return headers;
}

/** Splits the bytes of a connection into responses; a rest that is no HTTP becomes a `NoResponse`. */
export function parseResponses(received: Buffer, ms: number): readonly (HttpResponse | NoResponse)[] {
  const answers: (HttpResponse | NoResponse)[] = [];
  let rest = received;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})( |$)/.exec(first)?.[1] ?? 0);
    if (end < 0 || status === 0)
      return [...answers, { status: 0, why: `no HTTP: ${first.slice(0, 80)}`, ms }];
    const headers = flatHeaders(
      lines.flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (status >= 200) answers.push({ status, headers, text: body.toString('utf8'), ms });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}
