import { setImmediate } from 'node:timers/promises';
import type { handleClientStreamingCall, ServiceError } from '@grpc/grpc-js';
import { runAppend } from './append.runner.js';
import type { ExpectedVersion } from '../double.options.js';
import type { ProposedEvent } from '../log/event.log.js';
import { AppendResp, Empty, type AppendReq } from '../grpc.definitions.js';
import type { LogAppendResult } from '../log/log.writer.js';
import {
  expectedVersion,
  APPEND_DATA_BYTES_MAX,
  proposedEvent,
  streamNameOf,
} from '../log/proposed.events.js';
import { refusalError, type CallRefusal } from '../node/call.refusal.js';
import type { NodeContext } from '../node/node.context.js';

type Answer = InstanceType<typeof AppendResp>;

/** `Append`: the options, then one message per event. */
export function unaryAppend(node: NodeContext): handleClientStreamingCall<AppendReq, Answer> {
  return (call, answer) => {
    let stream = '';
    let expected: ExpectedVersion = 'any';
    const events: ProposedEvent[] = [];
    let bytes = 0;
    let refused = false;
    const refuse = (refusal: CallRefusal) => {
      if (!refused) answer(refusalError(refusal));
      refused = true;
    };

    call.on('data', (message: AppendReq) => {
      const options = message.getOptions();
      if (options !== undefined) {
        stream = streamNameOf(options);
        expected = expectedVersion(options);
      }
      const proposed = message.getProposedMessage();
      if (proposed === undefined || refused) return;
      const event = proposedEvent(proposed);
      if (event === undefined) return refuse({ kind: 'Invalid', why: 'event' });
      events.push(event);
      bytes += event.data.length;
      if (bytes > APPEND_DATA_BYTES_MAX) refuse({ kind: 'TooLarge', limit: APPEND_DATA_BYTES_MAX });
    });
    call.on('error', () => undefined);
    call.on('end', () => void end());

    async function end(): Promise<void> {
      // A broken connection also ends the messages, and is reported a moment later. A partial append must not count as a
      // complete one.
      await setImmediate();
      if (refused || call.cancelled) return;
      if (stream === '') return refuse({ kind: 'Invalid', why: 'stream' });
      const ended = await runAppend(node, 'append', call, { stream, expected, events });
      if (ended.kind === 'Refused') return refuse(ended.refusal);
      if (ended.kind === 'Silent') return;
      const error = appendError(ended.outcome, stream);
      answer(error ?? null, error === undefined ? appendResponse(ended.outcome) : undefined);
    }
  };
}

function appendError(outcome: LogAppendResult, stream: string): ServiceError | undefined {
  return outcome.kind === 'Deleted' ? refusalError({ kind: 'StreamDeleted', stream }) : undefined;
}

function appendResponse(outcome: LogAppendResult): Answer {
  switch (outcome.kind) {
    case 'Written':
      return new AppendResp().setSuccess(success(outcome));
    case 'WrongVersion':
      return new AppendResp().setWrongExpectedVersion(wrongVersion(outcome));
    case 'Deleted':
      return new AppendResp();
  }
}

function success({ revision, position }: Extract<LogAppendResult, { kind: 'Written' }>) {
  const answer = new AppendResp.Success();
  if (revision === 'none') answer.setNoStream(new Empty());
  else answer.setCurrentRevision(String(revision));
  if (position === undefined) return answer.setNoPosition(new Empty());
  const place = new AppendResp.Position();
  return answer.setPosition(place.setCommitPosition(String(position)).setPreparePosition(String(position)));
}

function wrongVersion({ expected, current }: Extract<LogAppendResult, { kind: 'WrongVersion' }>) {
  const answer = new AppendResp.WrongExpectedVersion();
  if (current === 'none') answer.setCurrentNoStream(new Empty());
  else answer.setCurrentRevision(String(current));
  if (expected === 'any') return answer.setExpectedAny(new Empty());
  if (expected === 'none') return answer.setExpectedNoStream(new Empty());
  if (expected === 'exists') return answer.setExpectedStreamExists(new Empty());
  return answer.setExpectedRevision(String(expected));
}
