import type { ApiService } from '../services/http.services.js';

/** POST with a body, else GET. @throws unless the answer is 200 */
export function caller({ host, port }: Pick<ApiService, 'host' | 'port'>, key: string) {
  return async <Answer>(path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`http://${host}:${port}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as Answer;
  };
}
