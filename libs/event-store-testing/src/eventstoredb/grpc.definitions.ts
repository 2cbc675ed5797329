/*
 * The client's service definitions are CommonJS modules without named exports for Node: only this file imports them, each as
 * a whole.
 */
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipMessages from '@eventstore/db-client/generated/gossip_pb.js';
import featureService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featureMessages from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streamService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import anyMessages from 'google-protobuf/google/protobuf/any_pb.js';
import emptyMessages from 'google-protobuf/google/protobuf/empty_pb.js';

export type {
  AppendReq,
  BatchAppendReq,
  DeleteReq,
  ReadReq,
  TombstoneReq,
} from '@eventstore/db-client/generated/streams_pb.js';

export const { AppendResp, BatchAppendResp, DeleteResp, ReadResp, TombstoneResp } = streamMessages;
export const { AllStreamPosition, Empty, StreamIdentifier, UUID } = sharedMessages;
export const Details = sharedMessages;
export const { Status } = statusMessages;
export const { ClusterInfo, EndPoint, MemberInfo } = gossipMessages;
export const { SupportedMethod, SupportedMethods } = featureMessages;
export const { Any } = anyMessages;
/** `google.protobuf.Empty`, which is not `event_store.client.Empty`. */
export const NoContent = emptyMessages.Empty;

/** Reads send encoded bytes: the log keeps each event as the message that is sent. */
export const StreamsDefinition: ServiceDefinition<UntypedServiceImplementation> = {
  ...streamService.StreamsService,
  read: {
    ...streamService.StreamsService.read,
    responseSerialize: (message: Buffer) => message,
    responseDeserialize: (bytes: Buffer) => bytes,
  },
};
export const FeaturesDefinition: ServiceDefinition<UntypedServiceImplementation> = {
  ...featureService.ServerFeaturesService,
};
export const GossipDefinition: ServiceDefinition<UntypedServiceImplementation> = {
  ...gossipService.GossipService,
};
