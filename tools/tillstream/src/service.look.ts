import type { HealthCheck, Readiness } from '@tillstream/contracts';

const WITHIN_MS = 3_000;
const MOST_BYTES = 1_048_576;

/** The running service as it can be seen without a key. */
export interface ServiceLook {
  readonly url: string;
  readonly reachable: boolean;
  readonly ready: boolean;
  /** Why it is not ready, or can't be reached. */
  readonly reasons: readonly string[];
  /** What somebody should look at all the same. */
  readonly warnings: readonly string[];
  readonly version?: string;
  readonly apiVersion?: string;
  /** Of its events (`historyFingerprint`), where it tells. */
  readonly history?: string;
}

/** Asks a service whether it is ready. Never rejects: what does not answer within 3 s is not reachable. */
export async function lookAtService(origin: string): Promise<ServiceLook> {
  const away = (reason: string): ServiceLook => ({
    url: origin,
    reachable: false,
    ready: false,
    reasons: [reason],
    warnings: [],
  });
  try {
    const answer = await asked(origin, '/health/ready');
    const readiness = readinessOf(answer.text);
    if (!readiness) return away('something else than this service answers there');
    const { status, reasons, checks } = readiness;
    const told = await toldAmongMetrics(origin);
    return {
      url: origin,
      reachable: true,
      ready: status === 'ready',
      reasons,
      warnings: checks.filter(({ state }) => state === 'warning').map(({ name, reason }) => reason ?? name),
      ...told,
      ...(answer.apiVersion !== undefined && { apiVersion: answer.apiVersion }),
    };
  } catch (error) {
    return away(whyNot(error));
  }
}

async function asked(
  origin: string,
  path: string,
): Promise<{ readonly text: string; readonly apiVersion?: string }> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  const response = await fetch(`${origin}${path}`, { signal, redirect: 'manual' });
  const apiVersion = response.headers.get('x-api-version') ?? undefined;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`its answer has more than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return { text: Buffer.concat(parts).toString('utf8'), ...(apiVersion !== undefined && { apiVersion }) };
}

function readinessOf(text: string): Readiness | undefined {
  try {
    const { status, reasons, checks = [] } = JSON.parse(text) as Partial<Readiness>;
    if ((status !== 'ready' && status !== 'unavailable') || !isTexts(reasons)) return undefined;
    return { status, reasons, checks: Array.isArray(checks) ? checks.filter(isCheck) : [] };
  } catch {
    return undefined;
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function isCheck(value: unknown): value is HealthCheck {
  const { name, state } = (value ?? {}) as Partial<HealthCheck>;
  return typeof name === 'string' && typeof state === 'string';
}

/** What is told among the metrics; whoever does not tell has none. */
async function toldAmongMetrics(origin: string): Promise<Pick<ServiceLook, 'version' | 'history'>> {
  try {
    const { text } = await asked(origin, '/metrics');
    const version = /build_info\{[^}\n]*\bversion="([^"\n]{1,40})"/.exec(text)?.[1];
    const history = /event_store_info\{[^}\n]*\bhistory="([0-9a-f]{1,40})"/.exec(text)?.[1];
    return { ...(version !== undefined && { version }), ...(history !== undefined && { history }) };
  } catch {
    return {};
  }
}

function whyNot(error: unknown): string {
  const { name, cause, message } = error as Error & {
    readonly cause?: { readonly code?: unknown; readonly message?: unknown };
  };
  if (name === 'TimeoutError') return `no answer within ${WITHIN_MS / 1000} s`;
  const reason = typeof cause?.code === 'string' ? cause.code : cause?.message;
  return typeof reason === 'string' && reason !== '' ? `no connection (${reason})` : message;
}
