import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { Any, Details, NoContent, Status } from '../grpc.definitions.js';

/** Why a call is refused. A single call and an append of a batch report it in different ways. */
export type CallRefusal =
  | { readonly kind: 'NotReady' }
  | {
      readonly kind: 'NotLeader';
      readonly leader: { readonly address: string; readonly port: number } | undefined;
    }
  | { readonly kind: 'AccessDenied' }
  | { readonly kind: 'WrongPassword' }
  | { readonly kind: 'TooLarge'; readonly limit: number }
  | { readonly kind: 'StreamDeleted'; readonly stream: string }
  | { readonly kind: 'Timeout'; readonly why: string }
  /** The handler of a real server throws; code 2 for a single call. */
  | { readonly kind: 'Invalid'; readonly why: string }
  | { readonly kind: 'Unexpected'; readonly why: string }
  | { readonly kind: 'Status'; readonly code: number; readonly details: string; readonly trailers: Trailers };

type Trailers = Readonly<Record<string, string>>;

/** The error from which grpc-js makes the status and trailers of a call. */
export function refusalError(refusal: CallRefusal): ServiceError {
  switch (refusal.kind) {
    case 'NotReady':
      return grpcError(status.UNAVAILABLE, 'Server Is Not Ready');
    case 'NotLeader':
      if (refusal.leader === undefined)
        return grpcError(status.UNKNOWN, 'No leader info available in response');
      return grpcError(status.NOT_FOUND, 'Leader info available', {
        exception: 'not-leader',
        'leader-endpoint-host': refusal.leader.address,
        'leader-endpoint-port': String(refusal.leader.port),
      });
    case 'AccessDenied':
      return grpcError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
    case 'WrongPassword':
      return grpcError(status.UNAUTHENTICATED, 'Bad gRPC response. HTTP status code: 401');
    case 'TooLarge':
      return grpcError(status.INVALID_ARGUMENT, `Maximum Append Size of ${refusal.limit} Exceeded.`, {
        exception: 'maximum-append-size-exceeded',
        'maximum-append-size': String(refusal.limit),
      });
    case 'StreamDeleted':
      return grpcError(status.FAILED_PRECONDITION, `Event stream '${refusal.stream}' is deleted.`, {
        exception: 'stream-deleted',
        'stream-name': refusal.stream,
      });
    case 'Timeout':
      return grpcError(status.ABORTED, `Operation timed out: ${refusal.why}`);
    case 'Invalid':
      return grpcError(status.UNKNOWN, 'Exception was thrown by handler.');
    case 'Unexpected':
      return grpcError(status.UNKNOWN, refusal.why);
    case 'Status':
      return grpcError(refusal.code, refusal.details, refusal.trailers);
  }
}

/** The answer to one append of a batch; undefined: the whole batch call ends with `refusalError`. */
export function batchRefusalStatus(refusal: CallRefusal): InstanceType<typeof Status> | undefined {
  switch (refusal.kind) {
    case 'NotReady':
      return batchError(0, 'Server Is Not Ready', 'google.protobuf.Empty', new NoContent());
    case 'NotLeader':
      if (refusal.leader !== undefined) return undefined;
      return batchError(0, 'No leader info available in response', 'google.protobuf.Empty', new NoContent());
    case 'AccessDenied':
      return batchError(
        status.PERMISSION_DENIED,
        'AccessDenied',
        clientTypeName('AccessDenied'),
        new Details.AccessDenied(),
      );
    case 'WrongPassword':
      return undefined;
    case 'TooLarge': {
      const details = new Details.MaximumAppendSizeExceeded().setMaxappendsize(refusal.limit);
      const name = 'MaximumAppendSizeExceeded';
      return batchError(status.INVALID_ARGUMENT, name, clientTypeName(name), details);
    }
    case 'StreamDeleted':
      return batchError(
        status.NOT_FOUND,
        'StreamDeleted',
        clientTypeName('StreamDeleted'),
        new Details.StreamDeleted(),
      );
    case 'Timeout':
      return batchError(
        status.DEADLINE_EXCEEDED,
        'Timeout',
        clientTypeName('Timeout'),
        new Details.Timeout(),
      );
    case 'Invalid': {
      const details = new Details.BadRequest().setMessage(refusal.why);
      return batchError(status.INVALID_ARGUMENT, 'BadRequest', clientTypeName('BadRequest'), details);
    }
    case 'Unexpected':
      return batchError(status.UNKNOWN, 'Unknown', clientTypeName('Unknown'), new Details.Unknown());
    case 'Status':
      return batchErrorOfStatus(refusal.code);
  }
}

export function batchError(
  code: number,
  message: string,
  typeName: string,
  details: { serializeBinary(): Uint8Array },
): InstanceType<typeof Status> {
  const any = new Any();
  any.pack(details.serializeBinary(), typeName);
  return new Status().setCode(code).setMessage(message).setDetails(any);
}

export function grpcError(code: number, details: string, trailers: Trailers = {}): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

function clientTypeName(name: string): string {
  return `event_store.client.${name}`;
}

function batchErrorOfStatus(code: number): InstanceType<typeof Status> | undefined {
  if (code === status.UNAVAILABLE || code === status.UNAUTHENTICATED) return undefined;
  if (code === status.PERMISSION_DENIED) return batchRefusalStatus({ kind: 'AccessDenied' });
  const timedOut = code === status.ABORTED || code === status.DEADLINE_EXCEEDED;
  return batchRefusalStatus(timedOut ? { kind: 'Timeout', why: '' } : { kind: 'Unexpected', why: '' });
}
