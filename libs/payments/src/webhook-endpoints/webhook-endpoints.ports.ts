import type { SealedSecret, WebhookMethod } from '@tillstream/domain';

/** Encrypts the secrets of webhook endpoints for storage in events. */
export interface SecretSealer {
  /** @throws VaultError if nothing was sealed */
  seal(endpointId: string, secret: string): Promise<SealedSecret>;
  /** @throws Error if it was not sealed for this endpoint, or its key is lost; VaultError if it can't be opened now */
  open(endpointId: string, sealed: SealedSecret): Promise<string>;
}

/** Random, in the form that signatures of this method need. */
export type NewSecret = (method: WebhookMethod) => string;

/** The addresses that deliveries may go to. */
export interface AddressPolicy {
  /** Why no delivery may go to the address that the URL names itself; undefined: it may, or its host is a name. */
  refusalOfUrl(url: URL): string | undefined;
}

export interface UrlRules {
  /** `live` requires https. */
  readonly mode: 'sandbox' | 'live';
  readonly addresses: AddressPolicy;
}
