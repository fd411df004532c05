// What people see and touch. Everything that comes from outside is shown as text, never as markup.

const SHOWN = 500; // lines kept; older ones go
const SHOWN_PENDING = 50;
const PAUSE = 30; // ms between two drawings
const FIELDS = ['room', 'username', 'userId'];

const at = (id) => document.getElementById(id);

function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

/** With its day, when that is not today. */
function time(instant) {
  const isToday = instant.toDateString() === new Date().toDateString();
  const made = element('time', '', isToday ? instant.toLocaleTimeString() : instant.toLocaleString());
  made.dateTime = instant.toISOString();
  return made;
}

/** The document. Lines are drawn in batches, so that a busy room does not drown the browser. */
export class Page {
  #userId = '';
  #lines = [];
  #skipped = 0;
  #pending = [];
  #isDue = false;
  #toEnd = true;
  #isOnline = false;

  listen({ join, leave, say, cut, again }) {
    at('entry').addEventListener('submit', (event) => {
      event.preventDefault();
      join(this.choice());
    });
    at('write').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send(say);
    });
    at('text').addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.#send(say);
      }
    });
    at('leave').addEventListener('click', leave);
    at('cut').addEventListener('click', cut);
    at('again').addEventListener('click', () => {
      at('text').focus(); // the button goes away
      again();
    });
  }

  #send(say) {
    const box = at('text');
    const wrong = say(box.value);
    this.#mark('text', wrong);
    if (wrong === '') {
      box.value = '';
      this.notice('');
      this.#toEnd = true;
    }
    box.focus();
  }

  // --- entry

  propose(choice) {
    FIELDS.forEach((field) => (at(field).value = choice[field]));
    at(FIELDS.find((field) => choice[field] === '') ?? 'room').focus();
  }

  choice() {
    return Object.fromEntries(FIELDS.map((field) => [field, at(field).value.trim()]));
  }

  /** Texts by field; focus goes to the first of them. */
  showWrong(wrong) {
    FIELDS.forEach((field) => this.#mark(field, wrong[field] ?? ''));
    const first = FIELDS.find((field) => wrong[field]);
    if (first !== undefined) {
      at(first).focus();
    }
  }

  #mark(field, wrong) {
    at(`${field}-wrong`).textContent = wrong;
    at(field).setAttribute('aria-invalid', String(wrong !== ''));
  }

  rooms(list) {
    const buttons = list.slice(0, 30).map(({ roomId, members }) => {
      const button = element('button', '', `${roomId} `, element('span', 'hint', `${members} in it`));
      button.type = 'button';
      button.addEventListener('click', () => {
        at('room').value = roomId;
        at('username').focus();
      });
      return element('li', '', button);
    });
    at('rooms').replaceChildren(...buttons);
    at('open').hidden = buttons.length === 0;
  }

  anybody(isOpen) {
    at('anybody').hidden = !isOpen;
  }

  enter(room, userId) {
    this.#userId = userId;
    at('messages').replaceChildren();
    at('members').replaceChildren();
    this.#lines = [];
    this.#skipped = 0;
    this.pending([]);
    this.notice('');
    this.#mark('text', '');
    at('where').textContent = ` · room ${room}`;
    document.title = `${room} · ChatFlow`;
    at('entry').hidden = true;
    at('chat').hidden = false;
    at('people').open = window.matchMedia('(min-width: 45rem)').matches;
    at('text').focus();
  }

  exit() {
    at('where').textContent = '';
    document.title = 'ChatFlow';
    at('chat').hidden = true;
    at('entry').hidden = false;
    this.state({ name: 'out' });
    at('room').focus();
  }

  // --- connection

  state(state) {
    const { name, why, delay, serverId } = state;
    const texts = {
      out: () => 'Not in a room',
      connecting: () => 'Connecting …',
      joining: () => 'Connected, joining …',
      online: () => `Connected to ${serverId}`,
      waiting: () => `${why}. Trying again in ${(delay / 1000).toFixed(1)} s`,
      stopped: () => `${why}. Stopped`,
    };
    this.#isOnline = name === 'online';
    this.#soon();
    at('connection').dataset.state = name;
    at('state').textContent = texts[name]();
    at('again').hidden = name !== 'waiting' && name !== 'stopped';
    at('again').textContent = name === 'stopped' ? 'Join again' : 'Try now';
    at('cut').setAttribute('aria-disabled', String(name !== 'online')); // keeps the focus it may have
  }

  notice(text) {
    at('notice').textContent = text;
  }

  // --- conversation

  text({ userId, username, message, serverTimestamp, serverId, own, late, age }) {
    const name = element('span', 'name', own ? `${username} (you)` : username);
    name.title = `user ${userId}, by ${serverId}`;
    const head = element('p', 'head', name, ' ', time(new Date(serverTimestamp)));
    if (late) {
      head.append(' ', element('span', 'late', 'had arrived before the connection was lost'));
    }
    this.#aged(element('li', own ? 'text own' : 'text', head, element('p', 'body', message)), age);
  }

  event(text, { when = new Date(), age = '' } = {}) {
    this.#aged(element('li', 'event', text, ' ', time(when)), age);
  }

  /** A thin line: what stands above it was said before one came. */
  edge() {
    const line = element('li', 'edge');
    line.setAttribute('aria-hidden', 'true');
    this.#line(line);
  }

  /** What was said before is shown in one go, and not read out. */
  #aged(line, age) {
    if (age !== '') {
      line.classList.add(age);
      line.setAttribute('aria-live', 'off');
    }
    this.#line(line);
  }

  refused(text, why) {
    const head = element('p', 'head', 'Not sent: ', element('span', 'why', why));
    this.#line(element('li', 'text own refused', head, element('p', 'body', text)));
    this.notice(`A message was not sent: ${why}`);
  }

  pending(entries) {
    this.#pending = entries;
    this.#soon();
  }

  #line(line) {
    this.#lines.push(line);
    if (this.#lines.length > SHOWN) {
      this.#lines.shift();
      this.#skipped += 1;
    }
    this.#soon();
  }

  #soon() {
    if (!this.#isDue) {
      this.#isDue = true;
      setTimeout(() => this.#draw(), PAUSE);
    }
  }

  #draw() {
    this.#isDue = false;
    const box = at('scroll');
    const follows = this.#toEnd || box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    this.#drawLines(at('messages'));
    this.#drawPending();
    if (follows) {
      box.scrollTop = box.scrollHeight;
      this.#toEnd = false;
    }
  }

  #drawLines(list) {
    if (this.#skipped > 0) {
      list.append(element('li', 'event', `${this.#skipped} lines came too fast to be shown.`));
      this.#skipped = 0;
    }
    list.append(...this.#lines.splice(0));
    while (list.childElementCount > SHOWN) {
      list.firstElementChild.remove();
    }
  }

  #drawPending() {
    const where = this.#isOnline ? 'on its way …' : 'waits for the connection';
    const items = this.#pending.slice(0, SHOWN_PENDING).map(({ text }) =>
      element('li', 'text own', element('p', 'head', where), element('p', 'body', text)));
    const more = this.#pending.length - items.length;
    if (more > 0) {
      items.push(element('li', 'event', `and ${more} more`));
    }
    at('pending').replaceChildren(...items);
  }

  members(list) {
    at('count').textContent = `(${list.length})`;
    const items = list.slice(0, SHOWN).map(({ userId, username }) =>
      element('li', '', userId === this.#userId ? `${username} (you) ` : `${username} `,
        element('span', 'hint', `#${userId}`)));
    at('members').replaceChildren(...items);
  }
}
