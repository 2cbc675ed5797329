import type { SandboxFacts } from '@tillstream/contracts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A whole answer, byte for byte. A broken connection is none. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
  readonly headers: Headers;
}

export interface CallOptions {
  /** A text is sent as it is. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 20_000;

/** Any call of the merchant's or, below `/admin`, the operator's interface, on any of the processes. */
export class MerchantCalls {
  constructor(
    private readonly keys: Pick<SandboxFacts, 'apiKey' | 'adminKey'>,
    /** Told every whole answer. */
    private readonly hear: (path: string, reply: Reply) => void = () => undefined,
  ) {}

  /** Undefined where no whole answer came: then nothing is known. */
  async send(
    origin: string,
    method: Method,
    path: string,
    { body, headers = {}, timeoutMs = TIMEOUT_MS }: CallOptions = {},
  ): Promise<Reply | undefined> {
    const { apiKey, adminKey } = this.keys;
    try {
      const response = await fetch(origin + path, {
        method,
        headers: {
          'x-api-key': path.startsWith('/admin') ? adminKey : apiKey,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const replayed = response.headers.get('idempotent-replayed') === 'true';
      const { status, headers: told } = response;
      const reply = { status, text: await response.text(), replayed, headers: told };
      this.hear(path, reply);
      return reply;
    } catch {
      return undefined;
    }
  }
}

/** For complaints. */
export const saidBy = (reply: Reply | undefined): string =>
  reply ? `${reply.status} ${reply.text.slice(0, 300)}` : 'nothing';
