import { CommandHandler } from '@nestjs/cqrs';
import type { Payments } from '@tillstream/payments';
import { PAYMENTS } from '../api.parts.js';
import { Observed } from '../metrics/observed.commands.js';
import { CommandOf, handlerOf } from '../use-case.js';

@Observed({ type: 'sale', span: 'physicalSale' })
export class PhysicalSale extends CommandOf<Payments['physicalSale']> {}

@CommandHandler(PhysicalSale)
export class PhysicalSaleHandler extends handlerOf(PAYMENTS, 'physicalSale') {}

@Observed({ type: 'auth', span: 'physicalAuth' })
export class PhysicalAuth extends CommandOf<Payments['physicalAuth']> {}

@CommandHandler(PhysicalAuth)
export class PhysicalAuthHandler extends handlerOf(PAYMENTS, 'physicalAuth') {}

@Observed({ type: 'unreferenced_refund', span: 'unreferencedPhysicalRefund' })
export class UnreferencedPhysicalRefund extends CommandOf<Payments['unreferencedPhysicalRefund']> {}

@CommandHandler(UnreferencedPhysicalRefund)
export class UnreferencedPhysicalRefundHandler extends handlerOf(PAYMENTS, 'unreferencedPhysicalRefund') {}

@Observed({ type: 'sale', span: 'tokenSale' })
export class TokenSale extends CommandOf<Payments['tokenSale']> {}

@CommandHandler(TokenSale)
export class TokenSaleHandler extends handlerOf(PAYMENTS, 'tokenSale') {}

@Observed({ type: 'auth', span: 'tokenAuth' })
export class TokenAuth extends CommandOf<Payments['tokenAuth']> {}

@CommandHandler(TokenAuth)
export class TokenAuthHandler extends handlerOf(PAYMENTS, 'tokenAuth') {}

@Observed({ type: 'capture', span: 'capture' })
export class Capture extends CommandOf<Payments['capture']> {}

@CommandHandler(Capture)
export class CaptureHandler extends handlerOf(PAYMENTS, 'capture') {}

@Observed({ type: 'refund', span: 'refund' })
export class Refund extends CommandOf<Payments['refund']> {}

@CommandHandler(Refund)
export class RefundHandler extends handlerOf(PAYMENTS, 'refund') {}

@Observed({ type: 'void', span: 'void' })
export class Void extends CommandOf<Payments['void']> {}

@CommandHandler(Void)
export class VoidHandler extends handlerOf(PAYMENTS, 'void') {}

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
