import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Settlement } from '@tillstream/domain';
import type {
  AdjustmentRequest,
  AdjustmentResult,
  Batches,
  ChargebackRequest,
  ChargebackResult,
  FundRequest,
} from '@tillstream/payments';
import { BATCHES } from '../../api.parts.js';

export class FundSettlement extends Command<Settlement | undefined> {
  constructor(readonly request: FundRequest) {
    super();
  }
}

@CommandHandler(FundSettlement)
export class FundSettlementHandler implements ICommandHandler<FundSettlement> {
  constructor(@Inject(BATCHES) private readonly batches: Batches) {}

  execute({ request }: FundSettlement): Promise<Settlement | undefined> {
    return this.batches.fundSettlement(request);
  }
}

export class RecordAdjustment extends Command<AdjustmentResult | undefined> {
  constructor(readonly request: AdjustmentRequest) {
    super();
  }
}

@CommandHandler(RecordAdjustment)
export class RecordAdjustmentHandler implements ICommandHandler<RecordAdjustment> {
  constructor(@Inject(BATCHES) private readonly batches: Batches) {}

  execute({ request }: RecordAdjustment): Promise<AdjustmentResult | undefined> {
    return this.batches.recordAdjustment(request);
  }
}

export class RecordChargeback extends Command<ChargebackResult | undefined> {
  constructor(readonly request: ChargebackRequest) {
    super();
  }
}

@CommandHandler(RecordChargeback)
export class RecordChargebackHandler implements ICommandHandler<RecordChargeback> {
  constructor(@Inject(BATCHES) private readonly batches: Batches) {}

  execute({ request }: RecordChargeback): Promise<ChargebackResult | undefined> {
    return this.batches.recordChargeback(request);
  }
}

export const OPERATOR_SETTLEMENT_HANDLERS = [
  FundSettlementHandler,
  RecordAdjustmentHandler,
  RecordChargebackHandler,
];
