import 'reflect-metadata';
import { Controller, Get, Query } from '@nestjs/common';
import { OperatorApi } from '../http/endpoint.decorators.js';
import { flag, type Filters } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';
import type { EndpointText } from './endpoint.js';
import { shape, text } from './response.schema.js';

const LIST: EndpointText = {
  summary: 'List things',
  description: 'All of them.',
  filters: { hidden: { description: 'Whether to list hidden ones.', example: true } },
  response: {
    description: 'The things.',
    shape: shape<{ name: string }>()('Things', 'Things.', { name: text('A name.', 'x') }),
    example: { name: 'x' },
  },
};

function controllerWith(filters: Filters): unknown {
  class ThingListQuery extends listQuery({ filters, boundTo: () => 'things' }) {}

  @Controller('things')
  @OperatorApi({ listThings: LIST })
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

it('The texts of a controller name its methods', () => {
  class Things {}
  expect(() => OperatorApi({ listThings: LIST })(Things)).toThrow('Things has no method listThings');
});
