import { ReadResp, StreamIdentifier } from '../grpc.definitions.js';

/** The encoded messages of a read that are not events. */
export const readResponses = {
  streamNotFound: (stream: string): Buffer => {
    const identifier = new StreamIdentifier().setStreamName(Buffer.from(stream));
    return encoded(
      new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound().setStreamIdentifier(identifier)),
    );
  },
  confirmation: (id: string): Buffer =>
    encoded(new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(id))),
  checkpoint: (commit: number, prepare: number): Buffer => {
    const checkpoint = new ReadResp.Checkpoint();
    checkpoint.setCommitPosition(String(commit)).setPreparePosition(String(prepare));
    return encoded(new ReadResp().setCheckpoint(checkpoint));
  },
  caughtUp: (): Buffer => encoded(new ReadResp().setCaughtUp(new ReadResp.CaughtUp())),
} as const;

function encoded(message: InstanceType<typeof ReadResp>): Buffer {
  return Buffer.from(message.serializeBinary());
}
