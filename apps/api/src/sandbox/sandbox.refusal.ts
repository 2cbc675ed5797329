import { ClockMoveError } from '@tillstream/payments';
import { invalidFields } from '../http/api.error.js';
import { invalidField } from '../validation/request.body.js';

/** Who asked for what when the clock was to be moved. */
interface Move {
  readonly field: string;
  readonly received: string;
  readonly now: () => string;
}

const LAST_TIME = '9999-12-31';

/** Where the clock does not go is the fault of the field that named it; any other error passes through. */
export async function attemptMove(
  { field, received, now }: Move,
  attempt: () => Promise<void>,
): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    if (!(error instanceof ClockMoveError)) throw error;
    const allowed = error.code === 'Backwards' ? `a time after ${now()}` : `no time after ${LAST_TIME}`;
    const details = `received ${received}, allowed ${allowed}`;
    throw invalidFields([invalidField(field, `${field} is refused: ${error.message}.`, details)]);
  }
}
