import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type {
  FollowUpInput,
  OperationResult,
  Payments,
  PhysicalRequest,
  RequestContext,
  TokenPaymentRequest,
  VirtualPaymentRequest,
} from '@tillstream/payments';
import { PAYMENTS } from '../api.parts.js';
import { OperationCommand } from '../metrics/operation.bus.js';

export class PhysicalSale extends OperationCommand<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: PhysicalRequest,
  ) {
    super('sale', 'physicalSale');
  }
}

@CommandHandler(PhysicalSale)
export class PhysicalSaleHandler implements ICommandHandler<PhysicalSale> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: PhysicalSale): Promise<OperationResult> {
    return this.payments.physicalSale(context, request);
  }
}

export class PhysicalAuth extends OperationCommand<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: PhysicalRequest,
  ) {
    super('auth', 'physicalAuth');
  }
}

@CommandHandler(PhysicalAuth)
export class PhysicalAuthHandler implements ICommandHandler<PhysicalAuth> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: PhysicalAuth): Promise<OperationResult> {
    return this.payments.physicalAuth(context, request);
  }
}

export class UnreferencedPhysicalRefund extends OperationCommand<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: PhysicalRequest,
  ) {
    super('unreferenced_refund', 'unreferencedPhysicalRefund');
  }
}

@CommandHandler(UnreferencedPhysicalRefund)
export class UnreferencedPhysicalRefundHandler implements ICommandHandler<UnreferencedPhysicalRefund> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: UnreferencedPhysicalRefund): Promise<OperationResult> {
    return this.payments.unreferencedPhysicalRefund(context, request);
  }
}

export class VirtualSale extends OperationCommand<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: VirtualPaymentRequest,
  ) {
    super('sale', 'virtualSale');
  }
}

@CommandHandler(VirtualSale)
export class VirtualSaleHandler implements ICommandHandler<VirtualSale> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: VirtualSale): Promise<OperationResult> {
    return this.payments.virtualSale(context, request);
  }
}

export class VirtualAuth extends OperationCommand<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: VirtualPaymentRequest,
  ) {
    super('auth', 'virtualAuth');
  }
}

@CommandHandler(VirtualAuth)
export class VirtualAuthHandler implements ICommandHandler<VirtualAuth> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: VirtualAuth): Promise<OperationResult> {
    return this.payments.virtualAuth(context, request);
  }
}

export class UnreferencedVirtualRefund extends OperationCommand<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: VirtualPaymentRequest,
  ) {
    super('unreferenced_refund', 'unreferencedVirtualRefund');
  }
}

@CommandHandler(UnreferencedVirtualRefund)
export class UnreferencedVirtualRefundHandler implements ICommandHandler<UnreferencedVirtualRefund> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: UnreferencedVirtualRefund): Promise<OperationResult> {
    return this.payments.unreferencedVirtualRefund(context, request);
  }
}

export class TokenSale extends OperationCommand<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: TokenPaymentRequest,
  ) {
    super('sale', 'tokenSale');
  }
}

@CommandHandler(TokenSale)
export class TokenSaleHandler implements ICommandHandler<TokenSale> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: TokenSale): Promise<OperationResult> {
    return this.payments.tokenSale(context, request);
  }
}

export class TokenAuth extends OperationCommand<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: TokenPaymentRequest,
  ) {
    super('auth', 'tokenAuth');
  }
}

@CommandHandler(TokenAuth)
export class TokenAuthHandler implements ICommandHandler<TokenAuth> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: TokenAuth): Promise<OperationResult> {
    return this.payments.tokenAuth(context, request);
  }
}

export class Capture extends OperationCommand<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: FollowUpInput,
  ) {
    super('capture', 'capture');
  }
}

@CommandHandler(Capture)
export class CaptureHandler implements ICommandHandler<Capture> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: Capture): Promise<OperationResult> {
    return this.payments.capture(context, request);
  }
}

export class Refund extends OperationCommand<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: FollowUpInput,
  ) {
    super('refund', 'refund');
  }
}

@CommandHandler(Refund)
export class RefundHandler implements ICommandHandler<Refund> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ context, request }: Refund): Promise<OperationResult> {
    return this.payments.refund(context, request);
  }
}

export class Void extends OperationCommand<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: FollowUpInput,
  ) {
    super('void', 'void');
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
  VirtualSaleHandler,
  VirtualAuthHandler,
  UnreferencedVirtualRefundHandler,
  TokenSaleHandler,
  TokenAuthHandler,
  CaptureHandler,
  RefundHandler,
  VoidHandler,
];
