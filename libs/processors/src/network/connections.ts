import * as http from 'node:http';
import * as https from 'node:https';
import { OneCall, type AnswerForm, type Listener, type Outgoing, type Underway } from './one.call.js';

export interface ConnectionOptions {
  /** `http://host:port` or `https://…`. */
  readonly url: string;
  /** At once; beyond it nothing waits, it is unsent. */
  readonly most: number;
  readonly answers: AnswerForm;
  /** Of a line, or of the whole body, bytes. */
  readonly longestLine: number;
  /** Certificates to trust beside the system's, PEM. */
  readonly ca?: string;
}

/** Shorter than the server keeps an idle connection: of the two we are to close it, so that nothing is written into a closed one. */
const IDLE_MS = 20_000;
const MOST_IDLE = 64;

const nothing = (): void => undefined;
const NO_CALL: Underway = { abandon: nothing, linger: nothing, finish: nothing };

/** A bounded pool of kept-alive connections to one server. */
export class Connections {
  private readonly address: URL;
  private readonly isTls: boolean;
  private readonly agent: http.Agent | https.Agent;
  private readonly underway = new Set<OneCall>();

  constructor(private readonly options: ConnectionOptions) {
    this.address = new URL(options.url);
    this.isTls = this.address.protocol === 'https:';
    const pool = { keepAlive: true, maxSockets: Infinity, maxFreeSockets: MOST_IDLE, timeout: IDLE_MS };
    this.agent = this.isTls
      ? new https.Agent({ ...pool, ...(options.ca !== undefined && { ca: options.ca }) })
      : new http.Agent(pool);
  }

  call(outgoing: Outgoing, listener: Listener): Underway {
    if (this.underway.size >= this.options.most) {
      const reason = `${this.options.most} calls to the processor are under way`;
      queueMicrotask(() => listener.unsent(reason));
      return NO_CALL;
    }
    const bytes = outgoing.body ? Buffer.from(JSON.stringify(outgoing.body)) : Buffer.alloc(0);
    const call: OneCall = new OneCall(outgoing, bytes, listener, {
      isTls: this.isTls,
      answers: this.options.answers,
      longestLine: this.options.longestLine,
      dial: () => this.dial(outgoing, bytes.length),
      release: () => void this.underway.delete(call),
    });
    this.underway.add(call);
    call.begin();
    return call;
  }

  /** Ends what is under way, and what idles. */
  close(): void {
    for (const call of this.underway) call.breakOff();
    this.agent.destroy();
  }

  private dial({ method, path, headers, port, body }: Outgoing, length: number): http.ClientRequest {
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
