import 'reflect-metadata';
import { Controller, Get, Query } from '@nestjs/common';
import { OperatorApi } from '../http/endpoint.decorators.js';
import { flag, type Filters } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import { answer, pageResponse, type EndpointText } from './endpoint.js';
import { pageOf, shape, text } from './response.schema.js';

const THING = shape<{ name: string }>()('Thing', 'A thing.', { name: text('A name.', 'x') });
const LIST: EndpointText = {
  summary: 'List things',
  description: 'All of them.',
  filters: { hidden: { description: 'Whether to list hidden ones.', example: true } },
  response: pageResponse(pageOf('ThingPage', THING), { name: 'x' }),
};

function controllerWith(filters: Filters, endpoint: EndpointText = LIST): unknown {
  class ThingListQuery extends listQuery({ filters, boundTo: () => 'things' }) {}

  @Controller('things')
  @OperatorApi({ listThings: endpoint })
  class ThingsController {
    @Get()
    listThings(@Query() query: ThingListQuery): object {
      return query;
    }
  }
  return ThingsController;
}

describe('A list has a text for each of its filters', () => {
  it('and for no other filter', () => {
    expect(() => controllerWith({ hidden: flag })).not.toThrow();
    expect(() => controllerWith({})).toThrow('there is no filter hidden');
  });

  it('or the service does not start', () => {
    expect(() => controllerWith({ hidden: flag, old: flag })).toThrow('the filter old is not described');
  });
});

it('A list answers pages, since its CSV has the fields of their items', () => {
  const response = answer('The things.', THING, { name: 'x' });
  expect(() => controllerWith({ hidden: flag }, { ...LIST, response })).toThrow(
    'the response of a list is no page',
  );
});

it('The texts of a controller name its methods', () => {
  class Things {}
  expect(() => OperatorApi({ listThings: LIST })(Things)).toThrow('Things has no method listThings');
});
