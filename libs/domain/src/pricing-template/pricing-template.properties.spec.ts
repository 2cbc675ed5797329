import fc from 'fast-check';
import {
  approvePricingTemplate,
  rejectPricingTemplate,
  submitPricingTemplate,
  type PricingTemplateDecision,
} from './pricing-template.decide.js';
import {
  evolvePricingTemplates,
  foldPricingTemplates,
  noPricingTemplates,
  pricingTemplateCodec,
  templateInEffect,
  type PricingTemplateEvent,
  type PricingTemplates,
  type PricingTemplateStatus,
} from './pricing-template.js';
import { MERCHANT, minutes, PRICING, templateId } from './testing/histories.testing.js';

/** The long proof sets `PROPERTY_RUNS=100000`. */
const options = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) };
const LIMIT = 30_000 + options.numRuns * 10;

const validFrom = fc.nat({ max: 5 });
const version = fc.integer({ min: 1, max: 12 });
const command = fc.oneof(
  fc.record({ kind: fc.constant('submit' as const), validFrom }),
  fc.record({ kind: fc.constantFrom('approve' as const, 'reject' as const), version }),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

function decide(state: PricingTemplates, chosen: Command, at: string): PricingTemplateDecision {
  if (chosen.kind === 'submit')
    return submitPricingTemplate(state, {
      ...{ ...PRICING, at, merchantId: MERCHANT },
      validFrom: minutes(chosen.validFrom),
    });
  const decided = { at, templateId: templateId(chosen.version) };
  return chosen.kind === 'approve'
    ? approvePricingTemplate(state, decided)
    : rejectPricingTemplate(state, decided);
}

/** The templates as a table: the simplest model of the same rules. */
class Model {
  readonly rows: { status: PricingTemplateStatus; readonly validFrom: number }[] = [];

  accepts(chosen: Command): boolean {
    if (chosen.kind === 'submit') {
      this.rows.push({ status: 'Submitted', validFrom: chosen.validFrom });
      return true;
    }
    const row = this.rows[chosen.version - 1];
    if (row?.status !== 'Submitted') return false;
    row.status = chosen.kind === 'approve' ? 'Approved' : 'Rejected';
    return true;
  }

  inEffect(minute: number): number | undefined {
    const valid = this.rows
      .map((row, index) => ({ ...row, version: index + 1 }))
      .filter(({ status, validFrom: from }) => status === 'Approved' && from <= minute)
      .sort((a, b) => b.validFrom - a.validFrom || b.version - a.version);
    return valid[0]?.version;
  }
}

describe('Random submissions and decisions of pricing templates', () => {
  it(
    'agree with a table of them at every time, and the events alone give the same state',
    () => {
      fc.assert(
        fc.property(fc.array(command, { maxLength: 40, size: 'max' }), (commands) => {
          const model = new Model();
          const events: PricingTemplateEvent[] = [];
          let state = noPricingTemplates;
          for (const [index, chosen] of commands.entries()) {
            const decision = decide(state, chosen, minutes(index));
            expect(decision.kind).toBe(model.accepts(chosen) ? 'Accepted' : 'Rejected');
            if (decision.kind === 'Rejected') continue;
            events.push(...decision.events);
            state = decision.events.reduce(evolvePricingTemplates, state);
          }
          expect(state.templates.map(({ status }) => status)).toEqual(model.rows.map(({ status }) => status));
          for (let minute = 0; minute <= 6; minute++)
            expect(templateInEffect(state, minutes(minute))?.version).toBe(model.inEffect(minute));
          const stored = JSON.parse(
            JSON.stringify(events.map((event) => pricingTemplateCodec.encode(event))),
          ) as ReturnType<typeof pricingTemplateCodec.encode>[];
          const read = stored.map((event) => pricingTemplateCodec.decode(event));
          expect(foldPricingTemplates(read)).toEqual(state);
        }),
        options,
      );
    },
    LIMIT,
  );
});
