// On SQLite alone: the database does not matter.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { signedHeaders } from '../../src/migrations/codecommit/signature.ts';

it('signs requests as AWS does', () => {
  // The case "post-vanilla" of AWS's test suite for Signature Version 4.
  const key = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'us-east-1', service: 'service' };
  const headers = signedHeaders(key, 'example.amazonaws.com', {}, '', new Date('2015-08-30T12:36:00Z'));
  assert.deepEqual(headers, {
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
      'Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  });
});
