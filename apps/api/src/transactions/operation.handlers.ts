import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OperationResult, Payments } from '@tillstream/payments';
import { PAYMENTS } from '../api.parts.js';
import {
  Capture,
  PhysicalAuth,
  PhysicalSale,
  Refund,
  TokenAuth,
  TokenSale,
  UnreferencedPhysicalRefund,
  Void,
} from './operation.commands.js';

@CommandHandler(PhysicalSale)
export class PhysicalSaleHandler implements ICommandHandler<PhysicalSale> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: PhysicalSale): Promise<OperationResult> {
    return this.payments.physicalSale(context, request);
  }
}

@CommandHandler(PhysicalAuth)
export class PhysicalAuthHandler implements ICommandHandler<PhysicalAuth> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: PhysicalAuth): Promise<OperationResult> {
    return this.payments.physicalAuth(context, request);
  }
}

@CommandHandler(UnreferencedPhysicalRefund)
export class UnreferencedPhysicalRefundHandler implements ICommandHandler<UnreferencedPhysicalRefund> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: UnreferencedPhysicalRefund): Promise<OperationResult> {
    return this.payments.unreferencedPhysicalRefund(context, request);
  }
}

@CommandHandler(TokenSale)
export class TokenSaleHandler implements ICommandHandler<TokenSale> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: TokenSale): Promise<OperationResult> {
    return this.payments.tokenSale(context, request);
  }
}

@CommandHandler(TokenAuth)
export class TokenAuthHandler implements ICommandHandler<TokenAuth> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: TokenAuth): Promise<OperationResult> {
    return this.payments.tokenAuth(context, request);
  }
}

@CommandHandler(Capture)
export class CaptureHandler implements ICommandHandler<Capture> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: Capture): Promise<OperationResult> {
    return this.payments.capture(context, request);
  }
}

@CommandHandler(Refund)
export class RefundHandler implements ICommandHandler<Refund> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: Refund): Promise<OperationResult> {
    return this.payments.refund(context, request);
  }
}

@CommandHandler(Void)
export class VoidHandler implements ICommandHandler<Void> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: Void): Promise<OperationResult> {
    return this.payments.void(context, request);
  }
}

export const OPERATION_HANDLERS = [
  PhysicalSaleHandler,
  PhysicalAuthHandler,
  UnreferencedPhysicalRefundHandler,
  TokenSaleHandler,
  TokenAuthHandler,
  CaptureHandler,
  RefundHandler,
  VoidHandler,
];
