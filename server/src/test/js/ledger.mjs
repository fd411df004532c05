// Members of rooms on several servers, who talk through the library and keep a ledger as strict as the load client's.
//
//   node ledger.mjs HTTP-ADDRESS...
//
// Prints what happens, a line each; on SIGUSR2 stops talking, waits for what is under way, reads the rooms' own order
// from a server and prints the verdict. Exit status 0: each member saw exactly that, and each text came once.

import { createRequire } from 'node:module';
import { ChatFlow } from '../../main/webapp/lib/chatflow.js';

const ROOMS = ['north', 'south', 'east', 'west'];
const MEMBERS = 6; // of each room
const PACE = 200; // ms between two texts of a member
const PATIENCE = 120_000; // ms for what is under way at the end

const servers = process.argv.slice(2);
const Socket = globalThis.WebSocket ?? createRequire('/usr/share/nodejs/')('ws');
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** One behind a balancer: each connection goes to the next server, the first to its own. */
function behindABalancer(first) {
  let turn = first;
  return class extends Socket {
    constructor(address, protocols) {
      const { host } = new URL(servers[turn++ % servers.length]);
      super(Object.assign(new URL(address), { host }).href, protocols ?? []);
    }
  };
}

class Member {
  seen = [];
  sent = 0;
  answered = 0;
  refused = [];
  gaps = 0;
  back = 0;
  shownAfterMs = 0;
  #heard = Date.now();

  constructor(room, number) {
    this.user = { id: String(number + 1), name: `member${number + 1}` };
    this.isStruck = number % servers.length === 0; // on the server that is struck
    const options = { user: this.user, store: null, WebSocket: behindABalancer(number), fetch: async () => ({ status: 404 }) };
    this.room = new ChatFlow(servers[0], options).room(room, { history: 0 });
    this.room.on('message', ({ user, id }) => {
      this.#heard = Date.now();
      this.seen.push(`${user.id} ${id}`);
    });
    this.room.on('refused', ({ text, error }) => this.refused.push(`${text}: ${error.code}`));
    this.room.on('gap', () => (this.gaps += 1));
    this.room.on('back', () => (this.back += 1));
    this.room.on('state', (state) => this.#state(state));
    this.room.enter();
  }

  #state({ name, why }) {
    if (name === 'waiting' && why === 'The server does not answer' && this.shownAfterMs === 0) {
      this.shownAfterMs = Date.now() - this.#heard;
    }
    console.log(`${this.room.id} ${this.user.name} ${name} ${why ?? ''}`);
    tellWhenAllAreBack();
  }

  get isIn() {
    return this.room.state.name === 'here';
  }

  talk() {
    this.sent += 1;
    this.room.send(`${this.user.name} says ${this.sent}`).then(() => (this.answered += 1), () => {});
  }
}

let areBack = false;
let members = [];
members = ROOMS.flatMap((room) => Array.from({ length: MEMBERS }, (_, number) => new Member(room, number)));


/** Those of the server that is struck have been away and are in again. */
function tellWhenAllAreBack() {
  const struck = members.filter(({ isStruck }) => isStruck);
  if (!areBack && struck.length > 0 && struck.every(({ isIn, back }) => isIn && back > 0)) {
    areBack = true;
    console.log('all are back');
  }
}

async function until(condition) {
  const end = Date.now() + PATIENCE;
  while (!condition() && Date.now() < end) {
    await wait(100);
  }
}

/** Every text of a room in its order, from whichever server answers. */
async function orderOf(room) {
  const order = [];
  for (let before = ''; ;) {
    const path = `/api/rooms/${room}/messages?last=100${before}`;
    const answers = await Promise.allSettled(servers.map((server) => fetch(server + path, { signal: AbortSignal.timeout(10_000) })));
    const answer = answers.map(({ value }) => value).find((value) => value?.ok);
    const { messages } = await answer.json();
    if (messages.length === 0) {
      return order;
    }
    order.unshift(...messages.filter(({ messageType }) => messageType === 'TEXT').map(({ userId, messageId }) => `${userId} ${messageId}`));
    const { messageType, userId, messageId, serverTimestamp } = messages[0];
    before = `&before=${encodeURIComponent(JSON.stringify({ messageType, userId, messageId, serverTimestamp }))}`;
  }
}

function count(list, isCounted) {
  return list.filter(isCounted).length;
}

/** What one member saw, against what the room says. */
function judge({ seen }, order) {
  const [has, should] = [new Set(seen), new Set(order)];
  return {
    lost: count(order, (key) => !has.has(key)),
    repeated: seen.length - has.size + order.length - should.size,
    outOfOrder: count([...has], (key, i) => key !== order[i]),
  };
}

async function verdict() {
  await until(() => members.every(({ room }) => room.pending.length === 0));
  const orders = new Map(await Promise.all(ROOMS.map(async (room) => [room, await orderOf(room)])));
  await until(() => members.every(({ room, seen }) => seen.length >= orders.get(room.id).length));
  const judged = members.map((member) => judge(member, orders.get(member.room.id)));
  const sum = (list, name) => list.reduce((total, each) => total + each[name], 0);
  const texts = sum([...orders.values()], 'length');
  return {
    texts,
    deliveries: members.reduce((total, { seen }) => total + seen.length, 0),
    back: sum(members, 'back'),
    lost: sum(judged, 'lost') + Math.max(0, sum(members, 'answered') - texts),
    repeated: sum(judged, 'repeated') + Math.max(0, texts - sum(members, 'sent')),
    outOfOrder: sum(judged, 'outOfOrder'),
    refused: members.flatMap(({ refused }) => refused),
    gaps: sum(members, 'gaps'),
    unanswered: sum(members, 'sent') - sum(members, 'answered'),
    shownAfterMs: members.map(({ shownAfterMs }) => shownAfterMs),
  };
}

await until(() => members.every(({ isIn }) => isIn));
console.log('all are in');
const talking = setInterval(() => members.forEach((member) => member.talk()), PACE);
await new Promise((done) => process.once('SIGUSR2', done));
clearInterval(talking);
const found = await verdict();
console.log(`verdict ${JSON.stringify(found)}`);
const isRight = [found.lost, found.repeated, found.outOfOrder, found.refused.length, found.gaps, found.unanswered].every((n) => n === 0);
process.exit(isRight ? 0 : 1);
