import {
  adjustmentEntries,
  fundingEntries,
  TrialBalance,
  type AccountBalances,
  type LedgerOwner,
} from '@tillstream/ledger';
import { money, type Findings } from './findings.js';
import type { PageRecord } from './history.reader.js';
import type { CreatedSettlement } from './settlements.check.js';

/** The settlements in the ledger. Its size grows with merchants and currencies, not with history. */
export class SettlementLedger {
  /** What is owed by settlements that are not paid, and by batches that are not settled. */
  private readonly owed = new Map<string, number>();
  /** Fees of Gross settlements minus those that months' ends charged. */
  private readonly feesDue = new Map<string, number>();

  constructor(
    private readonly trial: TrialBalance,
    private readonly findings: Findings,
  ) {}

  add({ started, created, fundedAt, adjustments }: CreatedSettlement): void {
    const { settlementId } = started;
    for (const one of adjustments) {
      for (const entry of adjustmentEntries(started, one)) this.trial.post(entry);
      if (one.kind === 'MonthFees') add(this.feesDue, started, one.amount);
    }
    if (fundedAt === undefined) return add(this.owed, started, created.amount);
    for (const entry of fundingEntries(started, settlementId, created.amount)) this.trial.post(entry);
  }

  /** What a batch took while its settlement is not created yet. */
  addUnfinished(owner: LedgerOwner, amount: number): void {
    add(this.owed, owner, amount);
  }

  /** Of a created settlement. */
  addPage({ merchantId, currency, fundingType, items }: PageRecord): void {
    if (fundingType !== 'Gross') return;
    const { interchange, scheme, markup, returnFees, chargebackFees } = items;
    for (const part of [interchange, scheme, markup, returnFees, chargebackFees])
      add(this.feesDue, { merchantId, currency }, part?.amount ?? 0);
  }

  /** The trial balance is zero, and its accounts agree with the settlements. */
  check(): readonly AccountBalances[] {
    const all = this.trial.all();
    for (const one of all) {
      const { merchantId, currency, balances } = one;
      const name = `${merchantId} ${currency}`;
      const pairs = [
        ['trial balance of', 0, TrialBalance.total(one)],
        ['payable and not paid out of', this.owed.get(name) ?? 0, -balances.Payable],
        ['fees due of', this.feesDue.get(name) ?? 0, balances.FeesDue],
      ] as const;
      for (const [what, settlements, ledger] of pairs) {
        if (settlements === ledger) continue;
        this.findings.add('ledger', what, name, {
          expected: `${money(ledger, currency)} by the ledger`,
          found: `${money(settlements, currency)} by the settlements`,
        });
      }
    }
    return all;
  }
}

function add(sums: Map<string, number>, { merchantId, currency }: LedgerOwner, amount: number): void {
  const name = `${merchantId} ${currency}`;
  sums.set(name, (sums.get(name) ?? 0) + amount);
}
