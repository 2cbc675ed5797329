import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryFixture } from '../data-directory.fixture.js';

const ALL = ['--from', '2020-01-01T00:00:00Z', '--to', '2100-01-01T00:00:00Z'];

describe('The commands after a restore', () => {
  let fixture: DataDirectoryFixture;
  beforeEach(async () => {
    fixture = new DataDirectoryFixture();
    await fixture.createMerchant();
  });
  afterEach(() => fixture.remove());

  const at = (name: string): string => join(fixture.directory, name);
  const dailyFile = async (): Promise<string> => {
    await fixture.run('daily-file', ...ALL, '--out', at('daily.jsonl'));
    return at('daily.jsonl');
  };

  it('copy, write the daily file, and find no difference', async () => {
    const id = await fixture.sale(1_234);
    const { code, out } = await fixture.run('reconcile', '--file', await dailyFile());
    expect([code, out]).toEqual([0, expect.stringContaining('No difference is left.')]);
    expect(out).toContain('Compared 1 records');
    expect(readFileSync(at('daily.jsonl'), 'utf8')).toContain(`${id}.1`);
    const copied = await fixture.run('backup', '--to', at('copy'));
    expect([copied.code, copied.out]).toEqual([0, expect.stringContaining('vault.keys')]);
    expect(existsSync(at('copy/backup.json'))).toBe(true);
    expect(copied.out).not.toContain(readFileSync(at('vault.keys'), 'utf8').trim());
  });

  it('name a difference in text and in CSV, with exit code 1', async () => {
    const id = await fixture.sale(1_234);
    const file = await dailyFile();
    const other = new DataDirectoryFixture();
    try {
      await other.createMerchant();
      await other.sale(500);
      const { code, out } = await other.run('reconcile', '--file', file);
      expect(code).toBe(1);
      expect(out).toContain(`not in the history: Sale ${id}.1`);
      expect(out).toContain('processor approved 12.34 USD, history nothing');
      expect(out).toContain('not in the file: Sale');
      const csv = await other.run('reconcile', '--file', file, '--csv');
      expect(csv.out.split('\r\n')[0]).toMatch(/^kind,key,operation/);
      expect(csv.out).toContain(`MissingInHistory,${id}.1,Sale,`);
      const bringIn = ['--bring-in', '--reason', 'drill'];
      const refused = await other.run('reconcile', '--file', file, ...bringIn);
      expect([refused.code, refused.out]).toEqual([
        1,
        expect.stringContaining('NOT brought in: Merchant mer_'),
      ]);
    } finally {
      await other.remove();
    }
  });

  it('refuse wrong files and wrong use', async () => {
    await fixture.sale(500);
    const file = await dailyFile();
    expect(await fixture.run('reconcile', '--file', at('sandbox.json'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/can not be (used|read)/),
    });
    expect((await fixture.run('reconcile', '--file', at('none'))).err).toContain('--file can not be read');
    expect((await fixture.run('reconcile', '--file', file, '--bring-in')).code).toBe(2);
    expect((await fixture.run('reconcile', '--file', file, '--processor', 'harbor')).err).toContain(
      'no processor "harbor"',
    );
    expect(await fixture.run('resume-after-restore', '--reason', 'none')).toMatchObject({
      code: 1,
      err: expect.stringContaining('No restore waits'),
    });
    expect((await fixture.run('restore', '--from', fixture.directory)).err).toContain('backup.json');
    expect((await fixture.run('daily-file', ...ALL, '--processor', 'none')).code).toBe(1);
  });
});
