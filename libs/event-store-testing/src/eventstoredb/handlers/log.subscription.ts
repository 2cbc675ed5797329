import { setImmediate } from 'node:timers/promises';
import { waitUntilDrained } from '../node/response.pipeline.js';
import type { EventFilter } from '../log/event.filter.js';
import { readResponses } from './read.responses.js';
import type { ReadCall } from './read.handler.js';
import { refusalError } from '../node/call.refusal.js';
import type { NodeContext } from '../node/node.context.js';

/** Calls `reached` after this number of events. */
export interface EventLimit {
  readonly events: number;
  readonly reached: () => void;
}

export interface SubscriptionOptions {
  readonly id: string;
  /** The first record to scan. */
  readonly from: number;
  readonly filter: EventFilter | undefined;
  readonly limit: EventLimit;
}

const SLOW_CONSUMER_MESSAGE = 'Consumer too slow to handle event while live. Client resubscription required.';
const DEFAULT_SLOW_CONSUMER_EVENTS = 500;
/** Records scanned in one turn of the event loop. */
const RECORDS_PER_TURN = 20_000;

/** Sends history, then one `caughtUp`, then each append. */
export class LogSubscription {
  #next: number;
  #live = false;
  #waiting = false;
  #ended = false;
  #sent = 0;
  /** Records scanned since the last checkpoint. */
  #looked = 0;
  #stopListening: () => void = () => undefined;

  constructor(
    private readonly node: NodeContext,
    private readonly call: ReadCall,
    private readonly options: SubscriptionOptions,
  ) {
    this.#next = options.from;
  }

  run(): void {
    this.call.once('cancelled', () => this.#end());
    this.call.once('close', () => this.#end());
    this.call.write(readResponses.confirmation(this.options.id));
    this.#stopListening = this.node.view.onAdvance(() => this.#onAdvance());
    this.#endAtLimit();
    this.#go();
  }

  #onAdvance(): void {
    const behind = this.node.view.head - this.#next;
    if (this.#live && behind > (this.node.options.slowConsumerEvents ?? DEFAULT_SLOW_CONSUMER_EVENTS)) {
      this.#end();
      this.call.emit('error', refusalError({ kind: 'Timeout', why: SLOW_CONSUMER_MESSAGE }));
    } else if (!this.#waiting) this.#go();
  }

  /** Sends as long as the call accepts messages, and continues when it accepts more. */
  #go(): void {
    const turnEnds = this.#next + RECORDS_PER_TURN;
    while (!this.#ended) {
      if (this.#next >= this.node.view.head) {
        this.#reachEnd();
        return;
      }
      if (this.node.gate.frozen || this.#next >= turnEnds || this.call.writableNeedDrain) {
        void this.#wait();
        return;
      }
      this.#look(this.#next++);
    }
  }

  #look(record: number): void {
    const { log } = this.node.view;
    const { filter } = this.options;
    if (filter?.matches(record) !== false) {
      this.#sent += 1;
      this.call.write(log.message(record));
      this.#endAtLimit();
    }
    this.#looked += 1;
    if (this.#ended || filter === undefined || this.#looked < filter.checkpointEvery) return;
    this.#looked = 0;
    const position = log.position(this.#live ? record : record + 1);
    this.call.write(readResponses.checkpoint(position, this.#live ? position : 0));
  }

  #reachEnd(): void {
    if (this.#live) return;
    this.#live = true;
    this.#looked = 0;
    if (this.node.options.sendsCaughtUp ?? true) this.call.write(readResponses.caughtUp());
  }

  #endAtLimit(): void {
    if (this.#sent !== this.options.limit.events) return;
    this.#end();
    this.options.limit.reached();
  }

  async #wait(): Promise<void> {
    this.#waiting = true;
    const goesOn = await waitUntilDrained(this.call);
    await setImmediate();
    if (this.node.gate.frozen) await this.node.gate.waitUntilThawed();
    this.#waiting = false;
    if (goesOn) this.#go();
    else this.#end();
  }

  #end(): void {
    this.#ended = true;
    this.#stopListening();
  }
}
