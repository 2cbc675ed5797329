import { SandboxRefusal } from '@tillstream/platform';
import { invalidFields } from '../http/api.error.js';
import { invalidField } from '../validation/request.body.js';

/** What the sandbox refuses is the fault of a field; any other error passes through. */
export function refusedAs<T>(
  fields: Readonly<Partial<Record<SandboxRefusal['code'], string>>>,
  attempt: () => T,
): T {
  try {
    return attempt();
  } catch (error) {
    const field = error instanceof SandboxRefusal ? fields[error.code] : undefined;
    if (field === undefined) throw error;
    throw invalidFields([invalidField(field, `${field} is refused: ${(error as SandboxRefusal).message}.`)]);
  }
}
