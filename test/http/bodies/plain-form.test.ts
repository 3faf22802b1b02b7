// On SQLite alone: no database is used.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { openForm } from '../../../src/http/bodies/form.ts';
import { type FormPart, readPlainForm } from '../../../src/http/bodies/plain-form.ts';
import { holds, textOf } from '../../support/property.ts';

const TYPE = 'multipart/form-data; boundary=b';
const read = (text: string, type = TYPE) =>
  readPlainForm(Buffer.from(text), type)?.map(({ name, fileName, content }) => [name, fileName, content.toString()]);

/** What the reader of all forms finds; undefined for one that it refuses. */
async function readByStream(text: string): Promise<FormPart[] | undefined> {
  const form = openForm({ headers: { 'content-type': TYPE } }, {});
  const parts: (FormPart | Promise<FormPart>)[] = [];
  form.on('field', (name, value) => parts.push({ name, fileName: undefined, content: Buffer.from(value) }));
  form.on('file', (name, stream, fileName) => parts.push(buffer(stream).then((content) => ({ name, fileName: fileName ?? '', content }))));
  try {
    Readable.from([Buffer.from(text)]).pipe(form);
    await once(form, 'finish');
    return await Promise.all(parts);
  } catch {
    await Promise.allSettled(parts);
    return undefined;
  }
}

describe('a plain form', () => {
  it('is read as clients write it', async () => {
    const form = new FormData();
    form.set('name', 'Übung "1"');
    form.set('content', new Blob(['a\r\n--b']), 'ü.txt');
    form.append('name', '');
    const request = new Request('http://x', { method: 'POST', body: form });
    const type = request.headers.get('content-type') ?? '';
    assert.deepEqual(read(await request.text(), type), [
      ['name', undefined, 'Übung "1"'],
      ['content', 'ü.txt', 'a\r\n--b'],
      ['name', undefined, ''],
    ]);
    const twine = '--b\r\nContent-Disposition: form-data; name=":action"\r\n\r\nfile_upload\r\n--b--\r\n';
    assert.deepEqual(read(twine, 'multipart/form-data; boundary="b"'), [[':action', undefined, 'file_upload']]);
    const bytes = '--b\r\ncontent-disposition: form-data; name="x"\r\ncontent-type: application/octet-stream\r\n\r\n1\r\n--b--';
    assert.deepEqual(read(bytes), [['x', '', '1']]);
  });

  it('is left to the reader of all forms when it is written in another way', () => {
    const part = 'content-disposition: form-data; name="x"\r\n\r\n1';
    for (const other of [
      '',
      `preamble\r\n--b\r\n${part}\r\n--b--`,
      `--b\r\n${part}\r\n--b`,
      `--b\r\n${part}\r\n--b--epilogue`,
      `--b\r\n${part}\r\n--bc\r\n${part}\r\n--b--`,
      `--b\r\ncontent-disposition: form-data; name="x"; filename="..\\a"\r\n\r\n1\r\n--b--`,
      `--b\r\ncontent-disposition: form-data; name="x"; filename="a/b"\r\n\r\n1\r\n--b--`,
      `--b\r\ncontent-disposition: form-data; name="x"; filename=".."\r\n\r\n1\r\n--b--`,
      `--b\r\ncontent-disposition: form-data; name=x\r\n\r\n1\r\n--b--`,
      `--b\r\ncontent-transfer-encoding: base64\r\n${part}\r\n--b--`,
      `--b\r\ncontent-disposition: form-data; name="x"\r\ncontent-type: text/plain; charset=latin1\r\n\r\n1\r\n--b--`,
    ]) {
      assert.equal(read(other), undefined, other);
    }
    assert.equal(read(`--b\r\n${part}\r\n--b--`, 'multipart/form-data'), undefined);
    assert.equal(read(`--b\r\n${part}\r\n--b--`, 'multipart/mixed; boundary=b'), undefined);
  });

  it('has what the reader of all forms finds in it', async () => {
    const pieces = [
      '--b',
      '--',
      '\r\n',
      '\r\n\r\n',
      'content-disposition: form-data; name="x"',
      '; filename="a"',
      '; filename=""',
      'x',
      ' ',
      ':',
    ];
    const part = textOf(pieces, 6).map((text) => `--b\r\ncontent-disposition: form-data; name="y"\r\n\r\n${text}\r\n`);
    const body = fc.oneof(
      textOf(['--b\r\n', ...pieces], 12),
      fc.array(part, { maxLength: 3 }).map((parts) => `${parts.join('')}--b--\r\n`),
    );
    const plain: string[] = [];
    holds(fc.property(body, (text) => void (readPlainForm(Buffer.from(text), TYPE) && plain.push(text))));
    for (const text of new Set(plain)) assert.deepEqual(readPlainForm(Buffer.from(text), TYPE), await readByStream(text), text);
  });
});
