import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { nodesOf, parse, type SourceFile } from './source.file.js';
import { readWorkspace } from './workspace.js';

const LIST = 'libs/platform/src/logging/log.fields.ts';
const METHODS = ['error', 'warn', 'info', 'failed'];

interface Logged {
  readonly where: string;
  readonly fields: readonly string[];
}

/** Finds log calls with literal event name and fields: `log.warn('work-failed', { reason })`. */
function* loggedIn({ path, tree }: SourceFile): Generator<Logged> {
  for (const node of nodesOf(tree)) {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) continue;
    const { name, expression: receiver } = node.expression;
    const [event, fields] = node.arguments;
    if (!METHODS.includes(name.text) || !/(^|\.)log$/.test(receiver.getText(tree))) continue;
    if (!event || !ts.isStringLiteral(event) || !fields || !ts.isObjectLiteralExpression(fields)) continue;
    yield { where: `${path}: ${event.text}`, fields: namesIn(fields) };
  }
}

function namesIn(fields: ts.ObjectLiteralExpression): string[] {
  return fields.properties.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
}

describe('A field that is logged', () => {
  const { packages } = readWorkspace(fileURLToPath(new URL('../../..', import.meta.url)));
  const files = packages.flatMap((one) => one.files).map((file) => parse(file));
  const lines = files.filter(({ isTest }) => !isTest).flatMap((file) => [...loggedIn(file)]);
  const list = files
    .filter(({ path }) => path === LIST)
    .flatMap(({ tree }) => [...nodesOf(tree)])
    .find((node) => ts.isVariableDeclaration(node) && node.name.getText() === 'FIELDS');
  const allowed =
    list &&
    ts.isVariableDeclaration(list) &&
    list.initializer &&
    ts.isObjectLiteralExpression(list.initializer)
      ? namesIn(list.initializer)
      : [];

  it('is in the allow-list, because the log drops every other field', () => {
    const dropped = lines.flatMap(({ where, fields }) =>
      fields.filter((field) => !allowed.includes(field)).map((field) => `${where}: ${field}`),
    );
    expect(dropped).toEqual([]);
  });

  it('was found', () => {
    expect(allowed.length).toBeGreaterThan(20);
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.flatMap(({ where }) => where)).toContain(
      'libs/payments/src/resolver/work-item.runner.ts: operator-needed',
    );
  });
});
