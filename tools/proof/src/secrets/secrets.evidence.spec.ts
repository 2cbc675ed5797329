import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretsEvidence } from './secrets.evidence.js';
import { vaultSecretsOf } from '../audit/vault.bytes.js';

describe('The proof can fail: it finds', () => {
  const NUMBER = '4242424242424242';
  let dataDir: string;
  let evidence: SecretsEvidence;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tillstream-planted-'));
    evidence = new SecretsEvidence(dataDir, [NUMBER]);
    evidence.persons.push(['Ada Lovelace']);
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('nothing where nothing is', () => {
    writeFileSync(join(dataDir, 'events.db'), 'Sale of 42.42 by ************4242');
    evidence.responses.push({ what: 'GET /', text: 'Ada Lovelace' });
    evidence.output.push(Buffer.from('{"level":"info"}'));
    expect(evidence.complaints()).toEqual([]);
  });

  it.each(['events.db-wal', 'read-models.db', 'a.log'])('a number and a person in %s', (name) => {
    writeFileSync(join(dataDir, name), `${NUMBER} of Ada Lovelace`);
    expect(evidence.complaints()).toEqual([
      expect.stringContaining(`${name}: a text`),
      expect.stringContaining(`${name}: the number`),
    ]);
  });

  it('a number in the output, split between two writes, and in an answer', () => {
    evidence.output.push(Buffer.from(NUMBER.slice(0, 9)), Buffer.from(NUMBER.slice(9)));
    evidence.responses.push({
      what: 'GET /v1/transactions',
      text: `"${Buffer.from(NUMBER).toString('base64')}"`,
    });
    expect(evidence.complaints()).toEqual([
      expect.stringContaining('the output: the number'),
      expect.stringContaining('the answer to GET /v1/transactions: the number'),
    ]);
  });

  it('an erased person in a later answer, and not in an earlier one', () => {
    evidence.responses.push({ what: 'DELETE', text: 'Ada Lovelace' });
    evidence.forget(['Ada Lovelace']);
    evidence.responses.push({ what: 'GET', text: 'Ada Lovelace' });
    expect(evidence.complaints()).toEqual(['the answer to GET has data of an erased person']);
  });

  it('an expiry in the clear', () => {
    writeFileSync(join(dataDir, 'tokens-1.db'), '{"cardExpDate":"1234"}');
    expect(evidence.complaints()).toEqual([expect.stringContaining('tokens-1.db')]);
  });

  it('a security code in the clear, in a file, the output and an answer', () => {
    writeFileSync(join(dataDir, 'idempotency.db'), '{"card":{"cvv":"846","number":""}}');
    evidence.output.push(Buffer.from("submission { cvv: '846', number: '' }"));
    evidence.responses.push({ what: 'POST /pay', text: '{"cvv":"846","rest":1}' });
    expect(evidence.complaints()).toEqual([
      expect.stringContaining('idempotency.db'),
      expect.stringContaining('the output'),
      expect.stringContaining('the answer to POST /pay'),
    ]);
  });

  it('what is left of a destroyed row, and says where there was none to destroy', () => {
    const row = Buffer.concat([Buffer.from([0, 0, 0, 1]), noise(60), Buffer.alloc(60), noise(284)]);
    const before = Buffer.concat([Buffer.from('..pmt_tkn_1'), row]);
    writeFileSync(join(dataDir, 'vault.db'), before);
    expect(vaultSecretsOf(dataDir, 'pmt_tkn_1')).toEqual([row.subarray(4, 64), row.subarray(124)]);
    expect(evidence.remember('pmt_tkn_1')).toEqual([]);
    writeFileSync(join(dataDir, 'vault.db'), before.fill(0, 11, 75));
    expect(evidence.complaints()).toEqual([expect.stringContaining('vault.db: a part of pmt_tkn_1')]);
    expect(evidence.remember('pmt_tkn_2')).toEqual([
      expect.stringContaining('nothing was found of pmt_tkn_2'),
    ]);
  });
});

function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => 1 + ((index * 73 + 41) % 255)));
}
