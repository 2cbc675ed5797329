import { Controller, Get, Inject, Param, Post, Put, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CURRENCIES, OWN_PAYMENT_METHOD_TYPES, type ErrorDetail } from '@tillstream/contracts';
import { rejectUnfitPaymentMethod } from '@tillstream/domain';
import type { NewPaymentMethod } from '@tillstream/payments';
import type { Config } from '@tillstream/platform';
import { createdPaymentMethod, operatorPaymentMethod } from '@tillstream/presentation';
import { Callers } from '../access/callers.js';
import { MODE } from '../api.parts.js';
import type { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { anyOf, flag } from '../validation/list.filters.js';
import { atLeastOneField, invalidField, requestBody, type RequestBody } from '../validation/request.body.js';
import { found, merchantIdOf, noPaymentMethod, operatorChange } from './merchants.answer.js';
import { AddPaymentMethod, ChangePaymentMethod } from './merchants.commands.js';
import { pageOfWhole } from './merchants.lists.js';
import { FindMerchant, FindMerchantOfPaymentMethod } from './merchants.queries.js';
import { NewFormDto, NewTerminalDto, PaymentMethodChangeDto } from './payment-methods.dto.js';

export const OPERATOR_PAYMENT_METHOD_FILTERS = {
  type: anyOf(OWN_PAYMENT_METHOD_TYPES),
  currency: anyOf(CURRENCIES),
  disabled: flag,
};

/** Terminals and forms of merchants (`docs/spec/operators.md#terminals-and-forms`). */
@Controller('admin/v1')
@Callers('AdminKey')
export class OperatorPaymentMethodsController {
  constructor(
    private readonly kept: KeptAnswers,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(MODE) private readonly mode: Config['mode'],
  ) {}

  @Post('merchants/:merchantId/terminals')
  async addTerminal(@Req() request: ApiRequest, @Param('merchantId') id: string): Promise<Answer> {
    const asked = await requestBody(request, NewTerminalDto, { mayBeEmpty: true });
    return this.add(request, id, asked, { ...asked.body, type: 'Physical' });
  }

  @Post('merchants/:merchantId/forms')
  async addForm(@Req() request: ApiRequest, @Param('merchantId') id: string): Promise<Answer> {
    const wrong = (body: NewFormDto, errors: readonly ErrorDetail[]) => [
      ...this.insecureOrigins(body.allowedOrigins),
      ...(errors.length > 0 ? [] : unfit(body)),
    ];
    const asked = await requestBody(request, NewFormDto, { wrong });
    return this.add(request, id, asked, asked.body);
  }

  /** *ext*: those that merchants do not see, too. */
  @Get('merchants/:merchantId/payment-methods')
  list(@Req() request: ApiRequest, @Param('merchantId') id: string): Promise<Answer> {
    return pageOfWhole(request, {
      filters: OPERATOR_PAYMENT_METHOD_FILTERS,
      boundTo: `all payment methods of ${id}`,
      all: async ({ type, currency, disabled }) => {
        const { paymentMethods } = found(await this.queries.execute(new FindMerchant(id)));
        return paymentMethods.filter(
          (one) =>
            (type?.includes(one.type) ?? true) &&
            (currency?.includes(one.currency) ?? true) &&
            (disabled === undefined || disabled === one.disabled),
        );
      },
      shown: operatorPaymentMethod,
    });
  }

  @Put('payment-methods/:id')
  async change(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    const notEmpty = atLeastOneField(PaymentMethodChangeDto);
    const asked = await requestBody(request, PaymentMethodChangeDto, {
      wrong: (body, errors) => [...notEmpty(body, errors), ...this.insecureOrigins(body.allowedOrigins)],
    });
    return operatorChange(this.kept, request, asked, async (by) => {
      const merchantId = await this.queries.execute(new FindMerchantOfPaymentMethod(id));
      if (merchantId === undefined) throw noPaymentMethod();
      const command = new ChangePaymentMethod(by, merchantId, id, asked.body);
      return operatorPaymentMethod(await this.commands.execute(command));
    });
  }

  private add(
    request: ApiRequest,
    id: string,
    asked: RequestBody<unknown>,
    { isDefault = false, ...method }: Omit<NewPaymentMethod, 'isDefault'> & { readonly isDefault?: boolean },
  ): Promise<Answer> {
    return operatorChange(this.kept, request, asked, async (by) => {
      const command = new AddPaymentMethod(by, merchantIdOf(id), { ...method, isDefault });
      return createdPaymentMethod(await this.commands.execute(command));
    });
  }

  /** `http` is for the sandbox only, as in `returnUrl` (`docs/spec/README.md#field-types`). */
  private insecureOrigins(origins: unknown): ErrorDetail[] {
    const sent: readonly unknown[] = Array.isArray(origins) ? origins : [];
    const insecure = sent.some((one) => typeof one === 'string' && one.startsWith('http:'));
    if (this.mode !== 'live' || !insecure) return [];
    const message = 'allowedOrigins must begin with https:.';
    return [invalidField('allowedOrigins', message, 'received one of http, allowed https only')];
  }
}

/** What this kind of form can't have. */
function unfit(body: NewFormDto): ErrorDetail[] {
  const refusal = rejectUnfitPaymentMethod(body.type, body);
  return refusal ? [invalidField(refusal.setting ?? 'type', refusal.message, refusal.details)] : [];
}
