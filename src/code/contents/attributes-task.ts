import { type AttributesFile, type AttributeValue, attributeLookup } from '../../git/trees/attributes.ts';

/** The input: see `attributeOf`. */
export interface AttributesTask {
  readonly files: readonly AttributesFile[];
  readonly path: string;
  readonly name: string;
}

/** The value of an attribute. Some thousand patterns take seconds for a path of some thousand folders. */
export function run({ files, path, name }: AttributesTask): AttributeValue | undefined {
  return attributeLookup(files)(path).get(name);
}
