import type { ErrorDetail } from '@tillstream/contracts';
import type { ApiRequest } from '../http/api.request.js';
import { invalidField } from '../validation/body.check.js';
import { received } from '../validation/received.text.js';

const HEADER = 'x-actor';
const NAME_CHARACTERS_MAX = 100;
const CONTROL = /\p{Cc}/u;

/**
 * The name in the header `x-actor` replaces the admin key's name as the actor of an operator's change
 * (`docs/spec/operators.md#actor`). Returns the error of an invalid name.
 */
export function setActor(request: ApiRequest): ErrorDetail | undefined {
  const { caller, headers } = request;
  const sent = headers[HEADER];
  if (caller?.kind !== 'AdminKey' || sent === undefined) return undefined;
  // Node reads headers as Latin-1; clients send names in UTF-8.
  const name = Buffer.from(String(sent), 'latin1').toString('utf8');
  const length = [...name].length;
  if (length >= 1 && length <= NAME_CHARACTERS_MAX && !CONTROL.test(name)) {
    request.actor = { ...caller.actor, name };
    return undefined;
  }
  const allowed = `1 to ${NAME_CHARACTERS_MAX} characters, none of them a control character`;
  const details = `${received(name)}, allowed ${allowed}`;
  return invalidField(HEADER, `${HEADER} must have ${allowed}.`, details);
}
