package dev.chatflow.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.FilterChain;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictPathsTest {

  private final List<Object> through = new ArrayList<>();

  private FakeExchange ask(String context, String uri) throws Exception {
    FakeExchange exchange = new FakeExchange("GET", uri, null).context(context);
    FilterChain chain = (request, _) -> through.add(request);
    new StrictPaths().doFilter(exchange.request(), exchange.response(), chain);
    return exchange;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//host/..;/rooms/5",
        "/rooms//5",
        "/rooms;a=b/5",
        "/rooms/5;jsessionid=1",
        "/x/../rooms/5",
        "/./rooms/5",
        "/rooms/%2e%2e/5",
        "/rooms/5%3Ba",
        "/rooms\\5",
        "//",
        "/.."
      })
  void pathWithASecondSpellingIsNotThere(String path) throws Exception {
    FakeExchange answer = ask("", path);
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.text()).contains("NOT_FOUND");
    assertThat(through).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/rooms/5", "/lib/chatflow.js", "/api/rooms/a%2Fb", "/chat/5"})
  void plainPathPasses(String path) throws Exception {
    assertThat(ask("", path).status()).isEqualTo(200);
    assertThat(through).hasSize(1);
  }

  @Test
  void applicationWithoutItsSlashLeadsToThePage() throws Exception {
    FakeExchange answer = ask("/team/chat", "/team/chat");
    assertThat(answer.status()).isEqualTo(302);
    assertThat(answer.answered("Location")).isEqualTo("/team/chat/");
    assertThat(ask("/team/chat", "/team/chat/").status()).isEqualTo(200);
    assertThat(through).hasSize(1);
  }
}
