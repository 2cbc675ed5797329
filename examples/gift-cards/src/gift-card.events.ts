import type { Cents, Currency } from '@tillstream/domain/shared';

/* These shapes are storage: once an event was written, its shape never changes. */

interface Event<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data & {
    /** ISO 8601, by the clock of the service. */
    readonly at: string;
    /** Made by the client, once for each command: a repeated command changes nothing. */
    readonly commandId: string;
  };
}

export type GiftCardEvent =
  | Event<'CardIssued', { readonly amount: Cents; readonly currency: Currency }>
  | Event<'CardRedeemed', { readonly amount: Cents }>
  | Event<'RedemptionReversed', { readonly amount: Cents; readonly redemptionId: string }>;
