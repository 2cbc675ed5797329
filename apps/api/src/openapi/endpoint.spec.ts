import { flag } from '../validation/list.filters.js';
import { shape, text } from './response.schema.js';
import { OperatorEndpoint, type EndpointText } from './endpoint.js';

const LIST: EndpointText = {
  operationId: 'listThings',
  summary: 'List things',
  description: 'All of them.',
  list: { filters: { hidden: { description: 'Whether to list hidden ones.', example: true } } },
  response: {
    description: 'The things.',
    shape: shape<{ name: string }>()('Things', 'Things.', { name: text('A name.', 'x') }),
    example: { name: 'x' },
  },
};

describe('A list has a text for each of its filters', () => {
  it('and for no other', () => {
    expect(() => OperatorEndpoint(LIST, { hidden: flag })).not.toThrow();
    expect(() => OperatorEndpoint(LIST, {})).toThrow('there is no filter hidden');
  });

  it('or the service does not start', () => {
    expect(() => OperatorEndpoint(LIST, { hidden: flag, old: flag })).toThrow(
      'the filter old is not described',
    );
  });
});
