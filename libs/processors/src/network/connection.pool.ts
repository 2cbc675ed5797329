import * as http from 'node:http';
import * as https from 'node:https';
import {
  HttpCall,
  type ResponseFormat,
  type HttpCallListener,
  type OutgoingRequest,
  type CallHandle,
} from './http.call.js';

export interface ConnectionPoolOptions {
  /** `http://host:port` or `https://…`. */
  readonly url: string;
  /** Calls at once. A further call does not wait: it ends as unsent. */
  readonly connectionsMax: number;
  readonly responseFormat: ResponseFormat;
  /** Of a line, or of the whole body, bytes. */
  readonly lineBytesMax: number;
  /** A certificate authority besides the system's, PEM. */
  readonly ca?: string;
}

/** Shorter than the server's own limit, so that this side closes idle connections and never writes into a closed one. */
const IDLE_MS = 20_000;
const IDLE_CONNECTIONS_MAX = 64;

const doNothing = (): void => undefined;
const NO_CALL: CallHandle = { cancel: doNothing, unref: doNothing, finish: doNothing };

/** A bounded pool of kept-alive connections to one server. */
export class ConnectionPool {
  private readonly address: URL;
  private readonly isTls: boolean;
  private readonly agent: http.Agent | https.Agent;
  private readonly running = new Set<HttpCall>();

  constructor(private readonly options: ConnectionPoolOptions) {
    this.address = new URL(options.url);
    this.isTls = this.address.protocol === 'https:';
    const pool = {
      keepAlive: true,
      maxSockets: Infinity,
      maxFreeSockets: IDLE_CONNECTIONS_MAX,
      timeout: IDLE_MS,
    };
    this.agent = this.isTls
      ? new https.Agent({ ...pool, ...(options.ca !== undefined && { ca: options.ca }) })
      : new http.Agent(pool);
  }

  call(outgoing: OutgoingRequest, listener: HttpCallListener): CallHandle {
    if (this.running.size >= this.options.connectionsMax) {
      const reason = `${this.options.connectionsMax} calls to the processor are under way`;
      queueMicrotask(() => listener.unsent(reason));
      return NO_CALL;
    }
    const bytes = outgoing.body ? Buffer.from(JSON.stringify(outgoing.body)) : Buffer.alloc(0);
    const call: HttpCall = new HttpCall(outgoing, bytes, listener, {
      ...this.options,
      isTls: this.isTls,
      dial: () => this.dial(outgoing, bytes.length),
      release: () => void this.running.delete(call),
    });
    this.running.add(call);
    call.start();
    return call;
  }

  /** Ends the running calls, and closes the idle connections. */
  close(): void {
    for (const call of this.running) call.disconnect();
    this.agent.destroy();
  }

  private dial({ method, path, headers, port, body }: OutgoingRequest, length: number): http.ClientRequest {
    return (this.isTls ? https : http).request({
      agent: this.agent,
      host: this.address.hostname.replace(/^\[|\]$/g, ''),
      port: port ?? (this.address.port || (this.isTls ? 443 : 80)),
      path,
      method,
      headers: {
        ...headers,
        ...(body && { 'content-type': 'application/json', 'content-length': length }),
      },
    });
  }
}
