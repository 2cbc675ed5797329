import { ClockMoveError } from '@tillstream/payments';
import { invalidFields } from '../http/api.error.js';
import { invalidField } from '../validation/body.check.js';

/** The move of the clock that was requested. */
interface Move {
  readonly field: string;
  readonly received: string;
  readonly now: () => string;
}

const LAST_TIME = '9999-12-31';

/** Makes a refused move an error of the field that requested it; any other error passes through. */
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
