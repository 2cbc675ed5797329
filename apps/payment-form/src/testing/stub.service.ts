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
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'";
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

/** Of the bank, for a challenge. */
const BANK_PAGE = `<!doctype html><html lang="en"><title>Bank</title><main><h1>Bank</h1>
<button>Done</button></main><script src="/bank.js"></script></html>`;
const BANK_SCRIPT = `document.querySelector('button').onclick = () =>
  parent.postMessage({ source: 'three-ds', type: 'done' }, location.origin);`;

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
  /** The bodies of the calls that asked for the result of a challenge. */
  readonly challenges: unknown[] = [];
  /** `silent`: the page of the bank never answers. */
  bank: 'up' | 'silent' = 'up';
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
    this.challenges.length = 0;
    this.line = 'up';
    this.bank = 'up';
    this.kept.clear();
  }

  /** Changes the session, and answers with its progress. */
  progress(part: Partial<FormSession>): Answer {
    const { threeDsChallenge: _over, ...rest } = this.session;
    this.session = part.resultCode === undefined ? this.session : { ...rest, ...part };
    return { status: 200, body: this.session satisfies FormProgress };
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.origin);
    const call = pathname.startsWith(`/pay/${SESSION_ID}/`) ? pathname.split('/').at(-1) : undefined;
    if (pathname.startsWith('/bank')) return this.sendBank(pathname, response);
    if (call === undefined) return this.sendFile(pathname, response);
    if (this.line === 'down') return void response.destroy();
    if (call === 'session') {
      this.loads.push(pathname);
      return send(response, { status: 200, body: this.session });
    }
    await this.execute(call, request, response);
  }

  private async execute(call: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: unknown = await json(request);
    const key = String(request.headers['idempotency-key'] ?? '');
    if (call === 'submit') this.submissions.push({ key, body });
    if (call === 'challenge') this.challenges.push(body);
    const answer = this.kept.get(key) ?? (await (this.behaviours.shift() ?? byDefault(call))(this));
    if (answer === 'lost') return void response.destroy();
    const known = 'lostAfter' in answer ? answer.lostAfter : answer;
    if (call === 'submit' && known.status === 200) this.kept.set(key, known);
    if ('lostAfter' in answer) return void response.destroy();
    send(response, answer);
  }

  private sendBank(pathname: string, response: ServerResponse): void {
    if (this.bank === 'silent') return;
    const isScript = pathname.endsWith('.js');
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? BANK_SCRIPT : BANK_PAGE);
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
  (stub) => {
    if (call === 'cancel') return cancelled(stub);
    // The cardholder has not answered the bank yet.
    return call === 'challenge' ? stub.progress({}) : approved(stub);
  };

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
/** With 10 minutes to answer. */
export const challenged: Execution = (stub) =>
  stub.progress({
    resultCode: 4100,
    threeDsChallenge: {
      redirectUrl: `${stub.origin}/bank/acs`,
      expiresAt: new Date(Date.parse(stub.session.now) + 10 * 60_000).toISOString(),
    },
  });
export const submitted: Execution = (stub) =>
  stub.progress({ status: 'Processing', resultCode: 0, responseCode: 57 });
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
