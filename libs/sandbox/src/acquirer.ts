import type {
  AcquirerRequest,
  AnnulReaction,
  HostAnswer,
  InquiryReaction,
  Reaction,
  Told,
} from './acquirer.vocabulary.js';
import type { Execution } from './execution.js';
import type { Ledger, OperationRow } from './ledger.js';
import type { SandboxDatabase } from './sandbox.database.js';
import type { Terminals } from './terminals.js';
import { toldOf } from './verified-card.js';

/**
 * The simulated acquirer. Every call is one transaction on the ledger's file, so that it means the same whichever
 * process makes it and whichever dies. Calls throw `NothingExecuted` where that is certain, and the database's error
 * where the commit itself failed.
 */
export class Acquirer {
  constructor(
    private readonly database: SandboxDatabase,
    private readonly ledger: Ledger,
    private readonly terminals: Terminals,
    private readonly execution: Execution,
    private readonly realNow: () => number,
  ) {}

  /** Executes a key the first time it arrives; a repeat gets the first answer, an annulled key is refused for ever. */
  execute(request: AcquirerRequest): Reaction {
    return this.database.transaction(() => {
      const known = this.ledger.find(request.key);
      if (!known) return this.execution.first(request, 'FirstSend');
      switch (known.state) {
        case 'Lost':
          return this.execution.first(request, 'SentAgain');
        case 'Annulled':
          return { kind: 'Answered', answer: this.execution.refusalOfAnnulled(request) };
        case 'Running':
          return this.isDue(known)
            ? { kind: 'Answered', ...this.fallenDue(known) }
            : { kind: 'Silent', answersAfterMs: (known.dueAt ?? 0) - this.realNow() };
        case 'BreaksItsWord':
          return { kind: 'Answered', ...this.fallenDue(known) };
        case 'Done':
          return known.silent ? { kind: 'Silent' } : { kind: 'Answered', ...toldOf(known) };
      }
    });
  }

  /** What became of a key. Executes nothing that is not due. */
  inquire(key: string): InquiryReaction {
    return this.database.transaction(() => this.lookUp(key));
  }

  /** Sees to it that a key that did not execute never will (one that breaks its word only says so). */
  annul(key: string): AnnulReaction {
    return this.database.transaction(() => {
      const known = this.ledger.find(key);
      if (known?.state === 'Done') return { kind: 'AlreadyExecuted', ...toldOf(known) };
      if (known && this.isDue(known)) return { kind: 'AlreadyExecuted', ...this.fallenDue(known) };
      if (known?.state !== 'BreaksItsWord') {
        const receivedAt = known?.receivedAt ?? this.realNow();
        const nothing = { silent: false, failingInquiries: 0, batchClosed: false };
        this.ledger.put({ key, state: 'Annulled', ...nothing, receivedAt });
      }
      return { kind: 'Annulled' };
    });
  }

  /**
   * For whoever waited `answersAfterMs`: executes the key now, unless it was annulled, and gives its answer. Nobody has
   * to call it: every other call sees what fell due by the stored time.
   */
  fallDue(key: string): HostAnswer | undefined {
    return this.database.transaction(() => {
      const known = this.ledger.find(key);
      if (known?.state === 'Running' || known?.state === 'BreaksItsWord') {
        return this.execution.fallDue(known, this.realNow());
      }
      return known?.state === 'Done' ? known.answer : undefined;
    });
  }

  /** What a terminal has in its journal. No answer while its link is gone. */
  lastTransaction(terminalId: string, key: string): InquiryReaction {
    return this.database.transaction((): InquiryReaction => {
      if (this.terminals.state(terminalId).mode === 'LostLink') return { kind: 'NoAnswer' };
      const known = this.ledger.find(key);
      const request = known?.request;
      const isItsOwn = request && 'terminalId' in request && request.terminalId === terminalId;
      return isItsOwn ? this.lookUp(key) : { kind: 'NotFound' };
    });
  }

  private lookUp(key: string): InquiryReaction {
    const known = this.ledger.find(key);
    if (!known || known.state === 'Lost' || known.state === 'Annulled') return { kind: 'NotFound' };
    if (known.failingInquiries > 0) {
      this.ledger.inquiryFailed(key);
      return { kind: 'NoAnswer' };
    }
    if (known.state === 'Done') return { kind: 'Found', ...toldOf(known) };
    if (this.isDue(known)) return { kind: 'Found', ...this.fallenDue(known) };
    return known.state === 'Running' ? { kind: 'StillRunning' } : { kind: 'NotFound' };
  }

  private fallenDue(row: OperationRow): Told {
    return { answer: this.execution.fallDue(row, this.realNow()) };
  }

  private isDue(row: OperationRow): boolean {
    return row.dueAt !== undefined && row.dueAt <= this.realNow();
  }
}
