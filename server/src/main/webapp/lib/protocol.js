// The protocol's rules as pure functions: no network, no clock.

/** How many own messages may wait for their broadcast; rooms remember as many of a user. */
export const MAX_UNSEEN = 1024;

/** Asks whether anybody listens. */
export const PING = '{"messageType":"PING"}';

/** Nobody answered: the connection was given up here, no close code came. */
export const SILENT = 0;

/** Before what came last something may be missing: nothing can be resumed. */
export const GAP = 4010;

/** A newer connection of the user is in the room. */
export const TAKEN_OVER = 4009;

/** The token is missing, wrong or not for this room. */
export const REFUSED = 4001;

/** The token has come to its end. */
export const EXPIRED = 4002;

const BROADCASTS = new Set(['TEXT', 'JOIN', 'LEAVE']);
const MAX_TEXT = 500; // code points

/** An error for programs, which know it by its code. */
export function failure(code, text) {
  return Object.assign(new Error(text), { code });
}

/** What is wrong with a text to send, as an error; undefined when nothing is. Characters are code points. */
export function wrongText(text) {
  if (typeof text !== 'string') {
    throw new TypeError(`a text is a string, not a ${typeof text}`);
  }
  const characters = [...text];
  if (characters.length === 0 || characters.length > MAX_TEXT) {
    return failure('VALIDATION_FAILED', `a text has 1 to ${MAX_TEXT} characters, this has ${characters.length}`);
  }
  if (characters.some((c) => /^[\ud800-\udfff]$/.test(c))) {
    return failure('MALFORMED_JSON', 'the text holds half a character');
  }
  return undefined;
}

/** A frame for the server, with the further fields of its kind. A resend is the same frame again. */
export function frame(messageType, user, messageId, fields) {
  const timestamp = new Date().toISOString();
  return JSON.stringify({ messageType, userId: user.id, username: user.name, timestamp, messageId, ...fields });
}

/** What arrived, or null for what is no object. */
export function read(data) {
  try {
    const value = JSON.parse(data);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

export function isBroadcast({ status, messageType }) {
  return status === 200 && BROADCASTS.has(messageType);
}

export function userOf({ userId, username }) {
  return { id: userId, name: username };
}

/** The four fields by which a frame is named and found again. */
export function nameOf({ messageType, userId, messageId, serverTimestamp }) {
  return { messageType, userId, messageId, serverTimestamp };
}

/** The same as one text. */
export function keyOf(broadcast) {
  return Object.values(nameOf(broadcast)).join(' ');
}

/** Whether the frame has a place in the room, so that all behind it can be asked for. */
export function isNameable({ duplicate, quiet }) {
  return duplicate !== true && quiet !== true;
}

/** A refusal as an error, every wrong field with its text. */
export function refusal({ errors, error, errorCode }) {
  const fields = Object.entries(errors ?? {}).map(([field, text]) => `${field} ${text}`);
  return failure(errorCode, fields.length > 0 ? fields.join('; ') : error);
}

const STOPS = new Map([
  [1000, 'The server ended the connection'],
  [1002, 'The server could not read a frame of this client'],
  [1003, 'The server takes text messages only'],
  [1007, 'The server received text that was not UTF-8'],
  [1008, 'The server refuses this connection'],
  [1009, 'A message was too big for the server'],
  [REFUSED, 'The server does not take this token'],
  [TAKEN_OVER, 'You joined this room from a newer connection'],
]);
const SAYS_WHY = new Set([1008, REFUSED]); // in the reason
const LOSSES = new Map([
  [SILENT, 'The server does not answer'],
  [1001, 'The server is stopping'],
  [1012, 'The server was cut off from the others, or stood still'],
  [1013, 'The server has too many connections'],
  [EXPIRED, 'The token has come to its end'],
  [4003, 'The server saw no JOIN in time'],
  [4008, 'This connection read too slowly'],
  [GAP, 'The server may have missed messages of this room'],
]);
const TOLD = /^reconnect after ([0-9]{1,5}) ms$/;
const USUAL_WAIT = { first: 500, most: 15_000 }; // ms
const WAITS = new Map([
  [1013, { first: 2_000, most: 60_000 }],
  [REFUSED, { first: 500, most: 60_000 }],
  [EXPIRED, { first: 500, most: 60_000 }], // a program may have nothing but tokens that have ended
]);

/**
 * What to do when a connection has ended: `{ again, delay, why }`, delay in ms.
 * `failures` counts attempts without success before this end, `chance` in [0, 1) spreads clients.
 */
export function afterClose(code, reason, failures, chance) {
  if (STOPS.has(code)) {
    return { again: false, delay: 0, why: STOPS.get(code) + (SAYS_WHY.has(code) && reason ? `: ${reason}` : '') };
  }
  const why = LOSSES.get(code) ?? 'The connection was lost';
  const told = TOLD.exec(reason);
  const delay = told ? Number(told[1]) : backOff(WAITS.get(code) ?? USUAL_WAIT, failures, chance);
  return { again: true, delay, why };
}

/** Doubles with every failure up to a bound; half of it is left to chance. */
function backOff({ first, most }, failures, chance) {
  return Math.round(Math.min(most, first * 2 ** failures) * (0.5 + chance / 2));
}
