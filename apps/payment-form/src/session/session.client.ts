import type {
  BillingContact,
  ErrorEnvelope,
  ShownAuthorization,
  FormBankAccount,
  FormCard,
  FormProgress,
  FormSession,
} from '@tillstream/contracts';

/** A card, or a bank account with the authorization that the customer saw. */
export interface Submission {
  readonly card?: FormCard;
  readonly bankAccount?: FormBankAccount;
  readonly authorization?: ShownAuthorization;
  readonly billingContact: BillingContact;
  readonly email?: string;
  readonly phone?: string;
}

/** `lost`: whether the service received and executed the call is not known. */
export type Reply<Body> =
  | { readonly kind: 'success'; readonly body: Body }
  | ({
      readonly kind: 'error';
      readonly httpStatus: number;
      readonly error: Partial<ErrorEnvelope>;
    } & RetryAfter)
  | { readonly kind: 'lost' };

interface RetryAfter {
  /** Of an answer 429. */
  readonly retryAfterSeconds?: number;
}

const READ_TIMEOUT_MS = 15_000;
/** Longer than the service waits for a processor. */
const SUBMIT_TIMEOUT_MS = 60_000;

/** The calls of the page (`docs/spec/hosted-form.md#calls-of-the-form`). The address holds the credential. */
export class SessionClient {
  /** @param address of the page: `/pay/{sessionId}` */
  constructor(private readonly address: string) {}

  session(): Promise<Reply<FormSession>> {
    return this.call('session', { method: 'GET' }, READ_TIMEOUT_MS);
  }

  /** @param key the same for each repetition of one submission: the service never executes it twice */
  submit(submission: Submission, key: string): Promise<Reply<FormProgress>> {
    return this.call('submit', post(submission, { 'idempotency-key': key }), SUBMIT_TIMEOUT_MS);
  }

  /**
   * Asks for the result of the open challenge; if it is done, the attempt goes on. A repeat never executes it twice.
   *
   * @param cvv undefined if this page was loaded after the submission
   */
  challenge(cvv: string | undefined): Promise<Reply<FormProgress>> {
    return this.call('challenge', post(cvv === undefined ? {} : { cvv }), SUBMIT_TIMEOUT_MS);
  }

  cancel(): Promise<Reply<FormProgress>> {
    return this.call('cancel', post({}), READ_TIMEOUT_MS);
  }

  private async call<Body>(name: string, init: RequestInit, timeoutMs: number): Promise<Reply<Body>> {
    try {
      const response = await fetch(`${this.address}/${name}`, {
        ...init,
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return response.ok
        ? { kind: 'success', body: (await response.json()) as Body }
        : await errorReply(response);
    } catch {
      return { kind: 'lost' };
    }
  }
}

function post(body: object, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** A server error without an envelope comes from a proxy: the service may have executed the call. */
async function errorReply(response: Response): Promise<Reply<never>> {
  const error = await envelopeOf(response);
  const isServerError = response.status >= 500;
  if (isServerError && (error.status === undefined || error.status === 'Unknown')) return { kind: 'lost' };
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return {
    kind: 'error',
    httpStatus: response.status,
    error,
    ...(Number.isNaN(seconds) ? {} : { retryAfterSeconds: seconds }),
  };
}

async function envelopeOf(response: Response): Promise<Partial<ErrorEnvelope>> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
