import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { codecContract } from '../../shared/testing/codec-contract.testing.js';
import {
  foldProcessorSwitch,
  MAX_STOP_REASON,
  processorSwitchCodec,
  processorSwitchStream,
  MAX_REMEMBERED_COMMANDS,
  resumeProcessor,
  stopProcessor,
  type ProcessorSwitchDecision,
  type ProcessorSwitchEvent,
} from './processor-switch.js';

const at = '2026-03-01T12:00:00.000Z';
const processor = 'sandbox';
const stopped = (commandId: string, by = 'Ada'): ProcessorSwitchEvent => ({
  type: 'ProcessorStopped',
  data: { at, commandId, processor, by, reason: 'wrong amounts' },
});
const resumed = (commandId: string): ProcessorSwitchEvent => ({
  type: 'ProcessorResumed',
  data: { at, commandId, processor, by: 'Ada' },
});
const stop = (events: ProcessorSwitchEvent[], commandId: string, reason = 'wrong amounts', by = 'Ada') =>
  stopProcessor(foldProcessorSwitch(events), { at, commandId, processor, by, reason });
const resume = (events: ProcessorSwitchEvent[], commandId: string) =>
  resumeProcessor(foldProcessorSwitch(events), { at, commandId, processor, by: 'Ada' });
const events = (decision: ProcessorSwitchDecision) => (decision.kind === 'Accepted' ? decision.events : []);

describe('The switch of a processor', () => {
  it('is on until an operator stops it, and has operator, reason and time', () => {
    expect(foldProcessorSwitch([]).stopped).toBeUndefined();
    const decided = events(stop([], 'a'));
    expect(decided).toEqual([stopped('a')]);
    expect(foldProcessorSwitch(decided).stopped).toEqual({ by: 'Ada', reason: 'wrong amounts', since: at });
    expect(foldProcessorSwitch([...decided, resumed('b')]).stopped).toBeUndefined();
  });

  it('adds no event if it is stopped or resumed twice: the first operator stays', () => {
    expect(events(stop([stopped('a')], 'b', 'other', 'Bob'))).toEqual([]);
    expect(events(resume([stopped('a'), resumed('b')], 'c'))).toEqual([]);
    expect(events(resume([], 'a'))).toEqual([]);
  });

  it('ignores a repeated command, even after the opposite command', () => {
    expect(events(stop([stopped('a'), resumed('b')], 'a'))).toEqual([]);
    expect(events(resume([stopped('a'), resumed('b'), stopped('c')], 'b'))).toEqual([]);
    expect(events(stop([stopped('a'), resumed('b')], 'c'))).toEqual([stopped('c')]);
  });

  it.each(['', '   ', 'x'.repeat(MAX_STOP_REASON + 1)])(
    'needs a reason of 1 to 200 characters: "%s"',
    (reason) => {
      expect(stop([], 'a', reason)).toMatchObject({ kind: 'Rejected', rejection: { code: 'InvalidReason' } });
    },
  );

  it('counts characters, not code units', () => {
    expect(stop([], 'a', '🛑'.repeat(MAX_STOP_REASON))).toMatchObject({ kind: 'Accepted' });
  });

  it('has the state of the last effective command, and remembers a bounded number of commands', () => {
    const commands = fc.array(fc.boolean(), { maxLength: 2 * MAX_REMEMBERED_COMMANDS + 20 });
    fc.assert(
      fc.property(commands, (stops) => {
        const history: ProcessorSwitchEvent[] = [];
        stops.forEach((isStop, number) => {
          history.push(...events(isStop ? stop(history, `${number}`) : resume(history, `${number}`)));
        });
        const state = foldProcessorSwitch(history);
        expect(state.stopped !== undefined).toBe(stops.at(-1) ?? false);
        expect(state.commandIds.length).toBeLessThanOrEqual(MAX_REMEMBERED_COMMANDS);
      }),
    );
  });

  it('has a stream for each processor', () => {
    expect(processorSwitchStream('sandbox')).toBe('processor-sandbox');
  });
});

describe('the stored events of the switch of a processor', () => {
  const turned = { at, commandId: 'a7a7', processor, by: 'Ada', reason: 'wrong amounts' };
  codecContract(processorSwitchCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    ProcessorStopped: turned,
    ProcessorResumed: { ...turned, reason: 'fixed' },
  });
});
