import fc from 'fast-check';
import { deepFreeze } from '../payment/testing/amount-choice.testing.js';
import {
  changeHolder,
  createHolder,
  eraseHolder,
  finishErasure,
  foldHolder,
  holderCodec,
  linkToken,
  noHolder,
  type HolderDecision,
  type HolderEvent,
  type HolderState,
} from './holder.js';
import { creation, minutes, sealed } from './testing/histories.testing.js';

/** The long proof sets `PROPERTY_RUNS=100000`. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 300);
const options = { numRuns: RUNS };
const LIMIT = 30_000 + RUNS * 10;

type DecisionFunction = (state: HolderState) => HolderDecision;
interface HolderAction {
  readonly commandId?: string;
  readonly decide: DecisionFunction;
}

const command = fc.record({
  commandId: fc.nat({ max: 9 }).map(String),
  at: fc.nat({ max: 99 }).map(minutes),
});
const hash = fc.option(fc.constantFrom('one', 'two'), { nil: undefined });
const named = fc.tuple(command, hash).map(([data, externalIdHash]) => ({
  ...data,
  personal: sealed(data.at),
  ...(externalIdHash !== undefined && { externalIdHash }),
}));
const holderAction: fc.Arbitrary<HolderAction> = fc.oneof(
  {
    weight: 2,
    arbitrary: named.map((data) =>
      commandAction(data.commandId, (s) => createHolder(s, { ...creation, ...data })),
    ),
  },
  { weight: 3, arbitrary: named.map((data) => commandAction(data.commandId, (s) => changeHolder(s, data))) },
  { weight: 1, arbitrary: command.map((data) => commandAction(data.commandId, (s) => eraseHolder(s, data))) },
  {
    weight: 4,
    arbitrary: fc
      .record({
        at: fc.nat({ max: 99 }).map(minutes),
        tokenId: fc.nat({ max: 5 }).map((n) => `pmt_tkn_${n}`),
      })
      .map((data): HolderAction => ({ decide: (s) => linkToken(s, data) })),
  },
  {
    weight: 1,
    arbitrary: fc.constant<HolderAction>({ decide: (s) => finishErasure(s, { at: minutes(100) }) }),
  },
);
const holderActions = fc.array(holderAction, { maxLength: 30, size: 'max' });

function commandAction(commandId: string, decide: DecisionFunction): HolderAction {
  return { commandId, decide };
}

interface Step {
  readonly action: HolderAction;
  readonly before: HolderState;
  readonly decision: HolderDecision;
  readonly after: HolderState;
}

function simulate(actions: readonly HolderAction[]): {
  readonly history: readonly HolderEvent[];
  readonly steps: readonly Step[];
} {
  const history: HolderEvent[] = [];
  const steps: Step[] = [];
  let state: HolderState = noHolder;
  for (const action of actions) {
    const before = deepFreeze(state);
    const decision = action.decide(before);
    const events = decision.kind === 'Accepted' ? decision.events : [];
    state = foldHolder(events, before);
    history.push(...events);
    steps.push({ action, before, decision, after: state });
  }
  return { history, steps };
}

const checkAlways = (check: (simulated: ReturnType<typeof simulate>) => void) =>
  fc.assert(
    fc.property(holderActions, (actions) => check(simulate(actions))),
    options,
  );

describe('any history of an account holder', () => {
  it(
    'deciding is pure, and a rejection changes nothing',
    () => {
      checkAlways(({ steps }) => {
        for (const { action, before, decision, after } of steps) {
          expect(action.decide(before)).toEqual(decision);
          if (decision.kind === 'Rejected') expect(after).toBe(before);
        }
      });
    },
    LIMIT,
  );

  it(
    'a repeated command does nothing',
    () => {
      checkAlways(({ steps }) => {
        const done = new Set<string>();
        for (const { action, decision } of steps) {
          if (decision.kind === 'Rejected' || action.commandId === undefined) continue;
          if (done.has(action.commandId)) expect(decision.events).toEqual([]);
          done.add(action.commandId);
        }
      });
    },
    LIMIT,
  );

  it(
    'events fold to the same state after a round trip through JSON and the codec',
    () => {
      checkAlways(({ history, steps }) => {
        const events = history
          .map((event) => JSON.parse(JSON.stringify(holderCodec.encode(event))))
          .map((stored) => holderCodec.decode(stored));
        expect(events).toEqual(history);
        expect(foldHolder(events)).toEqual(steps.at(-1)?.after ?? noHolder);
      });
    },
    LIMIT,
  );

  it(
    'after an erasure no event follows, except the end of the erasure',
    () => {
      checkAlways(({ history }) => {
        const types = history.map(({ type }) => type);
        const erasure = types.indexOf('HolderErased');
        if (erasure >= 0) expect([[], ['HolderErasureFinished']]).toContainEqual(types.slice(erasure + 1));
        else expect(types).not.toContain('HolderErasureFinished');
      });
    },
    LIMIT,
  );

  it(
    'each token is linked once, and the state has them all',
    () => {
      checkAlways(({ history, steps }) => {
        const linked = history.flatMap((event) => (event.type === 'TokenLinked' ? [event.data.tokenId] : []));
        expect(new Set(linked).size).toBe(linked.length);
        const state = steps.at(-1)?.after ?? noHolder;
        if (state.status !== 'None') expect(state.tokenIds).toEqual(linked);
      });
    },
    LIMIT,
  );

  it(
    'the external id is the last one that an event named',
    () => {
      checkAlways(({ history, steps }) => {
        const hashes = history.flatMap((event) =>
          'externalIdHash' in event.data ? [event.data.externalIdHash] : [],
        );
        const state = steps.at(-1)?.after ?? noHolder;
        if (state.status !== 'None') expect(state.externalIdHash).toBe(hashes.at(-1));
      });
    },
    LIMIT,
  );

  it('the generated histories contain every event type', () => {
    const seen = new Set<string>();
    for (const actions of fc.sample(holderActions, { numRuns: 1000, seed: 1 })) {
      for (const { type } of simulate(actions).history) seen.add(type);
    }
    expect([...seen].sort()).toEqual([...holderCodec.types].sort());
  });
});
