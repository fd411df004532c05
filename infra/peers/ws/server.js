// Rooms on Node with the library ws: a message goes to every socket of its room, the sender's own too.
const { WebSocketServer } = require("ws");

const rooms = new Map();
const server = new WebSocketServer({ host: "127.0.0.1", port: Number(process.env.PEER_PORT) });

server.on("connection", (socket, request) => {
  if (!rooms.has(request.url)) rooms.set(request.url, new Set());
  const room = rooms.get(request.url);
  room.add(socket);
  socket.on("message", (message) => {
    for (const member of room) member.send(message, { binary: false });
  });
  socket.on("close", () => room.delete(socket));
});
