import { newEventId } from '@tillstream/event-store';
import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { openSqliteEventStore } from './open-sqlite-event-store.js';
import { newFolder } from './sqlite-stores.fixture.js';

const MIB = 1_048_576;

/** Mounts a small file system; undefined if the user may not mount one. */
function smallDisk() {
  const place = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', place.folder], { stdio: 'ignore' });
  } catch {
    place.remove();
    return undefined;
  }
  const unmount = (): void => {
    execFileSync('umount', [place.folder]);
    place.remove();
  };
  return { ...place, unmount };
}

const disk = smallDisk();
// Without it, `group-writer.spec.ts` still tests the rule with a file that may not grow.
(disk === undefined ? describe.skip : describe)('on a full disk', () => {
  afterAll(() => disk?.unmount());

  it('an append is Unavailable and not written; health reports it and recovers', async () => {
    if (disk === undefined) return;
    const { file, folder } = disk;
    const store = await openSqliteEventStore({ file });
    const acknowledged: string[] = [];
    const append = async (): Promise<void> => {
      const id = newEventId();
      const data = { text: 'x'.repeat(200_000) };
      await store.append({
        stream: `test-${id}`,
        expected: 'none',
        events: [{ id, type: 'Large', data, metadata: {} }],
      });
      acknowledged.push(id);
    };
    await append();
    expect(await store.health()).toEqual({ writable: true });

    const ballast = `${folder}/ballast`;
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - MIB));
    const fill = async (): Promise<void> => {
      for (let count = 0; count < 50; count++) await append();
    };
    await expect(fill()).rejects.toMatchObject({ code: 'Unavailable' });
    await expect(Promise.all([append(), append()])).rejects.toMatchObject({ code: 'Unavailable' });
    expect(await store.health()).toMatchObject({ writable: false });
    expect((await store.readAll()).events.map((event) => event.id)).toEqual(acknowledged);

    rmSync(ballast);
    expect(await store.health()).toEqual({ writable: true });
    await append();
    expect((await store.readAll()).events.map((event) => event.id)).toEqual(acknowledged);
    await store.close();

    const reopened = await openSqliteEventStore({ file });
    expect((await reopened.readAll()).events.map((event) => event.id)).toEqual(acknowledged);
    await reopened.close();
  });
});
