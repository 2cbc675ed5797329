import type { StoredRequest } from '@tillstream/sandbox';
import { processorContract, processorFaultsContract } from '@tillstream/processors/testing';
import { CARD, NetworkFixture, TERMINAL } from './network.fixture.js';

const MANUAL = 'pmt_trm_2';
const HOUR_MS = 3_600_000;
const bankAccount = (accountNumber: string) =>
  ({ routingNumber: '110000000', accountNumber, accountType: 'Checking', name: 'Ann Lee' }) as const;
const BANK_ACCOUNTS = {
  approved: bankAccount('000123456789'),
  declined: bankAccount('000111111113'),
  returned: bankAccount('000222222227'),
  changed: bankAccount('000333333335'),
};

interface LedgerKey {
  readonly movement: { readonly amount: number } | null;
  readonly request: StoredRequest | null;
}

const ledgerKey = async (fixture: NetworkFixture, key: string): Promise<LedgerKey> =>
  JSON.parse((await fixture.get(`/v1/ledger/keys/${key}`)).text) as LedgerKey;
const movedAmount = async (fixture: NetworkFixture, key: string): Promise<number> =>
  (await ledgerKey(fixture, key)).movement?.amount ?? 0;

processorContract(
  'The sandbox over a network',
  async () => {
    const fixture = new NetworkFixture({ processorDeadline: 20, brokenWordDelay: 60 });
    await fixture.start();
    const { terminals } = fixture.controls();
    await terminals.set(MANUAL, { mode: 'Manual', card: null });
    return {
      connect: () => fixture.processor(),
      restart: async () => {
        await fixture.stop();
        await fixture.start();
      },
      movedAmount: (key) => movedAmount(fixture, key),
      receivedRequest: async (key) => {
        const { request } = await ledgerKey(fixture, key);
        return request ? { account: '', ...request } : undefined;
      },
      accounts: ['a-1', 'a-2'],
      currencies: ['USD', 'CAD'],
      credentials: 'Numbers',
      storedExpiry: true,
      card: CARD,
      decliningCard: { ...CARD, number: '4000000000000002' },
      terminalId: TERMINAL,
      customer: {
        terminalId: MANUAL,
        tap: async () => void (await fixture.controls().customers.act(MANUAL, { action: 'Tap' })),
        cancel: async () => void (await fixture.controls().customers.act(MANUAL, { action: 'Cancel' })),
        isAwaited: async () => (await fixture.controls().terminals.get(MANUAL)).waiting !== null,
      },
      late: { amount: 920_006, answersAfterMs: 80 },
      bank: {
        accounts: BANK_ACCOUNTS,
        pass: async (hours) => {
          fixture.offsetMs += hours * HOUR_MS;
          await fixture.controls().state();
        },
        connect: () => fixture.bankNotices(),
      },
      close: () => fixture.end(),
    };
  },
  ['submitted', 'challenged', 'notices'],
);

processorFaultsContract('The sandbox over a network', { namedIn: ['callId', 'key'] }, async () => {
  const fixture = new NetworkFixture();
  await fixture.start();
  return {
    port: fixture.port,
    connect: (port) => fixture.processor({ url: `http://127.0.0.1:${port}` }),
    movedAmount: (key) => movedAmount(fixture, key),
    account: 'a-1',
    card: CARD,
    close: () => fixture.end(),
  };
});
