import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationId } from '@tillstream/domain';
import { auditCommand } from '../audit.command.js';
import {
  AuditedService,
  DECLINED,
  NO_ANSWER,
  PROCESSOR_CLOSES,
  TEMPLATE,
  type Shop,
} from './audited.shop.js';

/** What the shops of `createShops` did. */
export interface AuditedShops {
  readonly directory: string;
  readonly net: Shop;
  readonly gross: Shop;
  readonly sold: OperationId;
  readonly captured: OperationId;
  readonly refunded: OperationId;
  readonly charged: OperationId;
  readonly returned: OperationId;
  readonly open: OperationId;
  /** A template that is approved and never in effect at a cut-off. */
  readonly laterTemplate: string;
}

/** Two merchants over two weeks: every kind of item, both currencies, both ways of funding, and one open outcome. */
export async function createShops(): Promise<AuditedShops> {
  const service = await AuditedService.open();
  const net = await service.openShop('Net', TEMPLATE);
  const gross = await service.openShop('Gross', TEMPLATE);
  const sold = await service.sale(net, 10_050);
  await service.useCard(net.usd, '378282246310005');
  const amex = await service.sale(net, 7_777);
  await service.useCard(net.usd, null);
  await service.sale(net, 4_499, net.cad);
  const auth = await service.auth(net, 20_000);
  const captured = await service.followUp('capture', net, auth, 5_000);
  await service.followUp('capture', net, auth, 6_001);
  await service.followUp('void', net, auth, 1_000);
  await service.followUp('void', net, await service.sale(net, 900));
  await service.followUp('void', net, captured, 250);
  await service.followUp('refund', net, amex, 777);
  await service.unreferencedRefund(net, 1_234);
  await service.sale(net, DECLINED);
  await service.followUp('refund', net, await service.sale(net, PROCESSOR_CLOSES), 500);
  const returned = await service.bankSale(net, 8_800, '000222222227');
  const bankSale = await service.bankSale(net, 3_300, '000123456789');
  await service.bankSale(net, 2_200, '000111111116');
  const grossSale = await service.sale(gross, 12_345);
  await service.closeBatches(net);
  await service.closeBatches(gross);

  const refunded = await service.followUp('refund', net, sold, 2_500);
  await service.followUp('refund', net, amex, 1_000);
  await service.followUp('refund', gross, grossSale, 345);
  await service.chargeBack(captured, 4_000);
  const later = { ...TEMPLATE, name: 'Holiday', chargebackFee: 2_500, validFrom: '2099-01-01T00:00:00.000Z' };
  const laterTemplate = await service.price(net.merchant.id, later);
  await service.pass(30);
  await service.sale(net, 650);
  await service.followUp('refund', net, bankSale, 300);
  await service.closeBatches(net);
  // The bank takes its payment back, and the batch of a later day takes the return.
  await service.pass(24 * 5);
  await service.adjust(net, 'USD', 1_500);
  await service.adjust(net, 'CAD', -250);
  await service.pass(24 * 7);
  // The month has ended; the batches of this evening charge it.
  await service.sale(gross, 5_000);
  await service.pass(30);
  await service.sale(net, 333);
  const open = await service.sale(net, NO_ANSWER);
  await service.close();
  const { directory } = service;
  return {
    directory,
    net,
    gross,
    sold,
    captured,
    refunded,
    charged: captured,
    returned,
    open,
    laterTemplate,
  };
}

/** A copy of the data directory, for an error to be planted in it. */
export function copyOf(directory: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'tillstream-planted-'));
  cpSync(directory, copy, { recursive: true });
  return copy;
}

export function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

/** Runs the command. */
export async function auditOf(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
) {
  const lines: string[] = [];
  const errors: string[] = [];
  const terminal = {
    line: (text: string) => void lines.push(...text.split('\n')),
    error: (text: string) => void errors.push(text),
  };
  const code = await auditCommand(args, environment, terminal, signal);
  return { code, lines, errors, text: lines.join('\n') };
}
