import type { ErrorDetail } from '@tillstream/contracts';
import type { Actor } from '@tillstream/payments';
import type { ApiRequest } from '../http/api.request.js';
import { invalidField } from '../validation/body.check.js';
import { received } from '../validation/received.text.js';
import type { AdminKeyCaller } from './admin.key.js';

const HEADER = 'x-actor';
const NAME_CHARACTERS_MAX = 100;
const CONTROL = /\p{Cc}/u;

/**
 * The actor that an operator's change is recorded with: the name in the header `x-actor`, else the admin key's name
 * (`docs/spec/operators.md#actor`).
 */
export function operatorActor(
  { headers }: ApiRequest,
  { actor }: AdminKeyCaller,
): { readonly actor: Actor } | { readonly error: ErrorDetail } {
  const sent = headers[HEADER];
  if (sent === undefined) return { actor };
  // Node reads headers as Latin-1; clients send names in UTF-8.
  const name = Buffer.from(String(sent), 'latin1').toString('utf8');
  const length = [...name].length;
  if (length >= 1 && length <= NAME_CHARACTERS_MAX && !CONTROL.test(name))
    return { actor: { ...actor, name } };
  const allowed = `1 to ${NAME_CHARACTERS_MAX} characters, none of them a control character`;
  const details = `${received(name)}, allowed ${allowed}`;
  return { error: invalidField(HEADER, `${HEADER} must have ${allowed}.`, details) };
}
