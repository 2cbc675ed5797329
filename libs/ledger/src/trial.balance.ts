import type { Cents, Currency } from '@tillstream/domain';
import { ACCOUNTS, type JournalEntry, type LedgerAccount, type LedgerOwner } from './journal.entry.js';

/** An entry whose postings do not add up to 0: a fault of this program. */
export class UnbalancedEntry extends Error {
  override readonly name = 'UnbalancedEntry';
}

export interface AccountBalances extends LedgerOwner {
  /** Signed cents; an account without postings has 0. */
  readonly balances: Readonly<Record<LedgerAccount, Cents>>;
}

/** The balances of all accounts. Its size grows with merchants and currencies, not with their payments. */
export class TrialBalance {
  private readonly owners = new Map<string, { owner: LedgerOwner; balances: Record<LedgerAccount, Cents> }>();

  /** @throws UnbalancedEntry, and RangeError for a balance that is not exact */
  post(entry: JournalEntry): void {
    const sum = entry.postings.reduce((total, { amount }) => total + amount, 0);
    if (sum !== 0) throw new UnbalancedEntry(`the entry of ${entry.source} is off by ${sum}`);
    const { balances } = this.of(entry);
    for (const { account, amount } of entry.postings) {
      const balance = balances[account] + amount;
      if (!Number.isSafeInteger(balance))
        throw new RangeError(`${account} of ${entry.merchantId}: ${balance}`);
      balances[account] = balance;
    }
  }

  balance({ merchantId, currency }: LedgerOwner, account: LedgerAccount): Cents {
    return this.owners.get(`${merchantId} ${currency}`)?.balances[account] ?? 0;
  }

  /** By merchant and currency, ordered. */
  all(): readonly AccountBalances[] {
    return [...this.owners.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { owner, balances }]) => ({ ...owner, balances: { ...balances } }));
  }

  /** The sum of all balances of a merchant and currency: 0, always. */
  static total({ balances }: AccountBalances): Cents {
    return ACCOUNTS.reduce((sum, account) => sum + balances[account], 0);
  }

  private of({ merchantId, currency }: { readonly merchantId: string; readonly currency: Currency }) {
    const key = `${merchantId} ${currency}`;
    const known = this.owners.get(key);
    if (known) return known;
    const balances = Object.fromEntries(ACCOUNTS.map((account) => [account, 0]));
    const added = { owner: { merchantId, currency }, balances: balances as Record<LedgerAccount, Cents> };
    this.owners.set(key, added);
    return added;
  }
}
