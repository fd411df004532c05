import dev.chatflow.chat.ChatFlow;
import dev.chatflow.chat.Listener;
import dev.chatflow.chat.Message;
import dev.chatflow.chat.Room;
import dev.chatflow.chat.State;
import java.net.URI;

/** Answers who greets it, until it is stopped. */
void main() throws InterruptedException {
  Listener bot = new Listener() {
    @Override public void message(Room room, Message message) {
      if (!message.own() && !message.past() && message.text().equals("hello")) {
        room.send("hello " + message.user().name());
      }
    }
    @Override public void state(Room room, State state) {
      if (state instanceof State.Here) IO.println("in room " + room.id());
    }
    @Override public void gap(Room room, Room.Gap gap) { IO.println("away, and some messages may be missing"); }
  };
  try (ChatFlow chat = ChatFlow.to(URI.create("http://localhost:8080/")).user("99", "echo-bot").build()) {
    chat.join("lobby", bot);
    Thread.currentThread().join(); // for ever
  }
}
