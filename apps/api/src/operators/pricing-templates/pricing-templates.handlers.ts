import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { PricingTemplates } from '@tillstream/domain';
import type {
  NewPricing,
  PricingRequest,
  PricingTemplateOfMerchant,
  PricingTemplateRegistry,
} from '@tillstream/payments';
import { PRICING_TEMPLATES } from '../../api.parts.js';

type Decided = Parameters<PricingTemplateRegistry['decide']>[2];

export class SubmitPricingTemplate extends Command<PricingTemplateOfMerchant> {
  constructor(
    readonly request: PricingRequest & { readonly merchantId: string },
    readonly pricing: NewPricing,
  ) {
    super();
  }
}

@CommandHandler(SubmitPricingTemplate)
export class SubmitPricingTemplateHandler implements ICommandHandler<SubmitPricingTemplate> {
  constructor(@Inject(PRICING_TEMPLATES) private readonly templates: PricingTemplateRegistry) {}

  execute({ request, pricing }: SubmitPricingTemplate): Promise<PricingTemplateOfMerchant> {
    return this.templates.submit(request, pricing);
  }
}

export class DecidePricingTemplate extends Command<PricingTemplateOfMerchant> {
  constructor(
    readonly request: PricingRequest,
    readonly templateId: string,
    readonly decided: Decided,
  ) {
    super();
  }
}

@CommandHandler(DecidePricingTemplate)
export class DecidePricingTemplateHandler implements ICommandHandler<DecidePricingTemplate> {
  constructor(@Inject(PRICING_TEMPLATES) private readonly templates: PricingTemplateRegistry) {}

  execute({ request, templateId, decided }: DecidePricingTemplate): Promise<PricingTemplateOfMerchant> {
    return this.templates.decide(request, templateId, decided);
  }
}

export class LoadPricingTemplates extends Query<PricingTemplates> {
  constructor(readonly merchantId: string) {
    super();
  }
}

@QueryHandler(LoadPricingTemplates)
export class LoadPricingTemplatesHandler implements IQueryHandler<LoadPricingTemplates> {
  constructor(@Inject(PRICING_TEMPLATES) private readonly templates: PricingTemplateRegistry) {}

  execute({ merchantId }: LoadPricingTemplates): Promise<PricingTemplates> {
    return this.templates.load(merchantId);
  }
}

export const PRICING_TEMPLATE_HANDLERS = [
  SubmitPricingTemplateHandler,
  DecidePricingTemplateHandler,
  LoadPricingTemplatesHandler,
];
