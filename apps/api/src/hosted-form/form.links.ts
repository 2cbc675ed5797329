import { Inject, Injectable } from '@nestjs/common';
import type { FormProgress, TransactionResult } from '@tillstream/contracts';
import type { OperationId } from '@tillstream/domain';
import type { SessionIds } from '@tillstream/payments';
import type { Log } from '@tillstream/platform';
import {
  transactionJson,
  withChallengeLink,
  withFormLink,
  type PresentedResult,
} from '@tillstream/presentation';
import { ADDRESS, LOG, SESSION_IDS, type ListeningAddress } from '../api.parts.js';

/** A JSON string value can't have it, because its quotes are escaped. */
const FIELD = '"form":{';

/** Adds the links of pending forms to results. Neither events nor rows have them, because a session id is a credential. */
@Injectable()
export class FormLinks {
  constructor(
    @Inject(SESSION_IDS) private readonly sessionIds: SessionIds,
    @Inject(ADDRESS) private readonly address: ListeningAddress,
    @Inject(LOG) private readonly log: Log,
  ) {}

  linked(result: PresentedResult): TransactionResult {
    return withFormLink(result, this.sessionIdOf, this.address.publicOrigin);
  }

  /** A form's progress or session, with the address of an open challenge. */
  challengeLinked<Progress extends FormProgress>(progress: Progress): Progress {
    return withChallengeLink(progress, this.address.publicOrigin);
  }

  /** A result is shown without its link if the keys of session ids can't be read now. */
  private readonly sessionIdOf = (id: OperationId, hash: string): string | undefined => {
    try {
      return this.sessionIds.find(id, hash);
    } catch (error) {
      this.log.error('session-keys-not-read', {
        error: error instanceof Error ? error.message : String(error),
      });
      return undefined;
    }
  };

  /** The same for the JSON text of a result; a text without a form is not parsed. */
  linkedText(body: string): string {
    return body.includes(FIELD) ? transactionJson(this.linked(JSON.parse(body) as PresentedResult)) : body;
  }
}
