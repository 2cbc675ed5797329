import { foldMerchant, isMerchantId, merchantCodec, merchantStream, type Merchant } from '@tillstream/domain';
import { readWholeStream, type EventStore } from '@tillstream/event-store';
import { fromRecorded } from '@tillstream/payments';
import { InvalidArgumentError } from 'commander';
import { Failed } from './command.types.js';

export function merchantId(text: string): string {
  if (isMerchantId(text)) return text;
  throw new InvalidArgumentError('That is no id of a merchant; allowed is mer_ and 26 characters.');
}

/** @throws Failed if there is no such merchant */
export async function findMerchant(store: EventStore, id: string): Promise<Merchant> {
  const recorded = await readWholeStream(store, merchantStream(id));
  const merchant = foldMerchant(recorded.map((one) => fromRecorded(merchantCodec, one)));
  if (merchant.status === 'None') throw new Failed(`There is no merchant ${id}.`);
  return merchant;
}
