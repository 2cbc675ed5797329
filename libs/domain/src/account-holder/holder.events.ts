import type { Encrypted, Event } from '../shared/event.shapes.js';

/*
 * Storage: these shapes never change (docs/adr/0014). Stream `holder-<26 characters of the acc_ id>`: the person whose
 * stored cards a merchant keeps. Personal data is sealed under the holder's own key in the vault; an erasure destroys
 * the key.
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
  /** Hash of the merchant's own id for the holder: it finds the holder without storing the id in clear. */
  readonly externalIdHash?: string;
  /** External id, name, e-mail, phone, billing contact. */
  readonly personal: Encrypted;
}

export interface HolderChanged extends ByCommand {
  readonly externalIdHash?: string;
  /** The complete personal data after the change. */
  readonly personal: Encrypted;
}

/** Written before the token names the holder, so that an erasure finds every token that the holder has or will have. */
export interface TokenLinked {
  readonly at: string;
  readonly tokenId: string;
}

export type HolderErased = ByCommand;
