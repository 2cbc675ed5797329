import type { handleUnaryCall } from '@grpc/grpc-js';
import type { CallKind, ExpectedVersion } from '../double.options.js';
import {
  ClusterInfo,
  DeleteResp,
  Empty,
  EndPoint,
  MemberInfo,
  StreamsDefinition,
  SupportedMethod,
  SupportedMethods,
  TombstoneResp,
  UUID,
  type DeleteReq,
  type TombstoneReq,
} from '../grpc.definitions.js';
import { expectedVersion, streamNameOf } from '../log/proposed.events.js';
import { grpcError, refusalError } from '../node/call.refusal.js';
import type { CallOrigin, NodeContext } from '../node/node.context.js';

/** A node in an answer of gossip. */
export interface ClusterMember {
  readonly id: string;
  readonly port: number;
  readonly leads: boolean;
  readonly alive: boolean;
}

type EmptyMessage = InstanceType<typeof Empty>;

export function deleteStream(node: NodeContext): handleUnaryCall<DeleteReq, InstanceType<typeof DeleteResp>> {
  return (call, answer) =>
    void deleteOrTombstone(node, 'delete', call, call.request.getOptions()).then(
      (position) => {
        if (position === undefined) return;
        const place = new DeleteResp.Position().setCommitPosition(position).setPreparePosition(position);
        answer(null, new DeleteResp().setPosition(place));
      },
      (error: Error) => answer(error),
    );
}

export function tombstoneStream(
  node: NodeContext,
): handleUnaryCall<TombstoneReq, InstanceType<typeof TombstoneResp>> {
  return (call, answer) =>
    void deleteOrTombstone(node, 'tombstone', call, call.request.getOptions()).then(
      (position) => {
        if (position === undefined) return;
        const place = new TombstoneResp.Position().setCommitPosition(position).setPreparePosition(position);
        answer(null, new TombstoneResp().setPosition(place));
      },
      (error: Error) => answer(error),
    );
}

/** The position of the record that hides the stream; undefined: no answer. */
async function deleteOrTombstone(
  node: NodeContext,
  call: 'delete' | 'tombstone',
  origin: CallOrigin,
  options: DeleteReq.Options | TombstoneReq.Options | undefined,
): Promise<string | undefined> {
  if (options === undefined) throw refusalError({ kind: 'Invalid', why: 'options' });
  const [stream, expected] = [streamNameOf(options), expectedVersion(options)];
  const admission = await node.admit(origin, { call, stream, expected });
  if (admission.kind === 'Refused') throw refusalError(admission.refusal);
  if (admission.kind === 'Silent') return undefined;
  const outcome = node.writer.delete(stream, expected, call === 'tombstone');
  if (node.losesResponse(origin, admission.fault)) return undefined;
  switch (outcome.kind) {
    case 'Written':
      return String(outcome.position);
    case 'Deleted':
      throw refusalError({ kind: 'StreamDeleted', stream });
    case 'WrongVersion':
      throw wrongVersion(stream, expected, outcome.current);
  }
}

/** The codes of a real server's trailers: -1 for no stream, -2 for any, -4 for a stream that exists. */
function wrongVersion(stream: string, expected: ExpectedVersion, current: number | 'none'): Error {
  const number = { any: -2, none: -1, exists: -4 };
  const wanted = typeof expected === 'number' ? expected : number[expected];
  const actual = current === 'none' ? -1 : current;
  const details = `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${wanted}, Actual version: ${actual}`;
  return grpcError(9, details, {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': String(wanted),
    'actual-version': String(actual),
  });
}

export function supportedMethods(
  node: NodeContext,
): handleUnaryCall<EmptyMessage, InstanceType<typeof SupportedMethods>> {
  return (call, answer) =>
    void whenAdmitted(node, 'features', { call, answer }, () => {
      const methods = new SupportedMethods().setEventStoreServerVersion('23.10.6');
      for (const { path } of Object.values(StreamsDefinition)) {
        const [, service = '', method = ''] = path.toLowerCase().split('/');
        if (method === 'batchappend' && node.options.supportsBatchAppend === false) continue;
        methods.addMethods(new SupportedMethod().setServiceName(service).setMethodName(method));
      }
      return methods;
    });
}

export function readGossip(
  node: NodeContext,
  members: () => readonly ClusterMember[],
): handleUnaryCall<EmptyMessage, InstanceType<typeof ClusterInfo>> {
  return (call, answer) =>
    void whenAdmitted(node, 'gossip', { call, answer }, () =>
      new ClusterInfo().setMembersList(members().map(memberInfo)),
    );
}

function memberInfo({ id, port, leads, alive }: ClusterMember): InstanceType<typeof MemberInfo> {
  const { LEADER, FOLLOWER } = MemberInfo.VNodeState;
  return new MemberInfo()
    .setInstanceId(new UUID().setString(id))
    .setTimeStamp(`${Date.now()}0000`)
    .setState(leads ? LEADER : FOLLOWER)
    .setIsAlive(alive)
    .setHttpEndPoint(new EndPoint().setAddress('127.0.0.1').setPort(port));
}

async function whenAdmitted<T>(
  node: NodeContext,
  kind: CallKind,
  { call, answer }: { readonly call: CallOrigin; readonly answer: (error: Error | null, value?: T) => void },
  value: () => T,
): Promise<void> {
  const admission = await node.admit(call, { call: kind });
  if (admission.kind === 'Refused') answer(refusalError(admission.refusal));
  if (admission.kind === 'Go' && !node.losesResponse(call, admission.fault)) answer(null, value());
}
