import type { SandboxFacts } from '@tillstream/contracts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A complete response. A broken connection gives none. */
export interface ApiResponse {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
  readonly headers: Headers;
}

export interface ApiCallOptions {
  /** A string is sent as it is. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 20_000;

/** Calls the API: below `/admin` with the operator's key, otherwise with the merchant's. */
export class ApiClient {
  constructor(
    private readonly keys: Pick<SandboxFacts, 'apiKey' | 'adminKey'>,
    private readonly onResponse: (path: string, response: ApiResponse) => void = () => undefined,
  ) {}

  /** Returns undefined without a complete response; then the client knows nothing of the outcome. */
  async send(
    origin: string,
    method: Method,
    path: string,
    { body, headers = {}, timeoutMs = TIMEOUT_MS }: ApiCallOptions = {},
  ): Promise<ApiResponse | undefined> {
    const { apiKey, adminKey } = this.keys;
    try {
      const http = await fetch(origin + path, {
        method,
        headers: {
          'x-api-key': path.startsWith('/admin') ? adminKey : apiKey,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const response = {
        status: http.status,
        text: await http.text(),
        replayed: http.headers.get('idempotent-replayed') === 'true',
        headers: http.headers,
      };
      this.onResponse(path, response);
      return response;
    } catch {
      return undefined;
    }
  }
}

/** The status and the start of the body, for complaints. */
export const describeResponse = (response: ApiResponse | undefined): string =>
  response ? `${response.status} ${response.text.slice(0, 300)}` : 'nothing';
