import { rename, writeFile } from 'node:fs/promises';

/** A service that starts during the write reads the old file or the new one. */
export async function replace(file: string, contents: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, contents);
  await rename(temporary, file);
}
