import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryFixture } from './data-directory.fixture.js';

describe('restore-event', () => {
  let fixture: DataDirectoryFixture;
  let stream: string;
  let backup: string;

  beforeEach(async () => {
    fixture = new DataDirectoryFixture();
    await fixture.createMerchant();
    stream = `payment-${(await fixture.sale(1_500)).slice(4, -3)}`;
    await fixture.close();
    backup = join(fixture.directory, 'backup.db');
    copyFileSync(join(fixture.directory, 'events.db'), backup);
  });
  afterEach(() => fixture.remove());

  it('puts a damaged event back: what halted at it goes on, and later sales stay', async () => {
    const later = await fixture.sale(1_600);
    await fixture.close();
    await fixture.tamper(`UPDATE events SET data = '!' WHERE stream = '${stream}' AND revision = 2`);
    expect((await fixture.run('projections', 'retry', 'webhooks')).err).toContain(
      'its data is no JSON object',
    );
    const restored = await fixture.run('restore-event', stream, '2', '--from', backup);
    expect([restored.code, restored.out]).toEqual([
      0,
      `Revision 2 of ${stream} is as it was written. Run verify now.`,
    ]);
    expect((await fixture.run('projections', 'retry', 'webhooks')).code).toBe(0);
    expect((await fixture.run('export', later)).code).toBe(0);
  });

  it('writes nothing if the backup has another event there, or is missing', async () => {
    for (const [args, sentence] of [
      [[stream, '99', '--from', backup], 'Nothing was written: the store has no event there'],
      [[stream, '2', '--from', '/none.db'], 'There is no /none.db.'],
    ] as const) {
      const { code, err } = await fixture.run('restore-event', ...args);
      expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
    }
    expect((await fixture.run('restore-event', stream, '-1', '--from', backup)).code).toBe(2);
  });
});
