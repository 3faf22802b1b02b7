// Content types of small files, as they are and where they could be pointers to large ones.
const bytes = (text) => Buffer.from(text, 'latin1');
const FILES = {
  'a.zip': bytes('PK\x03\x04\x14\0\0\0'),
  'a.gz': bytes('\x1f\x8b\x08\0\0\0\0\0'),
  'a.rar': bytes('Rar!\x1a\x07\0'),
  'a.wasm': bytes('\0asm\x01\0\0\0'),
  'a.ttf': bytes('\0\x01\0\0\0\x0f\0\x80'),
  'a.otf': bytes('OTTO\0\x0b\0\x80'),
  'a.woff': bytes('wOFF\0\x01\0\0'),
  'a.woff2': bytes('wOF2\0\x01\0\0'),
  'a.eot': bytes(`${'\0'.repeat(34)}LP`),
  'a.png': bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  'a.pdf': bytes('%PDF-1.4\n'),
  'a.mp3': bytes('ID3\x03\0\0\0\0\0\0'),
  'a.wav': bytes('RIFF\x24\0\0\0WAVEfmt '),
  'a.mp4': bytes('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'),
  'a.exe': bytes('MZ\x90\0\x03'),
  'a.json': bytes('{}'),
  'a.txt': bytes('text'),
  empty: bytes(''),
  'a.svg': bytes('<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
  'a.html': bytes('<!DOCTYPE html><html></html>'),
};

export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  const files = Object.entries(FILES).map(([path, content]) => ({ operation: 'create', path, content: content.toString('base64') }));
  await alice.must('POST', `${repo}/contents`, { files });
  for (const name of Object.keys(FILES)) {
    for (const path of [`${repo}/raw/${name}`, `${repo}/media/${name}`, `//${alice.name}/demo/raw/branch/main/${name}`]) await alice.get(path, { body: 'size' });
  }
}
