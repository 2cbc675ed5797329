import { RequestMethod } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import { ApiModule } from '../api.module.js';
import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';
import { admittedTo } from './callers.js';

interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly admitted: readonly string[] | undefined;
}

type ControllerClass = { readonly name: string; readonly prototype: Record<string, object> };

let api: TestApi;
let routes: readonly Route[];
beforeAll(async () => {
  const of = ApiModule.of.bind(ApiModule);
  let controllers: readonly ControllerClass[] = [];
  ApiModule.of = (...given) => {
    const made = of(...given);
    const modules = (made.imports ?? []) as readonly object[];
    controllers = modules.flatMap(
      (module) => (Reflect.getMetadata('controllers', module) as ControllerClass[] | undefined) ?? [],
    );
    return made;
  };
  api = await startTestApi();
  ApiModule.of = of;
  routes = controllers.flatMap(routesOf);
});
afterAll(() => api.stop());

/** Read from Nest's own metadata, so that no list has to be kept up. */
function routesOf(controller: ControllerClass): readonly Route[] {
  const base = Reflect.getMetadata('path', controller) as string;
  return new MetadataScanner().getAllMethodNames(controller.prototype).flatMap((name) => {
    const handler = controller.prototype[name] ?? {};
    const paths = [(Reflect.getMetadata('path', handler) as string | string[] | undefined) ?? []].flat();
    const method = RequestMethod[Reflect.getMetadata('method', handler) as number] ?? '';
    return paths.map((path) => ({
      name: `${controller.name}.${name}`,
      method: method === 'ALL' ? 'GET' : method,
      path: filled(`${base}/${path}`),
      admitted: admittedTo(handler, controller),
    }));
  });
}

function filled(template: string): string {
  const path = template.replace(/:\w+/g, 'x').replace('{*path}', 'nothing').replace('{/}', '');
  return `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`;
}

const call = async ({ method, path }: Route, key: string | null) => {
  const reply = await api.call(method, path, { key });
  return reply.status === 401 ? refusal(reply) : String(reply.status);
};

it('Every route says who may call it', () => {
  expect(routes.length).toBeGreaterThan(60);
  expect(routes.filter(({ admitted }) => admitted === undefined).map(({ name }) => name)).toEqual([]);
});

it('Without a credential, or with one of another kind, no route opens but those for anyone', async () => {
  const other: Readonly<Record<string, string>> = { MerchantKey: api.adminKey, AdminKey: api.key };
  const open: string[] = [];
  for (const route of routes) {
    if (route.admitted?.[0] === 'Anyone') {
      expect([route.name, await call(route, null)]).not.toEqual([route.name, '401 1000 Rejected']);
      open.push(route.name);
      continue;
    }
    // A form's credential is in its path; another one names nothing.
    const refused = route.admitted?.[0] === 'FormSession' ? '404' : '401 1000 Rejected';
    for (const key of [null, other[route.admitted?.[0] ?? ''] ?? '']) {
      expect([route.name, await call(route, key)]).toEqual([route.name, refused]);
    }
  }
  expect(new Set(open.map((name) => name.split('.')[0]))).toEqual(
    new Set([
      'HealthController',
      'TerminalPagesController',
      'TerminalPageDataController',
      'FormPageController',
      'FormScriptController',
      'SandboxShopController',
      'SandboxShopPageController',
      'WebhookTesterController',
      'WebhookTesterPageController',
      'WebhookTesterReceiveController',
      'ChallengePageController',
      'ChallengeAnswersController',
      'MetricsController',
      'DocsController',
      'UnknownPaths',
    ]),
  );
});
