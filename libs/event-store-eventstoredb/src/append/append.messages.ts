/*
 * The driver's messages are CommonJS modules without named exports for Node: only this file imports them, each as a whole.
 */
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import { parseUUID } from '@eventstore/db-client/dist/utils/grpcUUID.js';
import type { SerialisedAppend, SerialisedEvent } from '@tillstream/event-store';
import timestampMessages from 'google-protobuf/google/protobuf/timestamp_pb.js';

export type { BatchAppendReq, BatchAppendResp };

export interface Written {
  readonly revision: number;
  readonly position: { readonly commit: bigint; readonly prepare: bigint };
}

const utf8 = new TextEncoder();

/**
 * One append as one message, with the JSON texts that were checked and hashed. The server abandons the append at `deadline`
 * (ms since 1970).
 */
export function batchAppendRequest(
  correlationId: string,
  { stream, events }: Pick<SerialisedAppend, 'stream' | 'events'>,
  expected: number | 'none',
  deadline: number,
): BatchAppendReq {
  const options = new streamMessages.BatchAppendReq.Options();
  options.setStreamIdentifier(new sharedMessages.StreamIdentifier().setStreamName(utf8.encode(stream)));
  options.setDeadline(timestampMessages.Timestamp.fromDate(new Date(deadline)));
  if (expected === 'none') options.setNoStream(new sharedMessages.Empty());
  else options.setStreamPosition(String(expected));
  return new streamMessages.BatchAppendReq()
    .setCorrelationId(new sharedMessages.UUID().setString(correlationId))
    .setOptions(options)
    .setProposedMessagesList(events.map(proposedMessage))
    .setIsFinal(true);
}

function proposedMessage({ id, type, data, metadata }: SerialisedEvent) {
  const message = new streamMessages.BatchAppendReq.ProposedMessage();
  message.setId(new sharedMessages.UUID().setString(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message.setData(utf8.encode(data)).setCustomMetadata(utf8.encode(metadata));
}

/** The id of the append that was answered; undefined if the answer has none. */
export function readCorrelationId(answer: BatchAppendResp): string | undefined {
  const id = answer.getCorrelationId();
  return id && parseUUID(id);
}

/** The result of an append. Throws the driver's error if the server refused it. */
export function parseAppendResponse(answer: BatchAppendResp, stream: string): Written {
  const error = answer.getError();
  if (error !== undefined) throw unpackToCommandError(error, stream);
  const success = answer.getSuccess();
  const position = success?.getPosition();
  if (success === undefined || position === undefined) {
    throw new Error('the server answered without a position');
  }
  return {
    revision: Number(success.getCurrentRevision()),
    position: {
      commit: BigInt(position.getCommitPosition()),
      prepare: BigInt(position.getPreparePosition()),
    },
  };
}
