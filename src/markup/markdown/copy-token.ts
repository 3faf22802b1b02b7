import type { Token } from 'markdown-it';

/** A token of the kind of `sample`, at its place in the text and its depth, with other values, and neither attributes nor notes unless given. */
export function copyToken(sample: Token, values: Partial<Token>): Token {
  return Object.assign(Object.create(Object.getPrototypeOf(sample)), sample, { attrs: null, meta: null }, values) as Token;
}
