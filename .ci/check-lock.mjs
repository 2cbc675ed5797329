// Checks that package-lock.json names no registry: npm uses the configured one, so the file is the same for every user.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const wrong = [];
for (const [path, { resolved, link, version, integrity, inBundle }] of Object.entries(packages)) {
  if (resolved !== undefined && !link) wrong.push(`${path} is resolved to ${resolved}`);
  const installed = path.includes('node_modules/') && !link;
  if (installed && (!version || (!integrity && !inBundle)))
    wrong.push(`${path} has no version or no integrity`);
}
for (const line of wrong) console.error(line);
process.exitCode = wrong.length > 0 ? 1 : 0;
