/**
 * A merchant's key, for operators (`docs/spec/operators.md#api-keys`). The key itself is shown only at its creation.
 */
export interface ApiKeyItem {
  /** `key_…`. */
  id: string;
  name: string;
  readOnly: boolean;
  lastFour: string;
  createdAt: string;
  /** Only of a revoked key. */
  revokedAt?: string;
}

/** The response to the creation of a key, the only one that contains `key`. */
export interface CreatedApiKey {
  id: string;
  name: string;
  readOnly: boolean;
  key: string;
  createdAt: string;
}

/** An operator's key. Operators create, replace and revoke them on the command line. */
export interface AdminKeyItem {
  id: string;
  name: string;
  lastFour: string;
  createdAt: string;
  createdBy: string;
  revokedAt?: string;
  revokedBy?: string;
}
