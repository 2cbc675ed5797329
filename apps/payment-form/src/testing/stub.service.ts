import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ErrorEnvelope, FormProgress, FormSession } from '@tillstream/contracts';
import { formSession, SESSION_ID } from './sessions.fixture.js';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
/** As the service sends it (docs/payment-form.md). */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'";
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

export interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}
/** Executes a call. `lost`: the connection ends without an answer; `lostAfter`: with one that never arrives. */
export type Behaviour = (
  stub: StubService,
) => Answer | 'lost' | { readonly lostAfter: Answer } | Promise<Answer>;

type Execution = (stub: StubService) => Answer;

export interface ReceivedSubmission {
  readonly key: string;
  readonly body: unknown;
}

/** The page's files and the calls of one form, on a port of this machine. */
export class StubService {
  session: FormSession = formSession();
  /** For the next calls, in this order; then every submission is approved. */
  readonly behaviours: Behaviour[] = [];
  readonly submissions: ReceivedSubmission[] = [];
  readonly loads: string[] = [];
  /** `down`: no call of the form gets an answer. */
  line: 'up' | 'down' = 'up';
  private readonly kept = new Map<string, Answer>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<StubService> {
    const server = createServer((request, response) => {
      stub.respond(request, response).catch(() => response.destroy());
    });
    const stub = new StubService(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return stub;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get address(): string {
    return `${this.origin}/pay/${SESSION_ID}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Back to a form that waits. */
  reset(part: Partial<FormSession> = {}): void {
    this.session = formSession(part);
    this.behaviours.length = 0;
    this.submissions.length = 0;
    this.loads.length = 0;
    this.line = 'up';
    this.kept.clear();
  }

  /** Changes the session, and answers with its progress. */
  progress(part: Partial<FormSession>): Answer {
    this.session = { ...this.session, ...part };
    return { status: 200, body: this.session satisfies FormProgress };
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.origin);
    const call = pathname.startsWith(`/pay/${SESSION_ID}/`) ? pathname.split('/').at(-1) : undefined;
    if (call === undefined) return this.sendFile(pathname, response);
    if (this.line === 'down') return void response.destroy();
    if (call === 'session') {
      this.loads.push(pathname);
      return send(response, { status: 200, body: this.session });
    }
    const body: unknown = await json(request);
    const key = String(request.headers['idempotency-key'] ?? '');
    if (call === 'submit') this.submissions.push({ key, body });
    const answer = this.kept.get(key) ?? (await (this.behaviours.shift() ?? byDefault(call))(this));
    if (answer === 'lost') return void response.destroy();
    const known = 'lostAfter' in answer ? answer.lostAfter : answer;
    if (call === 'submit' && known.status === 200) this.kept.set(key, known);
    if ('lostAfter' in answer) return void response.destroy();
    send(response, answer);
  }

  private sendFile(pathname: string, response: ServerResponse): void {
    const file = pathname.startsWith('/pay/assets/') ? pathname.slice('/pay/'.length) : 'index.html';
    if (pathname === '/parent' || !existsSync(join(DIST, file))) return void response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    createReadStream(join(DIST, file)).pipe(response);
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(JSON.stringify(body));
}

const byDefault =
  (call: string): Behaviour =>
  (stub) =>
    call === 'cancel' ? cancelled(stub) : approved(stub);

export const approved: Execution = (stub) =>
  stub.progress({ status: 'Completed', resultCode: 0, responseCode: 1, resultText: 'Approved.' });
export const cancelled: Execution = (stub) =>
  stub.progress({ status: 'Cancelled', resultCode: 55, resultText: 'The customer cancelled the payment.' });
export const declined =
  (responseCode: number, resultCode = 6900): Execution =>
  (stub) => {
    const triesLeft = stub.session.triesLeft - 1;
    return stub.progress({
      status: triesLeft > 0 ? 'Pending' : 'Completed',
      resultCode,
      responseCode,
      triesLeft,
    });
  };
export const error =
  (
    status: number,
    envelope: Partial<ErrorEnvelope>,
    headers: Readonly<Record<string, string>> = {},
  ): Behaviour =>
  () => ({ status, body: { status: 'Rejected', errorDetails: [], ...envelope }, headers });
export const lost: Behaviour = () => 'lost';
/** Executed, but the answer never arrives. */
export const lostAfter =
  (execution: Execution): Behaviour =>
  (stub) => ({ lostAfter: execution(stub) });
