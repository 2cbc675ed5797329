import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isAnswer, type FuzzRequest, type Heard, type RawRequest, type Silence } from './fuzz.request.js';

const ANSWERED_WITHIN_MS = 30_000;
/** What Node's client says where the server closed an idle connection just when it was used again. */
const CLOSED_UNUSED = new Set(['ECONNRESET', 'EPIPE']);

/** Sends over few connections that are used again, and over raw ones; bounds every wait. */
export class FuzzWire {
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

  async send(asked: FuzzRequest): Promise<Heard | Silence> {
    const heard = await this.once(asked, this.agent);
    // On a connection of its own: what is silent there too is no accident of connections used again.
    return !isAnswer(heard) && CLOSED_UNUSED.has(heard.why) ? this.once(asked, undefined) : heard;
  }

  private once(
    { method, path, headers, body }: FuzzRequest,
    agent: Agent | undefined,
  ): Promise<Heard | Silence> {
    const since = performance.now();
    return new Promise((resolve) => {
      const silent = (why: string): void => resolve({ status: 0, why, ms: performance.now() - since });
      const flat = [['host', `127.0.0.1:${this.port}`], ...headers].flat();
      if (body) flat.push('content-length', String(body.length));
      const sent = httpRequest({
        host: '127.0.0.1',
        port: this.port,
        method,
        path,
        headers: flat,
        agent: agent ?? false,
      });
      sent.setTimeout(ANSWERED_WITHIN_MS, () =>
        sent.destroy(new Error(`no answer in ${ANSWERED_WITHIN_MS} ms`)),
      );
      sent.on('error', (error: NodeJS.ErrnoException) => silent(error.code ?? error.message));
      sent.on('response', (response) => {
        void textOf(response).then(
          (text) =>
            resolve({
              status: response.statusCode ?? 0,
              headers: flatHeaders(response.rawHeaders),
              text,
              ms: performance.now() - since,
            }),
          (error: unknown) => silent(`the answer broke off: ${String(error)}`),
        );
      });
      sent.end(body);
    });
  }

  /** All answers that came on its connection until it was closed, or nothing came for a while. */
  sendRaw({ bytes, then, slowly }: RawRequest, waitMs = 3_000): Promise<readonly (Heard | Silence)[]> {
    const since = performance.now();
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: this.port, allowHalfOpen: true });
      const chunks: Buffer[] = [];
      let timer: NodeJS.Timeout | undefined;
      const over = (): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve(answersIn(Buffer.concat(chunks), performance.now() - since));
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

function textOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    response.on('error', reject);
    response.on('aborted', () => reject(new Error('aborted')));
  });
}

function flatHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) headers[(raw[at] ?? '').toLowerCase()] = raw[at + 1] ?? '';
  return headers;
}

/** One after the other, as a client on the wire cuts them. What can't be cut is a silence that says so. */
export function answersIn(received: Buffer, ms: number): readonly (Heard | Silence)[] {
  const answers: (Heard | Silence)[] = [];
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
