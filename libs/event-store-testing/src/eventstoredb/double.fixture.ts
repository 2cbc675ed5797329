import { EventStoreDBClient, jsonEvent, type JSONEventData, type ResolvedEvent } from '@eventstore/db-client';
import { afterEach } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  startEventStoreDbDouble,
  type CallKind,
  type DoubleOptions,
  type EventStoreDbDouble,
} from './index.js';

/** The path that the client takes when a call names its credentials, which an insecure server ignores. */
export const UNARY = { credentials: { username: 'nobody', password: 'secret' } };
export const BOTH_PATHS: readonly (readonly [string, Partial<typeof UNARY>])[] = [
  ['batch', {}],
  ['unary', UNARY],
];

const toClose: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

export function closeAfterTest(close: () => Promise<unknown>): void {
  toClose.push(close);
}

export async function aDouble(options?: DoubleOptions): Promise<EventStoreDbDouble> {
  const double = await startEventStoreDbDouble(options);
  closeAfterTest(() => double.close());
  return double;
}

export function aClient(url: string): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url);
  closeAfterTest(() => client.dispose());
  return client;
}

export async function aDoubleWithClient(options?: DoubleOptions) {
  const double = await aDouble(options);
  return { double, client: aClient(double.url) };
}

export function numberedJsonEvents(count: number, type = 'Counted'): JSONEventData[] {
  return Array.from({ length: count }, (_, number) => jsonEvent({ type, data: { number } }));
}

/** All events of a finite read. */
export async function readAll(
  events: AsyncIterable<unknown>,
): Promise<NonNullable<ResolvedEvent['event']>[]> {
  const found: NonNullable<ResolvedEvent['event']>[] = [];
  for await (const { event } of events as AsyncIterable<ResolvedEvent>) if (event) found.push(event);
  return found;
}

/** The message and the own fields of a rejected call's error. */
export async function rejectionOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('the call did not fail');
  const { message, ...rest } = error as Error & Record<string, unknown>;
  return { message, ...rest };
}

export async function until(what: () => boolean, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!what()) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what.toString()}`);
    await sleep(5);
  }
}

/** Resolves once the server has received `count` calls of a kind: a fault that prevents an answer has then applied. */
export function waitForCalls(double: EventStoreDbDouble, kind: CallKind, count = 1): Promise<void> {
  return until(() => double.calls.filter(({ call }) => call === kind).length >= count);
}

/** 'pending' if the call has not settled after `ms`. */
export async function settledWithin(ms: number, call: Promise<unknown>): Promise<unknown> {
  return Promise.race([call, sleep(ms, 'pending', { ref: false })]);
}
