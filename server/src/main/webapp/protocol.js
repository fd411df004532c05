// The protocol's rules as pure functions: no page, no network, no clock.

/** How many own messages may wait for their broadcast; rooms remember as many of a user. */
export const MAX_UNSEEN = 1024;

/** The close code after which nothing can be resumed: before what came last something may be missing. */
export const GAP = 4010;

const TYPES = new Set(['TEXT', 'JOIN', 'LEAVE']);
const MAX_TEXT = 500; // code points
const ROOM = /^[A-Za-z0-9_-]{1,64}$/;
const USERNAME = /^[A-Za-z0-9_-]{3,20}$/;
const USER_ID = /^[1-9][0-9]{0,5}$/;
const MAX_USER_ID = 100000;

/** What is wrong with a choice of room and user, by field; an empty object when nothing is. */
export function wrongFields({ room, username, userId }) {
  const wrong = {};
  if (!ROOM.test(room)) {
    wrong.room = 'must have 1 to 64 of A-Z a-z 0-9 _ -';
  }
  if (!USERNAME.test(username)) {
    wrong.username = 'must have 3 to 20 of A-Z a-z 0-9 _ -';
  }
  if (!USER_ID.test(userId) || Number(userId) > MAX_USER_ID) {
    wrong.userId = 'must be an integer from 1 to 100000';
  }
  return wrong;
}

/** What is wrong with a text to send; empty when nothing is. Characters are code points. */
export function wrongText(text) {
  const characters = [...text];
  if (text.trim() === '') {
    return 'Write something first';
  }
  if (characters.length > MAX_TEXT) {
    return `At most ${MAX_TEXT} characters, these are ${characters.length}`;
  }
  return characters.some((c) => /^[\ud800-\udfff]$/.test(c)) ? 'Holds half a character: delete it' : '';
}

/** A frame for the server, with the further fields of its kind. A resend is the same frame again. */
export function frame(messageType, user, messageId, now, fields) {
  const { userId, username } = user;
  const timestamp = now.toISOString();
  return JSON.stringify({ messageType, userId, username, timestamp, messageId, ...fields });
}

/** What arrived: a broadcast, an error, or null for what this page does not know. */
export function read(data) {
  try {
    const value = JSON.parse(data);
    return isKnown(value) ? value : null;
  } catch {
    return null;
  }
}

function isKnown(value) {
  return value !== null && typeof value === 'object' && 'status' in value
    && (value.status !== 200 || TYPES.has(value.messageType));
}

/** An error frame in words, every wrong field with its text. */
export function words(error) {
  const fields = Object.entries(error.errors ?? {}).map(([field, text]) => `${field} ${text}`);
  const text = fields.length > 0 ? fields.join('; ') : error.error;
  return `${text} (${error.status} ${error.errorCode})`;
}

/** A JOIN or LEAVE in words. */
export function eventWords({ messageType, username, synthetic }) {
  if (messageType === 'JOIN') {
    return `${username} joined.`;
  }
  return synthetic ? `${username} is gone: the connection ended.` : `${username} left.`;
}

const STOPS = new Map([
  [1000, 'The server ended the connection'],
  [1002, 'The server could not read a frame of this page'],
  [1003, 'The server takes text messages only'],
  [1007, 'The server received text that was not UTF-8'],
  [1008, 'The server refuses this connection'],
  [1009, 'A message was too big for the server'],
  [4001, 'The server does not let you in'],
  [4002, 'Your token has expired: ask for a new link'],
  [4009, 'You joined this room from a newer connection'],
]);
const TELL_WHY = new Set([1008, 4001]); // their reason says more
const LOSSES = new Map([
  [1001, 'The server is stopping'],
  [1012, 'The server was cut off from the others, or stood still'],
  [1013, 'The server has too many connections'],
  [4003, 'This page did not join the room in time'],
  [4008, 'This connection read too slowly'],
  [GAP, 'The server may have missed messages of this room'],
]);
const TELL_WHEN = new Set([1001, 1012]); // their reason says after how long to come back
const USUAL_WAIT = { first: 500, most: 15000 }; // ms
const FULL_WAIT = { first: 2000, most: 60000 };

/**
 * What to do when a connection has ended: `{ again, delay, why }`, delay in ms.
 * `failures` counts attempts without success before this end, `chance` in [0, 1) spreads clients.
 */
export function afterClose(code, reason, failures, chance) {
  if (STOPS.has(code)) {
    return { again: false, delay: 0, why: STOPS.get(code) + (TELL_WHY.has(code) && reason ? `: ${reason}` : '') };
  }
  const why = LOSSES.get(code) ?? 'The connection was lost';
  const told = TELL_WHEN.has(code) && /^reconnect after ([0-9]{1,5}) ms$/.exec(reason);
  if (told) {
    return { again: true, delay: Number(told[1]), why };
  }
  return { again: true, delay: backOff(code === 1013 ? FULL_WAIT : USUAL_WAIT, failures, chance), why };
}

/** Doubles with every failure up to a bound; half of it is left to chance. */
function backOff({ first, most }, failures, chance) {
  return Math.round(Math.min(most, first * 2 ** failures) * (0.5 + chance / 2));
}
