import { hasType, type WebhookPayload } from '@tillstream/webhooks';
import type { Database } from './database.js';

export interface PaidOrder {
  readonly referenceId: string;
  readonly transactionId: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
}

const APPROVED = 1;

/** The orders that were paid, in the shop's own table. */
export class PaidOrders {
  constructor(private readonly database: Database) {
    database.exec(`create table if not exists paid_orders (
      transaction_id text primary key, reference_id text not null, amount integer not null, currency text not null
    )`);
  }

  /**
   * The handler of webhooks. The same event can come twice, so it writes under a key: the second time changes nothing.
   * Returns the order if it is paid by this event.
   */
  record(payload: WebhookPayload): PaidOrder | undefined {
    if (!hasType(payload, 'sale.completed')) return undefined;
    const { id, referenceId, currency, transactionResponses } = payload.originalResponse;
    const [last] = transactionResponses;
    // A declined sale is completed too.
    if (last?.responseCode !== APPROVED) return undefined;
    this.database
      .prepare('insert into paid_orders values (?, ?, ?, ?) on conflict do nothing')
      .run(id, referenceId, last.amountApproved, currency);
    return { referenceId, transactionId: id, amount: last.amountApproved, currency };
  }

  /** In the order in which they were recorded. */
  all(): readonly PaidOrder[] {
    const columns = 'reference_id as referenceId, transaction_id as transactionId, amount, currency';
    return this.database.prepare(`select ${columns} from paid_orders order by rowid`).all() as PaidOrder[];
  }
}
