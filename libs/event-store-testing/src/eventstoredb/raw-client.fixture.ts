import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import streamService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import { credentials, type ChannelOptions } from '@grpc/grpc-js';
import emptyMessages from 'google-protobuf/google/protobuf/empty_pb.js';
import timestampMessages from 'google-protobuf/google/protobuf/timestamp_pb.js';
import { randomUUID } from 'node:crypto';

/** The raw answers of the service, parts of which the client hides. */
export function aRawStreams(
  url: string,
  channel: ChannelOptions = {},
): InstanceType<typeof streamService.StreamsClient> {
  const address = new URL(url.replace('esdb:', 'http:')).host;
  // A separate connection: an unread call uses up the window of all calls of its connection.
  const options = { 'grpc.use_local_subchannel_pool': 1, ...channel };
  return new streamService.StreamsClient(address, credentials.createInsecure(), options);
}

/** One event to a stream that does not exist, in one message. */
export function batchRequest(stream: string, type: string, deadlineMs: number): BatchAppendReq {
  const options = new streamMessages.BatchAppendReq.Options();
  options.setStreamIdentifier(new sharedMessages.StreamIdentifier().setStreamName(Buffer.from(stream)));
  options.setNoStream(new emptyMessages.Empty());
  options.setDeadline(timestampMessages.Timestamp.fromDate(new Date(Date.now() + deadlineMs)));
  const event = new streamMessages.BatchAppendReq.ProposedMessage();
  event.setId(new sharedMessages.UUID().setString(randomUUID())).setData(Buffer.from('{}'));
  event.getMetadataMap().set('type', type).set('content-type', 'application/json');
  const request = new streamMessages.BatchAppendReq().setOptions(options).setIsFinal(true);
  request.setCorrelationId(new sharedMessages.UUID().setString(randomUUID()));
  request.addProposedMessages(event);
  return request;
}

/** A live subscription to the whole store that reads no messages. */
export async function pausedSubscription(streams: InstanceType<typeof streamService.StreamsClient>) {
  const options = new streamMessages.ReadReq.Options().setNoFilter(new sharedMessages.Empty());
  options.setAll(new streamMessages.ReadReq.Options.AllOptions().setEnd(new sharedMessages.Empty()));
  options.setSubscription(new streamMessages.ReadReq.Options.SubscriptionOptions());
  const string = new streamMessages.ReadReq.Options.UUIDOption().setString(new sharedMessages.Empty());
  const call = streams.read(new streamMessages.ReadReq().setOptions(options.setUuidOption(string)));
  let messages = 0;
  let ended: unknown;
  call.on('error', (error) => (ended = error));
  await new Promise<void>((resolve) => {
    call.on('data', (answer: InstanceType<typeof streamMessages.ReadResp>) => {
      messages += 1;
      if (answer.hasCaughtUp()) resolve();
    });
  });
  call.pause();
  return {
    messages: () => messages,
    readToEnd: async (): Promise<unknown> => {
      call.resume();
      while (ended === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      return ended;
    },
  };
}

/** Sends the options and the first event of an append, and never its end. Returns the function that closes the connection. */
export function halfAppend(url: string, stream: string): () => void {
  const streams = aRawStreams(url);
  const call = streams.append(() => undefined);
  call.on('error', () => undefined);
  const options = new streamMessages.AppendReq.Options().setNoStream(new sharedMessages.Empty());
  options.setStreamIdentifier(new sharedMessages.StreamIdentifier().setStreamName(Buffer.from(stream)));
  call.write(new streamMessages.AppendReq().setOptions(options));
  const event = new streamMessages.AppendReq.ProposedMessage();
  event.setId(new sharedMessages.UUID().setString(randomUUID())).setData(Buffer.from('{}'));
  event.getMetadataMap().set('type', 'Half').set('content-type', 'application/json');
  call.write(new streamMessages.AppendReq().setProposedMessage(event));
  return () => streams.close();
}
