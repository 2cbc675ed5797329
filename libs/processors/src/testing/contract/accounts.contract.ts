import { describe, expect, it } from '@jest/globals';
import type { ProcessorResponse, AttemptCall, FollowUpRequest } from '../../processor.port.js';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, credentialOf, type ContractSetup } from './contract.setup.js';

const NOT_THERE = { kind: 'Declined', facts: { responseCode: 20 } };
/** As networks number them. */
const NETWORK_TRANSACTION = '123456789012345';

/** The account of each request is the merchant's own: what one did is nobody else's to find or to undo. */
export function accountsContract(stage: ContractSetup): void {
  describe('accounts', () => {
    /** Each of the two, with the other one. */
    const each: [string, 0 | 1, 0 | 1][] = [
      ['the first', 0, 1],
      ['the second', 1, 0],
    ];

    it.each(each)('what was paid under %s is found there, and not under the other', async (_, own, other) => {
      const { accounts, terminalId } = stage.underTest;
      const key = newKey();
      const sale = { ...stage.onTerminal(1_000), account: accounts[own] };
      const answer = await stage.processor.sale(sale, attemptCall(key));
      expect(answer).toMatchObject(approved(1_000));
      expect(await stage.underTest.receivedRequest(key)).toMatchObject({ account: accounts[own] });
      const [mine, foreign] = [stage.inquiry(key, accounts[own]), stage.inquiry(key, accounts[other])];
      expect(await stage.processor.inquire(mine)).toEqual({ kind: 'Found', answer });
      expect(await stage.processor.lastTransaction(terminalId, mine)).toEqual({ kind: 'Found', answer });
      expect(await stage.processor.inquire(foreign)).toEqual({ kind: 'NotFound' });
      expect(await stage.processor.lastTransaction(terminalId, foreign)).toEqual({ kind: 'NotFound' });
      expect(await stage.processor.annul(foreign)).not.toMatchObject({ kind: 'AlreadyExecuted' });
      expect(await stage.processor.annul(mine)).toEqual({ kind: 'AlreadyExecuted', answer });
      expect(await stage.underTest.movedAmount(key)).toBe(1_000);
    });

    it.each(each)('what was paid under %s is undone there alone', async (_, own, other) => {
      const { accounts } = stage.underTest;
      const original = newKey();
      const paid = { ...stage.byCard(1_000), account: accounts[own] };
      expect(await stage.processor.sale(paid, attemptCall(original))).toMatchObject(approved(1_000));
      for (const undo of ['void', 'refund', 'reverse'] as const) {
        const foreign = { ...stage.about(original, 100), account: accounts[other] };
        expect(await stage.processor[undo](foreign, attemptCall(newKey()))).toMatchObject(NOT_THERE);
        const [key, mine] = [newKey(), { ...stage.about(original, 100), account: accounts[own] }];
        expect(await stage.processor[undo](mine, attemptCall(key))).toMatchObject(approved(100));
        expect(await stage.underTest.receivedRequest(key)).toMatchObject({ account: accounts[own] });
      }
    });

    it.each(each)(
      'a card is checked under %s, and its credential found there alone',
      async (_, own, other) => {
        const { accounts } = stage.underTest;
        const key = newKey();
        const answer = await stage.processor.verify(
          { ...stage.cardToStore(), account: accounts[own] },
          attemptCall(key),
        );
        expect(credentialOf(answer)).toBeDefined();
        expect(await stage.underTest.receivedRequest(key)).toMatchObject({ account: accounts[own] });
        expect(await stage.processor.inquire(stage.inquiry(key, accounts[own]))).toEqual({
          kind: 'Found',
          answer,
        });
        expect(await stage.processor.inquire(stage.inquiry(key, accounts[other]))).toEqual({
          kind: 'NotFound',
        });
      },
    );
  });
}

/** What a request says arrives, as the processor's own books have it. */
export function receivedRequestsContract(stage: ContractSetup): void {
  describe('what arrives', () => {
    it('amount and currency of a payment, in each currency that the processor takes', async () => {
      for (const currency of stage.underTest.currencies) {
        for (const operation of ['sale', 'authorize', 'unreferencedRefund'] as const) {
          const key = newKey();
          const answer = await stage.processor[operation](
            { ...stage.byCard(700), currency },
            attemptCall(key),
          );
          expect(answer).toMatchObject(approved(700));
          expect(await stage.underTest.receivedRequest(key)).toMatchObject({ amount: 700, currency });
        }
      }
    });

    it('amount and currency of a follow-up', async () => {
      const { processor } = stage;
      for (const currency of stage.underTest.currencies) {
        const paid = async (operation: 'sale' | 'authorize'): Promise<string> => {
          const key = newKey();
          await processor[operation]({ ...stage.byCard(900), currency }, attemptCall(key));
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
          const answer = await followUp({ ...stage.about(original, 100), currency }, attemptCall(key));
          expect(answer).toMatchObject(approved(100));
          expect(await stage.underTest.receivedRequest(key)).toMatchObject({ amount: 100, currency });
        }
      }
    });

    it('the network id of the payment in which the customer agreed, and none where there is none', async () => {
      const request = stage.byToken(700, await stage.storedCredential());
      const agreed = { ...request, networkTransactionId: NETWORK_TRANSACTION };
      for (const operation of ['sale', 'authorize'] as const) {
        const [key, unasked] = [newKey(), newKey()];
        await stage.processor[operation](agreed, attemptCall(key));
        await stage.processor[operation](request, attemptCall(unasked));
        expect(await stage.underTest.receivedRequest(key)).toMatchObject({
          networkTransactionId: NETWORK_TRANSACTION,
        });
        expect((await stage.underTest.receivedRequest(unasked))?.networkTransactionId).toBeUndefined();
      }
    });
  });
}
