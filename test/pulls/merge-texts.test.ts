import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanMessage } from '../../src/git/history/messages.ts';
import { fillTemplate } from '../../src/pulls/merge/template.ts';
import { addTrailer } from '../../src/pulls/merge/trailers.ts';

describe('messages of merges', () => {
  it('get trailers below those they have, else apart', () => {
    const add = (message: string) => addTrailer(message, 'Co-authored-by', 'A <a@b>');
    assert.equal(add('Title'), 'Title\n\nCo-authored-by: A <a@b>');
    assert.equal(add('Title: with-colon'), 'Title: with-colon\n\nCo-authored-by: A <a@b>');
    assert.equal(add('Title\n\nText-like end.\n'), 'Title\n\nText-like end.\n\nCo-authored-by: A <a@b>');
    assert.equal(add('Title\r\n\r\nReviewed-by: B <b@c>'), 'Title\n\nReviewed-by: B <b@c>\nCo-authored-by: A <a@b>');
    assert.equal(add('Title\n\nnote: not a trailer-key'), 'Title\n\nnote: not a trailer-key\n\nCo-authored-by: A <a@b>');
    assert.equal(add(add('Title')), add('Title'), 'once');
    assert.equal(add('Title\n\n'), 'Title\n\nCo-authored-by: A <a@b>');
  });

  it('are cleaned as git cleans them', () => {
    assert.equal(cleanMessage('\n \nTitle  \n\n\n\nText\t\n# kept\n\n'), 'Title\n\nText\n# kept\n');
    assert.equal(cleanMessage('\r\nTitle\r\n'), 'Title\n');
    assert.equal(cleanMessage(' \n\n'), '');
  });

  it('are filled in once, whatever the values hold', () => {
    const filled = (template: string) =>
      fillTemplate(
        template.replaceAll('@', '$'),
        new Map([
          ['Title', 'costs $Title'],
          ['Empty', ''],
        ]),
      );
    assert.equal(filled('@{Title}|@Title|@Titles|@{Empty}|@{Nothing}|@'), 'costs $Title|costs $Title||||$');
    assert.equal(filled('@1@ @Empty. @@{Title @{}'), '$ . {Title ');
    assert.equal(filled('a\\nb'), 'a\\nb');
  });
});
