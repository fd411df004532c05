// Rooms on Socket.IO as its documents show them; the room is named in the address, the transport is WebSocket alone.
const { Server } = require("socket.io");

const io = new Server({ transports: ["websocket"] });

io.on("connection", (socket) => {
  const { room } = socket.handshake.query;
  socket.join(room);
  socket.on("m", (message) => io.to(room).emit("m", message));
});
io.listen(Number(process.env.PEER_PORT), { hostname: "127.0.0.1" });
