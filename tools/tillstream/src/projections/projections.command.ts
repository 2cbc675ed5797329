import { readConfig, withStores, type Config, type Stores } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import { Command } from 'commander';
import { EXIT, Failed, type CommandContext } from '../command.types.js';
import { brokenChainOf, findNextEvent } from './next.event.js';
import { projectionLine, shownLines, shownProjection } from './projection.report.js';
import { retryProjection } from './projection.retry.js';
import { readProjectionViews, type ProjectionView } from './projection.views.js';

const HELP = `
Shown are the lists, "webhooks" (what makes webhooks of events) and "open-work" (what the resolver has to do). Each handles the
events in their order, and halts at one that it can't handle. It tries again every ten seconds, so it goes on by itself once
the cause is corrected. There is no command that skips an event: docs/operations.md says why.

Exit code 0: none is halted. 1: one is halted, or it could not be done. 2: wrong use, or wrong settings.`;

interface Options {
  readonly json?: boolean;
}

export function projectionsCommand(context: CommandContext): Command {
  const program = new Command('projections')
    .summary('lists and other consumers of the events: how far they are, and the event at which one halted')
    .description('Lists and other consumers of the events.')
    .addHelpText('after', HELP);
  program.addCommand(listCommand(context), { isDefault: true });
  program.addCommand(showCommand(context));
  program.addCommand(retryCommand(context));
  program.addCommand(rebuildCommand(context));
  return program;
}

function listCommand({ environment, terminal }: CommandContext): Command {
  return new Command('list')
    .description('all of them, with how far they are')
    .option('--json', 'for a script')
    .action(
      action(async ({ json }: Options) => {
        const views = await withStores(readConfig(environment), { access: 'read' }, readProjectionViews);
        if (json) terminal.line(JSON.stringify({ data: views.map(withoutInternals) }, null, 2));
        else for (const view of views) terminal.line(projectionLine(view));
        return exitCodeOf(views);
      }),
    );
}

function showCommand({ environment, terminal }: CommandContext): Command {
  return new Command('show')
    .description(
      'one of them, and its next event without its content: where, what, since when, and what is wrong',
    )
    .argument('<name>')
    .option('--json', 'for a script')
    .action(
      action(async (name: string, { json }: Options) =>
        withStores(readConfig(environment), { access: 'read' }, async (stores) => {
          const view = await viewNamed(stores, name);
          const store = await stores.events();
          const next = await findNextEvent(store, view.position, view.categories);
          const shown = shownProjection(view, next, next && (await brokenChainOf(store, next.stream)));
          if (json) terminal.line(JSON.stringify(shown, null, 2));
          else for (const line of shownLines(shown)) terminal.line(line);
          return exitCodeOf([view]);
        }),
      ),
    );
}

function retryCommand({ environment, terminal }: CommandContext): Command {
  return new Command('retry')
    .description('handles its events now, up to the last one, beside the service or without it')
    .argument('<name>')
    .action(
      action(async (name: string) => {
        const config: Config = readConfig(environment);
        return withStores(config, { access: 'write', lists: 'Rebuilt' }, async (stores) => {
          const view = await viewNamed(stores, name);
          const reason = await retryProjection(config, stores, view);
          if (reason !== undefined) throw new Failed(`${name} stopped: ${reason}`);
          terminal.line(`${name} has handled every event.`);
          return EXIT.done;
        });
      }),
    );
}

function rebuildCommand(context: CommandContext): Command {
  return new Command('rebuild')
    .description('makes a list again from all events, as npm run rebuild does')
    .argument('<name>')
    .action(action((name: string) => context.runTool('rebuild', ['--projection', name])));
}

/** @throws Failed if there is none */
async function viewNamed(stores: Stores, name: string): Promise<ProjectionView> {
  const views = await readProjectionViews(stores);
  const view = views.find((one) => one.name === name);
  if (view) return view;
  throw new Failed(`There is no ${name}; there are ${views.map((one) => one.name).join(', ')}.`);
}

const exitCodeOf = (views: readonly ProjectionView[]): number =>
  views.some(({ status }) => status === 'Halted') ? EXIT.failed : EXIT.done;

function withoutInternals({ name, status, reason, position, lagEvents }: ProjectionView): object {
  return { name, status, reason, position, lagEvents };
}
