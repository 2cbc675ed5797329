import type { AppendReq, BatchAppendReq } from '../grpc.definitions.js';
import type { ExpectedVersion } from '../double.options.js';
import type { ProposedEvent } from './event.log.js';

export const APPEND_DATA_BYTES_MAX = 1_048_576;

const UUID_TEXT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Undefined for an event without id or type, on which a real server throws. */
export function proposedEvent(
  message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage,
): ProposedEvent | undefined {
  const id = message.getId()?.getString().toLowerCase() ?? '';
  const named = message.getMetadataMap();
  const type = named.get('type') ?? '';
  const contentType = named.get('content-type');
  if (!UUID_TEXT.test(id) || type === '' || contentType === undefined) return undefined;
  return { id, type, contentType, metadata: message.getCustomMetadata_asU8(), data: message.getData_asU8() };
}

/** The bytes that the limit of an append counts: data without metadata. */
export function dataBytes(events: readonly ProposedEvent[]): number {
  return events.reduce((sum, event) => sum + event.data.length, 0);
}

/** All writes have the same options, except that a batch calls the exact revision a position. */
interface ExpectedOptions {
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
  getRevision?(): string;
  getStreamPosition?(): string;
}

export function expectedVersion(options: ExpectedOptions): ExpectedVersion {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'none';
  if (options.hasStreamExists()) return 'exists';
  return Number(options.getRevision?.() ?? options.getStreamPosition?.());
}

interface NamesStream {
  getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined;
}

export function streamNameOf(options: NamesStream | undefined): string {
  const name = options?.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array();
  return Buffer.from(name.buffer, name.byteOffset, name.byteLength).toString('utf8');
}
