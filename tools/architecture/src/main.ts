import { fileURLToPath } from 'node:url';
import { checkWorkspace, readWorkspace, violationText } from './index.js';

const root = process.argv[2] ?? fileURLToPath(new URL('../../..', import.meta.url));
const workspace = readWorkspace(root);
const violations = checkWorkspace(workspace);
for (const violation of violations) console.log(violationText(violation));
const files = workspace.packages.reduce((sum, { files: { length } }) => sum + length, 0);
console.log(`${workspace.packages.length} packages, ${files} files: ${violations.length} violations`);
process.exitCode = violations.length > 0 ? 1 : 0;
