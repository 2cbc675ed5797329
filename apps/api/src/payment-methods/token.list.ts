import { Inject, Injectable } from '@nestjs/common';
import type { PaymentMethodDetails } from '@tillstream/contracts';
import type { TokenPersonal } from '@tillstream/domain';
import type { Log } from '@tillstream/platform';
import { tokenListItem } from '@tillstream/presentation';
import type { List, ListRequest, ReadModelQueries, TimeSort, TokenFilters } from '@tillstream/read-models';
import type { Vault } from '@tillstream/vault';
import { LISTS, LOG, VAULT } from '../api.parts.js';
import { logVaultFailure, openedPersonal, showable } from '../transactions/personal-data.js';

@Injectable()
export class TokenList {
  constructor(
    @Inject(LISTS) private readonly lists: ReadModelQueries,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'open'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async list(
    request: ListRequest<TokenFilters, TimeSort>,
    accountHolderId: string,
  ): Promise<List<PaymentMethodDetails>> {
    const page = await this.lists.tokens.list({ ...request, accountHolderId });
    const personal = await openedPersonal<TokenPersonal>(this.vault, page.items, logVaultFailure(this.log));
    const items = page.items.map(({ body, channel }, index) =>
      tokenListItem(JSON.parse(body) as PaymentMethodDetails, showable(personal[index], channel)),
    );
    return { ...page, items };
  }
}
