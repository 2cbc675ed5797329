import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const SIZE_BYTES_MAX = 60_000;

describe('The built page', () => {
  const files = ['index.html', ...readdirSync(join(dist, 'assets')).map((name) => `assets/${name}`)];
  const document = readFileSync(join(dist, 'index.html'), 'utf8');

  it('is smaller than 60 kB, compressed', () => {
    const sizes = files.map((file) => gzipSync(readFileSync(join(dist, file))).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(SIZE_BYTES_MAX);
  });

  it('has no script or style in its document', () => {
    expect(document).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/);
    expect([...document.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, text]) => text)).toEqual(['']);
  });

  it('names its own files only, which have a hash and so never change', () => {
    const addresses = [...document.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toHaveLength(3);
    for (const address of addresses) {
      expect(address).toMatch(/^\/pay\/assets\/[a-z]+-[\w-]{8}\.(js|css|svg)$/);
      expect(files).toContain(address?.slice('/pay/'.length));
    }
  });

  it('asks no other origin for anything', () => {
    const others = /(?:https?:)?\/\/(?!www\.w3\.org)[a-z0-9-]+\.[a-z]/i;
    for (const file of files.filter((name) => name.endsWith('.css') || name.endsWith('.html'))) {
      expect(readFileSync(join(dist, file), 'utf8')).not.toMatch(others);
    }
  });
});
