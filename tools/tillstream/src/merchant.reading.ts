import { foldMerchant, merchantCodec, merchantStream, type Merchant } from '@tillstream/domain';
import { readWholeStream, type EventStore } from '@tillstream/event-store';
import { fromRecorded } from '@tillstream/payments';
import { Failed } from './command.types.js';

/** As its stream says now. @throws Failed where there is none. */
export async function findMerchant(store: EventStore, merchantId: string): Promise<Merchant> {
  const recorded = await readWholeStream(store, merchantStream(merchantId));
  const merchant = foldMerchant(recorded.map((one) => fromRecorded(merchantCodec, one)));
  if (merchant.status === 'None') throw new Failed(`There is no merchant ${merchantId}.`);
  return merchant;
}
