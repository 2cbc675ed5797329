import { Inject, Injectable } from '@nestjs/common';
import type { AccountHolder } from '@tillstream/contracts';
import type { HolderPersonal } from '@tillstream/domain';
import { hashOfExternalId } from '@tillstream/payments';
import { accountHolderShape } from '@tillstream/presentation';
import type { List, ListRequest, ReadModelQueries, TimeSort } from '@tillstream/read-models';
import type { Vault } from '@tillstream/vault';
import { LISTS, VAULT } from '../api.parts.js';
import { openedPersonal } from '../transactions/personal-data.js';

type HolderListRequest = ListRequest<{ readonly externalId?: readonly string[] }, TimeSort>;

@Injectable()
export class AccountHolderList {
  constructor(
    @Inject(LISTS) private readonly lists: ReadModelQueries,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'open'>,
  ) {}

  async list({ filters, ...request }: HolderListRequest): Promise<List<AccountHolder>> {
    const hashes = filters?.externalId?.map(hashOfExternalId);
    const page = await this.lists.holders.list({
      ...request,
      ...(hashes && { filters: { externalIdHash: hashes } }),
    });
    const personal = await openedPersonal<HolderPersonal>(this.vault, page.items);
    const items = page.items.map(({ body }, index) => {
      const row = JSON.parse(body) as Pick<AccountHolder, 'id' | 'createdAt' | 'updatedAt'>;
      return accountHolderShape({ ...row, personal: personal[index] ?? {} });
    });
    return { ...page, items };
  }
}
