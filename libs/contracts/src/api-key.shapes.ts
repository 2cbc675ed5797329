/**
 * A merchant's key as operators see it (`docs/spec/operators.md#api-keys`). Nobody sees the key itself after it was
 * made.
 */
export interface ApiKeyItem {
  /** `key_…`. */
  id: string;
  name: string;
  readOnly: boolean;
  lastFour: string;
  createdAt: string;
  /** Only of a key that was revoked. */
  revokedAt?: string;
}

/** The answer to the making of a key: the only place where `key` is. */
export interface CreatedApiKey {
  id: string;
  name: string;
  readOnly: boolean;
  key: string;
  createdAt: string;
}

/** An operator's key. They are made, exchanged and revoked on the command line. */
export interface AdminKeyItem {
  id: string;
  name: string;
  lastFour: string;
  createdAt: string;
  createdBy: string;
  revokedAt?: string;
  revokedBy?: string;
}
