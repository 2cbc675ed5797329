import { Module } from '@nestjs/common';
import { ApiDocuments } from './api.documents.js';
import { DocsController, OperatorsDocumentController } from './docs.controllers.js';

@Module({ controllers: [DocsController, OperatorsDocumentController], providers: [ApiDocuments] })
export class DocsModule {}
