import { All, Controller, Module } from '@nestjs/common';
import { Callers, UnknownPath } from '../access/callers.js';
import { notFound } from './api.error.js';

const unknownPath = () => notFound('There is no such path, or not with this method.');

/** Unknown paths and wrong methods: 401 without a good key, else 404 (`docs/spec/README.md#addresses`). */
@Controller('v1')
@Callers('MerchantKey')
@UnknownPath()
export class UnknownMerchantPaths {
  @All(['', '{*path}'])
  answer(): never {
    throw unknownPath();
  }
}

@Controller('admin/v1')
@Callers('AdminKey')
@UnknownPath()
export class UnknownOperatorPaths {
  @All(['', '{*path}'])
  answer(): never {
    throw unknownPath();
  }
}

@Controller()
@Callers('Anyone')
@UnknownPath()
export class UnknownPaths {
  @All(['', '{*path}'])
  answer(): never {
    throw unknownPath();
  }
}

/** The last import of `ApiModule`: Nest adds the routes of its imports in their order, and then those of their imports. */
@Module({ controllers: [UnknownMerchantPaths, UnknownOperatorPaths, UnknownPaths] })
export class UnknownPathsModule {}
