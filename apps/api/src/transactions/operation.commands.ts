import { Command } from '@nestjs/cqrs';
import type {
  FollowUpInput,
  OperationResult,
  PhysicalRequest,
  RequestContext,
  TokenPaymentRequest,
} from '@tillstream/payments';
import { Observed } from '../metrics/observed.commands.js';

/* Each command is executed by the handler of its name in operation.handlers.ts. */

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

@Observed({ type: 'sale', span: 'physicalSale' })
export class PhysicalSale extends PhysicalCommand {}

@Observed({ type: 'auth', span: 'physicalAuth' })
export class PhysicalAuth extends PhysicalCommand {}

@Observed({ type: 'unreferenced_refund', span: 'unreferencedPhysicalRefund' })
export class UnreferencedPhysicalRefund extends PhysicalCommand {}

@Observed({ type: 'sale', span: 'tokenSale' })
export class TokenSale extends TokenPaymentCommand {}

@Observed({ type: 'auth', span: 'tokenAuth' })
export class TokenAuth extends TokenPaymentCommand {}

@Observed({ type: 'capture', span: 'capture' })
export class Capture extends FollowUpCommand {}

@Observed({ type: 'refund', span: 'refund' })
export class Refund extends FollowUpCommand {}

@Observed({ type: 'void', span: 'void' })
export class Void extends FollowUpCommand {}
