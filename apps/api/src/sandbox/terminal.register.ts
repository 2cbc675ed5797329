import { Inject, Injectable } from '@nestjs/common';
import { merchantCodec } from '@tillstream/domain';
import type { EventStore, Position } from '@tillstream/event-store';
import { fromRecorded } from '@tillstream/payments';
import { EVENTS } from '../api.parts.js';

/** Which payment methods are terminals, of all merchants: operators name them without their merchant. */
@Injectable()
export class TerminalRegister {
  private readonly terminals = new Set<string>();
  private after: Position | undefined;

  constructor(@Inject(EVENTS) private readonly store: EventStore) {}

  /** Reads what was recorded since it was last asked. */
  async has(id: string): Promise<boolean> {
    for (let end = false; !end && !this.terminals.has(id);) {
      const page = await this.store.readAll({
        categories: ['merchant'],
        ...(this.after && { after: this.after }),
      });
      for (const recorded of page.events) {
        const event = fromRecorded(merchantCodec, recorded);
        if (event.type === 'PaymentMethodAdded' && event.data.type === 'Physical') {
          this.terminals.add(event.data.paymentMethodId);
        }
      }
      this.after = page.next ?? this.after;
      end = page.end;
    }
    return this.terminals.has(id);
  }
}
