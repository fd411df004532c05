// The protocol's rules as pure functions: no network, no clock.

/** Maximum unacknowledged messages; a room log remembers as many per user. */
export const MAX_UNSEEN = 1024;

/** The frame that asks the server for a sign of life. */
export const PING = '{"messageType":"PING"}';

/** This client gave the connection up because the server did not answer; there is no close code. */
export const SILENT = 0;

/** Messages before the last frame may be missing, so the room cannot be resumed. */
export const GAP = 4010;

/** A newer connection of the user is in the room. */
export const TAKEN_OVER = 4009;

/** The token is missing, invalid or not valid for this room. */
export const REFUSED = 4001;

/** The token has expired. */
export const EXPIRED = 4002;

const BROADCASTS = new Set(['TEXT', 'JOIN', 'LEAVE', 'SIGNAL']);
const MAX_TEXT = 500; // code points, unless the servers accept more
const MAX_DATA = 2_048; // bytes

/** The form of the kind of a message and of the name of a device. */
export const WORD = /^[A-Za-z0-9._:-]{1,32}$/;

/** Creates an error with a code for programs. */
export function failure(code, text) {
  return Object.assign(new Error(text), { code });
}

/**
 * Returns the error of a text that cannot be sent, or undefined. Length is counted in code points. A text with data, or
 * that deletes a message, may be empty.
 */
export function wrongText(text, { kind, data } = {}, most = MAX_TEXT) {
  return wrongParts(text, data, kind === 'delete' || data !== undefined ? 0 : 1, most);
}

/** Returns the error of a signal that cannot be sent, or undefined. */
export function wrongSignal(kind, text, data) {
  if (typeof kind !== 'string' || !WORD.test(kind)) {
    return failure('VALIDATION_FAILED', 'the kind of a signal has 1 to 32 of A-Z a-z 0-9 . _ : -');
  }
  return wrongParts(text, data, 0, MAX_TEXT);
}

function wrongParts(text, data, least, most) {
  if (typeof text !== 'string') {
    throw new TypeError(`a text is a string, not a ${typeof text}`);
  }
  const characters = [...text];
  if (characters.length < least || characters.length > most) {
    return failure('VALIDATION_FAILED', `a text has ${least} to ${most} characters, not ${characters.length}`);
  }
  if (data !== undefined && !isData(JSON.stringify(data))) {
    return failure('VALIDATION_FAILED', `data is a JSON object of at most ${MAX_DATA} bytes`);
  }
  if (characters.some((c) => /^[\ud800-\udfff]$/.test(c))) {
    return failure('MALFORMED_JSON', 'the text contains half a character');
  }
  return undefined;
}

/** Returns whether a program may send this as data. */
export function isData(json = '') {
  return json.startsWith('{') && new TextEncoder().encode(json).length <= MAX_DATA;
}

/** Returns the fields of a frame that carry more than the text. `ref`: a message, or the id of one with its user's. */
export function extraFields({ kind, ref, data } = {}) {
  return { kind, ref: ref?.id, refUserId: ref?.user?.id ?? ref?.userId, data };
}

/** Returns the optional fields of a broadcast. */
export function extrasOf({ kind, ref, refUserId, data } = {}) {
  return { kind, ref: ref === undefined ? undefined : { userId: refUserId, id: ref }, data };
}

/** Returns a frame with the additional fields of its type. To send a message again, use the same frame. */
export function frame(messageType, user, messageId, fields) {
  const timestamp = new Date().toISOString();
  return JSON.stringify({ messageType, userId: user.id, username: user.name, timestamp, messageId, ...fields });
}

/** Parses a frame; null if it is not a JSON object. */
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

/** Returns a member of a JOIN or of a list. */
export function memberOf(broadcast) {
  return { ...userOf(broadcast), data: broadcast.data };
}

/** Returns the four fields that identify a broadcast. */
export function nameOf({ messageType, userId, messageId, serverTimestamp }) {
  return { messageType, userId, messageId, serverTimestamp };
}

/** Returns these fields as one text. */
export function keyOf(broadcast) {
  return Object.values(nameOf(broadcast)).join(' ');
}

/** Returns whether the frame has a position in the room, so that a client can resume after it. */
export function isNameable({ duplicate, quiet }) {
  return duplicate !== true && quiet !== true;
}

/** Converts a rejection to an error, with the text of every invalid field. */
export function refusal({ errors, error, errorCode }) {
  const fields = Object.entries(errors ?? {}).map(([field, text]) => `${field} ${text}`);
  return failure(errorCode, fields.length > 0 ? fields.join('; ') : error);
}

const STOPS = new Map([
  [1000, 'The server ended the connection'],
  [1002, 'The server could not read a frame of this client'],
  [1003, 'The server accepts only text messages'],
  [1007, 'The server received text that was not UTF-8'],
  [1008, 'The server rejected this connection'],
  [1009, 'A message was too big for the server'],
  [REFUSED, 'The server rejected this token'],
  [4005, 'A moderator removed you from this room'],
  [TAKEN_OVER, 'You joined this room from a newer connection'],
]);
const SAYS_WHY = new Set([1008, REFUSED]); // codes whose reason is meant for people
const LOSSES = new Map([
  [SILENT, 'The server does not answer'],
  [1001, 'The server is stopping'],
  [1012, 'The server lost contact with the other servers, or paused'],
  [1013, 'The server has too many connections'],
  [EXPIRED, 'The token has expired'],
  [4003, 'The server received no JOIN in time'],
  [4008, 'This connection read too slowly'],
  [GAP, 'The server may have missed messages of this room'],
]);
const RECONNECT_AFTER = /^reconnect after ([0-9]{1,5}) ms$/;
const USUAL_WAIT = { first: 500, most: 15_000 }; // ms
const WAITS = new Map([
  [1013, { first: 2_000, most: 60_000 }],
  [REFUSED, { first: 500, most: 60_000 }],
  [EXPIRED, { first: 500, most: 60_000 }], // the program may have only expired tokens
]);

/** Returns whether to try another server after a connection that ended, and that was in the room or not. */
export function isForAnother(code, wasIn) {
  return code === 1001 || code === 1013 || (code < 4000 && !wasIn);
}

/**
 * Returns the reaction to the end of a connection: `{ again, delay, why }`, delay in ms. `failures` counts failed
 * attempts since the last success; `chance` in [0, 1) spreads reconnecting clients.
 */
export function afterClose(code, reason, failures, chance) {
  if (STOPS.has(code)) {
    return { again: false, delay: 0, why: STOPS.get(code) + (SAYS_WHY.has(code) && reason ? `: ${reason}` : '') };
  }
  const why = LOSSES.get(code) ?? 'The connection was lost';
  const requested = RECONNECT_AFTER.exec(reason);
  const delay = requested ? Number(requested[1]) : backOff(WAITS.get(code) ?? USUAL_WAIT, failures, chance);
  return { again: true, delay, why };
}

/** Doubles the wait with every failure up to a bound. Half of it is random. */
function backOff({ first, most }, failures, chance) {
  return Math.round(Math.min(most, first * 2 ** failures) * (0.5 + chance / 2));
}
