import { gunzipSync } from 'node:zlib';

/** Lines that differ between two builds of the same index: times, sizes of what was compressed, and the name of the instance. */
const BUILD_LINES = /^(?:Date:|Origin:|Label:|Suite:.*|Codename:|generated: |name=| [0-9a-f]{32,128} +\d+ .*\.(?:gz|xz)$)/;

/** What is compared of a response: JSON, the files of an archive, or the lines of a text, without the base URL of the server. */
export function readBody(bytes: Buffer, root: string, path: string): unknown {
  const plain = bytes.subarray(0, 2).toString('hex') === '1f8b' ? gunzipSync(bytes) : bytes;
  if (/APKINDEX\.tar\.gz$|\.db$/.test(path)) return filesOf(plain);
  const text = plain.toString('utf8').replaceAll(root, '{base}').replaceAll(encodeURIComponent(root), '{base}');
  // White space between elements is all that pages differ in.
  if (text.startsWith('<!DOCTYPE html>')) return text.replace(/\s+/g, ' ').replace(/ ?(<[^>]*>) ?/g, '$1');
  try {
    return JSON.parse(text);
  } catch {
    return text
      .split('\n')
      .filter((line) => !BUILD_LINES.test(line))
      .join('\n');
  }
}

/** The texts of the files in a tar archive; what is not text, such as signatures, is left out. */
function filesOf(archive: Buffer): Record<string, string> {
  const files: Record<string, string> = {};
  for (let at = 0; at + 512 <= archive.length; ) {
    const header = archive.subarray(at, at + 512);
    const name = header.subarray(0, 100).toString('latin1').replace(/\0.*$/s, '');
    const size = Number.parseInt(header.subarray(124, 136).toString('latin1'), 8) || 0;
    if (name !== '' && !name.startsWith('.SIGN') && size > 0) files[name] = archive.subarray(at + 512, at + 512 + size).toString('utf8');
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
