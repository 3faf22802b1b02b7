import { resolve } from 'node:path';
import { type Kind, text } from './kinds.ts';

/** The extension of a file, or a media type. */
export function fileType(): Kind<string> {
  return text({
    pattern: /^(\.[\w.-]+|[\w.+-]+\/([\w.+-]+|\*)|\*\/\*)$/,
    name: 'a file extension such as .zip or a media type such as image/*',
    maxLength: 100,
  });
}

/** The name of a branch. */
export function branchName(): Kind<string> {
  return text({
    pattern: /^(?![-/.])(?!.*(?:\.\.|@\{|\/\/|[~^:?*[\\\s]|\.lock(?:\/|$)|\/\.|[/.]$)).+$/,
    name: 'a branch name',
    maxLength: 200,
  });
}

/** The name of a volume of repositories. */
export function volumeName(): Kind<string> {
  return text({ pattern: /^[a-z0-9][a-z0-9_-]{0,39}$/, name: 'a name of small letters, digits, _ and -' });
}

/** A volume of repositories: its name and folder. */
export function volume(): Kind<{ readonly name: string; readonly path: string }> {
  const place = text({ name: 'name=/absolute/path', maxLength: 4000 });
  return {
    name: 'name=/absolute/path',
    parse: (input) => {
      const value = place.parse(input);
      const [, name = '', path = ''] = /^([^=]*)=(\/[^\0]*)$/.exec(value) ?? [];
      if (path === '') throw new Error('must be name=/absolute/path');
      return { name: volumeName().parse(name), path: resolve(path) };
    },
  };
}
