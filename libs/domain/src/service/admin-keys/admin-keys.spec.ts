import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { codecContract } from '../../shared/testing/codec-contract.testing.js';
import {
  adminKeysCodec,
  findAdminKey,
  foldAdminKeys,
  issueAdminKey,
  MAX_ADMIN_KEYS,
  noAdminKeys,
  revokeAdminKey,
  type AdminKeyDecision,
  type AdminKeyEvent,
  type AdminKeyIssued,
} from './admin-keys.js';

const at = '2026-03-01T12:00:00.000Z';
const key = (number: number, more: Partial<AdminKeyIssued> = {}): AdminKeyIssued => ({
  at,
  keyId: `key_${number}`,
  keyHash: `hash ${number}`,
  name: `operator ${number}`,
  lastFour: 'x7Qp',
  createdBy: 'Ann',
  ...more,
});
const issued = (...of: Parameters<typeof key>): AdminKeyEvent => ({
  type: 'AdminKeyIssued',
  data: key(...of),
});
const revocation = (number: number) => ({ at, keyId: `key_${number}`, revokedBy: 'Bob' });
const revoked = (number: number): AdminKeyEvent => ({ type: 'AdminKeyRevoked', data: revocation(number) });
const keys = (...events: AdminKeyEvent[]) => foldAdminKeys(events);
const codeOrCount = (decision: AdminKeyDecision) =>
  decision.kind === 'Rejected' ? decision.rejection.code : decision.events.length;

describe('the list of admin keys', () => {
  it('has each key once, with its creator', () => {
    expect(issueAdminKey(noAdminKeys, key(1))).toMatchObject({ events: [issued(1)] });
    expect(codeOrCount(issueAdminKey(keys(issued(1)), key(1)))).toBe(0);
    expect(codeOrCount(issueAdminKey(keys(issued(1)), key(2, { keyHash: 'hash 1' })))).toBe(0);
    expect(keys(issued(1))).toEqual([
      {
        id: 'key_1',
        hash: 'hash 1',
        name: 'operator 1',
        lastFour: 'x7Qp',
        createdAt: at,
        createdBy: 'Ann',
      },
    ]);
  });

  it('keeps revoked keys, and a key is revoked once', () => {
    expect(revokeAdminKey(keys(issued(1)), revocation(1))).toMatchObject({ events: [revoked(1)] });
    expect(keys(issued(1), revoked(1))).toMatchObject([{ id: 'key_1', revokedAt: at, revokedBy: 'Bob' }]);
    expect(codeOrCount(revokeAdminKey(keys(issued(1), revoked(1)), revocation(1)))).toBe('AdminKeyNotFound');
    expect(codeOrCount(revokeAdminKey(noAdminKeys, revocation(1)))).toBe('AdminKeyNotFound');
  });

  it(`has at most ${MAX_ADMIN_KEYS} that are not revoked; a replacement does not count`, () => {
    const full = Array.from({ length: MAX_ADMIN_KEYS }, (_, number) => issued(number));
    expect(codeOrCount(issueAdminKey(keys(...full.slice(1)), key(1_000)))).toBe(1);
    expect(codeOrCount(issueAdminKey(keys(...full), key(1_000)))).toBe('TooManyAdminKeys');
    expect(codeOrCount(issueAdminKey(keys(...full), key(1_000, { replaces: 'key_1' })))).toBe(1);
    expect(codeOrCount(issueAdminKey(keys(...full, revoked(1)), key(1_000)))).toBe(1);
  });

  it('finds a key by id or name, and lists the ids if several keys have the name', () => {
    const three = keys(issued(1), issued(2, { name: 'ops' }), issued(3, { name: 'ops' }), revoked(1));
    expect(findAdminKey(three, 'key_2')).toMatchObject({ id: 'key_2' });
    expect(findAdminKey(three, 'ops')).toMatchObject({
      code: 'AdminKeyAmbiguous',
      message: expect.stringContaining('key_2, key_3') as string,
    });
    expect(findAdminKey(keys(issued(1)), 'operator 1')).toMatchObject({ id: 'key_1' });
    for (const unknown of ['key_1', 'operator 1', 'no such key'])
      expect(findAdminKey(three, unknown)).toMatchObject({ code: 'AdminKeyNotFound' });
  });

  it('a revoked key never works again, after any sequence of commands', () => {
    const step = fc.record({ number: fc.nat({ max: 5 }), revokes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const events: AdminKeyEvent[] = [];
        const stopped = new Set<string>();
        for (const { number, revokes } of steps) {
          const decision = revokes
            ? revokeAdminKey(foldAdminKeys(events), revocation(number))
            : issueAdminKey(foldAdminKeys(events), key(number));
          if (decision.kind === 'Accepted') events.push(...decision.events);
          if (revokes && decision.kind === 'Accepted') stopped.add(`key_${number}`);
          const now = foldAdminKeys(events);
          expect(new Set(now.map(({ id }) => id)).size).toBe(now.length);
          for (const { id, revokedAt } of now) expect(revokedAt !== undefined).toBe(stopped.has(id));
        }
      }),
    );
  });
});

describe('the stored events of admin keys', () => {
  const keyId = 'key_01JQ0000000000000000000000';
  codecContract(adminKeysCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    AdminKeyIssued: {
      ...key(1),
      keyId,
      keyHash: 'ab'.repeat(32),
      replaces: 'key_01JQ0000000000000000000001',
    },
    AdminKeyRevoked: {
      at,
      keyId,
      revokedBy: 'Bob',
      replacedBy: 'key_01JQ0000000000000000000002',
      reason: 'left the company',
    },
  });
});
