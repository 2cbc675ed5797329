import { accepted, eventCodec, foldOf, rejected, type Decision, type Event } from '../../shared/aggregate.js';

/*
 * An operator's stop of new attempts to one processor, on all instances. Inquiries, annulments and reversals continue.
 * Each processor has a stream, named after its adapter.
 */

export const processorSwitchStream = (processor: string): string => `processor-${processor}`;

/** Storage: these shapes never change. */
export type ProcessorSwitchEvent =
  Event<'ProcessorStopped', ProcessorStopped> | Event<'ProcessorResumed', ProcessorResumed>;

export interface ProcessorStopped {
  readonly at: string;
  readonly commandId: string;
  readonly processor: string;
  /** Name of the operator. */
  readonly by: string;
  readonly reason: string;
}

export interface ProcessorResumed extends Omit<ProcessorStopped, 'reason'> {
  readonly reason?: string;
}

/** Frozen examples of each version are in `fixtures/`. */
export const processorSwitchCodec = eventCodec<ProcessorSwitchEvent>({
  types: { ProcessorStopped: [], ProcessorResumed: [] },
});

export interface ProcessorSwitchState {
  readonly stopped?: {
    readonly by: string;
    readonly reason: string;
    readonly since: string;
  };
  /** Of the last changes, oldest first: a repeated command adds no event. */
  readonly commandIds: readonly string[];
}

export const notStopped: ProcessorSwitchState = { commandIds: [] };

/** A client repeats a command within the 24 h of its Idempotency-Key; operators switch less often than this in a day. */
export const MAX_REMEMBERED_COMMANDS = 100;
/** Characters. */
export const MAX_STOP_REASON = 200;

export interface ProcessorSwitchRejection {
  readonly code: 'InvalidReason';
  readonly message: string;
}

export type ProcessorSwitchDecision = Decision<ProcessorSwitchEvent, ProcessorSwitchRejection>;

/** Adds no event if the processor is stopped already: the first operator and reason stay. */
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

/** The service shows the reason to merchants' developers, so it is short. */
function isReason(reason: string): boolean {
  return reason.trim() !== '' && [...reason].length <= MAX_STOP_REASON;
}

function invalidReason(): ProcessorSwitchDecision {
  return rejected({
    code: 'InvalidReason',
    message: `The reason must have 1 to ${MAX_STOP_REASON} characters.`,
  });
}

export const foldProcessorSwitch = foldOf(evolve, notStopped);

function evolve(state: ProcessorSwitchState, { type, data }: ProcessorSwitchEvent): ProcessorSwitchState {
  const commandIds = [...state.commandIds, data.commandId].slice(-MAX_REMEMBERED_COMMANDS);
  if (type === 'ProcessorResumed') return { commandIds };
  const { by, reason, at: since } = data;
  return { stopped: { by, reason, since }, commandIds };
}
