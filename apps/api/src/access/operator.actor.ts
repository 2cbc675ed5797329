import type { Actor } from '@tillstream/payments';
import { callerOf } from './caller.js';
import { invalidFields } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { received } from '../validation/received.text.js';
import { invalidField } from '../validation/body.check.js';

const HEADER = 'x-actor';
const MOST_CHARACTERS = 100;
const CONTROL = /\p{Cc}/u;

/**
 * The actor that an operator's change is recorded with: the name in the header `x-actor`, else the admin key's name
 * (`docs/spec/operators.md#actor`).
 */
export function operatorActor(request: ApiRequest): Actor {
  const { actor } = callerOf(request, 'AdminKey');
  return { ...actor, name: givenName(request) ?? actor.name };
}

function givenName({ headers }: ApiRequest): string | undefined {
  const sent = headers[HEADER];
  if (sent === undefined) return undefined;
  // Node reads headers as Latin-1; clients send names in UTF-8.
  const name = Buffer.from(String(sent), 'latin1').toString('utf8');
  const length = [...name].length;
  if (length >= 1 && length <= MOST_CHARACTERS && !CONTROL.test(name)) return name;
  const allowed = `1 to ${MOST_CHARACTERS} characters, none of them a control character`;
  throw invalidFields([
    invalidField(HEADER, `${HEADER} must have ${allowed}.`, `${received(name)}, allowed ${allowed}`),
  ]);
}
