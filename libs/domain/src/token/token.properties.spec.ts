import fc from 'fast-check';
import { parseOperationId } from '../shared/ids.js';
import { deepFreeze } from '../payment/testing/amount-choice.testing.js';
import { tokenActions, type TokenAction } from './testing/operation-arbitraries.testing.js';
import { ROOT } from './testing/histories.testing.js';
import { streamOfTokenOperation, tokenCodec, tokenStream, type TokenEvent } from './token.events.js';
import { rejectUnusable } from './token.decide.js';
import type { TokenDecision } from './token.commands.js';
import { evolveToken, foldToken } from './token.evolve.js';
import { noToken, type TokenState } from './token.state.js';

/** The long proof sets `PROPERTY_RUNS=100000`. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 300);
const options = { numRuns: RUNS };
const LIMIT = 30_000 + RUNS * 10;

interface Step {
  readonly action: TokenAction;
  readonly before: TokenState;
  readonly decision: TokenDecision;
  readonly after: TokenState;
}

/** All decisions of the sequence, on frozen states. */
function simulate(all: readonly TokenAction[]): {
  readonly history: readonly TokenEvent[];
  readonly steps: readonly Step[];
} {
  const history: TokenEvent[] = [];
  const steps: Step[] = [];
  let state: TokenState = noToken;
  for (const action of all) {
    const before = deepFreeze(state);
    const decision = action.decide(before);
    const events = decision.kind === 'Accepted' ? decision.events : [];
    state = foldToken(events, before);
    history.push(...events);
    steps.push({ action, before, decision, after: state });
  }
  return { history, steps };
}

const checkAlways = (check: (simulated: ReturnType<typeof simulate>) => void) =>
  fc.assert(
    fc.property(tokenActions, (all) => check(simulate(all))),
    options,
  );

const ENDINGS: readonly TokenEvent['type'][] = [
  'TokenCreated',
  'VerificationDeclined',
  'VerificationCancelled',
  'VerificationNotExecuted',
  'VerificationNotSent',
  'VerificationFormExpired',
];

describe('any history of a stored card', () => {
  it(
    'deciding is pure, and a rejection changes nothing and has nothing but its reason',
    () => {
      checkAlways(({ steps }) => {
        for (const { action, before, decision, after } of steps) {
          expect(action.decide(before)).toEqual(decision);
          if (decision.kind === 'Accepted') continue;
          expect(Object.keys(decision).sort()).toEqual(['kind', 'rejection']);
          expect(after).toBe(before);
        }
      });
    },
    LIMIT,
  );

  it(
    'a repeated command adds no event and returns its operation',
    () => {
      checkAlways(({ steps }) => {
        const operationIds = new Map<string, string>();
        for (const { action, decision } of steps) {
          if (decision.kind === 'Rejected' || action.commandId === undefined) continue;
          const first = operationIds.get(action.commandId);
          if (first) expect(decision).toEqual({ kind: 'Accepted', events: [], value: first });
          else operationIds.set(action.commandId, decision.value);
        }
      });
    },
    LIMIT,
  );

  it(
    'events fold to the same state after a round trip through JSON and the codec',
    () => {
      checkAlways(({ history, steps }) => {
        const stored = history.map((event) => JSON.parse(JSON.stringify(tokenCodec.encode(event))));
        const events = stored.map((event) => tokenCodec.decode(event));
        expect(events).toEqual(history);
        expect(foldToken(events)).toEqual(steps.at(-1)?.after);
      });
    },
    LIMIT,
  );

  it(
    'the token can be used from TokenCreated to TokenRemoved, and at no other time',
    () => {
      checkAlways(({ history }) => {
        let state: TokenState = noToken;
        let usable = false;
        for (const event of history) {
          state = evolveToken(state, event);
          if (event.type === 'TokenCreated') usable = true;
          if (event.type === 'TokenRemoved') usable = false;
          expect(rejectUnusable(state) === undefined).toBe(usable);
        }
      });
    },
    LIMIT,
  );

  it(
    'the token is verified, created and removed at most once, and its keys are destroyed last',
    () => {
      checkAlways(({ history }) => {
        const types = history.map(({ type }) => type);
        const count = (some: readonly string[]) => types.filter((type) => some.includes(type)).length;
        expect(count(ENDINGS)).toBeLessThanOrEqual(1);
        expect(count(['TokenRemoved'])).toBeLessThanOrEqual(count(['TokenCreated']));
        expect(count(['TokenKeysDestroyed'])).toBeLessThanOrEqual(1);
        if (types.includes('TokenKeysDestroyed')) expect(types.at(-1)).toBe('TokenKeysDestroyed');
      });
    },
    LIMIT,
  );

  it(
    'each operation has its own id, numbered from 0, that gives the stream',
    () => {
      checkAlways(({ history }) => {
        const requests = history.filter(({ type }) => /^Token(Requested|Updated|Removed)$/.test(type));
        requests.forEach(({ data: { operationId } }, number) => {
          expect(parseOperationId(operationId)).toEqual({ category: 'token', root: ROOT, number });
          expect(streamOfTokenOperation(operationId)).toBe(tokenStream(ROOT));
        });
      });
    },
    LIMIT,
  );

  it(
    'its `updatedAt` is the time of the last change',
    () => {
      checkAlways(({ history, steps }) => {
        const state = steps.at(-1)?.after;
        const last = history.filter(({ type }) => type !== 'TokenKeysDestroyed').at(-1);
        if (state && state.status !== 'None') expect(state.updatedAt).toBe(last?.data.at);
      });
    },
    LIMIT,
  );

  it(
    'an erasure removes only tokens of its holder',
    () => {
      checkAlways(({ steps }) => {
        for (const { before, decision } of steps) {
          if (decision.kind === 'Rejected') continue;
          for (const { type, data } of decision.events) {
            if (type !== 'TokenRemoved' || data.erasedHolderId === undefined) continue;
            expect(before).toMatchObject({ accountHolderId: data.erasedHolderId });
          }
        }
      });
    },
    LIMIT,
  );

  it('the generated histories contain every event type', () => {
    const seen = new Set<string>();
    for (const all of fc.sample(tokenActions, { numRuns: 1000, seed: 1 })) {
      for (const { type } of simulate(all).history) seen.add(type);
    }
    expect([...seen].sort()).toEqual([...tokenCodec.types].sort());
  });
});
