import type { HealthCheck, Readiness } from '@tillstream/contracts';
import { textOf } from './response.text.js';

const TIMEOUT_MS = 3_000;

/** The state of the running service, as its public endpoints show it. */
export interface ServiceStatus {
  readonly url: string;
  readonly reachable: boolean;
  readonly ready: boolean;
  /** Why the service is not ready, or can't be reached. */
  readonly reasons: readonly string[];
  /** Conditions that an operator should check although the service is ready. */
  readonly warnings: readonly string[];
  readonly version?: string;
  readonly apiVersion?: string;
  /** The name of its events (`historyFingerprint`), if the metrics have it. */
  readonly history?: string;
}

/** Never rejects: a service that does not answer within 3 s is not reachable. */
export async function readServiceStatus(origin: string): Promise<ServiceStatus> {
  const unreachable = (reason: string): ServiceStatus => ({
    url: origin,
    reachable: false,
    ready: false,
    reasons: [reason],
    warnings: [],
  });
  try {
    const response = await get(origin, '/health/ready');
    const readiness = readinessOf(response.text);
    if (!readiness) return unreachable('another program answers there');
    const { status, reasons, checks } = readiness;
    const metrics = await readMetrics(origin);
    return {
      url: origin,
      reachable: true,
      ready: status === 'ready',
      reasons,
      warnings: checks.filter(({ state }) => state === 'warning').map(({ name, reason }) => reason ?? name),
      ...metrics,
      ...(response.apiVersion !== undefined && { apiVersion: response.apiVersion }),
    };
  } catch (error) {
    return unreachable(failureReason(error));
  }
}

async function get(
  origin: string,
  path: string,
): Promise<{ readonly text: string; readonly apiVersion?: string }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${origin}${path}`, { signal, redirect: 'manual' });
  const apiVersion = response.headers.get('x-api-version') ?? undefined;
  return { text: await textOf(response), ...(apiVersion !== undefined && { apiVersion }) };
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

/** Returns what the metrics have of these; empty if they can't be read. */
async function readMetrics(origin: string): Promise<Pick<ServiceStatus, 'version' | 'history'>> {
  try {
    const { text } = await get(origin, '/metrics');
    const version = /build_info\{[^}\n]*\bversion="([^"\n]{1,40})"/.exec(text)?.[1];
    const history = /event_store_info\{[^}\n]*\bhistory="([0-9a-f]{1,40})"/.exec(text)?.[1];
    return { ...(version !== undefined && { version }), ...(history !== undefined && { history }) };
  } catch {
    return {};
  }
}

function failureReason(error: unknown): string {
  const { name, cause, message } = error as Error & {
    readonly cause?: { readonly code?: unknown; readonly message?: unknown };
  };
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  const reason = typeof cause?.code === 'string' ? cause.code : cause?.message;
  return typeof reason === 'string' && reason !== '' ? `no connection (${reason})` : message;
}
