// The library has all declared members.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ChatFlow } from '../../main/webapp/lib/chatflow.js';
import { Room } from '../../main/webapp/lib/room.js';

const types = readFileSync(new URL('../../main/webapp/lib/chatflow.d.ts', import.meta.url), 'utf8');

/** Returns the members that a declaration names. */
function declared(of) {
  const body = types.split(`export ${of} `)[1].split(/\n}/)[0];
  return [...body.matchAll(/^  (?:readonly )?(\w+)[(<:?]/gm)].map(([, name]) => name).sort();
}

function made({ prototype }) {
  return Object.getOwnPropertyNames(prototype).sort();
}

test('classes have exactly the members that are declared', () => {
  assert.deepEqual(made(Room).filter((name) => name !== 'constructor'), declared('interface Room'));
  assert.deepEqual(made(ChatFlow), declared('class ChatFlow'));
});
