import { openDatabase } from '@tillstream/sqlite-driver';
import { fileBytes, foundIn } from '../testing/index.js';

const PIECE_BYTES = 16;
const PAGE_BYTES = 4096;

/** What a vault's file has held of each subject, as far as it was looked at. */
export class StoredSecrets {
  private readonly seen = new Map<string, Set<string>>();

  constructor(private readonly directory: string) {}

  /** Remembers the wrapped keys and the card of every row, as they are now. */
  record(): void {
    const sqlite = openDatabase(`${this.directory}/vault.db`, { timeout: 5_000 });
    const rows = sqlite.prepare('SELECT name, card_key, personal_key, card FROM subject').all();
    sqlite.close();
    for (const { name, card_key, personal_key, card } of rows as Record<string, Buffer>[]) {
      const secrets = this.seen.get(String(name)) ?? new Set();
      for (const secret of [card_key, personal_key, card]) {
        if (secret?.some((byte) => byte !== 0)) secrets.add(secret.toString('base64'));
      }
      this.seen.set(String(name), secrets);
    }
  }

  /** How many secrets of these subjects were seen. */
  count(subjects: Iterable<string>): number {
    return [...subjects].reduce((sum, subject) => sum + (this.seen.get(subject)?.size ?? 0), 0);
  }

  /**
   * Returns the subjects of which a file of the directory still holds the beginning, middle or end of a recorded secret: a part
   * of a key may be left over.
   */
  subjectsFoundInFiles(subjects: Iterable<string>): readonly string[] {
    const ownerOf = new Map<Buffer, string>();
    for (const subject of subjects) {
      for (const secret of this.seen.get(subject) ?? []) {
        for (const piece of piecesOf(Buffer.from(secret, 'base64'))) ownerOf.set(piece, subject);
      }
    }
    const pieces = [...ownerOf.keys()];
    const found = [...fileBytes(this.directory).values()].flatMap((bytes) => foundIn(bytes, pieces));
    return [...new Set(found.map((piece) => ownerOf.get(piece) ?? ''))];
  }
}

function piecesOf(secret: Buffer): Buffer[] {
  const starts = [0, (secret.length - PIECE_BYTES) >> 1, secret.length - PIECE_BYTES];
  return starts.map((start) => secret.subarray(start, start + PIECE_BYTES));
}

/** Where in `vault.db` the rows of these subjects are: the place of their names. Everything else of a row follows. */
export function rowOffsets(
  { directory }: { readonly directory: string },
  names: readonly string[],
): ReadonlyMap<string, number> {
  const sqlite = openDatabase(`${directory}/vault.db`, { timeout: 5_000 });
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  const leaves = sqlite.prepare("SELECT pageno FROM dbstat WHERE name = 'subject' AND pagetype = 'leaf'");
  const pages = leaves.pluck().all() as number[];
  sqlite.close();
  const file = fileBytes(directory).get('vault.db') ?? Buffer.of();
  const places = new Map<string, number>();
  for (const page of pages) {
    const start = (page - 1) * PAGE_BYTES;
    const bytes = file.subarray(start, start + PAGE_BYTES);
    for (const name of names) {
      // A version of the master key follows, which begins with zeros.
      const at = bytes.indexOf(`${name}\0\0\0`);
      if (at >= 0) places.set(name, start + at);
    }
  }
  return places;
}
