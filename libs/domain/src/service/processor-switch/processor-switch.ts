import { eventCodec } from '../../shared/codec.js';
import { accepted, rejected, type Decision } from '../../shared/decision.js';
import type { Event } from '../../payment/payment.events.js';

/**
 * An operator's hand on the tap to one processor: stopped, nothing new is sent to it by any instance; what was sent
 * before is still asked about and undone. One stream for each processor, whose name is its adapter's.
 */
export type ProcessorSwitchEvent =
  Event<'ProcessorStopped', ProcessorStopped> | Event<'ProcessorResumed', ProcessorResumed>;

export interface ProcessorStopped {
  readonly at: string;
  readonly commandId: string;
  readonly processor: string;
  /** Name of the operator, as it is shown to the others. */
  readonly by: string;
  readonly reason: string;
}

export interface ProcessorResumed {
  readonly at: string;
  readonly commandId: string;
  readonly processor: string;
  readonly by: string;
  readonly reason?: string;
}

export interface ProcessorSwitchState {
  readonly stopped?: {
    readonly by: string;
    readonly reason: string;
    readonly since: string;
  };
  /** Of what was done last, oldest first: a command that comes again does nothing a second time. */
  readonly commandIds: readonly string[];
}

export const notStopped: ProcessorSwitchState = { commandIds: [] };

export const processorSwitchCodec = eventCodec<ProcessorSwitchEvent>({
  types: { ProcessorStopped: [], ProcessorResumed: [] },
});

export const processorSwitchStream = (processor: string): string => `processor-${processor}`;

/** A repeat comes within the 24 h of its Idempotency-Key, and nobody turns a switch so often in a day. */
export const MAX_REMEMBERED_COMMANDS = 100;
export const MAX_STOP_REASON = 200;

export function evolveProcessorSwitch(
  state: ProcessorSwitchState,
  { type, data }: ProcessorSwitchEvent,
): ProcessorSwitchState {
  const commandIds = [...state.commandIds, data.commandId].slice(-MAX_REMEMBERED_COMMANDS);
  if (type === 'ProcessorResumed') return { commandIds };
  const { by, reason, at: since } = data;
  return { stopped: { by, reason, since }, commandIds };
}

export function foldProcessorSwitch(events: Iterable<ProcessorSwitchEvent>): ProcessorSwitchState {
  let state = notStopped;
  for (const event of events) state = evolveProcessorSwitch(state, event);
  return state;
}

export interface ProcessorSwitchRejection {
  readonly code: 'InvalidReason';
  readonly message: string;
}

export type ProcessorSwitchDecision = Decision<ProcessorSwitchEvent, ProcessorSwitchRejection>;

/** One who stops what is stopped already changes nothing: who did it first, and why, stays to be seen. */
export function stopProcessor(
  state: ProcessorSwitchState,
  command: ProcessorStopped,
): ProcessorSwitchDecision {
  if (!isReason(command.reason)) return invalidReason();
  if (state.stopped || state.commandIds.includes(command.commandId)) return accepted([], undefined);
  return accepted([{ type: 'ProcessorStopped', data: command }], undefined);
}

export function resumeProcessor(
  state: ProcessorSwitchState,
  command: ProcessorResumed,
): ProcessorSwitchDecision {
  if (command.reason !== undefined && !isReason(command.reason)) return invalidReason();
  if (!state.stopped || state.commandIds.includes(command.commandId)) return accepted([], undefined);
  return accepted([{ type: 'ProcessorResumed', data: command }], undefined);
}

/** It is shown to merchants' developers, in full. */
function isReason(reason: string): boolean {
  return reason.trim() !== '' && [...reason].length <= MAX_STOP_REASON;
}

function invalidReason(): ProcessorSwitchDecision {
  return rejected({
    code: 'InvalidReason',
    message: `The reason must have 1 to ${MAX_STOP_REASON} characters.`,
  });
}
