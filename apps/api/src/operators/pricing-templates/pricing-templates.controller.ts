import { Body, Controller, Get, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { PRICING_TEMPLATE_STATUSES, type PricingTemplate } from '@tillstream/contracts';
import type { PricingDecision } from '@tillstream/payments';
import { pricingTemplateShape } from '@tillstream/presentation';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import type { JsonPage } from '../../http/json.page.js';
import { anyOf } from '../../validation/list.filters.js';
import { listQuery } from '../../validation/list.query.js';
import { ReasonDto } from '../merchants/merchants.dto.js';
import { found, merchantIdOf } from '../merchants/merchants.errors.js';
import { FindMerchant } from '../merchants/merchants.handlers.js';
import {
  DecidePricingTemplate,
  LoadPricingTemplates,
  SubmitPricingTemplate,
} from './pricing-templates.handlers.js';
import { PRICING_TEMPLATE_ENDPOINTS } from './pricing-templates.docs.js';
import { newPricing, NewPricingTemplateDto } from './pricing-templates.dto.js';
import { PricingTemplateErrors } from './pricing-templates.errors.js';

class PricingTemplateListQuery extends listQuery({
  filters: { status: anyOf(PRICING_TEMPLATE_STATUSES) },
  sorts: ['createdAt'],
  totals: true,
  boundTo: ({ id }) => `pricing templates of ${id}`,
}) {}

/** What a merchant pays (`docs/spec/operators.md#pricing-templates`). */
@ApiTags('Pricing')
@Controller('admin/v1')
@OperatorApi(PRICING_TEMPLATE_ENDPOINTS)
@UseInterceptors(PricingTemplateErrors)
export class PricingTemplatesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('merchants/:merchantId/pricing-templates')
  async submitPricingTemplate(
    @Operator() { actor, traceId, commandId }: OperatorRequest,
    @Param('merchantId') id: string,
    @Body() body: NewPricingTemplateDto,
  ): Promise<PricingTemplate> {
    const request = { actor, traceId, commandId, merchantId: merchantIdOf(id) };
    const command = new SubmitPricingTemplate(request, newPricing(body));
    const { merchantId, template } = await this.commands.execute(command);
    return pricingTemplateShape(merchantId, template);
  }

  @Get('merchants/:merchantId/pricing-templates')
  async listPricingTemplates(
    @Param('merchantId') id: string,
    @Query() query: PricingTemplateListQuery,
  ): Promise<JsonPage> {
    const merchant = found(await this.queries.execute(new FindMerchant(merchantIdOf(id))));
    const { templates } = await this.queries.execute(new LoadPricingTemplates(merchant.id));
    const { status } = query.filters;
    const chosen = templates.filter((template) => status?.includes(template.status) ?? true);
    return query.sorted(chosen, (template) => pricingTemplateShape(merchant.id, template));
  }

  @Post('pricing-templates/:id/approve')
  approvePricingTemplate(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
  ): Promise<PricingTemplate> {
    return this.decide(operator, id, { decision: 'Approve', reason });
  }

  @Post('pricing-templates/:id/reject')
  rejectPricingTemplate(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
  ): Promise<PricingTemplate> {
    return this.decide(operator, id, { decision: 'Reject', reason });
  }

  private async decide(
    { actor, traceId, commandId }: OperatorRequest,
    id: string,
    decided: { readonly decision: PricingDecision; readonly reason: string | undefined },
  ): Promise<PricingTemplate> {
    const command = new DecidePricingTemplate({ actor, traceId, commandId }, id, decided);
    const { merchantId, template } = await this.commands.execute(command);
    return pricingTemplateShape(merchantId, template);
  }
}
