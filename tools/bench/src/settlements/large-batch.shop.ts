import { join } from 'node:path';
import { caller } from '../load/api.caller.js';
import { reportOf } from '../services/child.report.js';
import { HistoryFile, writePayments } from '../stores/history.file.js';
import { startApi } from '../services/http.services.js';
import { numberedSample } from '../stores/sample.payment.js';

const PER_TRANSACTION = 5_000;
const PRICING = {
  name: 'Standard',
  rules: [
    { feeType: 'Interchange', rateBps: 150, fixedAmount: 10, channel: 'CardPresent' },
    { feeType: 'Scheme', rateBps: 14, fixedAmount: 2 },
    { feeType: 'Markup', rateBps: 30, fixedAmount: 10 },
  ],
};

export interface Shop {
  readonly merchantId: string;
  readonly apiKey: string;
}

/** Makes the merchant in a running service, and its payments in the file of the stopped one. */
export async function shopWithPayments(
  folder: string,
  options: { readonly name: string; readonly settings: Readonly<Record<string, string>> },
  payments: number,
): Promise<Shop> {
  const api = await startApi(folder, 0, options);
  const operator = caller(api, api.adminKey);
  // Half a day away: the clock must not close the batch.
  const cutOff = `${String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')}:00`;
  const settings = { name: 'Large batch', timeZone: 'UTC', cutOff };
  const { id: merchantId } = await operator<{ id: string }>('/admin/v1/merchants', settings);
  const own = `/admin/v1/merchants/${merchantId}`;
  const { key: apiKey } = await operator<{ key: string }>(`${own}/api-keys`, { name: 'bench' });
  const { id: templateId } = await operator<{ id: string }>(`${own}/pricing-templates`, PRICING);
  await operator(`/admin/v1/pricing-templates/${templateId}/approve`, {});
  await api.stop();
  const dataDir = join(folder, `${options.name}-data`);
  const events = join(dataDir, 'events.db');
  const file = new HistoryFile(events);
  const firstAt = Date.now() - 2 * payments;
  for (let from = 0; from < payments; from += PER_TRANSACTION) {
    const count = Math.min(PER_TRANSACTION, payments - from);
    // Even numbers are sales.
    const samples = Array.from({ length: count }, (_, index) =>
      numberedSample(2 * (from + index), firstAt, { merchantId, everyMs: 1 }),
    );
    await file.inTransaction(() => void writePayments(file, samples));
  }
  file.close();
  // Much faster than the projector of the service, which makes row by row what was not written through.
  await reportOf(
    'lists/read-models.worker.js',
    'rebuild',
    events,
    join(dataDir, 'read-models'),
    'transactions',
  );
  return { merchantId, apiKey };
}
