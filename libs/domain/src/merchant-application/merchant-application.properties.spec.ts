import fc from 'fast-check';
import { allowedSteps, APPLICATION_STEPS, takeApplicationStep } from './merchant-application.decide.js';
import {
  evolveMerchantApplication,
  foldMerchantApplication,
  merchantApplicationCodec,
  noMerchantApplication,
  type MerchantApplication,
  type MerchantApplicationEvent,
} from './merchant-application.js';
import { minutes, stepOf } from './testing/histories.testing.js';

/** The long proof sets `PROPERTY_RUNS=100000`. */
const options = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) };
const LIMIT = 30_000 + options.numRuns * 10;

/** The order of `docs/spec/operators.md#merchant-application`, as one expression over a letter for each step. */
const ORDER = /^(s([ui])*(b(c)*(a|r)?)?)?$/;
const LETTERS = {
  ...{ start: 's', 'upload-info': 'u', 'require-action': 'i', submit: 'b' },
  ...{ 'change-status': 'c', approve: 'a', reject: 'r' },
};

describe('Random steps of an application', () => {
  it(
    'are taken exactly if they keep the order, and the events alone give the same state',
    () => {
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...APPLICATION_STEPS), { maxLength: 30 }), (steps) => {
          let state: MerchantApplication = noMerchantApplication;
          let taken = '';
          const events: MerchantApplicationEvent[] = [];
          for (const [index, step] of steps.entries()) {
            const isInOrder = ORDER.test(taken + LETTERS[step]);
            expect(allowedSteps(state).includes(step)).toBe(isInOrder);
            const decision = takeApplicationStep(state, stepOf(step, minutes(index)));
            expect(decision.kind).toBe(isInOrder ? 'Accepted' : 'Rejected');
            if (decision.kind === 'Rejected') continue;
            taken += LETTERS[step];
            events.push(...decision.events);
            state = decision.events.reduce(evolveMerchantApplication, state);
          }
          const stored = events.map((event) => merchantApplicationCodec.encode(event));
          const read = JSON.parse(JSON.stringify(stored)) as typeof stored;
          expect(
            foldMerchantApplication(read.map((event) => merchantApplicationCodec.decode(event))),
          ).toEqual(state);
        }),
        options,
      );
    },
    LIMIT,
  );
});
