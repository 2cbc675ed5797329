import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { statusAfter } from '../testing/forms.setup.js';
import { Crashed } from '../testing/payments.setup.js';
import { CHALLENGED, ChallengesTestSetup } from '../testing/challenges.setup.js';

const FRICTIONLESS = '4242424242424242';
const NOT_ENROLLED = '4000000000003055';

let form: ChallengesTestSetup;
beforeEach(async () => void (form = await ChallengesTestSetup.open()));
afterEach(() => form.close());

const sales = () => form.setup.processor.sent.filter((call) => call.startsWith('sale'));
const eventTypes = () => form.setup.eventTypes(form.transactionId);

describe('the cardholder of a form with 3-D Secure', () => {
  it('is authenticated before the processor gets the attempt, and the outcome has the facts', async () => {
    expect(statusAfter(await form.submit(FRICTIONLESS))).toBe('Approved');
    expect(await form.outcome()).toEqual({
      ...{ status: 'Approved', threeDs: 'Authenticated', cvvResult: 'M', charged: 1_000 },
    });
    expect(await eventTypes()).toEqual([
      'SaleRequested',
      'TryRequested',
      'ThreeDsCompleted',
      'Authorized',
      'Captured',
    ]);
  });

  it.each([
    ['4000000000003063', 'Attempted'],
    ['4000000000003089', 'NotAuthenticated'],
  ])('of card %s pays with status %s', async (number, threeDs) => {
    await form.submit(number);
    expect(await form.outcome()).toMatchObject({ status: 'Approved', threeDs });
  });

  it.each([
    [NOT_ENROLLED, 'NotEnrolled', 16, 6802],
    ['4000008400001280', 'Unavailable', 50, 6801],
  ])(
    'of card %s pays nothing with status %s, and the form goes on',
    async (number, status, code, resultCode) => {
      expect(statusAfter(await form.submit(number))).toBe('AwaitingCustomer');
      const { responses } = await form.setup.operation(form.transactionId);
      expect(responses).toMatchObject([{ resultCode, outcome: { responseCode: code, threeDs: { status } } }]);
      expect([sales(), form.setup.chargedTotal()]).toEqual([[], 0]);
      expect(statusAfter(await form.submit(FRICTIONLESS))).toBe('Approved');
    },
  );

  it('is not authenticated if the form does not ask for it', async () => {
    const opened = await form.forms.sale(1_000);
    expect(statusAfter(await form.forms.submit(form.forms.sessionOf(opened), NOT_ENROLLED))).toBe('Approved');
  });

  it('counts as Unavailable while the 3-D Secure server does not answer', async () => {
    form.setup.threeDsServer.fault = () => Promise.resolve({ kind: 'NoAnswer' });
    expect(statusAfter(await form.submit(FRICTIONLESS))).toBe('AwaitingCustomer');
    const [response] = (await form.setup.operation(form.transactionId)).responses;
    expect(response).toMatchObject({ resultCode: 6801, outcome: { threeDs: { status: 'Unavailable' } } });
    expect(sales()).toEqual([]);
  });

  it('may take longer than the send window: the attempt gets a new one', async () => {
    form.setup.threeDsServer.fault = (authenticate) => {
      form.setup.clock.pass(9_000);
      return authenticate();
    };
    expect(statusAfter(await form.submit(FRICTIONLESS))).toBe('Approved');
    expect(form.setup.chargedTotal()).toBe(1_000);
  });
});

describe('a process that dies', () => {
  it.each(['after-request', 'after-authentication', 'after-authentication-stored', 'before-send'] as const)(
    'at %s has charged nothing, and the resolver closes the form',
    async (point) => {
      form.setup.crash.crashAt(point);
      await expect(form.submit(FRICTIONLESS)).rejects.toThrow(Crashed);
      form.setup.start();
      await form.setup.untilResolved(2);
      expect(await form.outcome()).toMatchObject({ status: 'NotExecuted', charged: 0 });
    },
  );

  it('after the processor was called leaves an outcome that has the 3-D Secure facts', async () => {
    form.setup.crash.crashAt('after-send');
    await expect(form.submit(FRICTIONLESS)).rejects.toThrow(Crashed);
    form.setup.start();
    await form.setup.untilResolved(2);
    expect(await form.outcome()).toMatchObject({
      status: 'Approved',
      threeDs: 'Authenticated',
      charged: 1_000,
    });
  });
});

describe('a process that is stalled during the authentication', () => {
  it.each([FRICTIONLESS, CHALLENGED])(
    'sends nothing and opens nothing after the resolver took over: %s',
    async (number) => {
      form.setup.threeDsServer.fault = async (authenticate) => {
        await form.setup.untilResolved(3);
        return authenticate();
      };
      await form.submit(number);
      expect(await form.outcome()).toMatchObject({ status: 'NotExecuted', charged: 0 });
      expect([sales(), await form.keptCard()]).toEqual([[], undefined]);
    },
  );
});
