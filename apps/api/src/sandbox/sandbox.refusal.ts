import { invalidFields } from '../http/api.error.js';
import { invalidField } from '../validation/request.body.js';

/** What the sandbox refuses is the fault of a field; any other error passes through. */
export function refusedAs<T>(fields: Readonly<Record<string, string>>, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    const refusal = error as { readonly name?: unknown; readonly code?: unknown; readonly message: string };
    const field = refusal.name === 'SandboxRefusal' ? fields[String(refusal.code)] : undefined;
    if (field === undefined) throw error;
    throw invalidFields([invalidField(field, `${field} is refused: ${refusal.message}.`)]);
  }
}
