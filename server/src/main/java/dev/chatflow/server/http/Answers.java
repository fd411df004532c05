package dev.chatflow.server.http;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers of the HTTP side, made in one place for servlets and the admin listener. */
final class Answers {

  /** An HTTP answer. */
  record Answer(int status, String contentType, String body) {}

  static final String JSON = "application/json";
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;

  private final Gson gson =
      new GsonBuilder()
          .setFieldNamingPolicy(FieldNamingPolicy.IDENTITY)
          .disableHtmlEscaping()
          .create();
  private final Vitals vitals;

  Answers(Vitals vitals) {
    this.vitals = vitals;
  }

  /** For balancers: a broker that is away for a moment does not take a server out. */
  Answer health() {
    Vitals.Health health = vitals.health();
    boolean takesTraffic =
        health.status() == Vitals.Status.UP || health.status() == Vitals.Status.DEGRADED;
    return json(takesTraffic ? OK : UNAVAILABLE, health);
  }

  /** For operators: strict. */
  Answer ready() {
    String reason = vitals.unready();
    return reason == null
        ? json(OK, Map.of("ready", true))
        : json(UNAVAILABLE, Map.of("ready", false, "reason", reason));
  }

  Answer stats() {
    return json(OK, vitals.stats());
  }

  Answer rooms() {
    return json(OK, new RoomList(vitals.rooms()));
  }

  Answer room(String roomId) {
    return json(OK, new MemberList(roomId, vitals.members(roomId)));
  }

  Answer metrics(@Nullable String accept) {
    Vitals.Exposition text = vitals.metrics(accept);
    return new Answer(OK, text.contentType(), text.text());
  }

  Answer notFound(String allowed) {
    return json(
        NOT_FOUND, new Problem(NOT_FOUND, "NOT_FOUND", "nothing here; there is " + allowed));
  }

  Answer problem(int status, String code, String text) {
    return json(status, new Problem(status, code, text));
  }

  private Answer json(int status, Object body) {
    return new Answer(status, JSON, gson.toJson(body));
  }

  private record RoomList(List<Vitals.RoomSize> rooms) {}

  private record MemberList(String roomId, List<Vitals.MemberInfo> members) {}

  private record Problem(int status, String errorCode, String error) {}
}
