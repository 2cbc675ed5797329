import {
  allowedSteps,
  approvePricingTemplate,
  evolveMerchantApplication,
  evolvePricingTemplates,
  merchantApplicationStream,
  noMerchantApplication,
  noPricingTemplates,
  pricingTemplatesStream,
  rejectPricingTemplate,
  submitPricingTemplate,
  takeApplicationStep,
  type ApplicationStep,
  type ApplicationStepName,
  type Decision,
  type MerchantApplication,
  type MerchantApplicationEvent,
  type PricingTemplateEvent,
  type PricingTemplates,
} from '@tillstream/domain';
import { newEventId, type EventStore, type JsonObject } from '@tillstream/event-store';

/** A merchant whose id has the form of one, as the streams of pricing templates need it. */
export const LIFECYCLE_MERCHANT = 'mer_01JQ0000000000000000000000';

type StepOf<Step> = Step extends ApplicationStep ? Omit<Step, 'at'> : never;
interface AnyEvent {
  readonly type: string;
  readonly data: object;
}

/** Appends events about applications and pricing templates, as the deciders decide them. */
export class LifecycleHistories {
  readonly #applications: DecidedStreams<MerchantApplication, MerchantApplicationEvent>;
  readonly #pricing: DecidedStreams<PricingTemplates, PricingTemplateEvent>;

  constructor(store: Pick<EventStore, 'append'>) {
    this.#applications = new DecidedStreams(store, noMerchantApplication, evolveMerchantApplication);
    this.#pricing = new DecidedStreams(store, noPricingTemplates, evolvePricingTemplates);
  }

  take(merchantId: string, at: string, step: StepOf<ApplicationStep>): Promise<void> {
    return this.#applications.decide(merchantApplicationStream(merchantId), (state) =>
      takeApplicationStep(state, { ...step, at } as ApplicationStep),
    );
  }

  /** One of the steps that are allowed now, if any. */
  async takeAny(merchantId: string, at: string, choose: (below: number) => number): Promise<void> {
    const allowed = allowedSteps(this.#applications.stateOf(merchantApplicationStream(merchantId)));
    const step = allowed[choose(Math.max(1, allowed.length))];
    if (step !== undefined) await this.take(merchantId, at, stepOf(merchantId, step));
  }

  /** A new template of `LIFECYCLE_MERCHANT`, by version from 1. */
  submit(at: string, name = 'Retail'): Promise<void> {
    const pricing = { name, rules: [], monthlyFee: 0, returnFee: 0, chargebackFee: 0, validFrom: at };
    return this.#pricing.decide(PRICING_STREAM, (state) =>
      submitPricingTemplate(state, { ...pricing, at, merchantId: LIFECYCLE_MERCHANT }),
    );
  }

  /** A decision on a version that waits for none changes nothing. */
  decide(version: number, decision: 'Approve' | 'Reject', at: string, reason?: string): Promise<void> {
    const decide = decision === 'Approve' ? approvePricingTemplate : rejectPricingTemplate;
    return this.#pricing.decide(PRICING_STREAM, (state) => {
      const templateId = state.templates[version - 1]?.id ?? '';
      return decide(state, { at, templateId, ...(reason !== undefined && { reason }) });
    });
  }
}

const PRICING_STREAM = pricingTemplatesStream(LIFECYCLE_MERCHANT) ?? '';

function stepOf(merchantId: string, step: ApplicationStepName): StepOf<ApplicationStep> {
  const reason = `${step} of ${merchantId}`;
  switch (step) {
    case 'start':
      return { step, applicationId: `app_${merchantId.slice(4)}` };
    case 'require-action':
      return { step, reason, requiredActions: ['Upload a bank statement'] };
    case 'change-status':
      return { step, status: 'UnderReview', reason };
    case 'reject':
      return { step, reason };
    default:
      return { step };
  }
}

/** The states of streams of one category, and their appends. */
class DecidedStreams<State, Event extends AnyEvent> {
  readonly #streams = new Map<string, { readonly state: State; readonly revision: number }>();

  constructor(
    private readonly store: Pick<EventStore, 'append'>,
    private readonly initial: State,
    private readonly evolve: (state: State, event: Event) => State,
  ) {}

  stateOf(stream: string): State {
    return this.#streams.get(stream)?.state ?? this.initial;
  }

  /** Appends what is decided; nothing after a rejection. */
  async decide(stream: string, decide: (state: State) => Decision<Event, unknown, unknown>): Promise<void> {
    const { state, revision } = this.#streams.get(stream) ?? { state: this.initial, revision: -1 };
    const decision = decide(state);
    if (decision.kind === 'Rejected' || decision.events.length === 0) return;
    const { events } = decision;
    await this.store.append({
      stream,
      expected: revision < 0 ? 'none' : revision,
      events: events.map(({ type, data }) => ({
        ...{ id: newEventId(), type, metadata: { schemaVersion: 1 } },
        data: JSON.parse(JSON.stringify(data)) as JsonObject,
      })),
    });
    const after = { state: events.reduce(this.evolve, state), revision: revision + events.length };
    this.#streams.set(stream, after);
  }
}
