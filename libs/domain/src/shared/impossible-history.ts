/** A history that no decision could have made: the store was tampered with or a rule was broken. */
export class ImpossibleHistory extends Error {
  override readonly name = 'ImpossibleHistory';
}
