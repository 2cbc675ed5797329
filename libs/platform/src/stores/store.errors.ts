/** The store that a command should open does not exist, or the service uses another one. The message is one sentence. */
export class StoreNotFound extends Error {
  override readonly name = 'StoreNotFound';
}
