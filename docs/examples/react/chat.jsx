import { ChatFlow } from '@chatflow/client';
import { StrictMode, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { useRoom } from './useRoom.js';

const { server = 'http://localhost:8080/', id = '17', name = 'ann' } = Object.fromEntries(new URLSearchParams(location.search));
sessionStorage.device ??= `web-${crypto.randomUUID()}`.slice(0, 12); // each tab is a device

const lobby = new ChatFlow(server, { user: { id, name } }).room('lobby', { device: sessionStorage.device });

function Chat({ room }) {
  const { state, messages, count, typing } = useRoom(room);
  const signalled = useRef(0);
  const send = (data) => data.get('text') && room.send(data.get('text'));
  const signal = () => {
    if (Date.now() - signalled.current > 3_000 && room.signal('typing')) {
      signalled.current = Date.now();
    }
  };
  return (
    <>
      <p role="status">{state === 'here' ? `${count} in the room` : state}</p>
      <ol>
        {messages.map(({ user, id, own, text }) => (
          <li key={`${user.id} ${id}`} className={own ? 'own' : ''}><b>{user.name}</b> <span>{text}</span></li>
        ))}
      </ol>
      <p id="typing">{typing.length > 0 && `${typing.join(', ')} typing…`}</p>
      <form action={send}><input name="text" aria-label="Message" autoComplete="off" onInput={signal} /></form>
    </>
  );
}

createRoot(document.getElementById('chat')).render(<StrictMode><Chat room={lobby} /></StrictMode>);
