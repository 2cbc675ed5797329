import type { SandboxFacts, TransactionResult } from '@tillstream/contracts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A complete response. A broken connection gives none. */
export interface ApiResponse {
  readonly status: number;
  /** Byte for byte. */
  readonly text: string;
  readonly replayed: boolean;
  readonly headers: Headers;
}

type Answer = Pick<ApiResponse, 'status' | 'text'>;

export interface ApiCallOptions {
  /** A string is sent as it is. */
  readonly body?: object | string | undefined;
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
      const { status, headers: answered } = http;
      const replayed = answered.get('idempotent-replayed') === 'true';
      const response = { status, text: await http.text(), replayed, headers: answered };
      this.onResponse(path, response);
      return response;
    } catch {
      return undefined;
    }
  }
}

/** The status and the start of the body, for complaints. */
export const describeResponse = (response: Answer | undefined): string =>
  response ? `${response.status} ${response.text.slice(0, 300)}` : 'nothing';

export function transactionIn({ status, text }: Answer): TransactionResult | undefined {
  return status === 200 ? (JSON.parse(text) as TransactionResult) : undefined;
}

/** Operations that complete without a processor. */
const UNSENT: readonly unknown[] = ['TokenUpdate', 'TokenRemove'];

/** The transaction of a response, if it was approved. */
export function approvedIn(response: Answer | undefined) {
  const result = response && transactionIn(response);
  if (result?.status !== 'Completed') return undefined;
  const [answer] = result.transactionResponses;
  const isApproved = answer ? answer.responseCode === 1 : UNSENT.includes(result.type);
  return isApproved ? result : undefined;
}
