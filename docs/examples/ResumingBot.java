import dev.chatflow.chat.ChatFlow;
import dev.chatflow.chat.Listener;
import dev.chatflow.chat.Message;
import dev.chatflow.chat.Room;
import dev.chatflow.chat.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Answers each "hello", also those that were sent while it was stopped: a file has the position of the last message. */
void main(String[] arguments) throws IOException, InterruptedException {
  URI server = URI.create(arguments.length > 0 ? arguments[0] : "http://localhost:8080/");
  Path handled = Path.of(arguments.length > 1 ? arguments[1] : "resuming-bot.position");
  Listener bot = new Listener() {
    @Override public void message(Room room, Message message) {
      if (!message.own() && message.text().equals("hello")) {
        room.send("hello " + message.user().name());
      }
      try {
        Files.writeString(handled, message.position());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    @Override public void state(Room room, State state) {
      if (state instanceof State.Here) IO.println("in room " + room.id());
    }
    @Override public void gap(Room room, Room.Gap gap) { IO.println("some messages since " + gap.since() + " are missing"); }
  };
  try (ChatFlow chat = ChatFlow.to(server).user("98", "resuming-bot").build()) {
    chat.join("lobby", bot, Files.exists(handled) ? Files.readString(handled) : null);
    Thread.currentThread().join(); // for ever
  }
}
