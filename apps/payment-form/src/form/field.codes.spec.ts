import { codesOf } from './field.codes.js';

describe('The codes of wrong fields', () => {
  it.each([
    ['Virtual', { number: 'numberInvalid', name: 'nameMissing' }, [6200]],
    ['VirtualAch', { routingNumber: 'routingInvalid', name: 'nameMissing' }, [6300]],
    ['VirtualEft', { transitNumber: 'transitMissing' }, [6700]],
    ['Virtual', { email: 'emailInvalid' }, [6700]],
    ['VirtualAch', { zipCode: 'zipUs' }, [6701]],
    ['Virtual', { cvv: 'cvvThree', city: 'cityMissing', phone: 'phoneMissing' }, [6200, 6701, 6700]],
    ['Virtual', {}, [6700]],
  ] as const)('of a form with the type %s: %j are %j', (paymentMethodType, errors, codes) => {
    expect(codesOf(errors, { paymentMethodType })).toEqual(codes);
  });
});
