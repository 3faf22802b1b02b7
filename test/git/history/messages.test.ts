import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanMessage } from '../../../src/git/history/messages.ts';
import { git, temporaryFolder } from '../writing.ts';

describe('cleanMessage', () => {
  const folder = temporaryFolder();
  for (const text of ['', '\n\n', '# only\n', 'one', '\n\none\n# c\n\n\ntwo \t \n\n', 'a\r\nb\r\n', ' # no comment\n#', 'a\n#\n\n#\n\nb'])
    it(`cleans ${JSON.stringify(text)} as git does`, () => {
      const expected = (more: string[]) => {
        const cleaned = git(folder, ['stripspace', ...more], text);
        return cleaned === '' ? '' : `${cleaned}\n`;
      };
      assert.equal(cleanMessage(text), expected([]));
      assert.equal(cleanMessage(text, { dropComments: true }), expected(['--strip-comments']));
    });
});
