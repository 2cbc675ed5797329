import { merchantApplicationStream } from '@tillstream/domain';
import { MemoryEventStore } from '@tillstream/event-store';
import { Provisioning } from '../operators/provisioning.js';
import { noReadModels } from '../read-model-write-through/write-through.js';
import { eventMetadata } from '../stream-repository/event-metadata.js';
import { ManualClock } from '../testing/payments.setup.js';
import {
  MerchantApplicationRegistry,
  MerchantApplicationRejected,
  type RequestedStep,
} from './merchant-application.registry.js';

const actor = { type: 'Operator', name: 'Ada' } as const;

async function setUp() {
  const store = new MemoryEventStore();
  const clock = new ManualClock();
  const { id: merchantId } = await new Provisioning({
    store,
    clock,
    readModels: noReadModels,
  }).createMerchant(actor, {
    name: 'Maple Street Books',
    currencies: ['USD'],
    timeZone: 'America/New_York',
    cutOff: '22:00',
    locale: 'en-US',
    fundingType: 'Net',
    managedWebhooks: true,
    unreferencedRefunds: { enabled: false },
  });
  const applications = new MerchantApplicationRegistry({ store, clock });
  const take = (step: RequestedStep, commandId?: string) =>
    applications.takeStep({ actor, merchantId, commandId }, step);
  const events = async () => (await store.readStream(merchantApplicationStream(merchantId))).events;
  return { applications, merchantId, take, events };
}

async function rejectionOf(step: Promise<unknown>): Promise<string> {
  const error: unknown = await step.catch((thrown: unknown) => thrown);
  if (error instanceof MerchantApplicationRejected) return error.rejection.code;
  throw new Error(`it was not rejected: ${String(error)}`);
}

describe('The application of a merchant', () => {
  it('has the state that its steps led to, and each is stored with the actor’s name', async () => {
    const { applications, merchantId, take, events } = await setUp();
    expect(await applications.find(merchantId)).toBeUndefined();
    const { id } = await take({ step: 'start' });
    await take({ step: 'submit' });
    const rejected = await take({ step: 'reject', reason: 'The business is not supported.' });
    expect(rejected).toMatchObject({ id, status: 'Rejected', reason: 'The business is not supported.' });
    expect(await applications.find(merchantId)).toEqual(rejected);
    const stored = await events();
    expect(stored.map(({ type }) => type)).toEqual([
      'MerchantApplicationStarted',
      'MerchantApplicationSubmitted',
      'MerchantRejected',
    ]);
    expect(stored.map((event) => eventMetadata(event).actor)).toEqual([actor, actor, actor]);
  });

  it('takes a repeated step once', async () => {
    const { take, events } = await setUp();
    const first = await take({ step: 'start' }, 'first command');
    await take({ step: 'upload-info' });
    expect(await take({ step: 'start' }, 'first command')).toMatchObject({
      id: first.id,
      status: 'InfoUploaded',
    });
    expect(await events()).toHaveLength(2);
  });

  it('takes one of two steps that only one can be', async () => {
    const { take, events } = await setUp();
    await take({ step: 'start' });
    await take({ step: 'submit' });
    const steps = await Promise.allSettled([take({ step: 'approve' }), take({ step: 'reject' })]);
    expect(steps.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await events()).toHaveLength(3);
  });

  it('refuses a step out of order, and a merchant that does not exist', async () => {
    const { applications, take, events } = await setUp();
    expect(await rejectionOf(take({ step: 'approve' }))).toBe('StepNotAllowed');
    const unknown = { actor, merchantId: 'mer_01JQ0000000000000000000000' };
    expect(await rejectionOf(applications.takeStep(unknown, { step: 'start' }))).toBe('MerchantNotFound');
    expect(await events()).toEqual([]);
  });
});
