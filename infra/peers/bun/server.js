// Rooms on Bun by its own publish and subscribe; the server publishes, so that the sender gets its message too.
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PEER_PORT),
  fetch(request, server) {
    const upgraded = server.upgrade(request, { data: new URL(request.url).pathname });
    return upgraded ? undefined : new Response("a WebSocket is expected", { status: 426 });
  },
  websocket: {
    open: (socket) => socket.subscribe(socket.data),
    message: (socket, message) => server.publish(socket.data, message),
  },
});
