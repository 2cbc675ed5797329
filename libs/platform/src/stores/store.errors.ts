/** What a command was to open is not there, or is not what the service uses. The message is one sentence. */
export class StoreNotFound extends Error {
  override readonly name = 'StoreNotFound';
}
