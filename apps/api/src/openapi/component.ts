/** The key that marks a part of the document that is written once, with its place in `components`: `headers/TraceId`. */
export const COMPONENT = 'x-component';

type ComponentPath = `${'headers' | 'parameters' | 'responses'}/${string}`;

export const componentMark = (path: ComponentPath): object => ({ [COMPONENT]: path });
