import { status, type handleBidiStreamingCall, type ServerDuplexStream } from '@grpc/grpc-js';
import { accessRefusal } from '../node/access.rules.js';
import { runAppend } from './append.runner.js';
import type { ExpectedVersion } from '../double.options.js';
import type { ProposedEvent } from '../log/event.log.js';
import {
  AllStreamPosition,
  BatchAppendResp,
  Details,
  NoContent,
  StreamIdentifier,
  type BatchAppendReq,
} from '../grpc.definitions.js';
import type { LogAppendResult } from '../log/log.writer.js';
import {
  dataBytes,
  expectedVersion,
  APPEND_DATA_BYTES_MAX,
  proposedEvent,
  streamNameOf,
} from '../log/proposed.events.js';
import { batchError, batchRefusalStatus, refusalError, type CallRefusal } from '../node/call.refusal.js';
import type { NodeContext } from '../node/node.context.js';

type Answer = InstanceType<typeof BatchAppendResp>;
type Call = ServerDuplexStream<BatchAppendReq, Answer>;

interface Pending {
  readonly stream: string;
  readonly expected: ExpectedVersion;
  readonly events: ProposedEvent[];
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** `BatchAppend`: one call for all appends of a client, each in one message or several, answered in any order. */
export function batchAppend(node: NodeContext): handleBidiStreamingCall<BatchAppendReq, Answer> {
  return (call) => {
    const access = accessRefusal(node.options, call.metadata);
    if (access?.kind === 'WrongPassword') return void call.emit('error', refusalError(access));
    const batch = new BatchCall(node, call);
    call.on('data', (message: BatchAppendReq) => batch.receive(message));
    call.on('end', () => batch.end());
    call.on('close', () => batch.close());
  };
}

class BatchCall {
  readonly #pending = new Map<string, Pending>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #running = 0;
  #ending = false;

  constructor(
    private readonly node: NodeContext,
    private readonly call: Call,
  ) {}

  receive(message: BatchAppendReq): void {
    const key = message.getCorrelationId()?.getString() ?? '';
    const options = message.getOptions();
    if (options !== undefined) {
      const deadline = options.getDeadline()?.toDate().getTime() ?? Infinity;
      const [stream, expected] = [streamNameOf(options), expectedVersion(options)];
      if (deadline <= Date.now()) return this.#refuse(message, stream, { kind: 'Timeout', why: '' });
      this.#pending.set(key, { stream, expected, events: [], deadline });
    }
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    const events = message.getProposedMessagesList().map(proposedEvent);
    if (events.includes(undefined)) return this.#refuseTwice(message, pending);
    pending.events.push(...events.filter((event) => event !== undefined));
    const refusal = refusalOf(pending);
    if (refusal === undefined && !message.getIsFinal()) return;
    this.#pending.delete(key);
    if (refusal === undefined) void this.#run(message, pending);
    else this.#refuse(message, pending.stream, refusal);
  }

  end(): void {
    this.#ending = true;
    if (this.#running === 0) this.call.end();
  }

  close(): void {
    this.#timers.forEach(clearTimeout);
  }

  async #run(message: BatchAppendReq, pending: Pending): Promise<void> {
    this.#running += 1;
    const end = await runAppend(this.node, 'batchAppend', this.call, pending);
    this.#running -= 1;
    if (end.kind === 'Refused') this.#refuse(message, pending.stream, end.refusal);
    if (end.kind === 'Answer') this.#answer(message, pending.stream, end.outcome);
    if (this.#ending && this.#running === 0) this.call.end();
  }

  /** A real server answers such an append a second time at its deadline. */
  #refuseTwice(message: BatchAppendReq, pending: Pending): void {
    this.#refuse(message, pending.stream, { kind: 'Invalid', why: 'event' });
    const again = () => {
      const key = message.getCorrelationId()?.getString() ?? '';
      if (this.#pending.delete(key)) this.#refuse(message, pending.stream, { kind: 'Timeout', why: '' });
    };
    const ms = Math.min(pending.deadline - Date.now(), 2 ** 31 - 1);
    this.#timers.add(setTimeout(again, Math.max(0, ms)).unref());
  }

  #refuse(message: BatchAppendReq, stream: string, refusal: CallRefusal): void {
    const error = batchRefusalStatus(refusal);
    if (error === undefined) this.call.emit('error', refusalError(refusal));
    else this.#send(message, stream, new BatchAppendResp().setError(error));
  }

  #answer(message: BatchAppendReq, stream: string, outcome: LogAppendResult): void {
    switch (outcome.kind) {
      case 'Written':
        return this.#send(message, stream, new BatchAppendResp().setSuccess(success(outcome)));
      case 'WrongVersion':
        return this.#send(message, stream, new BatchAppendResp().setError(wrongVersion(outcome)));
      case 'Deleted':
        return this.#refuse(message, stream, { kind: 'StreamDeleted', stream });
    }
  }

  #send(message: BatchAppendReq, stream: string, answer: Answer): void {
    if (this.call.cancelled || this.call.writableEnded) return;
    answer.setCorrelationId(message.getCorrelationId());
    answer.setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from(stream)));
    this.call.write(answer);
  }
}

function refusalOf({ stream, events }: Pending): CallRefusal | undefined {
  if (stream === '') return { kind: 'Invalid', why: 'stream' };
  return dataBytes(events) > APPEND_DATA_BYTES_MAX
    ? { kind: 'TooLarge', limit: APPEND_DATA_BYTES_MAX }
    : undefined;
}

function success({ revision, position }: Extract<LogAppendResult, { kind: 'Written' }>) {
  const answer = new BatchAppendResp.Success();
  if (revision === 'none') answer.setNoStream(new NoContent());
  else answer.setCurrentRevision(String(revision));
  if (position === undefined) return answer.setNoPosition(new NoContent());
  const place = new AllStreamPosition();
  return answer.setPosition(place.setCommitPosition(String(position)).setPreparePosition(String(position)));
}

function wrongVersion({ expected, current }: Extract<LogAppendResult, { kind: 'WrongVersion' }>) {
  const details = new Details.WrongExpectedVersion();
  if (current === 'none') details.setCurrentNoStream(new NoContent());
  else details.setCurrentStreamRevision(String(current));
  if (expected === 'any') details.setExpectedAny(new NoContent());
  else if (expected === 'none') details.setExpectedNoStream(new NoContent());
  else if (expected === 'exists') details.setExpectedStreamExists(new NoContent());
  else details.setExpectedStreamPosition(String(expected));
  const name = 'WrongExpectedVersion';
  return batchError(status.ALREADY_EXISTS, name, `event_store.client.${name}`, details);
}
