import {
  accepted,
  approvePricingTemplate,
  findPricingTemplate,
  foldPricingTemplates,
  pricingTemplateCodec,
  pricingTemplatesStream,
  rejectPricingTemplate,
  submitPricingTemplate,
  type Pricing,
  type PricingTemplate,
  type PricingTemplateDecision,
  type PricingTemplateEvent,
  type PricingTemplateRejection,
  type PricingTemplates,
} from '@tillstream/domain';
import type { RecordedEvent } from '@tillstream/event-store';
import { merchantExists } from '../operators/merchant.existence.js';
import type { ChangeRequest } from '../operators/provisioning.js';
import type { Ports } from '../parts.js';
import { iso } from '../ports/clock.port.js';
import type { Actor } from '../requests/request.types.js';
import { eventMetadata, fromRecorded } from '../stream-repository/event-metadata.js';
import { StreamRepository, UNTIL_WRITTEN, type LoadedStream } from '../stream-repository/repositories.js';

/** Who changes a template. */
export interface PricingRequest extends ChangeRequest {
  readonly actor: Actor;
}

/** `validFrom` left out: the time of the submission. */
export type NewPricing = Omit<Pricing, 'validFrom'> & Partial<Pick<Pricing, 'validFrom'>>;

export interface PricingTemplateOfMerchant {
  readonly merchantId: string;
  readonly template: PricingTemplate;
}

export type PricingDecision = 'Approve' | 'Reject';

/** A rule rejected the change. Nothing was stored. */
export class PricingTemplateRejected extends Error {
  override readonly name = 'PricingTemplateRejected';
  constructor(
    readonly rejection:
      PricingTemplateRejection | { readonly code: 'MerchantNotFound'; readonly message: string },
  ) {
    super(rejection.message);
  }
}

const DECIDE = { Approve: approvePricingTemplate, Reject: rejectPricingTemplate };

/**
 * The pricing templates of merchants (`docs/spec/operators.md#pricing-templates`). Each change is stored as an event with
 * the actor's name. A change with the `commandId` of an earlier one has no effect and returns the template. Methods reject
 * with `PricingTemplateRejected` or `EventStoreError`.
 */
export class PricingTemplateRegistry {
  private readonly repository: StreamRepository<
    PricingTemplates,
    PricingTemplateEvent,
    PricingTemplateRejection,
    string
  >;

  constructor(private readonly parts: Pick<Ports, 'store' | 'clock'>) {
    this.repository = new StreamRepository(parts, {
      codec: pricingTemplateCodec,
      fold: foldPricingTemplates,
    });
  }

  /** All templates of a merchant, by version; `templateInEffect` chooses among them. */
  async load(merchantId: string): Promise<PricingTemplates> {
    return (await this.loadStream(merchantId))?.state ?? { templates: [] };
  }

  async submit(
    request: PricingRequest & { readonly merchantId: string },
    pricing: NewPricing,
  ): Promise<PricingTemplateOfMerchant> {
    const { merchantId } = request;
    const loaded = await this.loadStream(merchantId);
    if (!loaded || !(await merchantExists(this.parts.store, merchantId)))
      throw new PricingTemplateRejected({
        code: 'MerchantNotFound',
        message: 'There is no such merchant.',
      });
    return this.write(request, loaded, (state, at) =>
      submitPricingTemplate(state, { validFrom: at, ...pricing, at, merchantId }),
    );
  }

  async decide(
    request: PricingRequest,
    templateId: string,
    { decision, reason }: { readonly decision: PricingDecision; readonly reason?: string | undefined },
  ): Promise<PricingTemplateOfMerchant> {
    const loaded = await this.loadStream(templateId);
    const merchantId = loaded?.state.merchantId;
    if (!loaded || merchantId === undefined)
      throw new PricingTemplateRejected({
        code: 'TemplateNotFound',
        message: 'There is no such pricing template.',
      });
    return this.write({ ...request, merchantId }, loaded, (state, at) =>
      DECIDE[decision](state, { at, templateId, ...(reason !== undefined && { reason }) }),
    );
  }

  /** Undefined: the text is the id of neither a merchant nor a template. */
  private async loadStream(id: string): Promise<LoadedStream<PricingTemplates> | undefined> {
    const stream = pricingTemplatesStream(id);
    return stream === undefined ? undefined : this.repository.load(stream);
  }

  private async write(
    { merchantId, commandId, actor, traceId }: PricingRequest & { readonly merchantId: string },
    loaded: LoadedStream<PricingTemplates>,
    decide: (state: PricingTemplates, at: string) => PricingTemplateDecision,
  ): Promise<PricingTemplateOfMerchant> {
    const written = await this.repository.transact(
      loaded,
      { merchantId, actor, traceId, causationId: commandId },
      (state, history) => {
        const changed = commandId === undefined ? undefined : templateChangedBy(history, commandId);
        return changed === undefined ? decide(state, iso(this.parts.clock.now())) : accepted([], changed);
      },
      { decisionsMax: UNTIL_WRITTEN },
    );
    if (written.kind === 'Rejected') throw new PricingTemplateRejected(written.rejection);
    const template = written.kind === 'Written' && findPricingTemplate(written.loaded.state, written.value);
    if (!template) throw new Error('the change of the pricing template was not written');
    return { merchantId, template };
  }
}

/** The id of the template that the command submitted or decided. */
function templateChangedBy(history: readonly RecordedEvent[], commandId: string): string | undefined {
  const event = history.find((recorded) => eventMetadata(recorded).causationId === commandId);
  return event && fromRecorded(pricingTemplateCodec, event).data.templateId;
}
