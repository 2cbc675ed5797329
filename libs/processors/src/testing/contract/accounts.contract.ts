import { describe, expect, it } from '@jest/globals';
import type { ProcessorResponse, AttemptCall, FollowUpRequest } from '../../processor.port.js';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, credentialOf, type ContractSetup } from './contract.setup.js';

const NOT_FOUND = { kind: 'Declined', facts: { responseCode: 20 } };
const NETWORK_TRANSACTION = '123456789012345';

/** An operation of one account can be neither found nor undone under another account. */
export function accountsContract(setup: ContractSetup): void {
  describe('accounts', () => {
    const each: [string, 0 | 1, 0 | 1][] = [
      ['the first', 0, 1],
      ['the second', 1, 0],
    ];

    it.each(each)('a payment under %s is found there, and not under the other', async (_, own, other) => {
      const { accounts, terminalId } = setup.underTest;
      const key = newKey();
      const sale = { ...setup.onTerminal(1_000), account: accounts[own] };
      const answer = await setup.processor.sale(sale, attemptCall(key));
      expect(answer).toMatchObject(approved(1_000));
      expect(await setup.underTest.receivedRequest(key)).toMatchObject({ account: accounts[own] });
      const [mine, foreign] = [setup.inquiry(key, accounts[own]), setup.inquiry(key, accounts[other])];
      expect(await setup.processor.inquire(mine)).toEqual({ kind: 'Found', answer });
      expect(await setup.processor.lastTransaction(terminalId, mine)).toEqual({ kind: 'Found', answer });
      expect(await setup.processor.inquire(foreign)).toEqual({ kind: 'NotFound' });
      expect(await setup.processor.lastTransaction(terminalId, foreign)).toEqual({ kind: 'NotFound' });
      expect(await setup.processor.annul(foreign)).not.toMatchObject({ kind: 'AlreadyExecuted' });
      expect(await setup.processor.annul(mine)).toEqual({ kind: 'AlreadyExecuted', answer });
      expect(await setup.underTest.movedAmount(key)).toBe(1_000);
    });

    it.each(each)('a payment under %s is undone only there', async (_, own, other) => {
      const { accounts } = setup.underTest;
      const original = newKey();
      const paid = { ...setup.byCard(1_000), account: accounts[own] };
      expect(await setup.processor.sale(paid, attemptCall(original))).toMatchObject(approved(1_000));
      for (const undo of ['void', 'refund', 'reverse'] as const) {
        const foreign = { ...setup.about(original, 100), account: accounts[other] };
        expect(await setup.processor[undo](foreign, attemptCall(newKey()))).toMatchObject(NOT_FOUND);
        const [key, mine] = [newKey(), { ...setup.about(original, 100), account: accounts[own] }];
        expect(await setup.processor[undo](mine, attemptCall(key))).toMatchObject(approved(100));
        expect(await setup.underTest.receivedRequest(key)).toMatchObject({ account: accounts[own] });
      }
    });

    it.each(each)(
      'a card is verified under %s, and its credential is found only there',
      async (_, own, other) => {
        const { accounts } = setup.underTest;
        const key = newKey();
        const answer = await setup.processor.verify(
          { ...setup.cardToStore(), account: accounts[own] },
          attemptCall(key),
        );
        expect(credentialOf(answer)).toBeDefined();
        expect(await setup.underTest.receivedRequest(key)).toMatchObject({ account: accounts[own] });
        expect(await setup.processor.inquire(setup.inquiry(key, accounts[own]))).toEqual({
          kind: 'Found',
          answer,
        });
        expect(await setup.processor.inquire(setup.inquiry(key, accounts[other]))).toEqual({
          kind: 'NotFound',
        });
      },
    );
  });
}

/** The fields of a request arrive: the processor's own ledger has them. */
export function receivedRequestsContract(setup: ContractSetup): void {
  describe('received requests', () => {
    it('have amount and currency of a payment, in each currency that the processor takes', async () => {
      for (const currency of setup.underTest.currencies) {
        for (const operation of ['sale', 'authorize', 'unreferencedRefund'] as const) {
          const key = newKey();
          const answer = await setup.processor[operation](
            { ...setup.byCard(700), currency },
            attemptCall(key),
          );
          expect(answer).toMatchObject(approved(700));
          expect(await setup.underTest.receivedRequest(key)).toMatchObject({ amount: 700, currency });
        }
      }
    });

    it('have amount and currency of a follow-up', async () => {
      const { processor } = setup;
      for (const currency of setup.underTest.currencies) {
        const paid = async (operation: 'sale' | 'authorize'): Promise<string> => {
          const key = newKey();
          await processor[operation]({ ...setup.byCard(900), currency }, attemptCall(key));
          return key;
        };
        const [sale, authorization] = [await paid('sale'), await paid('authorize')];
        const followUps: [
          string,
          (request: FollowUpRequest, call: AttemptCall) => Promise<ProcessorResponse>,
        ][] = [
          [sale, (request, call) => processor.void(request, call)],
          [sale, (request, call) => processor.refund(request, call)],
          [sale, (request, call) => processor.reverse(request, call)],
          [authorization, (request, call) => processor.capture(request, call)],
        ];
        for (const [original, followUp] of followUps) {
          const key = newKey();
          const answer = await followUp({ ...setup.about(original, 100), currency }, attemptCall(key));
          expect(answer).toMatchObject(approved(100));
          expect(await setup.underTest.receivedRequest(key)).toMatchObject({ amount: 100, currency });
        }
      }
    });

    it('have the network transaction id of the request, and none if the request has none', async () => {
      const request = setup.byToken(700, await setup.storedCredential());
      const agreed = { ...request, networkTransactionId: NETWORK_TRANSACTION };
      for (const operation of ['sale', 'authorize'] as const) {
        const [key, keyWithoutId] = [newKey(), newKey()];
        await setup.processor[operation](agreed, attemptCall(key));
        await setup.processor[operation](request, attemptCall(keyWithoutId));
        expect(await setup.underTest.receivedRequest(key)).toMatchObject({
          networkTransactionId: NETWORK_TRANSACTION,
        });
        expect((await setup.underTest.receivedRequest(keyWithoutId))?.networkTransactionId).toBeUndefined();
      }
    });
  });
}
