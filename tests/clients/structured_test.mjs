// Finished JSON is valid: many schemas, a model without sense at temperature 1, and Ajv as the judge.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import { serve } from './server.mjs';

const word = { type: 'string', maxLength: 8 };
const object = (properties, more = {}) => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more });

/** Schemas that the server takes without a word about what it can't enforce. */
const enforced = {
  'a boolean': { type: 'boolean' },
  'null': { type: 'null' },
  'an integer in a range': { type: 'integer', minimum: 17, maximum: 1203 },
  'an integer below zero': { type: 'integer', minimum: -50, maximum: -3 },
  'an integer between exclusive bounds': { type: 'integer', exclusiveMinimum: 9, exclusiveMaximum: 12 },
  'a number': { type: 'number' },
  'a short string': word,
  'a string of just so many letters': { type: 'string', minLength: 3, maxLength: 3 },
  'a pattern': { type: 'string', pattern: '^[A-Z]{2}-[0-9]{3}$' },
  'a pattern with choices': { type: 'string', pattern: '^(red|green|dark (blue|grey))$' },
  'a pattern of anything': { type: 'string', pattern: '^.{1,8}$' },
  'a pattern of everything but': { type: 'string', pattern: '^[^aeiou]{2,6}$' },
  'a pattern of digits and words': { type: 'string', pattern: '^\\d{2,4}\\s\\w+?-"\\S"$' },
  'a pattern of what JSON escapes': { type: 'string', pattern: '^["\\\\\\n\\t]{3}$' },
  'a date': { type: 'string', format: 'date' },
  'a time': { type: 'string', format: 'time' },
  'a date and time': { type: 'string', format: 'date-time' },
  'a uuid': { type: 'string', format: 'uuid' },
  'an enum of many types': { enum: ['a', 'with "quotes"', 'ünïcode 🦊', 7, -1.5, null, true, ['x'], { y: 1 }] },
  'a constant': { const: { deep: ['value', 1] } },
  'one of two types': { type: ['integer', 'null'] },
  'an array of booleans': { type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 5 },
  'an empty array': { type: 'array', items: { type: 'boolean' }, maxItems: 0 },
  'a tuple': { type: 'array', prefixItems: [{ type: 'boolean' }, { enum: ['x', 'y'] }, { type: 'integer', minimum: 0, maximum: 9 }] },
  'arrays in arrays': { type: 'array', minItems: 1, maxItems: 2, items: { type: 'array', minItems: 1, maxItems: 2, items: { enum: [0, 1] } } },
  'an object': object({ name: word, born: { type: 'integer', minimum: 1900, maximum: 2030 } }),
  'optional fields': { type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'boolean' }, c: { type: 'boolean' } }, required: ['b'], additionalProperties: false },
  'odd names of fields': object({ 'with "quotes"': { type: 'boolean' }, 'back\\slash': { type: 'boolean' }, 'ünï': { type: 'boolean' }, '': { type: 'boolean' } }),
  'an object in an object': object({ outer: object({ inner: object({ deep: { enum: [1, 2] } }) }) }),
  'anyOf': { anyOf: [object({ kind: { const: 'circle' }, radius: { type: 'integer', minimum: 1, maximum: 9 } }), object({ kind: { const: 'square' }, side: { type: 'boolean' } })] },
  'oneOf': { oneOf: [{ const: 'left' }, { const: 'right' }] },
  'allOf': { allOf: [{ type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] }, { type: 'object', properties: { b: { type: 'boolean' } }, required: ['b'] }] },
  'a local reference': object({ home: { $ref: '#/$defs/place' }, work: { $ref: '#/$defs/place' } }, { $defs: { place: object({ city: { enum: ['Rome', 'Oslo'] } }) } }),
  'a schema that holds itself': { $ref: '#/$defs/list', $defs: { list: object({ value: { type: 'boolean' }, rest: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/list' }] } }) } },
};

/** Schemas of which a part is not enforced, and its name. */
const partly = {
  'unique items': ['uniqueItems', { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 2, maxItems: 3 }],
  'multiples': ['multipleOf', { type: 'integer', minimum: 0, maximum: 99, multipleOf: 5 }],
  'a pattern that looks around': ['pattern', { type: 'string', pattern: '^(?!a).{3}$', minLength: 2, maxLength: 6 }],
  'a format that is not known': ['format', { type: 'string', format: 'hostname', maxLength: 9 }],
};

/** As far as a grammar sees: it knows no month's length. */
const day = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const clock = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{3})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])';
const formats = { date: `^${day}$`, time: `^${clock}$`, 'date-time': `^${day}T${clock}$`, uuid: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' };

const choices = 4;
let server;
before(async () => { server = await serve('--batch', String(choices)); });
after(() => server.stop());

async function ask(schema, seed) {
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      messages: [{ role: 'user', content: 'Tell me.' }],
      n: choices,
      temperature: 1,
      seed,
      max_tokens: 160,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    }),
  });
  const body = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(body));
  return { ignored: answer.headers.get('x-hlg-schema-ignored'), finished: body.choices.filter((one) => one.finish_reason === 'stop').map((one) => one.message.content) };
}

function judge(schema) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  for (const [name, pattern] of Object.entries(formats)) ajv.addFormat(name, new RegExp(pattern));
  return ajv.compile(schema);
}

for (const [name, schema] of Object.entries(enforced)) {
  test(name, async () => {
    const valid = judge(schema);
    const { ignored, finished } = await ask(schema, 1);
    assert.equal(ignored, null);
    assert.ok(finished.length > 0, 'some answer comes to its end');
    for (const text of finished) assert.ok(valid(JSON.parse(text)), `${text}: ${JSON.stringify(valid.errors)}`);
  });
}

for (const [name, [keyword, schema]] of Object.entries(partly)) {
  test(`${name}: what is not enforced is named, and the rest holds`, async () => {
    const { [keyword]: lost, ...rest } = schema;
    assert.ok(lost !== undefined);
    const valid = judge(rest);
    const { ignored, finished } = await ask(schema, 2);
    assert.equal(ignored, keyword);
    assert.ok(finished.length > 0, 'some answer comes to its end');
    for (const text of finished) assert.ok(valid(JSON.parse(text)), `${text}: ${JSON.stringify(valid.errors)}`);
  });
}
