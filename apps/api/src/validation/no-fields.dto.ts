/** Of requests that say everything with their path: a body, if there is one, is `{}`. */
export class NoFieldsDto {}
