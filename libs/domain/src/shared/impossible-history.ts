/** A history that no decision could have made: the store was tampered with, or a rule has a fault. */
export class ImpossibleHistory extends Error {
  override readonly name = 'ImpossibleHistory';
}

/** The end of an exhaustive switch over event types. @throws ImpossibleHistory */
export function unhandledEvent(event: never): never {
  throw new ImpossibleHistory(`event type ${(event as { readonly type: string }).type} is not handled`);
}
