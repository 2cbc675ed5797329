import { Inject, Injectable } from '@nestjs/common';
import { merchantCodec, type Currency, type MerchantEvent } from '@tillstream/domain';
import type { EventStore, Position } from '@tillstream/event-store';
import { fromRecorded } from '@tillstream/payments';
import { EVENTS } from '../api.parts.js';

/** A payment method of type Physical. */
interface RegisteredTerminal {
  readonly id: string;
  readonly merchant: string;
  readonly currency: Currency;
  readonly description?: string;
}

type Stored = Omit<RegisteredTerminal, 'merchant'> & { readonly stream: string };

/** The terminals of all merchants: operators name a terminal without its merchant. */
@Injectable()
export class TerminalRegister {
  private readonly terminals = new Map<string, Stored>();
  private readonly merchants = new Map<string, string>();
  private after: Position | undefined;
  private reading: Promise<void> = Promise.resolve();

  constructor(@Inject(EVENTS) private readonly store: EventStore) {}

  /** Reads the events since the last call, unless the terminal is known. */
  async has(id: string): Promise<boolean> {
    if (!this.terminals.has(id)) await this.catchUp();
    return this.terminals.has(id);
  }

  /** The state of the last read; undefined: there is no such terminal. */
  async find(id: string): Promise<RegisteredTerminal | undefined> {
    if (!(await this.has(id))) return undefined;
    const stored = this.terminals.get(id);
    return stored && this.named(stored);
  }

  /** In the order in which they were added, those after `after`; from the first if `after` is no terminal. */
  async page(
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly terminals: readonly RegisteredTerminal[]; readonly more: boolean }> {
    await this.catchUp();
    const all = [...this.terminals.values()];
    const start = 1 + all.findIndex(({ id }) => id === after);
    const terminals = all.slice(start, start + limit).map((stored) => this.named(stored));
    return { terminals, more: all.length > start + limit };
  }

  /** Reads run one after the other, so that an older name never replaces a newer one. */
  private catchUp(): Promise<void> {
    const next = this.reading.catch(() => undefined).then(() => this.read());
    this.reading = next;
    return next;
  }

  private async read(): Promise<void> {
    for (let end = false; !end;) {
      const page = await this.store.readAll({
        categories: ['merchant'],
        ...(this.after && { after: this.after }),
      });
      for (const recorded of page.events) this.learn(recorded.stream, fromRecorded(merchantCodec, recorded));
      this.after = page.next ?? this.after;
      end = page.end;
    }
  }

  private learn(stream: string, { type, data }: MerchantEvent): void {
    if (type === 'MerchantCreated') this.merchants.set(stream, data.name);
    if (type === 'MerchantChanged' && data.name !== undefined) this.merchants.set(stream, data.name);
    if (type === 'PaymentMethodAdded' && data.type === 'Physical') {
      const { paymentMethodId: id, currency, description } = data;
      this.terminals.set(id, { id, stream, currency, ...(description !== undefined && { description }) });
    }
    if (type !== 'PaymentMethodChanged') return;
    const known = this.terminals.get(data.paymentMethodId);
    if (!known) return;
    const { currency = known.currency, description = known.description } = data;
    this.terminals.set(known.id, { ...known, currency, ...(description !== undefined && { description }) });
  }

  private named({ stream, ...terminal }: Stored): RegisteredTerminal {
    return { ...terminal, merchant: this.merchants.get(stream) ?? 'a merchant' };
  }
}
