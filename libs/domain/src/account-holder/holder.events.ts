import type { Encrypted, Event } from '../payment/payment.events.js';

/*
 * Storage: these shapes never change (docs/adr/0014). Stream `holder-<26 characters of the acc_ id>`: whose stored cards
 * they are. What is personal is sealed under the holder's own key in the vault: erasure destroys it.
 */

export type HolderEvent =
  | Event<'HolderCreated', HolderCreated>
  | Event<'HolderChanged', HolderChanged>
  | Event<'TokenLinked', TokenLinked>
  | Event<'HolderErased', HolderErased>
  | Event<'HolderErasureFinished', { readonly at: string }>;

interface ByCommand {
  readonly at: string;
  readonly commandId: string;
}

export interface HolderCreated extends ByCommand {
  readonly holderId: string;
  readonly merchantId: string;
  /** Of the merchant's own name for the holder: finds it without telling it. */
  readonly externalIdHash?: string;
  /** External id, name, e-mail, phone, billing contact. */
  readonly personal: Encrypted;
}

export interface HolderChanged extends ByCommand {
  readonly externalIdHash?: string;
  /** All of it as it is from now on. */
  readonly personal: Encrypted;
}

/** Written before the token says so itself: an erasure finds every token that is or will be the holder's. */
export interface TokenLinked {
  readonly at: string;
  readonly tokenId: string;
}

export type HolderErased = ByCommand;

/**
 * Stream `externalid-<merchantId>.<hash>`: which holder a merchant's own name means. A claim without its holder belongs
 * to a creation that is on its way or died: the next one makes the holder under the claimed id.
 */
export type ExternalIdEvent =
  | Event<'ExternalIdClaimed', { readonly at: string; readonly holderId: string }>
  | Event<'ExternalIdReleased', { readonly at: string; readonly holderId: string }>;
