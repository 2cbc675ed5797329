import { formatCount, ProgressBar, action } from '@tillstream/platform/command-line';
import { Command, InvalidArgumentError, Option } from 'commander';
import { merchantId } from '../command.options.js';
import { EXIT, Failed, type CommandContext } from '../command.types.js';
import { outOption, writeResult } from '../output.file.js';
import { time } from '../webhooks/endpoint.action.js';
import { MerchantApi } from './merchant.api.js';
import { differencesOf } from './month.check.js';
import { readMonth } from './month.reader.js';
import { reportOf, type MonthReport } from './month.report.js';
import type { MonthReading } from './month.types.js';
import { formatsOf, monthName } from './page/formats.js';
import { settlementPage } from './page/settlement.page.js';
import { baseUrlOf, reportSettings, type ReportOptions, type ReportSettings } from './report.settings.js';

const HELP = `
The figures are read from the merchant's own API, so they are those that the merchant sees, from any machine and with a
read-only key: keys issue --merchant mer_… --read-only --name "Finance". The page is one file that loads nothing. Every total
is calculated from the settled transactions and fee charges and compared with what each settlement says.

Exit code 0: all are equal. 1: a difference is printed, and shown on the page; or it could not be done.`;

export function reportCommand(context: CommandContext): Command {
  const report = new Command('report')
    .summary('pages for finance: the settlements of a month')
    .description('Writes pages for finance.');
  report.addCommand(settlementCommand(context));
  return report;
}

function settlementCommand(context: CommandContext): Command {
  return new Command('settlement')
    .description("a merchant's month in one currency, as an HTML page with a chart")
    .addOption(
      new Option('--month <YYYY-MM>', 'the month, in the time zone of the merchant')
        .argParser(month)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--currency <currency>', 'of its settlements').choices(['USD', 'CAD']).makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--merchant <mer_…>',
        "whose key it is: its name, time zone and locale are read from the data directory; left out: the sandbox's demo merchant",
      ).argParser(merchantId),
    )
    .addOption(
      new Option(
        '--key-file <file>',
        "a file with the merchant's API key; left out: TILLSTREAM_API_KEY, else the key of the sandbox's demo",
      ),
    )
    .addOption(
      new Option(
        '--url <address>',
        'of the service, such as http://127.0.0.1:3000; left out: as sandbox.json in DATA_DIR says, else PORT',
      ).argParser(address),
    )
    .addOption(new Option('--as-of <time>', 'as it was then; left out: now').argParser(time))
    .addOption(
      new Option('--time-zone <name>', "such as America/New_York; left out: the merchant's").argParser(zone),
    )
    .addOption(
      new Option('--locale <tag>', "of the amounts; left out: the merchant's, else en-US").argParser(locale),
    )
    .addOption(outOption())
    .addHelpText('after', HELP)
    .action(action((options: ReportOptions) => writeReport(options, context)));
}

async function writeReport(options: ReportOptions, context: CommandContext): Promise<number> {
  const { currency, month: of, asOf: asOfMs, out } = options;
  const settings = await reportSettings(options, context);
  const { timeZone, locale: localeTag } = settings;
  const asOf = asOfMs === undefined ? undefined : new Date(asOfMs).toISOString();
  const reading = await readWithProgress(
    settings,
    { month: of, currency, timeZone, ...(asOf && { asOf }) },
    context,
  );
  const formats = formatsOf(localeTag, currency);
  const differences = reading.settlements.flatMap((part) => differencesOf(part, formats.amount));
  const report = reportOf(reading, of);
  const page = settlementPage(report, {
    ...{ month: of, currency, timeZone, locale: localeTag, asOf, differences },
    merchantId: reading.settlements[0]?.summary.merchantId ?? settings.merchantId,
    merchantName: settings.merchantName,
    readAt: new Date().toISOString(),
  });
  writeResult(page, out, context);
  context.terminal.error(summaryLine(report, `${monthName(of)}, ${currency}`, formats.amount));
  for (const difference of differences) context.terminal.error(`NOT EQUAL: ${difference}`);
  return differences.length === 0 ? EXIT.done : EXIT.failed;
}

/** @throws Failed if the key is of another merchant than `--merchant` */
async function readWithProgress(
  { baseUrl, key, merchantId: expected }: ReportSettings,
  request: Parameters<typeof readMonth>[1],
  { terminal }: CommandContext,
): Promise<MonthReading> {
  let current: string | undefined;
  const bars = {
    transactions: new ProgressBar(terminal, 'transactions'),
    fees: new ProgressBar(terminal, 'fees'),
  };
  try {
    const reading = await readMonth(new MerchantApi(baseUrl, key), request, (phase, read, total) => {
      if (phase !== current) {
        bars.transactions.stop();
        bars[phase].start(`Reading ${phase}`, total);
      }
      current = phase;
      bars[phase].update(read, Math.max(read, total));
    });
    const found = reading.settlements[0]?.summary.merchantId;
    if (found !== undefined && expected !== undefined && found !== expected)
      throw new Failed(`The key is of ${found}, and not of ${expected}.`);
    return reading;
  } finally {
    bars.transactions.stop();
    bars.fees.stop();
  }
}

function summaryLine(
  { settlements, totals, pending }: MonthReport,
  what: string,
  amount: (cents: number) => string,
): string {
  return (
    `${what}: ${formatCount(settlements.length)} settlements of ${formatCount(totals.transactions)} transactions, ` +
    `gross ${amount(totals.gross)}, paid out ${amount(totals.net)}, of which ${amount(pending.amount)} pending.`
  );
}

function month(text: string): string {
  if (/^2\d{3}-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('Allowed is a month such as 2026-11.');
}

function address(text: string): string {
  const found = baseUrlOf(text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(
    'That is no address of a service; allowed is http:// or https://, a host and a port.',
  );
}

function zone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw new InvalidArgumentError('Allowed is a time zone of the IANA database, such as America/New_York.');
  }
}

function locale(text: string): string {
  try {
    return new Intl.NumberFormat(text).resolvedOptions().locale;
  } catch {
    throw new InvalidArgumentError('Allowed is a language tag, such as en-US or fr-CA.');
  }
}
