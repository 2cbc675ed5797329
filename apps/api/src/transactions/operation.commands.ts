import { Command } from '@nestjs/cqrs';
import type {
  FollowUpInput,
  OperationResult,
  PhysicalRequest,
  RequestContext,
  TokenPaymentRequest,
} from '@tillstream/payments';

/* What a merchant can ask for. Each goes to the handler of its name in operation.handlers.ts. */

class PhysicalCommand extends Command<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: PhysicalRequest,
  ) {
    super();
  }
}

class TokenPaymentCommand extends Command<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: TokenPaymentRequest,
  ) {
    super();
  }
}

class FollowUpCommand extends Command<OperationResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: FollowUpInput,
  ) {
    super();
  }
}

export class PhysicalSale extends PhysicalCommand {}
export class PhysicalAuth extends PhysicalCommand {}
export class UnreferencedPhysicalRefund extends PhysicalCommand {}
export class TokenSale extends TokenPaymentCommand {}
export class TokenAuth extends TokenPaymentCommand {}
export class Capture extends FollowUpCommand {}
export class Refund extends FollowUpCommand {}
export class Void extends FollowUpCommand {}
