/** `URL` takes `*`, `;` and quotes in a host: in a Content-Security-Policy they would mean something else. */
const FORM = /^https?:\/\/(?:[a-z\d._-]+|\[[a-f\d:]+\])(?::\d+)?$/;

/** Whether it is an origin as browsers write one: scheme, host, and a port that is not the usual one. */
export function isOrigin(text: string): boolean {
  return FORM.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
