import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';
import type { Writable } from 'node:stream';

/** A call waits while HTTP/2 has more bytes than this to write. */
const WINDOW_BYTES = 262_144;

/**
 * Lets a call pass its next message on before the last one is written, up to a window: with one write at a time a reader gets
 * a fifth of the events per second. A client that does not read still stops the call.
 */
export const pipelineResponses: ServerInterceptor = (method, call) =>
  method.responseStream ? new PipelinedCall(call) : new ServerInterceptingCall(call);

class PipelinedCall extends ServerInterceptingCall {
  #bytes = 0;
  #waiting: (() => void) | undefined;

  override sendMessage(message: unknown, callback: () => void): void {
    const bytes = Buffer.isBuffer(message) ? message.length : 0;
    this.#bytes += bytes;
    super.sendMessage(message, () => {
      this.#bytes -= bytes;
      if (this.#bytes >= WINDOW_BYTES) return;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.();
    });
    if (this.#bytes < WINDOW_BYTES) callback();
    else this.#waiting = callback;
  }
}

type AnyWritable = Writable & { readonly cancelled: boolean };

/** Resolves when the call accepts more messages; false when it has ended. */
export function waitUntilDrained(call: AnyWritable): Promise<boolean> {
  if (call.cancelled || call.destroyed) return Promise.resolve(false);
  if (!call.writableNeedDrain) return Promise.resolve(true);
  return new Promise((resolve) => {
    const done = (goesOn: boolean) => {
      call.off('drain', onDrain);
      call.off('cancelled', onEnd);
      call.off('close', onEnd);
      resolve(goesOn);
    };
    const onDrain = () => done(true);
    const onEnd = () => done(false);
    call.once('drain', onDrain);
    call.once('cancelled', onEnd);
    call.once('close', onEnd);
  });
}
