import { All, Controller, Module } from '@nestjs/common';
import { Callers, UnknownPath } from '../access/callers.js';
import { notFound } from './api.error.js';

/** Unknown paths and wrong methods: 401 without a good key, else 404 (`docs/spec/README.md#addresses`). */
@UnknownPath()
abstract class FallbackController {
  @All(['', '{*path}'])
  answer(): never {
    throw notFound('There is no such path, or not with this method.');
  }
}

@Controller('v1')
@Callers('MerchantKey')
class UnknownMerchantPaths extends FallbackController {}

@Controller('admin/v1')
@Callers('AdminKey')
class UnknownOperatorPaths extends FallbackController {}

@Controller()
@Callers('Anyone')
class UnknownPaths extends FallbackController {}

/** The last import of `ApiModule`: Nest adds the routes of its imports in their order, and then those of their imports. */
@Module({ controllers: [UnknownMerchantPaths, UnknownOperatorPaths, UnknownPaths] })
export class UnknownPathsModule {}
