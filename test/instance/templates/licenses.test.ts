import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillLicense, getLicense, listLicenses } from '../../../src/instance/templates/licenses.ts';

const values = { owner: 'alice', email: 'alice@example.com', project: 'demo', year: 2031 };
const filled = (key: string) => fillLicense(getLicense(key) ?? '', values);

describe('licenses', () => {
  it('are listed by key, sorted, all with a text', () => {
    const keys = listLicenses();
    assert.deepEqual(keys, [...new Set(keys)].sort());
    for (const key of keys) assert.ok((getLicense(key)?.length ?? 0) > 300, key);
    const recorded = ['MIT', 'Apache-2.0', 'GPL-3.0-or-later', 'BSD-3-Clause', 'MPL-2.0', 'Unlicense'].filter((key) => keys.includes(key));
    assert.deepEqual(recorded, ['MIT', 'Apache-2.0', 'BSD-3-Clause', 'MPL-2.0', 'Unlicense']);
  });

  it('are listed with the preferred ones first', () => {
    const keys = listLicenses(['mit', 'Nothing', ' Apache-2.0', 'MIT']);
    assert.deepEqual(keys.slice(0, 3), ['MIT', 'Apache-2.0', '0BSD']);
    assert.deepEqual([...keys].sort(), [...listLicenses()].sort());
  });

  it('begin with the recorded words', () => {
    const words = (key: string) => getLicense(key)?.split(/\s+/).slice(0, 9).join(' ');
    assert.equal(words('MIT'), 'MIT License Copyright (c) <year> <copyright holders> Permission is');
    assert.equal(words('Apache-2.0'), 'Apache License Version 2.0, January 2004 http://www.apache.org/licenses/ TERMS AND');
    assert.equal(words('GPL-3.0'), 'GNU GENERAL PUBLIC LICENSE Version 3, 29 June 2007');
  });

  it('are found by their exact key only', () => {
    for (const key of ['mit', 'Nothing', '', '../package', 'AAL', '__proto__']) assert.equal(getLicense(key), undefined, key);
  });
});

describe('making out a license', () => {
  it('names year and holder', () => {
    assert.match(filled('MIT'), /^Copyright \(c\) 2031 alice$/m);
    assert.match(filled('MIT-0'), /^Copyright 2031 alice$/m);
    assert.match(filled('0BSD'), /^Copyright \(C\) 2031 by alice alice@example\.com$/m);
    assert.match(filled('BSD-3-Clause'), /^Copyright \(c\) 2031 alice\. *$/m);
    assert.match(filled('BSD-3-Clause-Clear'), /^Copyright \(c\) 2031 alice$/m);
    assert.match(filled('Apache-2.0'), /^\s*Copyright 2031 alice$/m);
    assert.match(filled('UPL-1.0'), /^Copyright \(c\) 2031 alice$/m);
    assert.match(filled('ISC'), /^ISC License:\n\nCopyright \(c\) 2031 alice\n\nPermission/);
    assert.match(filled('GPL-3.0'), /^\s*demo\s+Copyright \(C\) 2031\s+alice$/m);
    assert.match(filled('MulanPSL-2.0'), /^demo is licensed under Mulan PSL v2\.$/m);
  });

  it('leaves no placeholder, and nothing but placeholders is touched', () => {
    for (const key of listLicenses()) {
      assert.doesNotMatch(filled(key), /[<[{](?:year|yyyy|xxxx|owner|program|name of|copyright holder|one line|software name)/i, key);
    }
    assert.match(filled('0BSD'), /THE AUTHOR DISCLAIMS ALL WARRANTIES/);
    assert.equal(filled('MPL-2.0').trimEnd(), getLicense('MPL-2.0')?.trimEnd());
    assert.match(filled('GPL-3.0'), /<https:\/\/fsf\.org\/>/);
  });

  it('ends every line, the last too, with a line feed', () => {
    for (const key of listLicenses()) assert.match(filled(key), /[^\r]\n$/, key);
    assert.equal(fillLicense('a\r\nb', values), 'a\nb\n');
  });

  it('puts values in as they are, never as patterns or placeholders', () => {
    const text = fillLicense('Copyright <year> <owner> <program>', { ...values, owner: '$& <year>', project: '$1 [yyyy]' });
    assert.equal(text, 'Copyright 2031 $& <year> $1 [yyyy]\n');
  });
});
