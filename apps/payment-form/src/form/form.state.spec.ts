import { formSession } from '../testing/sessions.fixture.js';
import { checked, withFieldChecked, withoutSecurityCode, withValue, type FormState } from './form.state.js';
import { emptyValues } from './form.values.js';

const now = new Date('2026-11-25T00:00:00.000Z');
const empty: FormState = { values: emptyValues(formSession()), errors: {} };

describe('The state of a form', () => {
  it('shows an error when the customer leaves a field that is wrong, and not when it is empty', () => {
    expect(withFieldChecked(withValue(empty, 'cvv', '1'), 'cvv', now).errors).toEqual({ cvv: 'cvvThree' });
    expect(withFieldChecked(empty, 'cvv', now).errors).toEqual({});
  });

  it('has no error in a field that is corrected', () => {
    const wrong = checked(empty, ['number', 'cvv'], now);
    expect(withValue(wrong, 'cvv', '1').errors).toEqual({ number: 'numberMissing' });
  });

  it('forgets the state and the error of the postal code when the country changes', () => {
    const wrong = checked(withValue(empty, 'state', 'MA'), ['zipCode'], now);
    const { values, errors } = withValue(wrong, 'countryCode', 'CA');
    expect([values.state, errors]).toEqual(['', {}]);
  });

  it('keeps everything but the security code after a submission', () => {
    const filled = withValue(withValue(empty, 'number', '4242'), 'cvv', '123');
    expect(withoutSecurityCode(filled).values).toEqual({ ...filled.values, cvv: '' });
  });
});
