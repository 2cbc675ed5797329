import type { Bench, BenchContext, Figure } from '../bench.types.js';
import {
  BARE_COMPARISON,
  startApi,
  startBare,
  startDriver,
  USUAL_SETTINGS,
  USUAL_SETTINGS_TEXT,
  type Service,
} from '../services/http.services.js';
import type { Load } from '../load/load.types.js';
import { ratio } from '../report/rounds.statistics.js';
import { measureInTurn, postJson, saleLoad, speedFigure } from '../load/sale.load.js';

const CONNECTIONS = 50;
export const VIRTUAL_SALE = '/v1/transactions/virtual-sale';

export const formSalesBench: Bench = {
  name: 'form-sales',
  title: 'Sales through hosted forms over HTTP, without a browser, 50 connections',
  method:
    `Each sale is two requests on one connection: POST /v1/transactions/virtual-sale opens a form, and ` +
    `POST /pay/{sessionId}/submit submits an approved card. The API runs with the settings of \`npm start\` ` +
    `(${USUAL_SETTINGS_TEXT}) and without limits on submissions. The bare handler gets the same two requests and ` +
    `validates the same fields.`,
  comparison: BARE_COMPARISON,
  run,
};

/** A card from one address at this speed is what the limits are for. */
export const WITHOUT_SUBMISSION_LIMITS = {};

async function run({ folder, quick, progress, profileFolder }: BenchContext): Promise<Figure[]> {
  const [ms, rounds] = quick ? [200, 1] : [2_500, 9];
  const settings = { ...USUAL_SETTINGS, ...WITHOUT_SUBMISSION_LIMITS };
  const api = await startApi(folder, 0, { profileFolder, settings });
  const running: { stop(): Promise<void> }[] = [api];
  try {
    const body = { amount: 1250, formConfig: { billingInfoCaptureLevel: 'Minimal' } };
    const response = await postJson<{ form: { sessionId: string } }>(api, VIRTUAL_SALE, body);
    const submission = {
      card: { number: '4242424242424242', expDate: '1234', cvv: '123' },
      billingContact: { countryCode: 'US', zipCode: '02110' },
    };
    const submitted = await postJson(api, `/pay/${response.form.sessionId}/submit`, submission);
    const bare = await startBare(folder, api.apiKey, { response, progress: submitted });
    running.push(bare);
    const driver = startDriver();
    running.push(driver);
    const methods = { path: VIRTUAL_SALE, apiKey: api.apiKey, paymentMethodIds: Array(CONNECTIONS).fill('') };
    const side = (service: Service) => (): ReturnType<typeof driver.drive> => {
      const load: Load = { ...saleLoad(service, methods, 'plain', ms), byForm: 'Submitted' };
      return driver.drive(load);
    };
    const { rates, traffic } = await measureInTurn(rounds, { bare: side(bare), form: side(api) }, progress);
    return [
      {
        name: 'form sale : bare handler',
        ...ratio(rates.form, rates.bare),
        target: { kind: 'at least', value: 0.3 },
        meaning:
          'The share of the speed of HTTP that remains with three durable appends, the simulated acquirer and the log.',
      },
      speedFigure('bare handler, two requests', rates.bare, traffic.bare),
      speedFigure('form sale', rates.form, traffic.form),
    ];
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}
