import { Inject, Injectable } from '@nestjs/common';
import type { TransactionResult } from '@tillstream/contracts';
import type { SessionIds } from '@tillstream/payments';
import { transactionJson, withFormLink, type PresentedResult } from '@tillstream/presentation';
import { ADDRESS, SESSION_IDS, type ListeningAddress } from '../api.parts.js';

/** A JSON string value can't have it, because its quotes are escaped. */
const FIELD = '"form":{';

/** Adds the links of pending forms to results. Neither events nor rows have them, because a session id is a credential. */
@Injectable()
export class FormLinks {
  constructor(
    @Inject(SESSION_IDS) private readonly sessionIds: SessionIds,
    @Inject(ADDRESS) private readonly address: ListeningAddress,
  ) {}

  linked(result: PresentedResult): TransactionResult {
    const sessionIdOf: Parameters<typeof withFormLink>[1] = (id, hash) => this.sessionIds.find(id, hash);
    return withFormLink(result, sessionIdOf, this.address.publicOrigin);
  }

  /** The same for the JSON text of a result; a text without a form is not parsed. */
  linkedText(body: string): string {
    return body.includes(FIELD) ? transactionJson(this.linked(JSON.parse(body) as PresentedResult)) : body;
  }
}
