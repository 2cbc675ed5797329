import { Body, Controller, Get, Param, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CURRENCIES, OWN_PAYMENT_METHOD_TYPES } from '@tillstream/contracts';
import type { NewPaymentMethod } from '@tillstream/payments';
import { createdPaymentMethod, operatorPaymentMethod } from '@tillstream/presentation';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import type { JsonPage } from '../../http/json.page.js';
import { anyOf, flag } from '../../validation/list.filters.js';
import { listQuery } from '../../validation/list.query.js';
import { found, MerchantErrors, merchantIdOf, noPaymentMethod } from '../merchants/merchants.errors.js';
import { NewFormDto, NewTerminalDto, PaymentMethodChangeDto } from './payment-methods.dto.js';
import { FindMerchant } from '../merchants/merchants.handlers.js';
import { AddPaymentMethod, ChangePaymentMethod } from './payment-methods.handlers.js';
import { OPERATOR_PAYMENT_METHOD_ENDPOINTS } from './payment-methods.docs.js';

class OperatorPaymentMethodListQuery extends listQuery({
  filters: {
    type: anyOf(OWN_PAYMENT_METHOD_TYPES),
    currency: anyOf(CURRENCIES),
    disabled: flag,
  },
  sorts: ['createdAt'],
  totals: true,
  boundTo: ({ id }) => `all payment methods of ${id}`,
}) {}

type Created = ReturnType<typeof createdPaymentMethod>;
type Shown = ReturnType<typeof operatorPaymentMethod>;

/** Terminals and forms of merchants (`docs/spec/operators.md#terminals-and-forms`). */
@ApiTags('Payment methods')
@Controller('admin/v1')
@OperatorApi(OPERATOR_PAYMENT_METHOD_ENDPOINTS)
@UseInterceptors(MerchantErrors)
export class OperatorPaymentMethodsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('merchants/:merchantId/terminals')
  addTerminal(
    @Operator() operator: OperatorRequest,
    @Param('merchantId') id: string,
    @Body() body: NewTerminalDto,
  ): Promise<Created> {
    return this.add(operator, id, { isDefault: false, ...body, type: 'Physical' });
  }

  @Post('merchants/:merchantId/forms')
  addForm(
    @Operator() operator: OperatorRequest,
    @Param('merchantId') id: string,
    @Body() body: NewFormDto,
  ): Promise<Created> {
    return this.add(operator, id, { isDefault: false, ...body });
  }

  /** *ext*: includes those that merchants do not see. */
  @Get('merchants/:merchantId/payment-methods')
  async listPaymentMethodsOfMerchant(
    @Param('merchantId') id: string,
    @Query() query: OperatorPaymentMethodListQuery,
  ): Promise<JsonPage> {
    const { type, currency, disabled } = query.filters;
    const { paymentMethods } = found(await this.queries.execute(new FindMerchant(merchantIdOf(id))));
    const chosen = paymentMethods.filter(
      (one) =>
        (type?.includes(one.type) ?? true) &&
        (currency?.includes(one.currency) ?? true) &&
        (disabled === undefined || disabled === one.disabled),
    );
    return query.sorted(chosen, operatorPaymentMethod);
  }

  @Put('payment-methods/:id')
  async updatePaymentMethod(
    @Operator() operator: OperatorRequest,
    @Param('id') id: string,
    @Body() body: PaymentMethodChangeDto,
  ): Promise<Shown> {
    const changed = await this.commands.execute(new ChangePaymentMethod(operator, id, body));
    if (!changed) throw noPaymentMethod();
    return operatorPaymentMethod(changed);
  }

  private async add(operator: OperatorRequest, id: string, method: NewPaymentMethod): Promise<Created> {
    const command = new AddPaymentMethod(operator, merchantIdOf(id), method);
    return createdPaymentMethod(await this.commands.execute(command));
  }
}
