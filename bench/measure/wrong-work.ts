/** A run that lost, doubled or spoilt something: it has no figures. */
export class WrongWorkError extends Error {
  override readonly name = 'WrongWorkError';
}
